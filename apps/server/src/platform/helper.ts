/**
 * A helper beside the server's thread: jobs of one kind, run by threads or processes of a pool. Jobs have limits of time
 * and memory and are queued fairly per person; a runner that exceeds a limit, fails or is idle is ended.
 */
import { type AdmissionLimits, createAdmission } from './admission.ts'
import type { WorkBounds } from './boundWork.ts'
import { HttpError, tooMany } from './errors.ts'
import type { Logger } from './log.ts'
import type { Runner } from './runner.ts'
import { askRunner, type JobFaults, RunnerPool } from './runnerPool.ts'

const IDLE_MS = 30_000

export interface HelperOptions<Answer> extends WorkBounds {
  /** For the log. */
  name: string
  /** Starts a runner: it answers each message with one message. */
  start(): Runner
  log: Pick<Logger, 'warn'>
  /** How long an idle runner is kept for its caches; absent: half a minute. */
  idleMs?: number
  /** Whether the runner is ended after this answer, so that its memory is freed. */
  isWorn?(answer: Answer): boolean
  limits: AdmissionLimits
  words: {
    /** Error for a job that exceeds its time or memory. */
    tooHard(): Error
    /** Error for a job whose runner has ended; absent: a fault of the server. */
    died?(how: number | string | null): Error
    /** Message when the same person has too many queued jobs; absent: all share one queue. */
    ownWait?: string
    /** Message when the whole queue is full. */
    crowded: string
    /** Message when the machine had no time for the job. */
    busy: string
    /** Code of a refusal for lack of room; absent: `busy`. */
    code?: string
    /** Seconds after which a refused job may be repeated; absent: a minute. */
    retryAfter?: number
  }
}

export interface Helper<Job, Answer> {
  /**
   * @param who key of the person, the same for all their jobs
   * @param last ends the runner after this job, so that its memory is freed
   * @throws HttpError 429 and 503 when the queue is full or the server stops, and the errors of `tooHard` and `died`
   */
  run(job: Job, who: number | string, last?: boolean): Promise<Answer>
  /** Ends the runners; jobs at work and in the queue are refused. */
  close(): Promise<void>
}

export function createHelper<Job, Answer>(options: HelperOptions<Answer>): Helper<Job, Answer> {
  const { name, start, log, workMs, clockMs, idleMs = IDLE_MS, isWorn = () => false, limits, words } = options
  const { code = 'busy', retryAfter = 60 } = words
  const admission = createAdmission(limits)
  const pool = new RunnerPool(start, idleMs)
  let isClosed = false

  const unavailable = (message: string, seconds = retryAfter) =>
    new HttpError(503, message, { code, headers: { 'retry-after': String(seconds) } })
  const faults: JobFaults = {
    late(why) {
      log.warn({ ms: workMs, why, name }, 'helper cut off')
      return why === 'work' ? words.tooHard() : unavailable(words.busy)
    },
    error: (error) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? words.tooHard() : error),
    exit: (how) => words.died?.(how) ?? new Error('helper ended'),
  }

  async function work(job: Job, last: boolean): Promise<Answer> {
    const stopping = () => unavailable('Сервер останавливается, повторите позже', 5)
    if (isClosed) throw stopping()
    const runner = pool.hire()
    try {
      const answer = await askRunner<Answer>(runner, job, { workMs, clockMs }, faults)
      if (last || isWorn(answer)) await pool.dismiss(runner)
      else pool.keep(runner)
      return answer
    } catch (error) {
      // The next job starts a new one.
      await pool.dismiss(runner)
      throw isClosed ? stopping() : error
    }
  }

  return {
    run: (job, who, last = false) =>
      new Promise((resolve, reject) => {
        admission.enter(String(who), (place) => {
          if (place === 'person' && words.ownWait) return reject(tooMany(10, words.ownWait))
          if (typeof place === 'string') return reject(unavailable(words.crowded))
          work(job, last)
            .finally(() => place.leave())
            .then(resolve, reject)
        })
      }),
    async close() {
      isClosed = true
      await pool.close()
    },
  }
}

/** The server: its log, and the hook for closing. */
export interface HelperHost {
  log: Pick<Logger, 'warn'>
  onClose(run: () => unknown): void
}

/** @returns one helper per server, created at first use and closed with the server */
export function onePerServer<T extends { close(): unknown }>(
  make: (log: HelperHost['log']) => T,
): (app: HelperHost) => T {
  const made = new WeakMap<object, T>()
  return (app) => {
    const known = made.get(app)
    if (known) return known
    const one = make(app.log)
    made.set(app, one)
    app.onClose(() => one.close())
    return one
  }
}
