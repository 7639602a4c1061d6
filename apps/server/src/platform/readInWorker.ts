import { Worker } from 'node:worker_threads'

const READING_MS = 60_000

/** What a worker that reads posts: what it has read, or why it cannot be read, for the user. */
export interface WorkerAnswer<T> {
  read?: T
  error?: string
}

/**
 * Reads bytes that nobody vouches for beside the server's own thread, within a time and a memory.
 * @param refuse makes the error of its words
 * @param tooHard the words for what takes too long or too much
 */
export function readInWorker<T>(
  code: URL,
  workerData: unknown,
  limits: { memoryMb: number },
  refuse: (message: string) => Error,
  tooHard: string,
): Promise<T> {
  const worker = new Worker(code, { workerData, resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } })
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(refuse(tooHard)), READING_MS)
    worker.on('message', ({ read, error }: WorkerAnswer<T>) => {
      clearTimeout(timer)
      if (read !== undefined) resolve(read)
      else reject(refuse(error ?? 'Файл не читается'))
    })
    worker.on('error', () => {
      clearTimeout(timer)
      reject(refuse(tooHard))
    })
  }).finally(() => void worker.terminate())
}
