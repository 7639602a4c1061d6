/**
 * A worker thread that runs one job at a time, off the main thread. Each job has limits of time and memory, jobs are
 * queued fairly per person, and a worker that exceeds a limit, fails or is idle is terminated.
 */
import { Worker } from 'node:worker_threads'
import { type AdmissionLimits, createAdmission } from './admission.ts'
import { boundWork, type WorkBounds } from './boundWork.ts'
import { HttpError, tooMany } from './errors.ts'
import type { Logger } from './log.ts'

const IDLE_MS = 30_000

export interface HelperOptions extends WorkBounds {
  /** Program of the worker: it answers each message with one message. */
  program: URL
  log: Pick<Logger, 'warn'>
  memoryMb: number
  /** Size of the young generation: a job that creates very many small objects would otherwise spend its time on GC. */
  youngMb?: number
  /** How long an idle worker is kept for its caches; absent: half a minute. */
  idleMs?: number
  limits: AdmissionLimits
  words: {
    /** Error for a job that exceeds its time or memory. */
    tooHard(): Error
    /** Message when the same person has too many queued jobs. */
    ownWait: string
    /** Message when the whole queue is full. */
    crowded: string
    /** Message when the machine had no time for the job. */
    busy: string
  }
}

export interface Helper<Job, Answer> {
  /**
   * @param who key of the person, the same for all their jobs
   * @param last terminates the worker after this job, so that its memory is freed
   * @throws HttpError 429 and 503 when the queue is full, and the error of `tooHard`
   */
  run(job: Job, who: number | string, last?: boolean): Promise<Answer>
  close(): Promise<void>
}

export function createHelper<Job, Answer>(options: HelperOptions): Helper<Job, Answer> {
  const { program, log, workMs, clockMs, memoryMb, youngMb, idleMs = IDLE_MS, limits, words } = options
  const admission = createAdmission(limits)
  let kept: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function hire(): Worker {
    clearTimeout(idle)
    if (kept) return kept
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(youngMb && { maxYoungGenerationSizeMb: youngMb }) },
    })
    // Does not keep the server alive.
    worker.unref()
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (kept === worker) kept = undefined
    })
    kept = worker
    return worker
  }

  function work(job: Job, last: boolean): Promise<Answer> {
    const worker = hire()
    const dismiss = () => {
      if (kept === worker) kept = undefined
      void worker.terminate()
    }
    return new Promise<Answer>((resolve, reject) => {
      const ended = boundWork(
        async () => {
          const { user, system } = await worker.cpuUsage()
          return (user + system) / 1_000
        },
        { workMs, clockMs },
        (why) => {
          log.warn({ ms: workMs, why, program: program.pathname.split('/').at(-1) }, 'helper cut off')
          fail(why === 'work' ? words.tooHard() : unavailable(words.busy))
        },
      )
      const settle = () => {
        ended()
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
      }
      const fail = (error: Error) => {
        settle()
        // The next job starts a new worker.
        dismiss()
        reject(error)
      }
      const onAnswer = (answer: Answer) => {
        settle()
        if (last) dismiss()
        else idle = setTimeout(dismiss, idleMs).unref()
        resolve(answer)
      }
      const onError = (error: Error & { code?: string }) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? words.tooHard() : error)
      const onExit = () => fail(new Error('helper ended'))
      worker.on('message', onAnswer).on('error', onError).on('exit', onExit)
      worker.postMessage(job)
    })
  }

  return {
    run: (job, who, last = false) =>
      new Promise((resolve, reject) => {
        admission.enter(String(who), (place) => {
          if (place === 'person') return reject(tooMany(10, words.ownWait))
          if (place === 'house') return reject(unavailable(words.crowded))
          work(job, last)
            .then(resolve, reject)
            .finally(() => place.leave())
        })
      }),
    async close() {
      clearTimeout(idle)
      await kept?.terminate()
    },
  }
}

const unavailable = (message: string) => new HttpError(503, message, { code: 'busy', headers: { 'retry-after': '60' } })

/** The server: its log, and the hook for closing. */
export interface House {
  log: Pick<Logger, 'warn'>
  onClose(run: () => unknown): void
}

/** @returns one helper per server, created at first use and closed with the server */
export function onePerServer<T extends { close(): unknown }>(make: (log: House['log']) => T): (app: House) => T {
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
