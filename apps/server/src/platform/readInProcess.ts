import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createAdmission } from './admission.ts'
import type { WorkBounds } from './boundWork.ts'
import { HttpError } from './errors.ts'
import { createLenience } from './failureBackoff.ts'
import { startProcess } from './runner.ts'
import { askRunner } from './runnerPool.ts'

/** CPU milliseconds for one file. */
const READING_MS = 60_000
/** Files read at once and queued: each may take its whole memory limit and a core. */
const LIMITS = { running: 2, waiting: 20, person: { running: 1, waiting: 10 }, patienceMs: 120_000 }

/** A file to be read, and how. */
export interface Reading {
  /** Program that calls `answerReading`. */
  code: URL
  /** The bytes, opened when their turn comes. They are streamed: the server never holds all of them. */
  open(): Readable | Promise<Readable>
  /** Passed to the program. */
  options: unknown
  /** Key of the person: their files are read one after another. */
  who: string
  memoryMb: number
  /** Makes the error for the program's message. */
  refuse(message: string): Error
  /** Message when a file takes too much time or memory. */
  tooHard: string
  /** Absent: READING_MS of CPU time. */
  bounds?: WorkBounds
}

/** Answer of the reading process: the result, or the reason for the user why the file cannot be read. */
export interface ReadingAnswer<T> {
  read?: T
  error?: string
}

const admission = createAdmission(LIMITS)
/** Starting a process occupies the server's thread, like a large body. */
const lenience = createLenience()

/**
 * Reads an untrusted file in a child process, with limits of time and memory: its memory is freed when the process ends,
 * and a crash of the reader does not crash the server.
 * @throws HttpError 503 when the queue is full or the machine is too busy; errors of `open` and of `refuse`
 */
export function readInProcess<T>(reading: Reading): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    admission.enter(reading.who, (answer) => {
      if (typeof answer === 'string') return reject(crowded())
      read<T>(reading).then(
        (read) => {
          answer.leave()
          resolve(read)
        },
        (error) => {
          const pause = lenience.pauseOf(reading.who)
          if (pause > 0) setTimeout(() => answer.leave(), pause)
          else answer.leave()
          reject(error)
        },
      )
    })
  })
}

async function read<T>({ code, open, options, memoryMb, refuse, tooHard, bounds }: Reading): Promise<T> {
  const bytes = await open()
  // A process reads one file: its memory is freed with it.
  const runner = startProcess(code, { args: [String(memoryMb)], heapMb: memoryMb, input: 'pipe', errors: 'ignore' })
  try {
    const broken = new Promise<never>((_, reject) => bytes.once('error', reject))
    // A program that ends before it has read everything is reported by its exit.
    pipeline(bytes, runner.input as Writable).catch(() => {})
    const asked = askRunner<ReadingAnswer<T>>(runner, { options }, bounds ?? { workMs: READING_MS }, {
      late: (why) => (why === 'work' ? refuse(tooHard) : busy()),
      error: (error) => error,
      // Not killed from here, so the system has killed it for lack of memory.
      exit: (how) => (how === 'SIGKILL' ? busy() : refuse(tooHard)),
    })
    const { read, error } = await Promise.race([asked, broken])
    if (read === undefined) throw refuse(error ?? 'Файл не читается')
    return read
  } finally {
    void runner.kill()
  }
}

const crowded = () => unavailable('Сейчас читается слишком много файлов. Повторите через минуту')
const busy = () => unavailable('Сервер сейчас занят, и файл не прочитан. Повторите через минуту')
const unavailable = (message: string) => new HttpError(503, message, { code: 'busy', headers: { 'retry-after': '60' } })
