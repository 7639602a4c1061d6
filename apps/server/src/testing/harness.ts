/**
 * A separate clinic for each test file: a cloned database and the whole server, called as over HTTP but without a socket.
 *
 *
 *   const clinic = await testApp()
 *   const { status, body } = await clinic.as('admin').get('/users?limit=5')
 *   await clinic.close()
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Config, readConfig } from '#platform/config.ts'
import { createDb, type Db } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { type OutboundOptions, openOutbound } from '#platform/outbound.ts'
import type { Patience } from '#platform/readers.ts'
import type { AppContext } from '#records/context.ts'
import { type App, buildApp } from '../app.ts'
import { checkDocumented } from './documented.ts'
import { demoFiles, demoTemplateName, SECRET } from './templates.ts'

export interface Answer<T = any> {
  status: number
  /** Parsed JSON, or undefined when the answer is not JSON. */
  body: T
  text: string
  bytes: Buffer
  headers: Record<string, string | string[] | undefined>
}

export interface CallOptions {
  headers?: Record<string, string>
  cookies?: Record<string, string>
}

/** Calls as one user, or anonymously. A FormData body is sent as multipart, other bodies as JSON. */
export interface Caller {
  get<T = any>(url: string, options?: CallOptions): Promise<Answer<T>>
  post<T = any>(url: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  put<T = any>(url: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  delete<T = any>(url: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  call<T = any>(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer<T>>
  /** The access token; undefined for anonymous calls. */
  token(): Promise<string | undefined>
}

export interface Clinic {
  app: App
  context: AppContext
  db: Db
  config: Config
  anonymous: Caller
  /** Signs in at the first call and keeps the token. */
  as(login: string, password?: string): Caller
  /** Calls with an existing token. */
  withToken(token: string): Caller
  /** For websockets and streams: listens on a free port, returns `http://127.0.0.1:port`. */
  listen(): Promise<string>
  /** Simulates a second server process on the same database and files. Close it before the clinic. */
  secondProcess(): Promise<Clinic>
  close(): Promise<void>
}

export interface TestOptions {
  /** Start from the demo clinic instead of an empty database. */
  demo?: boolean
  /** Fills an empty database instead of cloning the migrated one: a clinic of an earlier version. */
  fill?(db: Db): Promise<unknown>
  /** A database of the test's own, with all migrations applied, instead of a clone. */
  url?: string
  /** Settings to override, as in the environment. */
  env?: Record<string, string>
  /** Runs before the first call, e.g. to add users. */
  prepare?(context: AppContext): Promise<unknown>
  /** Allowed outbound addresses and name resolution: simulators run on loopback. */
  outbound?: OutboundOptions
  /** How long an answer waits to be read. */
  patience?: Patience
  /** Replaces signing in through POST /auth/login. */
  signIn?(clinic: Clinic, login: string, password: string): Promise<string>
}

const PASSWORD = 'demo'
const POOL_SIZE = 8
/** A machine running several suites at once answers slowly. */
const CONNECT_MS = 5 * 60_000

let made = 0

export async function testApp(options: TestOptions = {}): Promise<Clinic> {
  const database = options.url
    ? `own_${process.pid}_${++made}`
    : await cloneDatabase(options.fill ? 'template0' : options.demo ? await demoTemplate() : inject('testTemplate'))
  const dir = join(inject('testDir'), database)
  const clinic = await start(database, dir, options)
  return {
    ...clinic,
    async close() {
      await clinic.close()
      if (!options.url) await dropDatabase(database)
    },
  }
}

async function start(database: string, dir: string, options: TestOptions): Promise<Clinic> {
  const url = options.url ?? urlOf(database)
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dir,
    DEMO: '0',
    READY: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: process.env.TEST_LOG ?? 'fatal',
    PORT: '0',
    PUBLIC_URL: 'http://clinic.test',
    SECRET,
    ...options.env,
  })
  const log = createLog(config.logLevel)
  const db = createDb({
    url,
    replicaUrl: config.replicaUrl,
    log,
    secret: config.secret,
    max: POOL_SIZE,
    connectTimeout: CONNECT_MS,
  })
  await options.fill?.(db)
  const app = await buildApp({
    config,
    db,
    log,
    outbound: openOutbound(options.outbound),
    ...(options.patience && { patience: options.patience }),
  })
  await options.prepare?.(app.context)

  const clinic: Clinic = {
    app,
    context: app.context,
    db,
    config,
    anonymous: caller(app, async () => undefined),
    withToken: (token) => caller(app, async () => token),
    as(login, password = PASSWORD) {
      let token: Promise<string> | undefined
      return caller(app, () => (token ??= (options.signIn ?? signIn)(clinic, login, password)))
    },
    listen: () => app.server.listen({ port: 0, host: '127.0.0.1' }),
    secondProcess: () => start(database, dir, { ...options, prepare: async () => {} }),
    close: () => app.close(),
  }
  return clinic
}

async function signIn(clinic: Clinic, login: string, password: string): Promise<string> {
  const { status, body, text } = await clinic.anonymous.post('/auth/login', { login, password, forceLogin: true })
  if (status !== 200 || !body?.accessToken) throw new Error(`sign-in of ${login}: ${status} ${text}`)
  return body.accessToken
}

function caller(app: App, token: () => Promise<string | undefined>): Caller {
  async function call(method: string, url: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const bearer = await token()
    const headers: Record<string, string> = { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) }
    let payload: string | Buffer | undefined
    if (body instanceof FormData) {
      const form = new Response(body)
      payload = Buffer.from(await form.arrayBuffer())
      headers['content-type'] = form.headers.get('content-type') ?? ''
    } else if (body !== undefined) {
      payload = JSON.stringify(body)
      headers['content-type'] = 'application/json'
    }
    const response = await app.server.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...options.headers },
      ...(options.cookies ? { cookies: options.cookies } : {}),
      ...(payload === undefined ? {} : { payload }),
    })
    await checkDocumented(app, method, url, response.statusCode)
    const text = response.payload
    const json = String(response.headers['content-type'] ?? '').includes('json') && text !== ''
    return {
      status: response.statusCode,
      body: json ? JSON.parse(text) : undefined,
      text,
      bytes: response.rawPayload,
      headers: response.headers as Answer['headers'],
    }
  }
  return {
    call,
    token,
    get: (url, options) => call('GET', url, undefined, options),
    post: (url, body, options) => call('POST', url, body, options),
    put: (url, body, options) => call('PUT', url, body, options),
    delete: (url, body, options) => call('DELETE', url, body, options),
  }
}

/** An empty, migrated database without a server; it is dropped when the caller ends it. */
export async function testDb(): Promise<Db> {
  const database = await cloneDatabase(inject('testTemplate'))
  const db = createDb({
    url: urlOf(database),
    log: createLog('fatal'),
    secret: SECRET,
    max: POOL_SIZE,
    connectTimeout: CONNECT_MS,
  })
  return {
    ...db,
    async end() {
      await db.end()
      await dropDatabase(database)
    },
  }
}

const urlOf = (database: string): string => inject('testDatabaseUrl').replace('{database}', database)

async function asAdmin<T>(run: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  try {
    return await run(admin)
  } finally {
    await admin.end()
  }
}

async function cloneDatabase(template: string): Promise<string> {
  const name = `test_${process.pid}_${++made}_${randomBytes(3).toString('hex')}`
  await asAdmin(async (admin) => {
    // A copy by the file system: a quarter of the time of the default, which also writes every page to the WAL.
    // Older servers than 18 have no such setting.
    if (process.platform === 'linux')
      await admin.query(
        `select set_config('file_copy_method', 'clone', false) from pg_settings where name = 'file_copy_method'`,
      )
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  })
  return name
}

const dropDatabase = (name: string) => asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))

const LOCK = 7_236_004_813

/** The demo clinic, created once per state of the sources by starting the server with DEMO=1. */
async function demoTemplate(): Promise<string> {
  const name = demoTemplateName(inject('testTemplate'))
  await asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount) return
    const draft = await cloneDatabase(inject('testTemplate'))
    // Files of the demo clinic are beside its database, under its name.
    const app = await start(draft, demoFiles(name), { env: { DEMO: '1' } })
    await app.close()
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  })
  return name
}
