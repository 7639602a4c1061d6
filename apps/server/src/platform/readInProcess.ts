import { type ChildProcess, fork } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createAdmission } from './admission.ts'
import { boundWork, processSpent, type WorkBounds } from './boundWork.ts'
import { HttpError } from './errors.ts'
import { giveWay } from './giveWay.ts'
import { createLenience } from './lenience.ts'

/** Milliseconds of the processor that one file may take. */
const READING_MS = 60_000
/** Files that are read at once, and that wait for it: each may take its whole share of memory, and a core. */
const LIMITS = { running: 2, waiting: 20, person: { running: 1, waiting: 10 }, patienceMs: 120_000 }

/** What is to be read, and how. */
export interface Reading {
  /** A program that answers by `answerReading`. */
  code: URL
  /** The bytes, asked for when their turn comes. They go on piece by piece: the server never holds them whole. */
  open(): Readable | Promise<Readable>
  /** For the program. */
  options: unknown
  /** One and the same for all that one person has read: one file after another. */
  who: string
  memoryMb: number
  /** Makes the error of the program's words. */
  refuse(message: string): Error
  /** The words for what takes too long or too much. */
  tooHard: string
  /** Absent: READING_MS of the processor. */
  bounds?: WorkBounds
}

/** What a process that reads answers: what it has read, or why it cannot be read, for the user. */
export interface ReadingAnswer<T> {
  read?: T
  error?: string
}

const admission = createAdmission(LIMITS)
/** To begin a process takes the server's thread, as a large body does. */
const lenience = createLenience()

/**
 * Reads bytes that nobody vouches for in a process of its own, within a time and a memory: what they unfold to goes back
 * to the system with it, and what breaks the reader does not break the server.
 * @throws HttpError 503 when too many wait or the machine has no time for it; what `open` throws; what `refuse` makes
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
  const child = fork(code, [String(memoryMb)], {
    detached: true,
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // Neither secrets nor the database's address: what is read there comes from strangers.
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  giveWay(child)
  return new Promise<T>((resolve, reject) => {
    const ended = boundWork(
      () => processSpent(child),
      bounds ?? { workMs: READING_MS },
      (why) => reject(why === 'work' ? refuse(tooHard) : busy()),
    )
    child.on('message', ({ read, error }: ReadingAnswer<T>) => {
      ended()
      if (read !== undefined) resolve(read)
      else reject(refuse(error ?? 'Файл не читается'))
    })
    child.once('error', reject)
    child.once('exit', (_code, signal) => {
      ended()
      // Nobody here has killed it yet: the system has, for want of memory.
      reject(signal === 'SIGKILL' ? busy() : refuse(tooHard))
    })
    child.send({ options }, () => {})
    bytes.once('error', reject)
    // A program that ends before it has read all tells so by its end.
    pipeline(bytes, child.stdin as Writable).catch(() => {})
  }).finally(() => end(child))
}

const end = (child: ChildProcess) => void child.kill('SIGKILL')

const crowded = () => unavailable('Сейчас читается слишком много файлов. Повторите через минуту')
const busy = () => unavailable('Сервер сейчас занят, и файл не прочитан. Повторите через минуту')
const unavailable = (message: string) => new HttpError(503, message, { code: 'busy', headers: { 'retry-after': '60' } })
