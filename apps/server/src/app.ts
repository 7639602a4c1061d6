/** Builds the server without listening; `main.ts` listens, tests inject requests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import { composed, sentSpelling } from '@ordinator/model/spelling'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { readCommonSettings } from '#areas/settings/index.ts'
import { answer, answerBrokenClient, answerErrors } from '#platform/answers.ts'
import type { Config } from '#platform/config.ts'
import { createCounts, rateStore } from '#platform/counts.ts'
import type { Db } from '#platform/db.ts'
import { createDecoder } from '#platform/decoding.ts'
import { createFanout } from '#platform/fanout.ts'
import { warnOfForgottenProxy } from '#platform/forgottenProxy.ts'
import { takeForms } from '#platform/forms.ts'
import { createHosts } from '#platform/hostRouting.ts'
import { createJobs } from '#platform/jobs.ts'
import { checkJson } from '#platform/json.ts'
import { connectionsOf } from '#platform/laneSizes.ts'
import { createLife } from '#platform/life.ts'
import type { Logger } from '#platform/log.ts'
import { serveMetrics } from '#platform/metrics.ts'
import { type Outbound, openOutbound } from '#platform/outbound.ts'
import { createOutbox } from '#platform/outbox.ts'
import { cutStalledReaders, type Patience } from '#platform/readers.ts'
import { createScratch } from '#platform/scratch.ts'
import { fixedHeaders } from '#platform/securityHeaders.ts'
import { prepareLeave } from '#platform/shutdown.ts'
import { createStorage } from '#platform/storage.ts'
import { VERSION } from '#platform/version.ts'
import { serveWebFiles } from '#platform/webFiles.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { createExporter } from '#records/exporter.ts'
import { foundation, registerRooms } from './areas.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, set by authentication. For the log. */
    idUser: number | undefined
  }
}

export interface AppDeps {
  config: Config
  /** With all migrations applied. Closed by `App.close`. */
  db: Db
  log: Logger
  /** Absent: all public addresses, no special-purpose ones. */
  outbound?: Outbound
  /** Absent: the default. */
  patience?: Patience
  /** Receives the progress of making the demo clinic. */
  onDemo?: AppContext['onDemo']
}

export interface App {
  server: FastifyInstance
  context: AppContext
  /** Listens, and starts taking jobs. Returns the address. */
  start(): Promise<string>
  /**
   * Graceful shutdown: refuses new requests, waits for running ones, ends jobs and connections. Idempotent.
   * @param patience milliseconds after which requests still waiting get 503
   */
  close(patience?: number): Promise<void>
}

const BODY_LIMIT = 2 * 1024 * 1024
/** A file of 100 MB (the specification's maximum) with room for the multipart form. */
const FILE_LIMIT = 104_857_600
const REQUEST_TIMEOUT = 300_000
/** Connections accepted in one turn of the event loop, which blocks requests; others wait in the system's queue. */
const BACKLOG = 32
const CLOSE_TIMEOUT = 10_000
/** Time for the last answers to reach their clients. */
const LAST_WORDS_MS = 500
/** Bytes below which compression costs more than it saves. */
const COMPRESS_FROM = 4_096
const SLOW_MS = 1_000
/** Signal of a process that takes no jobs: `time name` of a delayed one. */
const DELAYED = 'jobs.delayed'

export async function buildApp({
  config,
  db,
  log,
  outbound = openOutbound(),
  patience,
  onDemo,
}: AppDeps): Promise<App> {
  const fixed = fixedHeaders(config.publicUrl)
  const hosts = createHosts(config.publicUrl)
  const server = openServer(config, log, hosts, fixed)

  const sockets = new Set<Socket>()
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const fanout = createFanout({ db, redisUrl: config.redisUrl, log })
  const listening = fanout.start()
  listening.catch(() => {})
  const onReady: (() => unknown)[] = []
  const onListening: (() => unknown)[] = []
  const onWorking: (() => unknown)[] = []
  const onClose: (() => unknown)[] = []
  const works = config.role !== 'web'
  // Jobs that one process delays are fetched on time by another.
  const onDelayed = works ? undefined : (name: string, at: number) => fanout.publish(DELAYED, `${at} ${name}`)
  const jobs = createJobs({ url: db.url, log, onDelayed })
  if (works)
    fanout.subscribe(DELAYED, (text) => {
      const [at, name] = text.split(' ')
      if (name) jobs.wakeAt(name, Number(at))
    })
  const life = createLife({ db: db.kept, log, role: config.role, connections: connectionsOf(config.connections) })
  const rooms = foundation({ config, db, fanout, log })
  const context: AppContext = {
    config,
    db,
    log,
    server,
    hosts,
    jobs,
    life,
    outbox: createOutbox({ db, jobs, life, log, transact: (run) => asSystem(rooms, run) }),
    files: createStorage(config.files),
    scratch: createScratch(join(config.dataDir, 'tmp')),
    pictures: createDecoder({ log }),
    outbound,
    exporter: createExporter({ url: db.url, isOurs: db.isOurs, replica: db.replica, log }),
    fanout,
    ...rooms,
    onDemo,
    banner: [],
    onReady: (fn) => void onReady.push(fn),
    onListening: (fn) => void onListening.push(fn),
    onWorking: (fn) => void onWorking.push(fn),
    onClose: (fn) => void onClose.push(fn),
  }

  server.decorateRequest('idUser', undefined)
  logRequests(server, log)
  context.banner.push(...warnOfForgottenProxy(server, config, log))
  answerErrors(server, log)
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(fixed)
    done()
  })
  const leave = prepareLeave(server)
  cutStalledReaders(server, patience)
  readJsonBodies(server)
  const counts = createCounts({ redisUrl: config.redisUrl, log })
  await registerPlugins(server, counts)
  server.get('/health', { schema: { hide: true }, logLevel: 'silent', config: { aside: 'free' } }, async () => {
    await db.health.query({ text: 'SELECT 1' })
    return { status: 'ok', version: VERSION }
  })
  serveMetrics({ server, db, role: config.role, token: config.metricsToken })
  await serveWebFiles(server, async () => {
    const { oldCrmUrl } = await readCommonSettings(db.kept)
    return URL.canParse(oldCrmUrl) ? new URL(oldCrmUrl).origin : undefined
  })
  await registerRooms(context)

  server.addHook('preClose', async () => {
    for (const fn of onClose.reverse()) {
      try {
        await fn()
      } catch (error) {
        log.error({ err: error }, 'on close')
      }
    }
  })
  await server.ready()
  await listening
  for (const fn of onReady) await fn()

  let closing: Promise<void> | undefined
  async function close(patience: number): Promise<void> {
    leave.begin()
    const late = [
      setTimeout(() => leave.cut(), patience),
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, patience + LAST_WORDS_MS),
    ]
    await server.close()
    for (const timer of late) clearTimeout(timer)
    await context.jobs.stop().catch((error) => log.warn({ err: error }, 'jobs did not stop'))
    life.stop()
    await context.journal.close().catch((error) => log.warn({ err: error }, 'the journal of access waits in its file'))
    await context.pictures.close()
    await context.exporter.close()
    await fanout.close()
    counts.close()
    await db.end()
  }

  return {
    server,
    context,
    async start() {
      await life.start()
      const address = await server.listen({ port: config.port, host: config.host, backlog: BACKLOG })
      for (const fn of onListening) await fn()
      if (!works) return address
      for (const fn of onWorking) await fn()
      context.jobs.start().catch((error) => log.error({ err: error }, 'jobs did not start'))
      return address
    },
    close: (patience = CLOSE_TIMEOUT) => (closing ??= close(patience)),
  }
}

/** The server without routes. @param fixed headers of every answer */
function openServer(
  config: Config,
  log: Logger,
  hosts: ReturnType<typeof createHosts>,
  fixed: ReturnType<typeof fixedHeaders>,
): FastifyInstance {
  let requests = 0
  const run = Math.random().toString(36).slice(2, 8)
  return fastify({
    loggerInstance: log as never,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests do not log themselves: no child logger per request.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => givenId(request, config) ?? `${run}-${(++requests).toString(36)}`,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    forceCloseConnections: 'idle',
    // Answered by our own hook, with a message.
    return503OnClosing: false,
    rewriteUrl: (request) => hosts.rewrite(request),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) =>
      void answer(error, request as never, reply.headers(fixed) as never, log),
    clientErrorHandler: (error, socket) => answerBrokenClient(error, socket, fixed),
  }) as unknown as FastifyInstance
}

/** Bodies of JSON, with a limited number of parts. */
function readJsonBodies(server: FastifyInstance): void {
  const readBody = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = composed(String(body))
    try {
      checkJson(text)
    } catch (error) {
      return done(error as Error)
    }
    readBody(request, text, (error: Error | null, value: unknown) =>
      error ? done(error) : done(null, sentSpelling(value, text)),
    )
  })
}

async function registerPlugins(server: FastifyInstance, counts: ReturnType<typeof createCounts>): Promise<void> {
  await server.register(cookie)
  await server.register(formbody, { bodyLimit: BODY_LIMIT })
  await takeForms(server, { limits: { fileSize: FILE_LIMIT, files: 20, fields: 100, fieldSize: BODY_LIMIT } })
  // Each area sets limits on its own routes: `config: { rateLimit: { max, timeWindow } }`.
  await server.register(rateLimit, { global: false, store: rateStore(counts) })
  await server.register(compress, {
    global: true,
    // Request bodies are not decompressed: it would cost every route a hook, and allow decompression bombs.
    globalDecompression: false,
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 3 } },
    zlibOptions: { level: 4 },
  })
}

/** The id that a trusted proxy has given to a request: it is the same in its log and in ours. */
function givenId({ headers }: { headers: IncomingHttpHeaders }, { trustProxy }: Config): string | undefined {
  const given = headers['x-request-id']
  return trustProxy.length > 0 && typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : undefined
}

/** Runs a transaction of system code, for work not requested by a user. */
const asSystem = <T>({ engine }: Pick<AppContext, 'engine'>, run: (work: Work) => Promise<T>): Promise<T> =>
  engine.for(systemActor).tx((records, tx) => run({ records, tx }))

/** Failures and slow answers are always logged, others at `debug` or `info` by level. */
function logRequests(server: FastifyInstance, log: Logger): void {
  server.addHook('onResponse', (request, reply, done) => {
    done()
    const ms = Math.round(reply.elapsedTime)
    const status = reply.statusCode
    const level = status >= 500 || ms >= SLOW_MS ? 'warn' : 'info'
    if (!log.isLevelEnabled(level)) return
    const route = request.routeOptions.url ?? '(none)'
    log[level]({ requestId: request.id, method: request.method, route, status, ms, idUser: request.idUser }, 'request')
  })
}
