/** The measured product and a bare process beside it, on one temporary PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createDb, type Db } from '../apps/server/src/platform/db.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { startPostgres } from '../apps/server/src/platform/postgres/postgres.ts'
import { makeBigData, PASSWORD, SIZES } from './bigData.ts'
import type { BigData } from './bigTasks.ts'

const ROOT = join(import.meta.dirname, '..')
/** A start beside other work may take longer than it does alone. */
const START_MS = 120_000
const STOP_MS = 10_000

export interface Process {
  url: string
  pid: number
  /** Port of its inspector, once activated by SIGUSR1. */
  inspectPort: number
  /** Kills it without a shutdown. */
  kill(): void
  stop(): Promise<void>
}

export interface BenchClinic {
  db: Db
  client: pg.Client
  data: BigData
  /** The server as in production: its main.ts. */
  product: Process
  /** Minimal Fastify, pg and ws. */
  bare: Process
  /** Number of statements the product's server sends to PostgreSQL meanwhile, without those of the job queue. */
  countStatements(run: () => Promise<unknown>): Promise<number>
  /** Another server of the same clinic, beside `product`. @param env additional settings */
  another(env?: Record<string, string>): Promise<Process>
  /** The access token of a user of the data set. */
  /** @param at address of another server than the first */
  signIn(login: string, at?: string): Promise<string>
}

/** Cleanups, run in reverse order. Also on Ctrl+C. */
const held: (() => unknown)[] = []
let releasing: Promise<void> | undefined
let starting: Promise<unknown> | undefined

export const hold = (release: () => unknown): void => void held.push(release)

export function releaseAll(): Promise<void> {
  releasing ??= (async () => {
    await releaseHeld()
    // Anything starting up now fails, or still starts and is then shut down.
    await Promise.race([starting, sleep(START_MS)])
    await releaseHeld()
  })()
  return releasing
}

/** Shuts down a clinic before the next one starts; resources of the run itself stay. */
export const release = (): Promise<void> => releaseHeld(1)

async function releaseHeld(keep = 0): Promise<void> {
  while (held.length > keep) {
    const release = held.pop()
    try {
      await release?.()
    } catch (error) {
      console.error(error)
    }
  }
}

export interface ClinicOptions {
  tasks?: number
  users?: number
  /** Additional settings of the product's server. */
  env?: Record<string, string>
  /** False: PostgreSQL without fsync. Only for reads, whose data are then created faster. */
  durable?: boolean
  /** Node arguments of the measured servers, such as --cpu-prof. */
  nodeArgs?: string[]
}

export function startClinic(options: ClinicOptions = {}): Promise<BenchClinic> {
  const clinic = bringUp(options)
  starting = clinic.catch(() => {})
  return clinic
}

async function bringUp(options: ClinicOptions): Promise<BenchClinic> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const dir = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => removeData(dir))
  const postgres = await startPostgres(dir, { durable: options.durable ?? true })
  hold(() => postgres.stop())
  const db = createDb({ url: postgres.url, log: createLog('error'), max: 4 })
  hold(() => db.end())
  await migrate(db)
  const client = await db.connect()
  hold(() => client.end())
  const data = await makeBigData(client, {
    ...SIZES,
    ...(options.tasks && { tasks: options.tasks }),
    ...(options.users && { users: options.users }),
  })

  const another = async (env: Record<string, string> = {}) => {
    const port = await freePort()
    return startProcess('apps/server/src/main.ts', `http://127.0.0.1:${port}`, options.nodeArgs, {
      DATABASE_URL: postgres.url,
      DATA_DIR: join(dir, 'server'),
      DEMO: '0',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      PUBLIC_URL: '',
      REDIS_URL: '',
      FILES: '',
      SECRET: '',
      ...options.env,
      ...env,
    })
  }
  const product = await another()
  const signIn = (login: string, at = product.url) => accessToken(at, login)

  const barePort = await freePort()
  const bare = await startProcess('bench/bare.ts', `http://127.0.0.1:${barePort}`, options.nodeArgs, {
    BARE_DATABASE_URL: postgres.url,
    BARE_PORT: String(barePort),
  })
  const countStatements = (run: () => Promise<unknown>) => statementsOf(client, join(dir, 'postgres.log'), run)
  return { db, client, data, product, bare, countStatements, another, signIn }
}

/** Makes PostgreSQL log every statement for a while and counts the lines. */
async function statementsOf(client: pg.Client, log: string, run: () => Promise<unknown>): Promise<number> {
  const logging = async (value: 'all' | 'none') => {
    await client.query(`ALTER SYSTEM SET log_statement = '${value}'`)
    await client.query('SELECT pg_reload_conf()')
    await sleep(500)
  }
  await logging('all')
  const from = statSync(log).size
  await run()
  await sleep(300)
  const lines = readFileSync(log).subarray(from).toString().split('\n')
  await logging('none')
  return lines.filter(
    (line) => /LOG: {2}(execute|statement)/.test(line) && !/\bjobs\.|LISTEN|pg_reload_conf|ALTER SYSTEM/.test(line),
  ).length
}

/** Signs in like a user, replacing an open session. */
async function accessToken(url: string, login: string): Promise<string> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: PASSWORD, forceLogin: true }),
  })
  const text = await response.text()
  const token = response.ok ? JSON.parse(text).accessToken : undefined
  if (!token) throw new Error(`sign-in of ${login}: ${response.status} ${text}`)
  return token
}

/** @param startMs maximum time until it answers at /health */
export async function startProcess(
  file: string,
  url: string,
  nodeArgs: string[] = [],
  env: Record<string, string>,
  startMs = START_MS,
): Promise<Process> {
  const inspectPort = await freePort()
  const child = spawn(process.execPath, [...nodeArgs, `--inspect-port=127.0.0.1:${inspectPort}`, file], {
    cwd: ROOT,
    // Its own process group: Ctrl+C in the terminal reaches only us, and we shut things down in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    // Drops the inspector's messages, which appear with each measurement of memory.
    const text = chunk.toString().replace(/^(Debugger (listening|attached|ending)|For help, see).*\n?/gm, '')
    if (text) process.stderr.write(text)
  })
  let stopping = false
  const stop = () => {
    stopping = true
    return stopProcess(child)
  }
  child.once('exit', (code, signal) => {
    if (!stopping) console.error(`${file} ended by itself (${signal ?? code}):\n${output}`)
  })
  const kill = () => {
    stopping = true
    child.kill('SIGKILL')
  }
  hold(stop)
  const end = Date.now() + startMs
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`)
    const answered = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) break
    if (Date.now() > end) throw new Error(`${file} does not answer at ${url}`)
    await sleep(100)
  }
  return { url, pid: child.pid as number, inspectPort, kill, stop }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(killer)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** The database may be elsewhere, behind a link, when root started it in a folder that others cannot reach. */
export function removeData(dir: string): void {
  const link = join(dir, 'pg')
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(dirname(readlinkSync(link)), { recursive: true, force: true })
  }
  rmSync(dir, { recursive: true, force: true })
}
