/**
 * Draws documents in a worker (pdfWorker.ts), one at a time, with limits of time and memory: heavy printing delays only
 * its own user, and no document blocks the server.
 */
import type { WorkBounds } from './boundWork.ts'
import { badRequest } from './errors.ts'
import { createHelper, onePerServer } from './helper.ts'
import type { Logger } from './log.ts'
import { startThread } from './runner.ts'

const LIMITS = {
  running: 1,
  waiting: 300,
  person: { running: 1, waiting: 120 },
  patienceMs: 60_000,
}
const MEMORY_MB = 384
/** CPU milliseconds for one document. */
const PRINT_MS = 20_000
const PROGRAM = new URL('./pdfWorker.ts', import.meta.url)

/** A module whose `draw` turns plain data into a document. It is loaded in the worker, so it must not use the database. */
export interface Drawing<Data, Made> {
  url: URL
  /** For the types only. */
  draw?: (data: Data) => Promise<Made>
}

/** @example drawing<typeof import('./drawPlan.ts')>(new URL('./drawPlan.ts', import.meta.url)) */
export const drawing = <M extends { draw(data: never): Promise<unknown> }>(
  url: URL,
): Drawing<Parameters<M['draw']>[0], Awaited<ReturnType<M['draw']>>> => ({ url })

export interface PressJob {
  drawing: string
  data: unknown
}
/** `refused` is shown to the user. */
export type PressAnswer = { made: unknown } | { refused: string } | { failed: string }

export interface Press {
  /** @param who key of the person, the same for all their documents @throws HttpError 400, 429, 503 */
  run<Data, Made>(drawing: Drawing<Data, Made>, data: Data, who: { id: number | string }): Promise<Made>
  close(): Promise<void>
}

export function createPress(log: Pick<Logger, 'warn'>, bounds: WorkBounds = { workMs: PRINT_MS }): Press {
  const helper = createHelper<PressJob, PressAnswer>({
    name: 'pdf',
    start: () => startThread(PROGRAM, { memoryMb: MEMORY_MB }),
    log,
    ...bounds,
    limits: LIMITS,
    words: {
      tooHard: () => badRequest('Документ слишком велик или сложен для печати: упростите его'),
      ownWait: 'Ваши предыдущие документы ещё печатаются. Дождитесь их',
      crowded: 'Сейчас печатается слишком много документов. Повторите через минуту',
      busy: 'Сервер сейчас занят, и документ не напечатан. Повторите через минуту',
    },
  })
  return {
    async run<Data, Made>({ url }: Drawing<Data, Made>, data: Data, who: { id: number | string }): Promise<Made> {
      const answer = await helper.run({ drawing: url.href, data }, who.id)
      if ('refused' in answer) throw badRequest(answer.refused)
      if ('failed' in answer) throw new Error(answer.failed)
      return answer.made as Made
    },
    close: () => helper.close(),
  }
}

/** The document worker of this server. */
export const pressOf = onePerServer((log) => createPress(log))
