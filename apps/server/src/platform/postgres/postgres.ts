/**
 * The embedded PostgreSQL, for a clinic without its own: a real server from npm packages, with data in `<dir>/pg`,
 * reached through a unix socket in that folder (or loopback when the path is too long for a socket, and on Windows).
 *
 * It runs in its own process group, so Ctrl+C in a terminal reaches only Node, which then stops things in order.
 * Processes that share a data folder share one server: each holds a lease, and the last one stops it. A server that
 * outlived its Node process (kill -9) is taken over by the next start.
 */
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { PostgresError } from './error.ts'
import { checkVersion, DATABASE, initialise, ROLE } from './initialise.ts'
import { liveLeases, lock, takeLease } from './leases.ts'
import { accountFor, binaries, placeOf, reown } from './place.ts'
import { isServerOf, signal } from './processes.ts'
import { halt, launch, pidFile, runs, SOCKET_PORT } from './server.ts'
import { keep, keptOf } from './stateFile.ts'

export interface Postgres {
  /** Connection string of the database `ordinator`. */
  url: string
  /** Folder of the cluster; outside the data folder when the server's user cannot reach that. */
  data: string
  /** Connection string of another database of this server. */
  urlOf(database: string): string
  /** Releases this process's lease; the last one stops the server and waits for it. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** False: no fsync. Only for data that may be lost, as in tests. */
  durable?: boolean
  /** Called before the slow first-time set-up. */
  onInit?: () => void
  /** Called repeatedly while a running or just started server does not answer. */
  onSlow?: () => void
  /** Aborts the start: `startPostgres` then throws, and a server that it has begun is stopped. */
  signal?: AbortSignal | undefined
  /** The server has died and was restarted, or could not be: then nothing works any more. */
  onLost?: (message: string, isBack: boolean) => void
}

/** Interval of the check that the server is running, in milliseconds. */
const WATCH_MS = 1_000

/**
 * Starts the server of a data folder, or joins a running one. When this process exits without `stop`, at any moment, also
 * of the start, or is ended by a signal that it does not handle, a server that nobody else uses stops with it.
 * @param dir absolute; created when missing
 * @throws PostgresError
 */
export async function startPostgres(dir: string, options: PostgresOptions = {}): Promise<Postgres> {
  mkdirSync(dir, { recursive: true })
  exitBySignals()
  const home = realpathSync(dir)
  const unlock = await lock(join(home, 'pg.lock'), options.signal)
  try {
    return await startLocked(home, options)
  } finally {
    unlock()
  }
}

async function startLocked(home: string, options: PostgresOptions): Promise<Postgres> {
  const account = accountFor(join(home, 'pg'))
  const data = placeOf(home, account)
  const bin = binaries(account)
  const kept = await keptOf(join(home, 'pg.json'), data)

  if (!existsSync(join(data, 'PG_VERSION'))) {
    if (kept.made) {
      throw new PostgresError(
        `База данных была создана в ${data}, но её там нет. Верните её из резервной копии (npm run restore). Чтобы начать с пустой базы, удалите файл ${join(home, 'pg.json')}.`,
      )
    }
    options.onInit?.()
    await initialise(bin, data, kept, account, options)
    keep(join(home, 'pg.json'), { ...kept, made: true })
  } else if (account) {
    reown(data, account)
  }
  checkVersion(data)

  const urlOf = (database: string): string =>
    kept.port === 0
      ? `postgresql://${ROLE}:${kept.password}@/${database}?host=${encodeURIComponent(data)}&port=${SOCKET_PORT}`
      : `postgresql://${ROLE}:${kept.password}@127.0.0.1:${kept.port}/${database}`

  let launched: number | undefined
  const begin = async () => {
    if (await runs(data, urlOf(DATABASE), options)) return
    const log = join(home, 'postgres.log')
    const began = (pid: number | undefined) => (launched = pid)
    await launch(bin, data, kept.port, account, log, { ...options, began })
  }
  // Taken before the start, which may end at any moment.
  const leases = join(home, 'pg.leases')
  const lease = takeLease(leases)
  const leave = () => {
    rmSync(lease, { force: true })
    // A server that has just been started has no file yet.
    const pid = pidFile(data)?.pid ?? launched
    if (liveLeases(leases) === 0 && pid && isServerOf(pid, data)) signal(pid, 'SIGINT')
  }
  process.once('exit', leave)
  try {
    await begin()
  } catch (error) {
    process.off('exit', leave)
    rmSync(lease, { force: true })
    throw error
  }
  let stopped: Promise<void> | undefined
  const watch = setInterval(() => void revive(), WATCH_MS).unref()
  let reviving = false
  /** Restarts a killed server; its children die with it, and the first process to notice restarts it. */
  async function revive(): Promise<void> {
    const file = pidFile(data)
    if (reviving || stopped || (file && isServerOf(file.pid, data))) return
    reviving = true
    try {
      const unlock = await lock(join(home, 'pg.lock'))
      try {
        if (!stopped) await begin()
      } finally {
        unlock()
      }
      if (!stopped) options.onLost?.('База данных остановилась и запущена снова', true)
    } catch (error) {
      clearInterval(watch)
      options.onLost?.(`База данных остановилась, и запустить её снова не удалось: ${(error as Error).message}`, false)
    } finally {
      reviving = false
    }
  }
  return {
    data,
    url: urlOf(DATABASE),
    urlOf,
    stop: () => {
      clearInterval(watch)
      stopped ??= release(home, data, leases, lease).finally(() => process.off('exit', leave))
      return stopped
    },
  }
}

let exits = false
/** A signal that nothing else of this process handles ends it by its `exit`, where servers are left. */
function exitBySignals(): void {
  if (exits) return
  exits = true
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name])
    })
}

async function release(home: string, data: string, leases: string, lease: string): Promise<void> {
  const unlock = await lock(join(home, 'pg.lock'))
  try {
    rmSync(lease, { force: true })
    if (liveLeases(leases) === 0) await halt(data)
  } finally {
    unlock()
  }
}
