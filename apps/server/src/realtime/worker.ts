import type { Logger } from '#platform/log.ts'
import type { Admission } from './admissions.ts'
import type { Feed, HistoryRow, Snapshot } from './feed.ts'
import type { Cursors } from './sender.ts'

/** Minimum interval between reads. */
const READ_EVERY_MS = 20
const POLL_MS = 1_000

/** What the worker does with what it finds. */
export interface WorkerTasks {
  /** Without connections nothing is read. */
  isIdle(): boolean
  hasAdmissions(): boolean
  /** Takes the subscriptions that wait. */
  takeAdmissions(): Admission[]
  admit(admissions: readonly Admission[], at: Snapshot): void
  refuse(admissions: readonly Admission[]): void
  /** @param isCut there is more than one read returns: subscribers re-read instead */
  send(rows: HistoryRow[], isCut: boolean, cursors: Cursors): Promise<void>
}

/**
 * Admits new subscriptions and reads the history when woken, or every second in case a wake-up is lost. One pass at a
 * time; without clients it rests and has no position.
 */
export class Worker {
  readonly count = { events: 0, reads: 0, lastReadMs: 0, lastReadAt: null as string | null }
  readonly #feed: Feed
  readonly #log: Pick<Logger, 'warn'>
  readonly #tasks: WorkerTasks
  /** Position up to which the history has been read. */
  #place: Snapshot | undefined
  #isWoken = false
  #working: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #readAt = 0
  #isClosed = false

  constructor(feed: Feed, log: Pick<Logger, 'warn'>, tasks: WorkerTasks) {
    this.#feed = feed
    this.#log = log
    this.#tasks = tasks
  }

  /** Cursor of the position; undefined while it rests. */
  get cursor(): string | undefined {
    return this.#place?.xmin
  }

  /** Schedules a read. */
  wake(): void {
    if (this.#tasks.isIdle()) return
    this.#isWoken = true
    this.schedule()
  }

  /** Schedules a pass. */
  schedule(wait = Math.max(0, this.#readAt + READ_EVERY_MS - Date.now())): void {
    if (this.#isClosed || this.#working) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#working = this.#pass().finally(() => {
        this.#working = undefined
        if (this.#tasks.isIdle()) this.#place = undefined
        else if (this.#tasks.hasAdmissions() || this.#isWoken) this.schedule()
        else this.#poll()
      })
    }, wait)
  }

  /** Forgets the position once the last client has left; a pass in progress does so at its end. */
  rest(): void {
    if (this.#working) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#place = undefined
    this.#isWoken = false
  }

  /** Schedules nothing more, and waits for the pass in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#working
  }

  #poll(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.wake(), POLL_MS)
    this.#timer.unref()
  }

  async #pass(): Promise<void> {
    const admissions = this.#tasks.takeAdmissions()
    try {
      this.#place ??= await this.#feed.here()
      this.#tasks.admit(admissions, this.#place)
      if (this.#isWoken) {
        this.#isWoken = false
        this.#readAt = Date.now()
        await this.#read(this.#place)
      }
    } catch (error) {
      // The position is unchanged, so nothing is lost: the poll reads from it again.
      this.#log.warn({ err: error }, 'realtime: history was not read')
      this.#tasks.refuse(admissions)
    }
  }

  async #read(from: Snapshot): Promise<void> {
    const start = performance.now()
    const { rows, place: next, more } = await this.#feed.after(from)
    this.count.reads++
    if (rows.length > 0) {
      this.count.events += rows.length
      await this.#tasks.send(rows, more, { before: from.xmin, after: next.xmin })
      this.count.lastReadMs = Math.round((performance.now() - start) * 10) / 10
      this.count.lastReadAt = new Date().toISOString()
    }
    this.#place = next
  }
}
