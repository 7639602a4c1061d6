/** Storage of backups, a folder or a bucket, behind one interface; and the process that makes and tests them. */
import { type ChildProcess, fork } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CopyNews, CopyOrder } from '#commands/copyProcess.ts'
import type { Restored } from '#commands/restore.ts'
import type { Config } from '#platform/config.ts'
import { createStorage } from '#platform/storage.ts'

const PROGRAM = new URL('../../commands/copyProcess.ts', import.meta.url)

/** Name of the small file by which a bucket is tried. */
const PROBE = 'ordinator-check'

export interface CopyPlace {
  /** Tries whether archives can be kept there, before one is made. @throws the error of the store */
  check(): Promise<void>
  /** Path for an incomplete archive. */
  part(name: string): Promise<string>
  /** Moves a complete archive to its place. */
  keep(name: string): Promise<void>
  /** Moves an archive that is complete in the folder to its place. */
  take(name: string): Promise<void>
  /** @throws an error with `code: 'ENOENT'` if there is no such archive */
  open(name: string): Promise<Readable>
  /** Provides a local path of the archive while `run` executes. */
  local<T>(name: string, run: (path: string) => Promise<T>): Promise<T>
  /** Removes an archive, complete or not. */
  remove(name: string): Promise<void>
}

export const isBucket = ({ backupTo }: Pick<Config, 'backupTo'>): boolean => backupTo.startsWith('s3:')

/** The folder in which archives are written: that of the backups, or one beside the data if they go to a bucket. */
export const folderOf = (config: Pick<Config, 'backupTo' | 'dataDir'>): string =>
  isBucket(config) ? join(config.dataDir, 'backups') : config.backupTo

export function copyPlace(config: Pick<Config, 'backupTo' | 'dataDir'>): CopyPlace {
  const folder = folderOf(config)
  const partOf = (name: string) => join(folder, `${name}.part`)
  const part = async (name: string) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rm(partOf(name), { force: true })
    return partOf(name)
  }
  if (!isBucket(config)) {
    const path = (name: string) => join(folder, name)
    return {
      check: async () => {},
      part,
      keep: (name) => rename(partOf(name), path(name)),
      take: async () => {},
      async open(name) {
        await stat(path(name))
        return createReadStream(path(name))
      },
      local: (name, run) => run(path(name)),
      async remove(name) {
        await rm(partOf(name), { force: true })
        await rm(path(name), { force: true })
      },
    }
  }
  const bucket = createStorage(config.backupTo)
  const move = async (path: string, name: string) => {
    await bucket.put(name, path)
    await rm(path, { force: true })
  }
  return {
    async check() {
      await bucket.put(PROBE, Buffer.from('check'))
      // A key that may not remove can still keep archives.
      await bucket.remove(PROBE).catch(() => undefined)
    },
    part,
    keep: (name) => move(partOf(name), name),
    take: (name) => move(join(folder, name), name),
    open: (name) => bucket.get(name),
    async local(name, run) {
      const path = await part(name)
      try {
        await pipeline(await bucket.get(name), createWriteStream(path, { mode: 0o600 }))
        return await run(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    async remove(name) {
      await rm(partOf(name), { force: true })
      await bucket.remove(name)
    },
  }
}

/** Free bytes of the disk for archives; undefined if the folder does not exist. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const known = await statfs(folder).catch(() => statfs(dirname(folder)).catch(() => undefined))
  return known && known.bavail * known.bsize
}

/** Whether backups are on the same disk as the database. */
export async function isOnSameDisk(config: Pick<Config, 'backupTo' | 'dataDir'>): Promise<boolean> {
  if (isBucket(config)) return false
  const [copies, data] = await Promise.all([
    stat(config.backupTo).catch(() => stat(dirname(config.backupTo)).catch(() => undefined)),
    realpath(join(config.dataDir, 'pg'))
      .catch(() => config.dataDir)
      .then((path) => stat(path))
      .catch(() => undefined),
  ])
  return copies !== undefined && copies.dev === data?.dev
}

/** A failure reported by the process, in words for people. */
export class CopyFailed extends Error {
  override name = 'CopyFailed'
}

interface Watch {
  signal: AbortSignal
  onShare?: (share: number) => void
}

/** Makes an archive. @throws CopyFailed */
export async function makeCopy(config: Config, path: string, watch: Watch): Promise<{ bytes: number; files: number }> {
  const news = await inProcess({ what: 'backup', config, path }, watch)
  if ('made' in news) return news.made
  throw new CopyFailed('Программа копий завершилась, не закончив')
}

/**
 * Restores an archive into a spare folder of the data, counts, and removes the folder.
 * @throws CopyFailed
 */
export async function tryCopy(config: Config, path: string, watch: Watch): Promise<Restored> {
  const spare = join(config.dataDir, 'trial')
  await removeSpare(spare)
  // The account that runs the database must be able to traverse it.
  await mkdir(spare, { recursive: true, mode: 0o711 })
  try {
    const files = config.files.startsWith('s3:') ? config.files : join(spare, 'files')
    const news = await inProcess(
      { what: 'trial', config: { ...config, dataDir: spare, files, databaseUrl: undefined }, path },
      watch,
    )
    if ('restored' in news) return news.restored
    throw new CopyFailed('Программа проверки завершилась, не закончив')
  } finally {
    await removeSpare(spare)
  }
}

/** The database may be elsewhere, with a link to it (`placeOf` of the embedded server). */
async function removeSpare(spare: string): Promise<void> {
  const base = await realpath(join(spare, 'pg')).catch(() => undefined)
  if (base && dirname(base) !== (await realpath(spare))) await rm(dirname(base), { recursive: true, force: true })
  await rm(spare, { recursive: true, force: true })
}

function inProcess(order: CopyOrder, { signal, onShare }: Watch): Promise<CopyNews> {
  const child: ChildProcess = fork(PROGRAM, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const stop = () => child.kill('SIGTERM')
  return new Promise<CopyNews>((resolve, reject) => {
    child.on('message', (news: CopyNews) => {
      if ('share' in news) onShare?.(news.share)
      else if ('failed' in news) reject(new CopyFailed(news.failed))
      else resolve(news)
    })
    child.once('error', reject)
    child.once('exit', () =>
      reject(new CopyFailed(signal.aborted ? 'Остановлена' : 'Программа копий завершилась, не закончив')),
    )
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    child.send(order, () => {})
  }).finally(() => signal.removeEventListener('abort', stop))
}
