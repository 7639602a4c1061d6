/**
 * Work in the background that a person waits for: a record with a state, progress, a reason and a cancel, done by one
 * process at a time. A run whose server is killed is taken over within seconds, from its beginning or from where it
 * stopped, or ends with a reason; one whose job was lost is found within a minute. So no run stays «running» without a
 * worker.
 *
 * An area declares its runs with `backgroundRun` and lists them as `runs` of its `Area`.
 */
import type { Entity, Row, Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import {
  type Claims,
  type ClaimToken,
  claimNew,
  extendClaim,
  isFreeSql,
  releaseClaim,
  releaseDead,
} from '#platform/claim.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { fromPgError, HttpError, ValidationError } from '#platform/errors.ts'
import type { JobRun } from '#platform/jobs.ts'
import { systemActor } from './actor.ts'
import type { AppContext } from './context.ts'
import { oneByOne } from './oneByOne.ts'
import type { Records } from './records.ts'

/** Values of a record, also of its read-only fields. */
export type Change<E extends Entity> = Update<E> & Partial<Row<E>>

const CLAIMS: Claims = { table: 'background_runs', key: ['job', 'idEntity'] }
/** Milliseconds between two looks whether a run was cancelled. */
const WATCH_MS = 1_000
/** Tries without progress after which a run is given up: it would fail, or kill its server, for ever. */
const TRIES = 3
const RESUME = 'runs.resume'

export interface RunDeclaration<E extends Entity> {
  /** Name of its job. */
  job: string
  /** The field of the state; default `state`. */
  state?: keyof Row<E> & string
  /** Values of the state while it waits or works. */
  going: readonly string[]
  /** Seconds after which a worker counts as lost, though its process runs; each step begins them anew. */
  seconds: number
  /** Runs of this job that one process does at once; default 1. */
  concurrency?: number
  /**
   * After a killed server or a temporary failure: `again` from the beginning, `resume` from the progress that it has,
   * or
   * `fail` with `lost` as the reason.
   */
  after: 'again' | 'resume' | 'fail'
  /** Stored when the work begins, or begins again. */
  begun?: Change<E>
  /** The end without a result, and its reason in words of at most 500 characters. */
  failed(reason: string, row: Row<E>): Change<E>
  /** Reason where the cause is no refusal in words. */
  broken: string
  /** Reason after a death of the server, of a run that `fail`s. */
  lost?: string
  /** Words for an error of this work; undefined: those of a refusal, else it is tried again. */
  words?(app: AppContext, error: unknown): string | undefined
  /** Removes what a failed or cancelled run left outside the database. Repeatable. */
  tidy?(app: AppContext, row: Row<E>): Promise<unknown>
  /** Called once for a run that failed. */
  onFailed?(app: AppContext, row: Row<E>, reason: string): Promise<unknown>
  /** @returns `more` when the rest is to be done by the next job */
  work(app: AppContext, run: RunWork<E>): Promise<unknown>
}

export interface RunWork<E extends Entity> {
  /** As it was when the work began. */
  readonly row: Row<E>
  /** As queued, or as last kept. */
  readonly data: unknown
  /** Aborted when the run is cancelled or lost, or the server stops. */
  readonly signal: AbortSignal
  /** Stores progress in a transaction of its own. @throws RunStopped */
  step(value: Change<E>): Promise<void>
  /**
   * Locks the run in the caller's transaction: it cannot be cancelled or taken over, before the commit. @throws
   * RunStopped
   */
  hold(tx: Tx): Promise<Row<E>>
  /** Keeps the place in `data`, in the transaction of the progress. */
  keep(tx: Tx, data: object): Promise<void>
  /** Stores the result, in the transaction of the result if it is given. @throws RunStopped */
  finish(value: Change<E>, within?: { records: Records; tx: Tx }): Promise<void>
}

/** The run was cancelled, or another process has taken it over: its work ends without a result. */
export class RunStopped extends Error {
  constructor() {
    super('the run was stopped')
  }
}

export interface BackgroundRun<E extends Entity = Entity> {
  readonly job: string
  /**
   * Queues the work of a record in the transaction that begins it.
   * @param data what the work needs besides the record
   */
  queue(app: AppContext, tx: Tx, id: number, data?: object): Promise<void>
  /**
   * Locks a run and ends it.
   * @param refusal words of the 409 for one that is over
   */
  cancel(records: Records, tx: Tx, id: number, value: Change<E>, refusal: string): Promise<Row<E>>
  register(app: AppContext): void
  /** Queues the runs without a worker. */
  resume(app: AppContext): Promise<void>
}

export function backgroundRun<E extends Entity>(entity: E, declared: RunDeclaration<E>): BackgroundRun<E> {
  const { job, going, seconds, state = 'state' } = declared
  const table = raw(`"${entity.table}"`)
  const isGoing: Sql = sql`e.${raw(`"${state}"`)} = any (${going as string[]}::text[])${raw(entity.soft ? ' and not e."deleted"' : '')}`
  const send = (app: AppContext, id: number, tx?: Tx) => app.jobs.send(job, { id }, { key: `${id}`, ...(tx && { tx }) })

  /** Locks a run that goes on. */
  const locked = (tx: Tx, id: number) =>
    tx.one<Row<E>>(sql`select e.* from ${table} e where e."id" = ${id} and ${isGoing} for update`)
  const goes = async ({ db }: AppContext, id: number): Promise<boolean> =>
    (await db.one(sql`select 1 from ${table} e where e."id" = ${id} and ${isGoing}`)) !== undefined

  async function execute(app: AppContext, id: number, stopping: AbortSignal): Promise<void> {
    const { db, life } = app
    const token = await claimNew(db, CLAIMS, [job, id], life, seconds)
    if (!token) return
    const work = new Work<E>(app, declared, { entity, id, token, locked, goes, stopping })
    let isMore = false
    try {
      isMore = (await attempt(app, id, work)) === 'more'
    } finally {
      work.end()
      if (await goes(app, id)) await releaseClaim(db, CLAIMS, [job, id], work.token)
      else await work.forget(db)
    }
    if (isMore) await send(app, id)
  }

  async function attempt(app: AppContext, id: number, work: Work<E>): Promise<unknown> {
    const { tries, isOver } = await work.begin()
    if (isOver) return
    const giveUp = async (reason: string) => {
      const isStored = await work.fail(reason.slice(0, 500))
      await declared.tidy?.(app, work.row)
      if (isStored) await declared.onFailed?.(app, work.row, reason)
    }
    if (tries > 1 && declared.after === 'fail') return giveUp(declared.lost ?? declared.broken)
    if (tries > TRIES) return giveUp(declared.broken)
    try {
      return await declared.work(app, work)
    } catch (error) {
      // Taken over: what it left outside belongs to the other process.
      if (await work.isLost()) return
      if (error instanceof RunStopped || work.isCancelled) return void (await declared.tidy?.(app, work.row))
      const isLast = declared.after === 'fail' || (tries >= TRIES && !work.stopping.aborted)
      const words = work.stopping.aborted ? undefined : (declared.words?.(app, error) ?? refusalOf(error))
      if (words === undefined && !isLast) throw error
      if (words === undefined) app.log.error({ err: error, job, id }, 'a run was given up')
      return giveUp(words ?? (work.stopping.aborted ? declared.lost : undefined) ?? declared.broken)
    }
  }

  return {
    job,
    async queue(app, tx, id, data) {
      if (data)
        await tx.query(sql`insert into background_runs as b ("job", "idEntity", "data")
          values (${job}, ${id}, ${JSON.stringify(data)}::jsonb)
          on conflict ("job", "idEntity") do update set "data" = excluded."data", "tries" = 0`)
      await send(app, id, tx)
    },
    async cancel(records, tx, id, value, refusal) {
      if (!(await locked(tx, id))) throw new HttpError(409, refusal, { code: 'ended' })
      return records.asSystem.update(entity, id, value)
    },
    register(app) {
      app.jobs.register<{ id: number }>(job, {
        handler: ({ id }, { signal }: JobRun) => execute(app, id, signal),
        timeout: seconds,
        retries: declared.after === 'fail' ? 0 : TRIES - 1,
        ...(declared.concurrency && { concurrency: declared.concurrency }),
      })
    },
    async resume(app) {
      const left = await app.db.query<{ id: number }>(sql`select e."id"::int as id from ${table} e
        left join background_runs b on b."job" = ${job} and b."idEntity" = e."id"
        where ${isGoing} and (b."job" is null or ${isFreeSql('b.')}) order by e."id" limit 500`)
      await oneByOne(app, RESUME, left, ({ id }) => send(app, id))
      // A server that died between the end of a run and this has left its line.
      await app.db.query(sql`delete from background_runs b where b."job" = ${job} and ${isFreeSql('b.')}
        and not exists (select from ${table} e where e."id" = b."idEntity" and ${isGoing})`)
    },
  }
}

/** The words of a refusal that a repeat cannot help; undefined for a temporary one, and for a fault. */
function refusalOf(error: unknown): string | undefined {
  const refused = error instanceof HttpError ? error : fromPgError(error)
  if (!refused || refused.status >= 500 || refused.code === 'retry' || refused.code === 'locked') return undefined
  return refused instanceof ValidationError ? (refused.items[0]?.message ?? refused.message) : refused.message
}

interface WorkOf<E extends Entity> {
  entity: E
  id: number
  token: ClaimToken
  locked(tx: Tx, id: number): Promise<Row<E> | undefined>
  goes(app: AppContext, id: number): Promise<boolean>
  stopping: AbortSignal
}

class Work<E extends Entity> implements RunWork<E> {
  readonly #app: AppContext
  readonly #entity: E
  readonly #of: RunDeclaration<E>
  readonly #id: number
  readonly #locked: WorkOf<E>['locked']
  readonly #goes: WorkOf<E>['goes']
  readonly #stop = new AbortController()
  readonly #abort = () => this.#stop.abort()
  #watch: NodeJS.Timeout | undefined
  #row: Row<E> | undefined
  readonly stopping: AbortSignal
  token: ClaimToken
  data: unknown
  /** Seen by the watch. */
  isCancelled = false

  constructor(app: AppContext, of: RunDeclaration<E>, { entity, id, token, locked, goes, stopping }: WorkOf<E>) {
    this.#entity = entity
    this.#app = app
    this.#of = of
    this.#id = id
    this.#locked = locked
    this.#goes = goes
    this.token = token
    this.stopping = stopping
    stopping.addEventListener('abort', this.#abort, { once: true })
    if (stopping.aborted) this.#abort()
  }

  get row(): Row<E> {
    return this.#row as Row<E>
  }

  get signal(): AbortSignal {
    this.#watch ??= setInterval(async () => {
      if (await this.#goes(this.#app, this.#id).catch(() => true)) return
      this.isCancelled = true
      this.#abort()
    }, WATCH_MS).unref()
    return this.#stop.signal
  }

  end(): void {
    clearInterval(this.#watch)
    this.stopping.removeEventListener('abort', this.#abort)
  }

  /** Counts the try and stores the beginning. */
  begin(): Promise<{ tries: number; isOver: boolean }> {
    return this.#app.engine.for(systemActor).tx(async (records, tx) => {
      this.#row = await this.#find(tx)
      if (!this.#row) {
        await this.forget(tx)
        return { tries: 0, isOver: true }
      }
      const counted = await tx.one<{ tries: number; data: unknown }>(sql`update background_runs
        set "tries" = "tries" + 1 where ${this.#ownSql()} returning "tries", "data"`)
      this.data = counted?.data
      if (this.#of.begun) this.#row = await records.asSystem.update(this.#entity, this.#id, this.#of.begun)
      return { tries: counted?.tries ?? 0, isOver: false }
    })
  }

  async step(value: Change<E>): Promise<void> {
    await this.#app.engine.for(systemActor).tx(async (records, tx) => {
      await this.hold(tx)
      await records.asSystem.update(this.#entity, this.#id, value)
    })
    const token = await extendClaim(this.#app.db, CLAIMS, [this.#of.job, this.#id], this.token, this.#of.seconds)
    if (!token) throw new RunStopped()
    this.token = token
  }

  async hold(tx: Tx): Promise<Row<E>> {
    const row = await this.#find(tx)
    if (!row || !(await this.#isHeld(tx))) throw new RunStopped()
    // What gets further is not failing: only a run that begins again counts all its tries.
    if (this.#of.after === 'resume')
      await tx.query(sql`update background_runs set "tries" = 1 where ${this.#ownSql()} and "tries" > 1`)
    return row
  }

  async keep(tx: Tx, data: object): Promise<void> {
    this.data = data
    await tx.query(sql`update background_runs set "data" = ${JSON.stringify(data)}::jsonb where ${this.#ownSql()}`)
  }

  async finish(value: Change<E>, within?: { records: Records; tx: Tx }): Promise<void> {
    if (!within) return this.#app.engine.for(systemActor).tx((records, tx) => this.finish(value, { records, tx }))
    const { records, tx } = within
    await this.hold(tx)
    await records.asSystem.update(this.#entity, this.#id, value)
    await this.forget(tx)
  }

  /** @returns false if it was cancelled or taken over meanwhile */
  async fail(reason: string): Promise<boolean> {
    try {
      await this.finish(this.#of.failed(reason, this.row))
      return true
    } catch (error) {
      if (error instanceof RunStopped) return false
      throw error
    }
  }

  /** Whether another process may have taken it over. */
  async isLost(): Promise<boolean> {
    return !(await this.#isHeld(this.#app.db))
  }

  #find(tx: Tx): Promise<Row<E> | undefined> {
    return this.#locked(tx, this.#id)
  }

  async #isHeld(db: Pick<Tx, 'one'>): Promise<boolean> {
    return (
      (await db.one(sql`select 1 from background_runs where ${this.#ownSql()}
      and "claimedUntil" = ${this.token}::timestamptz`)) !== undefined
    )
  }

  #ownSql(): Sql {
    return sql`"job" = ${this.#of.job} and "idEntity" = ${this.#id}`
  }

  /** Ends its claim with its data. */
  async forget(db: Queryable): Promise<void> {
    await db.query(sql`delete from background_runs where ${this.#ownSql()}
      and "claimedUntil" = ${this.token}::timestamptz`)
  }
}

/**
 * Runs work of a job unless another process does the same for the same record: under a claim that ends with it, or with
 * its process. Work that must not be skipped is a `backgroundRun`.
 * @param seconds longer than the work takes
 */
export async function exclusively(
  { db, life }: Pick<AppContext, 'db' | 'life'>,
  job: string,
  id: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const token = await claimNew(db, CLAIMS, [job, id], life, seconds)
  if (!token) return
  try {
    await work()
  } finally {
    await db.query(sql`delete from background_runs where "job" = ${job} and "idEntity" = ${id}
      and "claimedUntil" = ${token}::timestamptz`)
  }
}

/** SQL condition: no living process works `exclusively` on a record by this job. @param id of the record */
export const isIdleSql = (job: string, id: Sql): Sql => sql`not exists (select from background_runs b
  where b."job" = ${job} and b."idEntity" = ${id} and not ${isFreeSql('b.')})`

/** Registers the jobs of all runs, and what finds the lost ones. */
export function startRuns(app: AppContext, runs: readonly Pick<BackgroundRun, 'register' | 'resume'>[]): void {
  for (const run of runs) run.register(app)
  const resume = async () => {
    for (const run of runs) await run.resume(app)
  }
  app.jobs.register(RESUME, { cron: '*/5 * * * *', handler: resume })
  app.life.onDeath(async (life) => {
    const left = await releaseDead(app.db, CLAIMS, life)
    if (left.length > 0) await resume()
  })
}
