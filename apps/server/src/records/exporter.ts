/** Runs exports in workers (exportWorker.ts): limited in number, one per person, and only while the client reads. */
import { Readable } from 'node:stream'
import { createAdmission, type Place } from '#platform/admission.ts'
import { badRequest, HttpError, tooMany } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Replica, Ticket } from '#platform/replica.ts'
import { type Runner, startThread } from '#platform/runner.ts'
import { RunnerPool } from '#platform/runnerPool.ts'
import type { ExportColumn } from './exportCells.ts'

/** Each has its own database connection, so that exports take none from the pools. */
const LIMITS = {
  running: 3,
  waiting: 10,
  person: { running: 1, waiting: 1 },
  patienceMs: 60_000,
}
const MEMORY_MB = 512
/** A client that reads nothing for this long is disconnected; so is one that has not finished after EXPORT_MS. */
const STALL_MS = 30_000
const EXPORT_MS = 600_000
/** Idle time before the worker ends. */
const IDLE_MS = 10_000
/** Bytes of exports after which a worker is replaced by a new one. */
const WORN_BYTES = 50 * 1024 * 1024
const PROGRAM = new URL('./exportWorker.ts', import.meta.url)

export interface ExportJob {
  text: string
  values: readonly unknown[]
  columns: readonly ExportColumn[]
  timeZone: string
  format: 'csv' | 'xlsx'
  /** Above the table of a spreadsheet: what it is, its conditions, when it was made; and a sheet that explains the columns. */
  about?: ExportAbout
  /** Set by the exporter. Absent: rows are read from the primary. */
  replica?: Ticket | undefined
}

export interface ExportAbout {
  title: string
  facts: readonly (readonly [label: string, value: string])[]
  /** «Как считается»: a line each. */
  notes: readonly (readonly [name: string, text: string])[]
}

/** To the worker: a job, or the acknowledgement of a chunk. */
export type WorkerOrder = { job: ExportJob } | { taken: true }
/** From the worker. */
export type ExportWord =
  | { piece: Uint8Array }
  | { done: true }
  | { refused: string }
  | { failed: { message: string; code?: string | undefined; severity?: string | undefined } }

export interface Exporter {
  /**
   * The bytes of the file; resolves with the first bytes, so that an earlier failure is a regular error. Destroying the
   * stream cancels the work.
   * @param who key of the person, the same for all their exports
   * @throws HttpError 400, 429, 503; errors of PostgreSQL
   */
  run(job: ExportJob, who: string): Promise<Readable>
  close(): Promise<void>
}

export interface ExporterOptions {
  url: string
  /** As in platform/db.ts. */
  isOurs?: boolean
  replica?: Pick<Replica, 'ticket'> | undefined
  log: Pick<Logger, 'warn'>
  stallMs?: number
}

export function createExporter({ url, isOurs, replica, log, stallMs = STALL_MS }: ExporterOptions): Exporter {
  const admission = createAdmission(LIMITS)
  const pool = new RunnerPool(() => startThread(PROGRAM, { memoryMb: MEMORY_MB, data: { url, isOurs } }), IDLE_MS)
  /** Bytes that a worker has exported so far. */
  const worn = new WeakMap<Runner, number>()

  function begin(job: ExportJob, place: Place): Promise<Readable> {
    const worker = pool.hire()
    let sent = 0
    let untaken: number | undefined
    let over = false
    const began = Date.now()

    return new Promise((resolve, reject) => {
      const out = new Readable({
        read() {
          untaken = undefined
          for (; owed > 0; owed--) worker.send({ taken: true } satisfies WorkerOrder)
        },
        destroy(error, done) {
          end(false)
          done(error)
        },
      })
      // Chunks passed on while the reader was not ready for more.
      let owed = 0

      const clock = setInterval(
        () => {
          const isStalled = untaken !== undefined && Date.now() - untaken > stallMs
          if (!isStalled && Date.now() - began < EXPORT_MS) return
          log.warn({ sent, isStalled }, 'export cut off')
          fail(new HttpError(503, 'Выгрузка шла слишком долго и была остановлена', { code: 'timeout' }))
        },
        Math.min(1_000, stallMs),
      ).unref()

      function end(isWhole: boolean): void {
        if (over) return
        over = true
        clearInterval(clock)
        silence()
        const bytes = (worn.get(worker) ?? 0) + sent
        worn.set(worker, bytes)
        if (isWhole && bytes <= WORN_BYTES) pool.keep(worker)
        else void pool.dismiss(worker)
        place.leave()
      }
      function fail(error: Error): void {
        end(false)
        reject(error)
        out.destroy(error)
      }
      const onError = (error: Error & { code?: string }) =>
        fail(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? badRequest('Таблица слишком велика: выберите CSV или сузьте отбор')
            : error,
        )
      const onExit = () => fail(new Error('export worker ended'))
      const onWord = (word: ExportWord) => {
        if ('piece' in word) {
          sent += word.piece.length
          if (out.push(word.piece)) worker.send({ taken: true } satisfies WorkerOrder)
          else {
            owed++
            untaken ??= Date.now()
          }
          resolve(out)
        } else if ('done' in word) {
          end(true)
          out.push(null)
          resolve(out)
        } else if ('refused' in word) fail(badRequest(word.refused))
        else fail(Object.assign(new Error(word.failed.message), word.failed))
      }
      out.on('error', () => {})
      const silence = worker.listen({ message: onWord, error: onError, exit: onExit })
      worker.send({ job } satisfies WorkerOrder)
    })
  }

  return {
    run: (job, who) =>
      new Promise((resolve, reject) => {
        admission.enter(who, (answer) => {
          if (answer === 'person')
            reject(tooMany(10, 'Ваша предыдущая выгрузка ещё не закончена. Дождитесь её и повторите'))
          else if (answer === 'total') reject(crowded())
          else
            Promise.resolve(replica?.ticket())
              .then((ticket) => begin({ ...job, replica: ticket }, answer))
              .then(resolve, reject)
        })
      }),
    close: () => pool.close(),
  }
}

const crowded = () =>
  new HttpError(503, 'Сейчас готовится слишком много выгрузок. Повторите через минуту', {
    code: 'busy',
    headers: { 'retry-after': '60' },
  })
