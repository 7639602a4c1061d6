/**
 * What an operator's Prometheus reads at `/metrics`, when `METRICS_TOKEN` is set: the process, requests, connections, jobs,
 * messages to outside systems. No line names a person or a record.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import sql, { raw } from 'sql-template-tag'
import type { Db } from './db.ts'
import { HttpError } from './errors.ts'
import { jobsSchema } from './jobs.ts'
import { type Replica, replicaStates } from './replica.ts'
import { VERSION } from './version.ts'

interface MetricsOptions {
  server: FastifyInstance
  db: Db
  role: string
  /** Absent: `/metrics` does not exist, and nothing is measured. */
  token: string | undefined
}

/** Seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Milliseconds that an answer of the database is good for: several servers are asked at once. */
const FRESH_MS = 10_000

interface Waiting {
  jobs: { state: string; count: number }[]
  messages: { adapter: string; state: string; count: number; age: number }[]
  adapters: { adapter: string; failing: number }[]
}

/** Serves `/metrics` and begins to measure. Does nothing without a token. */
export function serveMetrics({ server, db, role, token }: MetricsOptions): void {
  if (token === undefined) return
  const register = new Registry()
  register.setDefaultLabels({ role })
  collectDefaultMetrics({ register })
  const registers = [register]
  measureAnswers(server, registers)
  const version = new Gauge({
    name: 'ordinator_version',
    help: 'Version of the program',
    labelNames: ['version'],
    registers,
  })
  version.set({ version: VERSION }, 1)
  new Gauge({
    name: 'ordinator_connections',
    help: 'Connections to the database by pool; waiting: statements that wait for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { open, idle, waiting }] of Object.entries(db.connections())) {
        this.set({ pool, state: 'busy' }, open - idle)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
  if (db.replica) measureReplica(db.replica, registers)
  measureWaiting(db, registers)
  const statements = new Histogram({
    name: 'ordinator_statement_seconds',
    help: 'Time of statements by pool, with the wait for their connection',
    labelNames: ['pool'],
    buckets: BUCKETS,
    registers,
  })
  db.onStatement((pool, ms) => statements.observe({ pool }, ms / 1000))
  server.get(
    '/metrics',
    { schema: { hide: true }, logLevel: 'silent', config: { aside: 'free' } },
    async (request, reply) => {
      if (!isSame(request.headers.authorization, `Bearer ${token}`))
        throw new HttpError(401, 'Нужен токен METRICS_TOKEN')
      reply.type(register.contentType)
      return register.metrics()
    },
  )
}

function measureAnswers(server: MetricsOptions['server'], registers: Registry[]): void {
  const took = new Histogram({
    name: 'ordinator_request_seconds',
    help: 'Time of answers by route',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  server.addHook('onResponse', (request, reply, done) => {
    done()
    const route = request.routeOptions.url ?? '(none)'
    took.observe(
      { method: request.method, route, status: `${Math.floor(reply.statusCode / 100)}xx` },
      reply.elapsedTime / 1000,
    )
  })
}

/** What waits in the clinic's database: jobs, messages to outside systems, and systems that do not work. */
function measureWaiting(db: MetricsOptions['db'], registers: Registry[]): void {
  const read = kept(() => readWaiting(db))
  new Gauge({
    name: 'ordinator_jobs',
    help: 'Background jobs of the clinic that are due, run, or failed for good within a day',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      for (const { state, count } of (await read()).jobs) this.set({ state }, count)
    },
  })
  const byAdapter = ['adapter', 'state'] as const
  new Gauge({
    name: 'ordinator_messages',
    help: 'Messages to outside systems that have not arrived, by adapter',
    labelNames: byAdapter,
    registers,
    async collect() {
      this.reset()
      for (const { adapter, state, count } of (await read()).messages) this.set({ adapter, state }, count)
    },
  })
  new Gauge({
    name: 'ordinator_message_age_seconds',
    help: 'Age of the oldest message to an outside system that has not arrived',
    labelNames: byAdapter,
    registers,
    async collect() {
      this.reset()
      for (const { adapter, state, age } of (await read()).messages) this.set({ adapter, state }, age)
    },
  })
  new Gauge({
    name: 'ordinator_adapter_failing_seconds',
    help: 'Time since when an outside system does not work; zero: it works',
    labelNames: ['adapter'],
    registers,
    async collect() {
      this.reset()
      for (const { adapter, failing } of (await read()).adapters) this.set({ adapter }, failing)
    },
  })
}

function measureReplica(replica: Pick<Replica, 'health'>, registers: Registry[]): void {
  new Gauge({
    name: 'ordinator_replica_state',
    help: '1 for the state of the replica as this process sees it',
    labelNames: ['state'],
    registers,
    collect() {
      const now = replica.health().state
      for (const state of replicaStates) this.set({ state }, Number(state === now))
    },
  })
  new Gauge({
    name: 'ordinator_replica_lag_seconds',
    help: 'Age of what the replica has not replayed',
    registers,
    collect() {
      this.set(replica.health().seconds)
    },
  })
  new Gauge({
    name: 'ordinator_replica_reads',
    help: 'Reads since the start that the replica answered, or the primary in its place',
    labelNames: ['by'],
    registers,
    collect() {
      const { served, returned } = replica.health()
      this.set({ by: 'replica' }, served)
      this.set({ by: 'primary' }, returned)
    },
  })
}

/** Hashes are compared, so that neither the length nor the content shows in the time. */
function isSame(given: string | undefined, expected: string): boolean {
  const [a, b] = [given ?? '', expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a as Buffer, b as Buffer)
}

/** One read for all that ask within a few seconds. */
function kept<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    if (!last || performance.now() - last.at > FRESH_MS) {
      const value = read()
      last = { at: performance.now(), value }
      value.catch(() => {
        last = undefined
      })
    }
    return last.value
  }
}

async function readWaiting(db: Db): Promise<Waiting> {
  const [jobs, messages, adapters] = await Promise.all([
    db.kept.query<Waiting['jobs'][number]>(sql`
      select case "state" when 'created' then 'due' when 'retry' then 'due' else "state"::text end as state,
        count(*)::int as count
      from ${raw(jobsSchema(db.url))}.job
      where "state" = 'active' or ("state" in ('created', 'retry') and "start_after" <= now())
        or ("state" = 'failed' and "completed_on" > now() - interval '1 day')
      group by 1`),
    db.kept.query<Waiting['messages'][number]>(sql`
      select o."adapter", o."state", count(*)::int as count,
        extract(epoch from now() - min(m."dateCreate"))::float8 as age
      from outbox o join exchange_messages m using ("id") group by 1, 2`),
    db.kept.query<Waiting['adapters'][number]>(sql`
      select "key" as adapter, coalesce(extract(epoch from now() - "dateFailing"), 0)::float8 as failing
      from adapter_states`),
  ])
  return { jobs, messages, adapters }
}
