/** Papers are said and drawn in a worker (printWorker.ts), one at a time: whoever prints much waits for himself alone. */
import { Worker } from 'node:worker_threads'
import type { Evaluated, RecordData } from '@ordinator/model/areas/prints/evaluate'
import type { SayContext } from '@ordinator/model/areas/prints/formats'
import type { Piece } from '@ordinator/model/areas/prints/template'
import { createAdmission } from '../../platform/admission.ts'
import { badRequest, HttpError, tooMany } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import type { Sheet } from '../../platform/pdf.ts'
import type { AppContext } from '../../records/context.ts'

const LIMITS = {
  running: 1,
  waiting: 300,
  person: { running: 1, waiting: 120 },
  patienceMs: 60_000,
}
const MEMORY_MB = 384
/** No paper takes longer; and a worker without work ends. */
const PRINT_MS = 20_000
const IDLE_MS = 30_000
const PROGRAM = new URL('./printWorker.ts', import.meta.url)

/** What stands on a paper, before its words are said. */
export interface PrintText {
  body: Piece[]
  header: Piece[]
  footer: Piece[]
}

export interface PrintJob {
  text: PrintText
  data: RecordData
  context: SayContext
  /** Absent: only the words are wanted, as markup. */
  pdf?: {
    title: string
    clinicName: string
    sheet: Sheet
    size: number
    copies: number
    hasPageNumbers: boolean
    /** Who signs, at the end. */
    signs: [side: string, fio: string][]
    /** Pictures of the text, by their addresses in it. */
    pictures: Record<string, Uint8Array>
  }
}

export type PrintAnswer =
  | { pdf: Uint8Array }
  | { words: { body: string; header: string; footer: string } }
  | Extract<Evaluated, { refused: string }>
  | { failed: string }

export interface Printer {
  /** @param who the same for all that one person prints @throws HttpError 400, 429, 503 */
  run(job: PrintJob, who: string): Promise<Exclude<PrintAnswer, { refused: string } | { failed: string }>>
  close(): Promise<void>
}

export function createPrinter(log: Pick<Logger, 'warn'>, printMs = PRINT_MS): Printer {
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

  function work(job: PrintJob): Promise<PrintAnswer> {
    const worker = hire()
    return new Promise<PrintAnswer>((resolve, reject) => {
      const tooHard = badRequest('Документ слишком велик или сложен для печати: упростите шаблон')
      const timer = setTimeout(() => {
        log.warn({ ms: printMs }, 'print cut off')
        fail(tooHard)
      }, printMs).unref()
      const settle = () => {
        clearTimeout(timer)
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit)
      }
      const fail = (error: Error) => {
        settle()
        // Whatever it was doing, the next paper begins anew.
        if (kept === worker) kept = undefined
        void worker.terminate()
        reject(error)
      }
      const onAnswer = (answer: PrintAnswer) => {
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
    run: (job, who) =>
      new Promise((resolve, reject) => {
        admission.enter(who, (place) => {
          if (place === 'person') return reject(tooMany(10, 'Ваши предыдущие документы ещё печатаются. Дождитесь их'))
          if (place === 'house') return reject(crowded())
          work(job)
            .then((answer) => {
              if ('refused' in answer) throw badRequest(answer.refused)
              if ('failed' in answer) throw new Error(answer.failed)
              return answer
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

const crowded = () =>
  new HttpError(503, 'Сейчас печатается слишком много документов. Повторите через минуту', {
    code: 'busy',
    headers: { 'retry-after': '60' },
  })

const printers = new WeakMap<object, Printer>()

/** The printer of this server. */
export function printerOf(app: Pick<AppContext, 'log' | 'onClose'>): Printer {
  const known = printers.get(app)
  if (known) return known
  const made = createPrinter(app.log)
  printers.set(app, made)
  app.onClose(() => made.close())
  return made
}
