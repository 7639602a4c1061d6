/** Files of a journal spool that this process writes. */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A file is ended after this time or size, so that one unchanged for LEFT_MS has no owner any more. */
const OPEN_MS = 5 * 60_000
const OPEN_BYTES = 8 * 1024 * 1024
export const LEFT_MS = 15 * 60_000
/** Maximum bytes awaiting the table. */
const MOST_BEHIND = 64 * 1024 * 1024
export const SUFFIX = '.lines'

/** Creates a file for appending only. */
const appending = fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_APPEND | fs.constants.O_WRONLY
const [openFile, writeFile, syncFile, closeFile] = [
  promisify(fs.open),
  promisify(fs.write),
  promisify(fs.fdatasync),
  promisify(fs.close),
]

export interface OwnFile {
  name: string
  descriptor: number
  since: number
  size: number
}

/** Appends blocks of lines to files of this process, which are ended by age and size. */
export class SpoolFiles {
  readonly #dir: string
  readonly #takenOf: (file: OwnFile) => number
  /** Full files, not yet moved to the table. */
  #full: OwnFile[] = []
  #current: OwnFile | undefined

  /**
   * @param dir created when needed
   * @param takenOf bytes of a file that are in the table
   */
  constructor(dir: string, takenOf: (file: OwnFile) => number) {
    this.#dir = dir
    this.#takenOf = takenOf
  }

  /** Files of this process that are not yet removed, the one being written last. */
  get all(): OwnFile[] {
    return [...this.#full, ...(this.#current ? [this.#current] : [])]
  }

  /**
   * Appends one block: without its line end it is ignored, so that an interrupted write counts as none.
   * @throws when the disk is full or refuses, or too many bytes await the table
   */
  async write(block: string): Promise<void> {
    const bytes = Buffer.from(block)
    const file = await this.#fileFor(bytes.length)
    const { bytesWritten } = await writeFile(file.descriptor, bytes)
    if (bytesWritten < bytes.length) throw new Error('the disk took a part')
    file.size += bytes.length
  }

  /** Ends the file being written. */
  retire(): void {
    if (this.#current) this.#full.push(this.#current)
    this.#current = undefined
  }

  /** Ends the file being written if it is old. */
  retireOld(): void {
    if (this.#current && Date.now() - this.#current.since > OPEN_MS) this.retire()
  }

  /** Whether nothing is appended to the file any more. */
  isFull(file: OwnFile): boolean {
    return file !== this.#current
  }

  /** Closes a full file, whose lines are in the table. */
  async drop(file: OwnFile): Promise<void> {
    this.#full = this.#full.filter((one) => one !== file)
    await closeFile(file.descriptor)
  }

  /** Writes what waits in the current file through to the disk. */
  async sync(): Promise<void> {
    if (this.#current) await syncFile(this.#current.descriptor).catch(() => {})
  }

  /** Closes the full files. */
  async close(): Promise<void> {
    for (const { descriptor } of this.#full) await closeFile(descriptor)
  }

  async #fileFor(length: number): Promise<OwnFile> {
    const behind = this.all.reduce((sum, one) => sum + one.size - this.#takenOf(one), 0)
    if (behind + length > MOST_BEHIND) throw new Error('too much waits for the table')
    this.retireOld()
    if (this.#current && this.#current.size > OPEN_BYTES) this.retire()
    if (!this.#current) {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 })
      const name = `${randomUUID()}${SUFFIX}`
      const descriptor = await openFile(join(this.#dir, name), appending, 0o600)
      this.#current = { name, descriptor, since: Date.now(), size: 0 }
    }
    return this.#current
  }
}
