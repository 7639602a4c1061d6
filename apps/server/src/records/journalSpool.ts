/**
 * Spool of journal lines: lines are appended to a file of this process before the answer is sent, one write for all
 * concurrent lines, and moved from there to the table in large batches. The position up to which a file was moved is in
 * `access_spools` and is advanced by the statement that adds the lines, so that each is added exactly once, whichever
 * process moves it and wherever a process is killed. Where the base is on another machine, blocks go there first
 * (journalBlocks.ts), and to a file while it takes none.
 */
import { readdir, stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { JournalBlocks } from './journalBlocks.ts'
import { LEFT_MS, type OwnFile, SpoolFiles, SUFFIX } from './journalSpoolFiles.ts'
import { ifThere, type SpooledLine, SpoolMover, type SpoolPlace } from './journalSpoolMover.ts'

export { isOfALine, type SpooledLine, type SpoolPlace } from './journalSpoolMover.ts'

/** How long a line waits in the file to be batched. */
const DRAIN_MS = 1_000
const SWEEP_MS = 60_000
/** Minimum days for which a file's position is kept after the file is removed. */
export const MARKS_DAYS = 90

interface Waiting {
  lines: readonly SpooledLine[]
  done(): void
  failed(error: unknown): void
}

/** Nothing is created or read before the first line or sweep. Other processes may use the same directory. */
export class Spool {
  readonly #place: SpoolPlace
  readonly #mover: SpoolMover
  readonly #files: SpoolFiles
  readonly #blocks: JournalBlocks | undefined
  /** After an error the base is not asked for a moment. */
  #baseRefusedUntil = 0
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  /** After an error the disk is not retried for a moment. */
  #refusedUntil = 0
  /** Drains run one after another; callers meanwhile share the next one. */
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #drainTimer: NodeJS.Timeout | undefined
  #sweeper: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(place: SpoolPlace) {
    this.#place = place
    this.#mover = new SpoolMover(place)
    this.#blocks = place.inBase ? new JournalBlocks(place) : undefined
    this.#files = new SpoolFiles(place.dir, ({ name }) => this.#mover.takenOf(name))
  }

  /**
   * Resolves when the lines are in the base or in the file.
   * @throws when they are not: the disk is full or refuses, or too many spooled bytes await the table
   */
  async add(lines: readonly SpooledLine[]): Promise<void> {
    if (this.#isClosed) throw new Error('the spool is closed')
    return new Promise((done, failed) => {
      this.#waiting.push({ lines, done, failed })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Moves all lines spooled by this process to the table. */
  drain(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(async () => {
        this.#next = undefined
        await (this.#running = this.#drainOwn())
      })
    return this.#next
  }

  /** The same for files left by other processes, now and each minute. */
  async sweep(): Promise<void> {
    const { log } = this.#place
    this.#sweeper ??= setInterval(
      () => void this.#sweepOnce().catch((error) => log.warn({ err: error }, 'files of the journal of access wait')),
      SWEEP_MS,
    ).unref()
    await this.#sweepOnce()
  }

  /** Drains for the last time; later lines are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeper)
    await this.#writing
    this.#files.retire()
    try {
      await this.drain()
    } finally {
      await this.#files.close()
    }
  }

  async #writeAll(): Promise<void> {
    // Batches everything added in this turn of the event loop.
    await turn()
    while (this.#waiting.length > 0) {
      const some = this.#waiting
      this.#waiting = []
      try {
        const block = some.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line))).join(',')
        if (!(await this.#writeToBase(block))) await this.#write(`${block}\n`)
        for (const { done } of some) done()
      } catch (error) {
        for (const { failed } of some) failed(error)
      }
    }
    this.#writing = undefined
  }

  /** @returns false when the base takes nothing */
  async #writeToBase(block: string): Promise<boolean> {
    if (!this.#blocks || Date.now() < this.#baseRefusedUntil) return false
    try {
      await this.#blocks.add(block)
      this.#drainSoon()
      return true
    } catch (error) {
      this.#place.log.warn({ err: error }, 'lines of the journal of access go to their file: the base takes none')
      this.#baseRefusedUntil = Date.now() + DRAIN_MS
      return false
    }
  }

  async #write(block: string): Promise<void> {
    if (Date.now() < this.#refusedUntil) throw new Error('the spool has just been refused')
    try {
      await this.#files.write(block)
    } catch (error) {
      const message = 'lines of the journal of access go to the table at once: their file takes none'
      this.#place.log.error({ err: error }, message)
      this.#refusedUntil = Date.now() + DRAIN_MS
      // An interrupted block must be the last of its file.
      this.#files.retire()
      throw error
    } finally {
      this.#drainSoon()
    }
  }

  #drainSoon(): void {
    if (!this.#isClosed) this.#drainTimer ??= setTimeout(() => void this.drain().catch(() => {}), DRAIN_MS).unref()
  }

  async #drainOwn(): Promise<void> {
    clearTimeout(this.#drainTimer)
    this.#drainTimer = undefined
    this.#files.retireOld()
    const failures: unknown[] = []
    await this.#blocks?.drain().catch((error) => failures.push(error))
    // An unreadable file does not delay the others.
    for (const file of this.#files.all) await this.#drainFile(file).catch((error) => failures.push(error))
    if (failures.length === 0) return
    this.#place.log.warn({ err: failures[0] }, 'the journal of access waits in its file')
    // Lines that wait longer than usual must survive a power failure.
    await this.#files.sync()
    this.#drainSoon()
    throw failures[0]
  }

  async #drainFile(file: OwnFile): Promise<void> {
    const isFull = this.#files.isFull(file)
    if (isFull || file.size > this.#mover.takenOf(file.name)) await this.#takeOwn(file)
    if (!isFull) return
    await this.#files.drop(file)
    await this.#mover
      .remove(file.name)
      .catch((error) => this.#place.log.warn({ err: error }, 'a file of the journal of access stays'))
  }

  /** Moves an own file; if another server has already moved it (having found it idle), nothing is left. */
  async #takeOwn(file: OwnFile): Promise<void> {
    try {
      await this.#mover.take(file.name, file.size)
    } catch (error) {
      ifThere(error as NodeJS.ErrnoException)
      const bytes = file.size - (await this.#mover.markOf(file.name))
      if (bytes > 0) this.#place.log.error({ bytes }, 'a file of the journal of access is gone with lines')
      if (!this.#files.isFull(file)) this.#files.retire()
      this.#mover.skip(file.name, file.size)
    }
  }

  async #sweepOnce(): Promise<void> {
    await this.#blocks?.drain()
    const own = new Set(this.#files.all.map(({ name }) => name))
    const names = await readdir(this.#place.dir).catch(() => [])
    for (const name of names) {
      if (!name.endsWith(SUFFIX) || own.has(name)) continue
      // Before reading: a write meanwhile makes the file recent again.
      const touched = await stat(this.#mover.pathOf(name)).catch(ifThere)
      if (!touched) continue
      try {
        await this.#mover.take(name, touched.size)
        if (Date.now() - touched.mtimeMs > LEFT_MS) await this.#mover.remove(name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      } finally {
        this.#mover.forget(name)
      }
    }
  }
}
