/** `pg.json` beside the cluster: its password and port. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import { runs } from './server.ts'

/** The address of a unix socket holds 107 bytes; `.s.PGSQL.5432` is added to the folder. */
const SOCKET_DIR_MAX = 90

export interface Kept {
  password: string
  /** 0: unix socket only. */
  port: number
  /** The cluster was created here once: if it is missing now it is lost, and no new one replaces it. */
  made: boolean
}

/**
 * Password and port of the cluster at `data`; generated when there are none yet.
 * @param path of `pg.json`
 * @throws PostgresError when the cluster exists and its password does not, or the file is invalid
 */
export async function keptOf(path: string, data: string): Promise<Kept> {
  const kept: Partial<Kept> = existsSync(path) ? readKept(path) : {}
  if (kept.password === undefined && existsSync(join(data, 'PG_VERSION'))) {
    throw new PostgresError(`Нет файла ${path} с паролем базы данных: верните его из резервной копии.`)
  }
  const sockets = process.platform !== 'win32' && Buffer.byteLength(data) <= SOCKET_DIR_MAX
  let port = sockets ? 0 : (kept.port ?? 0)
  if (!sockets && (port === 0 || !(await isFree(port))) && !(await runs(data))) port = await freePort()
  const password = kept.password ?? randomBytes(24).toString('base64url')
  const now = { password, port, made: kept.made === true || existsSync(join(data, 'PG_VERSION')) }
  if (kept.password !== password || kept.port !== port || kept.made !== now.made) keep(path, now)
  return now
}

function readKept(path: string): Partial<Kept> {
  const text = readFileSync(path, 'utf8')
  try {
    const kept = JSON.parse(text) as Partial<Kept>
    if (typeof kept.password === 'string' && (kept.port === undefined || Number.isInteger(kept.port))) return kept
  } catch {
    // Reported below, like valid JSON of another shape.
  }
  throw new PostgresError(
    `Файл ${path} с паролем базы данных повреждён: верните его из резервной копии. Если базы ещё не было, удалите его.`,
  )
}

/** Written atomically. */
export function keep(path: string, kept: Kept): void {
  writeFileSync(`${path}.part`, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  renameSync(`${path}.part`, path)
}

const freePort = (): Promise<number> => listenOnce(0)
const isFree = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => true,
    () => false,
  )

function listenOnce(port: number): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
