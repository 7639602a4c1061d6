import { z } from 'zod'
import { call, idParams } from '../../call.ts'

/** Lines of a thread in one answer. */
export const MAX_THREAD = 100

const line = z.object({
  kind: z.string(),
  id: z.int(),
  /** ISO, UTC. */
  at: z.string(),
  /** Of a change of the card: create, update, delete, restore. */
  title: z.string(),
  hint: z.string().nullable(),
  /** Under /app; null: it opens nowhere. */
  link: z.string().nullable(),
  /** Of a change of the card: the fields. */
  fields: z.array(z.string()).nullable(),
  idUser: z.int().nullable(),
})
export type ThreadLine = z.output<typeof line>

export const threadCalls = {
  thread: call({
    method: 'GET',
    path: '/customers/:id/thread',
    summary:
      'Лента клиента: сделки, задачи, звонки, чаты, файлы, согласия и изменения карты, которые вы видите, новые первыми; before — next прежнего ответа, kinds — виды через запятую',
    access: 'viewCustomers',
    params: idParams,
    query: z.strictObject({
      kinds: z.string().max(500).optional(),
      before: z.string().max(100).optional(),
      limit: z.coerce.number<number>().int().min(1).max(MAX_THREAD).default(50),
    }),
    answer: z.object({
      items: z.array(line),
      next: z.string().nullable(),
      /** Those that may stand there for whoever asks. */
      kinds: z.array(z.object({ kind: z.string(), name: z.string() })),
    }),
  }),
}
