/** The archive of `npm run backup`: a tar.gz with a manifest first, the database, the files and the secret. */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as tar from 'tar-stream'
import { Decrypting, ENCRYPTED_MARK, Encrypting } from './encryptedArchive.ts'

const CHUNK = 1024 * 1024

export interface Manifest {
  format: 1
  /** ISO 8601. */
  date: string
  /** Of the program that made it; absent in archives before 2026.11.29. */
  version?: string
  /** Major version of PostgreSQL. */
  postgres: string
  /** Names of the applied migrations. */
  migrations: string[]
  /** True when the files are in the archive; those of an S3 bucket are not. */
  files: boolean
}

export const MANIFEST = 'ordinator.json'

/**
 * Writes entries one after another to `path`, readable only by its owner.
 * @param passphrase encrypts the archive; absent: not encrypted
 * @param onBytes called with the number of file bytes read
 */
export function writeArchive(path: string, passphrase?: string, onBytes: (bytes: number) => void = () => {}) {
  const pack = tar.pack()
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const zip = createGzip({ level: 4 })
  const done =
    passphrase === undefined ? pipeline(pack, zip, out) : pipeline(pack, zip, new Encrypting(passphrase), out)
  done.catch(() => {})
  const entry = (header: Parameters<tar.Pack['entry']>[0], content?: Buffer) =>
    new Promise<void>((resolve, reject) => {
      pack.entry(header, content ?? Buffer.alloc(0), (error) => (error ? reject(error) : resolve()))
    })
  return {
    text: (name: string, text: string) => entry({ name, mode: 0o600 }, Buffer.from(text)),

    /** Adds a file with its current length: the database keeps writing, and recovery repairs torn pages. */
    async file(name: string, from: string): Promise<void> {
      const handle = await open(from)
      try {
        const { size, mode } = await handle.stat()
        const sink = pack.entry({ name, size, mode: mode & 0o777 })
        const ended = new Promise<void>((resolve, reject) => sink.once('finish', () => resolve()).once('error', reject))
        for (let at = 0; at < size; ) {
          const chunk = Buffer.alloc(Math.min(CHUNK, size - at))
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
          // Truncated meanwhile: the rest is zeros, as in a base backup.
          const piece = bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk
          if (!sink.write(piece))
            await Promise.race([new Promise<void>((drained) => sink.once('drain', () => drained())), done])
          at += piece.length
          onBytes(piece.length)
        }
        sink.end(undefined)
        await ended
      } finally {
        await handle.close()
      }
    },

    folder: (name: string, mode: number) => entry({ name: `${name}/`, type: 'directory', mode: mode & 0o777 }),

    async end(): Promise<void> {
      pack.finalize()
      await done
    },
  }
}

export type ArchiveWriter = ReturnType<typeof writeArchive>

/** Folders and files below `root`, folders first, with `/` paths; entries removed meanwhile are skipped. */
export function* below(root: string, folder = root): Generator<{ path: string; name: string; isFolder: boolean }> {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name)
    const name = relative(root, path).split(sep).join('/')
    if (item.isDirectory()) {
      yield { path, name, isFolder: true }
      yield* below(root, path)
    } else if (item.isFile()) yield { path, name, isFolder: false }
  }
}

/**
 * Unpacks into the folders returned by `place`; an entry with undefined is skipped.
 * @param start called with the manifest before anything is written
 * @param passphrase of an encrypted archive
 * @throws Error when it is not such an archive, or a path leads out of its folder
 */
export async function readArchive(
  path: string,
  start: (manifest: Manifest) => void,
  place: (name: string, isFolder: boolean) => { root: string; name: string } | undefined,
  passphrase?: string,
): Promise<void> {
  const extract = tar.extract()
  let begun = false
  const source = createReadStream(path)
  let reading: Promise<void>
  if (isArchiveEncrypted(path)) {
    if (passphrase === undefined) throw new Error('он зашифрован: задайте BACKUP_PASSPHRASE')
    const open = new Decrypting(passphrase)
    // Report the first error, not those it caused.
    open.once('error', (error) => extract.destroy(error))
    reading = pipeline(source, open, createGunzip(), extract)
  } else reading = pipeline(source, createGunzip(), extract)
  reading.catch(() => {})
  for await (const entry of extract) {
    const { name, type, mode } = entry.header
    if (!begun) {
      if (name !== MANIFEST) throw new Error('это не архив Ординатора')
      const parts: Buffer[] = []
      for await (const part of entry) parts.push(part as Buffer)
      const manifest = JSON.parse(Buffer.concat(parts).toString()) as Manifest
      if (manifest.format !== 1) throw new Error('архив сделан другой версией программы')
      start(manifest)
      begun = true
      continue
    }
    const to = place(name.replace(/\/$/, ''), type === 'directory')
    const target = to && resolve(to.root, to.name)
    if (target && target !== to.root && !target.startsWith(to.root + sep)) throw new Error(`лишний путь ${name}`)
    if (!target || (type !== 'file' && type !== 'directory')) entry.resume()
    else if (type === 'directory') {
      mkdirSync(target, { recursive: true, mode })
      entry.resume()
    } else {
      mkdirSync(dirname(target), { recursive: true })
      await pipeline(entry, createWriteStream(target, { mode, flags: 'wx' }))
    }
  }
  await reading
  if (!begun) throw new Error('архив пуст')
}

function isArchiveEncrypted(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(ENCRYPTED_MARK.length)
    readSync(file, head, 0, head.length, 0)
    return head.equals(ENCRYPTED_MARK)
  } finally {
    closeSync(file)
  }
}

export const sizeOf = (path: string): number => statSync(path).size
