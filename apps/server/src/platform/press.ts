/**
 * Papers are drawn in a worker (pressWorker.ts), one at a time, each within its time and memory: whoever prints much
 * waits for himself alone, and no paper holds up the server.
 */
import { Worker } from 'node:worker_threads'
import { createAdmission } from './admission.ts'
import { boundWork, type WorkBounds } from './boundWork.ts'
import { badRequest, HttpError, tooMany } from './errors.ts'
import type { Logger } from './log.ts'

const LIMITS = {
  running: 1,
  waiting: 300,
  person: { running: 1, waiting: 120 },
  patienceMs: 60_000,
}
const MEMORY_MB = 384
/** Milliseconds of the processor that one paper may take. */
const PRINT_MS = 20_000
/** After so long without work the worker ends. */
const IDLE_MS = 30_000
const PROGRAM = new URL('./pressWorker.ts', import.meta.url)

/** A module whose `draw` makes a paper of plain data. It is loaded in the worker, so it asks the base for nothing. */
export interface Drawing<Data, Made> {
  url: URL
  /** For the types alone. */
  draw?: (data: Data) => Promise<Made>
}

/** @example drawing<typeof import('./drawPlan.ts')>(new URL('./drawPlan.ts', import.meta.url)) */
export const drawing = <M extends { draw(data: never): Promise<unknown> }>(
  url: URL,
): Drawing<Parameters<M['draw']>[0], Awaited<ReturnType<M['draw']>>> => ({ url })

export interface PressJob {
  drawing: string
  data: unknown
}
/** `refused` is said to whoever prints. */
export type PressAnswer = { made: unknown } | { refused: string } | { failed: string }

export interface Press {
  /** @param who the same for all that one person prints @throws HttpError 400, 429, 503 */
  run<Data, Made>(drawing: Drawing<Data, Made>, data: Data, who: { id: number | string }): Promise<Made>
  close(): Promise<void>
}

export function createPress(log: Pick<Logger, 'warn'>, bounds: WorkBounds = { workMs: PRINT_MS }): Press {
  const admission = createAdmission(LIMITS)
  let kept: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function hire(): Worker {
    clearTimeout(idle)
    if (kept) return kept
    const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    // The server ends when it has nothing else to do.
    worker.unref()
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (kept === worker) kept = undefined
    })
    kept = worker
    return worker
  }

  function work(job: PressJob): Promise<PressAnswer> {
    const worker = hire()
    return new Promise<PressAnswer>((resolve, reject) => {
      const tooHard = badRequest('Документ слишком велик или сложен для печати: упростите его')
      const ended = boundWork(
        async () => {
          const { user, system } = await worker.cpuUsage()
          return (user + system) / 1_000
        },
        bounds,
        (why) => {
          log.warn({ ...bounds, why }, 'print cut off')
          fail(why === 'work' ? tooHard : busy())
        },
      )
      const settle = () => {
        ended()
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
      }
      const fail = (error: Error) => {
        settle()
        // Whatever it was doing, the next paper begins anew.
        if (kept === worker) kept = undefined
        void worker.terminate()
        reject(error)
      }
      const onAnswer = (answer: PressAnswer) => {
        settle()
        idle = setTimeout(() => {
          kept = undefined
          void worker.terminate()
        }, IDLE_MS).unref()
        resolve(answer)
      }
      const onError = (error: Error & { code?: string }) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooHard : error)
      const onExit = () => fail(new Error('print worker ended'))
      worker.on('message', onAnswer).on('error', onError).on('exit', onExit)
      worker.postMessage(job)
    })
  }

  return {
    run: <Made>({ url }: { url: URL }, data: unknown, who: { id: number | string }) =>
      new Promise<Made>((resolve, reject) => {
        admission.enter(String(who.id), (place) => {
          if (place === 'person') return reject(tooMany(10, 'Ваши предыдущие документы ещё печатаются. Дождитесь их'))
          if (place === 'house') return reject(crowded())
          work({ drawing: url.href, data })
            .then((answer) => {
              if ('refused' in answer) throw badRequest(answer.refused)
              if ('failed' in answer) throw new Error(answer.failed)
              return answer.made as Made
            })
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

const crowded = () => unavailable('Сейчас печатается слишком много документов. Повторите через минуту')
const busy = () => unavailable('Сервер сейчас занят, и документ не напечатан. Повторите через минуту')
const unavailable = (message: string) => new HttpError(503, message, { code: 'busy', headers: { 'retry-after': '60' } })

/** A server: what it logs by, and what it closes with it. */
interface House {
  log: Pick<Logger, 'warn'>
  onClose(run: () => unknown): void
}

const presses = new WeakMap<object, Press>()

/** The press of this server. */
export function pressOf(app: House): Press {
  const known = presses.get(app)
  if (known) return known
  const made = createPress(app.log)
  presses.set(app, made)
  app.onClose(() => made.close())
  return made
}
