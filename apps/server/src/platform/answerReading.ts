/** The other side of readInProcess: what a reading process runs. */
import { flushCompileCache } from 'node:module'
import type { Reading, ReadingAnswer } from './readInProcess.ts'

const WATCH_MS = 20
/** Ends a process that takes more memory than it may; what the system kills ends by a signal. */
const TOO_LARGE = 3
/** Resident bytes that a process takes before it has read anything. */
const OWN_BYTES = 150 * 1024 * 1024

/** Why a file is not read, in words for the user. Any other error says only that the file is broken. */
export class ReadRefusal extends Error {}

/** Sends what is read of the bytes that it is told, or why they cannot be read; the memory for it stands in its argument. */
export function answerReading<T, O = unknown>(read: (file: Buffer, options: O) => T | Promise<T>): void {
  // The process is killed when it has answered, and would leave nothing to the next one.
  flushCompileCache()
  const maxRss = Number(process.argv[2]) * 1024 * 1024 + OWN_BYTES
  // What stands outside the heap is not held by its limit.
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRss) process.exit(TOO_LARGE)
  }, WATCH_MS).unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl+C reaches every process of the terminal; the server says when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('message', async ({ options }: Pick<Reading, 'options'>) => {
    const answer: ReadingAnswer<T> = {}
    try {
      answer.read = await read(Buffer.concat(await process.stdin.toArray()), options as O)
    } catch (error) {
      answer.error = error instanceof ReadRefusal ? error.message : 'Файл повреждён, прочитать его не удалось'
    }
    process.send?.(answer)
  })
}
