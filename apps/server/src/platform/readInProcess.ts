import { type ChildProcess, fork } from 'node:child_process'
import { createAdmission } from './admission.ts'
import { HttpError } from './errors.ts'

const READING_MS = 60_000
/** Files that are read at once, and that wait for it: each may take its whole share of memory. */
const LIMITS = { running: 2, waiting: 20, person: { running: 2, waiting: 20 }, patienceMs: 120_000 }

/** What a process that reads is told. */
export interface ReadingOrder {
  bytes: Uint8Array
  options: unknown
}

/** What it answers: what it has read, or why it cannot be read, for the user. */
export interface ReadingAnswer<T> {
  read?: T
  error?: string
}

const admission = createAdmission(LIMITS)

/**
 * Reads bytes that nobody vouches for in a process of its own, within a time and a memory: what they unfold to goes back
 * to the system with it, and what breaks the reader does not break the server.
 * @param code a program that answers by `answerReading`
 * @param options for it
 * @param refuse makes the error of its words
 * @param tooHard the words for what takes too long or too much
 * @throws HttpError 503 when too many wait
 */
export function readInProcess<T>(
  code: URL,
  bytes: Uint8Array,
  options: unknown,
  limits: { memoryMb: number },
  refuse: (message: string) => Error,
  tooHard: string,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    admission.enter('', (answer) => {
      if (typeof answer === 'string') return reject(crowded())
      read<T>(code, { bytes, options }, limits, refuse, tooHard)
        .then(resolve, reject)
        .finally(() => answer.leave())
    })
  })
}

function read<T>(
  code: URL,
  order: ReadingOrder,
  { memoryMb }: { memoryMb: number },
  refuse: (message: string) => Error,
  tooHard: string,
): Promise<T> {
  const child = fork(code, [String(memoryMb)], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // Neither secrets nor the database's address: what is read there comes from strangers.
    env: { MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(refuse(tooHard)), READING_MS)
    child.on('message', ({ read, error }: ReadingAnswer<T>) => {
      clearTimeout(timer)
      if (read !== undefined) resolve(read)
      else reject(refuse(error ?? 'Файл не читается'))
    })
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(timer)
      reject(refuse(tooHard))
    })
    child.send(order, () => {})
  }).finally(() => end(child))
}

const end = (child: ChildProcess) => void child.kill('SIGKILL')

const crowded = () =>
  new HttpError(503, 'Сейчас читается слишком много файлов. Повторите через минуту', {
    code: 'busy',
    headers: { 'retry-after': '60' },
  })
