/** The other side of readInWorker: what a reading worker runs. */
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerAnswer } from './readInWorker.ts'

/** Why a file is not read, in words for the user. Any other error says only that the file is broken. */
export class ReadRefusal extends Error {}

/** Posts what is read of `workerData.bytes`, or why it cannot be read. */
export async function answerReading<T>(read: (file: Buffer) => T | Promise<T>): Promise<void> {
  const { bytes } = workerData as { bytes: Uint8Array }
  const answer: WorkerAnswer<T> = {}
  try {
    answer.read = await read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    answer.error = error instanceof ReadRefusal ? error.message : 'Файл повреждён, прочитать его не удалось'
  }
  parentPort?.postMessage(answer)
}
