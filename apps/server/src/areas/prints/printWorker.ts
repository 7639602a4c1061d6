/** Says a template of a record and draws it, beside the server's own thread, one paper after another. */
import { parentPort } from 'node:worker_threads'
import { type Evaluated, evaluate } from '@ordinator/model/areas/prints/evaluate'
import { codesAsPictures } from './codes.ts'
import { drawPaper, Unprintable } from './paper.ts'
import type { PrintAnswer, PrintJob } from './printer.ts'

parentPort?.on('message', async (job: PrintJob) => {
  let answer: PrintAnswer
  try {
    answer = await print(job)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answer = error instanceof Unprintable ? { refused: message } : { failed: message }
  }
  parentPort?.postMessage(answer, 'pdf' in answer ? [answer.pdf.buffer as ArrayBuffer] : [])
})

async function print({ text, data, context, pdf }: PrintJob): Promise<PrintAnswer> {
  const said: Record<string, string> = {}
  for (const part of ['body', 'header', 'footer'] as const) {
    const one: Evaluated = evaluate(text[part], data, context)
    if ('refused' in one) return one
    said[part] = one.html
  }
  const words = said as { body: string; header: string; footer: string }
  if (pdf) return { pdf: new Uint8Array(await drawPaper(words, pdf)) }
  return {
    words: {
      body: await codesAsPictures(words.body),
      header: await codesAsPictures(words.header),
      footer: await codesAsPictures(words.footer),
    },
  }
}
