/** Child side of readInProcess: runs in the reading process. */
import { flushCompileCache } from 'node:module'
import type { Reading, ReadingAnswer } from './readInProcess.ts'

const WATCH_MS = 20
/** Exit code when the memory limit is exceeded; a kill by the system exits by a signal instead. */
const TOO_LARGE = 3
/** Resident bytes of a process before it has read anything. */
const OWN_BYTES = 150 * 1024 * 1024

/** Reason why a file is not read, shown to the user. Any other error is reported as a broken file. */
export class ReadRefusal extends Error {}

/** Reads the bytes it receives and sends the result or the refusal. Its memory limit is in process.argv[2]. */
export function answerReading<T, O = unknown>(read: (file: Buffer, options: O) => T | Promise<T>): void {
  // The process is killed after its answer, so save the compile cache for the next one now.
  flushCompileCache()
  const maxRss = Number(process.argv[2]) * 1024 * 1024 + OWN_BYTES
  // The heap limit does not cover memory outside the heap.
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRss) process.exit(TOO_LARGE)
  }, WATCH_MS).unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // Ctrl+C reaches every process of the terminal; the server decides when this one ends.
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
