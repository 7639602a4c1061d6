/**
 * Background jobs on pg-boss: jobs live in PostgreSQL (schema `jobs`), any number of server processes share them, and
 * each job is given to one process at a time. A failed job is retried, so handlers must be idempotent.
 */
import { type Job as BossJob, PgBoss, type SendOptions } from 'pg-boss'
import type { Queryable } from './db.ts'
import type { Logger } from './log.ts'
import { besides, schemaOf } from './schema.ts'
import { inTrace } from './tracing.ts'

/** Context of a handler besides its data. */
export interface JobRun {
  id: string
  /** Aborted when the server stops before the job is done. */
  signal: AbortSignal
}

export interface JobDefinition<T extends object = object> {
  /** Five fields; without it the job runs only when sent. Every process may register the same cron: it fires once. */
  cron?: string
  /** Time zone of `cron`; default Europe/Moscow. */
  timezone?: string
  handler(data: T, job: JobRun): unknown
  /** Jobs of this name that one process runs at once; default 1. */
  concurrency?: number
  /** Retries after a failure, with growing delays; default 5. */
  retries?: number
  /** Seconds after which an unfinished job counts as lost and is given out again; default 900. */
  timeout?: number
}

export interface SendJobOptions {
  /** Earliest start: a time, or seconds from now. */
  startAfter?: Date | number
  /** Another job with the same key is not added while one is queued. */
  key?: string
  /** The job is added only if this transaction commits. */
  tx?: Queryable
  priority?: number
}

export interface Jobs {
  /** Call before `start`. Names are `area.action`. */
  register<T extends object>(name: string, job: JobDefinition<T>): void
  /** Returns the id, or null when `key` is already queued. */
  send(name: string, data?: object, options?: SendJobOptions): Promise<string | null>
  /** Makes this process fetch the jobs of a name at a time (ms): another process, which takes none, has delayed one. */
  wakeAt(name: string, at: number): void
  /** Runs a job here and now, without the queue; its error is thrown. */
  run(name: string, data?: object): Promise<unknown>
  /** For tests: runs all due jobs in this process until none is left. Returns their number. */
  drain(): Promise<number>
  /** Starts taking jobs. */
  start(): Promise<void>
  /** Stops taking jobs, and gives running ones up to 5 s to finish. */
  stop(): Promise<void>
}

/** The schema of the clinic at this URL. */
export const jobsSchema = (url: string): string => besides(schemaOf(url), 'jobs')
const POOL_SIZE = 4
const STOP_MS = 5_000
/**
 * Each worker fetches when PostgreSQL notifies it of a new job. The poll covers what has no notification: jobs delayed by
 * another process, and notifications missed during a lost connection. A hundred workers that poll every few seconds would
 * cost an idle clinic more than its users do.
 */
const POLLING = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 120 }
/** A job delayed by at most this long is fetched on time, by the process that delayed it. */
const WAKE_MS = 15 * 60_000
/** Delay of the first retry after a failure. */
const RETRY_SECONDS = 5
/** Margin for the difference to the database's clock. */
const WAKE_LATER_MS = 500
/** Jobs are not urgent: they wait for a busy database. */
const CONNECT_MS = 120_000
const TIMEZONE = 'Europe/Moscow'

/** Workers of this process by job: each fetches when it is notified. */
class Workers {
  readonly #ids = new Map<string, string[]>()
  readonly #wakes = new Set<NodeJS.Timeout>()
  #boss: PgBoss | undefined

  /** Starts a worker that fetches the next job as soon as it has finished one, not at the next poll. */
  async hire(boss: PgBoss, name: string, handle: (job: BossJob<object>) => Promise<void>): Promise<void> {
    this.#boss = boss
    const worker: { id?: string } = {}
    worker.id = await boss.work<object>(name, POLLING, async ([job]) => {
      try {
        if (job) await handle(job)
      } finally {
        if (worker.id) boss.notifyWorker(worker.id)
      }
    })
    this.#ids.set(name, [...(this.#ids.get(name) ?? []), worker.id])
  }

  /** Makes the workers of a job fetch at a time, which is not notified. */
  wakeAt(name: string, at: number): void {
    const ms = at - Date.now() + WAKE_LATER_MS
    if (ms > WAKE_MS) return
    const wake = setTimeout(() => {
      this.#wakes.delete(wake)
      for (const id of this.#ids.get(name) ?? []) this.#boss?.notifyWorker(id)
    }, ms).unref()
    this.#wakes.add(wake)
  }

  /** Forgets the times that are not reached yet. */
  stop(): void {
    for (const wake of this.#wakes) clearTimeout(wake)
  }
}

interface JobsOptions {
  url: string
  log: Logger
  /** In a process that takes no jobs: passes a delayed one's time (ms) to those that do. Absent: this one takes them. */
  onDelayed?: ((name: string, at: number) => void) | undefined
}

class BossJobs implements Jobs {
  readonly #url: string
  readonly #log: Logger
  readonly #onDelayed: JobsOptions['onDelayed']
  readonly #definitions = new Map<string, JobDefinition>()
  readonly #workers = new Workers()
  readonly #stopping = new AbortController()
  #opening: Promise<PgBoss> | undefined
  #isWorking = false
  #isStopped = false

  constructor({ url, log, onDelayed }: JobsOptions) {
    this.#url = url
    this.#log = log
    this.#onDelayed = onDelayed
  }

  register<T extends object>(name: string, job: JobDefinition<T>): void {
    if (this.#definitions.has(name)) throw new Error(`job ${name} is registered twice`)
    if (this.#opening) throw new Error(`job ${name} is registered after the start`)
    this.#definitions.set(name, job as JobDefinition<never> as JobDefinition)
  }

  async send(name: string, data: object = {}, how: SendJobOptions = {}): Promise<string | null> {
    const { startAfter, key, tx, priority } = how
    this.#definition(name)
    const options: SendOptions = {
      // The queue's policy keeps one queued job per key; a job without a key gets a unique one.
      singletonKey: key ?? crypto.randomUUID(),
      ...(startAfter === undefined ? {} : { startAfter }),
      ...(priority === undefined ? {} : { priority }),
      ...(tx ? { db: { executeSql: async (text, values = []) => ({ rows: await tx.query({ text, values }) }) } } : {}),
    }
    const id = await (await this.#boss()).send(name, data, options)
    if (startAfter !== undefined)
      (this.#onDelayed ?? this.wakeAt.bind(this))(
        name,
        startAfter instanceof Date ? startAfter.getTime() : Date.now() + startAfter * 1_000,
      )
    return id
  }

  async run(name: string, data: object = {}): Promise<unknown> {
    return this.#definition(name).handler(data, { id: crypto.randomUUID(), signal: this.#stopping.signal })
  }

  async drain(): Promise<number> {
    const boss = await this.#boss()
    let ran = 0
    for (let before = -1; before !== ran; ) {
      before = ran
      for (const name of this.#definitions.keys()) {
        const [job] = await boss.fetch<object>(name)
        if (!job) continue
        ran++
        await this.#handle(name, job).then(
          () => boss.complete(name, job.id),
          (error: Error) => boss.fail(name, job.id, { message: error.message }),
        )
      }
    }
    return ran
  }

  async start(): Promise<void> {
    if (this.#opening) throw new Error('jobs were sent before the start')
    this.#isWorking = true
    const boss = await this.#boss()
    for (const [name, job] of this.#definitions) {
      if (this.#isStopped) return
      for (let n = 0; n < (job.concurrency ?? 1); n++)
        await this.#workers.hire(boss, name, (one) => this.#handle(name, one))
      if (job.cron) await boss.schedule(name, job.cron, {}, { tz: job.timezone ?? TIMEZONE, singletonKey: 'cron' })
    }
    // Remove crons that are in the database but no longer in the code.
    for (const { name } of await boss.getSchedules()) {
      if (!this.#definitions.get(name)?.cron) await boss.unschedule(name)
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#workers.stop()
    const boss = await this.#opening?.catch(() => undefined)
    this.#stopping.abort()
    await boss?.stop({ graceful: true, timeout: STOP_MS, close: true })
  }

  /** Opened at first use. A process that only sends neither schedules nor supervises. */
  #boss(): Promise<PgBoss> {
    if (this.#isStopped) return Promise.reject(new Error('jobs are stopped'))
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<PgBoss> {
    const isWorking = this.#isWorking
    const boss = new PgBoss({
      connectionString: this.#url,
      application_name: 'ordinator-jobs',
      schema: jobsSchema(this.#url),
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_MS,
      schedule: isWorking,
      supervise: isWorking,
      useListenNotify: isWorking,
      // Jobs that depend on others are not used here.
      flowIntervalSeconds: 3_600,
      cronWorkerIntervalSeconds: 10,
    })
    boss.on('error', (error) => this.#log.warn({ err: error }, 'jobs'))
    await boss.start()
    for (const [name, job] of this.#definitions) {
      await boss.createQueue(name, {
        policy: 'short',
        retryLimit: job.retries ?? 5,
        retryDelay: RETRY_SECONDS,
        retryBackoff: true,
        retryDelayMax: 3600,
        expireInSeconds: job.timeout ?? 900,
        deleteAfterSeconds: 24 * 3600,
        notify: true,
      })
    }
    return boss
  }

  #definition(name: string): JobDefinition {
    const job = this.#definitions.get(name)
    if (!job) throw new Error(`job ${name} is not registered`)
    return job
  }

  async #handle(name: string, job: Pick<BossJob, 'id' | 'data'>): Promise<void> {
    try {
      await inTrace(`job ${name}`, async () =>
        this.#definition(name).handler(job.data ?? {}, { id: job.id, signal: this.#stopping.signal }),
      )
    } catch (error) {
      this.#log.error({ err: error, job: name, id: job.id }, 'job failed')
      this.wakeAt(name, Date.now() + RETRY_SECONDS * 1_000)
      throw error
    }
  }

  wakeAt(name: string, at: number): void {
    if (!this.#isStopped) this.#workers.wakeAt(name, at)
  }
}

export const createJobs = (options: JobsOptions): Jobs => new BossJobs(options)
