/** Worker that draws documents, one after another. */
import { parentPort } from 'node:worker_threads'
import { Unprintable } from './pdf.ts'
import type { PressAnswer, PressJob } from './pdfPool.ts'

parentPort?.on('message', async ({ drawing, data }: PressJob) => {
  let answer: PressAnswer
  try {
    const { draw } = (await import(drawing)) as { draw(data: unknown): Promise<unknown> }
    const made = await draw(data)
    // A copy, since the whole buffer is transferred.
    answer = { made: made instanceof Uint8Array ? new Uint8Array(made) : made }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answer = error instanceof Unprintable ? { refused: message } : { failed: message }
  }
  const handed = 'made' in answer && answer.made instanceof Uint8Array ? [answer.made.buffer as ArrayBuffer] : []
  parentPort?.postMessage(answer, handed)
})
