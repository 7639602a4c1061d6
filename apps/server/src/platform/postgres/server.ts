/** Process of the embedded server: start, readiness, stop. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { failure, PostgresError } from './error.ts'
import type { Account } from './place.ts'
import { isServerOf, processesIn, signal } from './processes.ts'

export const SOCKET_PORT = 5432
const START_TIMEOUT = 120_000
/** Silence before the first slow-start message, and between two of them. */
const SLOW_MS = 6_000
const SLOW_AGAIN_MS = 20_000
const STOP_TIMEOUT = 30_000
/** The same for a start that was aborted: little is written yet. */
const ABORT_TIMEOUT = 10_000
const ORPHANS_TIMEOUT = 10_000
const LOG_MAX_BYTES = 5 * 1024 * 1024

const SETTINGS: Record<string, string> = {
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // The texts of failed statements and the DETAIL of errors hold personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  password_encryption: 'scram-sha-256',
}
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const FRAGILE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
}

/** Ways to wait for a server. */
interface Wait {
  /** Called repeatedly during a long wait. */
  onSlow?: () => void
  /** Ends the wait with an error. */
  signal?: AbortSignal | undefined
}

interface Launch extends Wait {
  /** False: no fsync. */
  durable?: boolean
  /** Receives the process as soon as it exists; undefined when it has failed. */
  began(pid: number | undefined): void
}

/** Starts the server and resolves when it is ready. */
export async function launch(
  bin: string,
  data: string,
  port: number,
  account: Account | undefined,
  logFile: string,
  { durable, began, ...wait }: Launch,
): Promise<void> {
  await clearStale(data)
  const settings = { ...SETTINGS, ...(durable === false ? FRAGILE : DURABLE) }
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  if (port === 0) args.push('-c', 'listen_addresses=', '-c', `unix_socket_directories=${data}`)
  else args.push('-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=')
  args.push('-c', 'unix_socket_permissions=0700', '-p', String(port || SOCKET_PORT))

  for (let attempt = 1; ; attempt++) {
    checkGoesOn(wait)
    const log = openLog(logFile)
    const server = spawn(join(bin, 'postgres'), args, {
      ...account,
      cwd: data,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_MESSAGES: 'C', LC_ALL: 'C.UTF-8' },
    })
    closeSync(log)
    began(server.pid)
    if (await becameReady(server, data, wait)) {
      server.unref()
      return
    }
    began(undefined)
    // The owner of a stale lock file may have been shutting down, or the port was taken meanwhile.
    if (attempt >= 3) {
      throw failure('Не удалось запустить базу данных.', tail(logFile))
    }
    await sleep(200 * attempt)
    await clearStale(data)
  }
}

/** Waits for `ready` in the eighth line of postmaster.pid. An aborted server is stopped. */
async function becameReady(server: ChildProcess, data: string, wait: Wait): Promise<boolean> {
  const slow = slowness(wait.onSlow)
  let gone = false
  server.once('error', () => (gone = true))
  server.once('exit', () => (gone = true))
  const end = Date.now() + START_TIMEOUT
  while (!gone && !wait.signal?.aborted && Date.now() < end) {
    const file = pidFile(data)
    if (file && file.pid === server.pid && file.status === 'ready') return true
    slow()
    await sleep(10)
  }
  if (!gone && wait.signal?.aborted) {
    server.kill('SIGINT')
    const last = Date.now() + ABORT_TIMEOUT
    while (!gone && Date.now() < last) await sleep(10)
  }
  if (!gone) server.kill('SIGQUIT')
  return false
}

/** @throws when the wait has been aborted */
function checkGoesOn({ signal: abort }: Wait): void {
  if (abort?.aborted) throw new PostgresError('Запуск базы данных прерван.')
}

/**
 * True when a live, ready server works on this folder. Waits for a server that is starting or stopping, and for one that
 * was just killed: for some milliseconds it still looks alive, but no longer answers.
 */
export async function runs(data: string, url?: string, wait: Wait = {}): Promise<boolean> {
  const slow = slowness(wait.onSlow)
  const end = Date.now() + START_TIMEOUT
  for (;;) {
    const file = pidFile(data)
    if (!file || !isServerOf(file.pid, data)) return false
    if (file.status === 'ready' && (url === undefined || (await answers(url)))) return true
    checkGoesOn(wait)
    slow()
    if (Date.now() > end) throw new PostgresError(`База данных в ${data} не отвечает (процесс ${file.pid}).`)
    await sleep(25)
  }
}

/** Step of a wait loop: calls back when the wait has lasted long, and then periodically. */
function slowness(onSlow: (() => void) | undefined): () => void {
  let next = Date.now() + SLOW_MS
  return () => {
    if (Date.now() < next) return
    next = Date.now() + SLOW_AGAIN_MS
    onSlow?.()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch (error) {
    // An error reply ("too many clients") counts as running; a server that is shutting down does not.
    const { code } = error as { code?: string }
    return code?.length === 5 && !code.startsWith('57P') && !code.startsWith('E')
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Removes lock files after a crash. PostgreSQL refuses to start while the process named in postmaster.pid exists in any
 * form: an unreaped zombie, or another process with that pid; the same for the socket's lock. So these files are removed
 * when their owner is known not to serve this folder, and only after the last orphan of the dead server is gone.
 */
async function clearStale(data: string): Promise<void> {
  const left = ['postmaster.pid', `.s.PGSQL.${SOCKET_PORT}.lock`, `.s.PGSQL.${SOCKET_PORT}`].map((name) =>
    join(data, name),
  )
  if (!left.some((path) => existsSync(path))) return
  const end = Date.now() + ORPHANS_TIMEOUT
  let orphans = processesIn(data)
  while (orphans.length > 0 && Date.now() < end) {
    await sleep(25)
    orphans = processesIn(data)
  }
  for (const pid of orphans) signal(pid, 'SIGKILL')
  if (orphans.length > 0) await sleep(200)
  for (const path of left) rmSync(path, { force: true })
}

export async function halt(data: string): Promise<void> {
  const file = pidFile(data)
  if (!file || !isServerOf(file.pid, data)) return
  // SIGINT: "fast" stop. Sessions are ended, everything is written out, the next start needs no recovery.
  signal(file.pid, 'SIGINT')
  const end = Date.now() + STOP_TIMEOUT
  while (isServerOf(file.pid, data)) {
    if (Date.now() > end) {
      signal(file.pid, 'SIGQUIT')
      return
    }
    await sleep(10)
  }
}

function openLog(path: string): number {
  try {
    if (statSync(path).size > LOG_MAX_BYTES) renameSync(path, `${path}.1`)
  } catch {
    // No log yet.
  }
  return openSync(path, 'a', 0o600)
}

function tail(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-8).join('\n')
  } catch {
    return ''
  }
}

export function pidFile(data: string): { pid: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number(lines[0]))
    return pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : undefined
  } catch {
    return undefined
  }
}
