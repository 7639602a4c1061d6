/**
 * A worker thread that does one piece of work at a time, beside the server's own thread. Each piece has a time and a
 * memory, each person waits for a turn, and a worker that is late, fails or has nothing to do is ended.
 */
import { Worker } from 'node:worker_threads'
import { type AdmissionLimits, createAdmission } from './admission.ts'
import { boundWork, type WorkBounds } from './boundWork.ts'
import { HttpError, tooMany } from './errors.ts'
import type { Logger } from './log.ts'

const IDLE_MS = 30_000

export interface HelperOptions extends WorkBounds {
  /** The program of the worker: it answers each message with one message. */
  program: URL
  log: Pick<Logger, 'warn'>
  memoryMb: number
  /** Of what lives shortly: work that makes very many small objects spends its time on collecting them otherwise. */
  youngMb?: number
  /** How long a worker without work is kept, for what it has prepared; absent: half a minute. */
  idleMs?: number
  limits: AdmissionLimits
  words: {
    /** The piece of work takes too long or too much memory. */
    tooHard(): Error
    /** The same person has too many pieces waiting. */
    ownWait: string
    /** All people together have too many waiting. */
    crowded: string
    /** The machine had no time for the piece. */
    busy: string
  }
}

export interface Helper<Job, Answer> {
  /**
   * @param who the same for all that one person asks
   * @param last ends the worker after this piece, so that its memory goes back to the system
   * @throws HttpError 429 and 503 where too many wait, and what `tooHard` makes
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
    // The server ends when it has nothing else to do.
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
        // The next piece begins with a new worker.
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

/** A server: what it logs by, and what it closes with it. */
export interface House {
  log: Pick<Logger, 'warn'>
  onClose(run: () => unknown): void
}

/** @returns one helper for each server, made at its first use and closed with the server */
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
