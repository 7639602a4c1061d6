import { z } from 'zod'
import { call, idParams } from '../../call.ts'

/** Timeline entries per response. */
export const MAX_THREAD = 100

const line = z.object({
  kind: z.string(),
  id: z.int(),
  /** ISO, UTC. */
  at: z.string(),
  /** For a change of the card: create, update, delete, restore. */
  title: z.string(),
  hint: z.string().nullable(),
  /** Path under /app; null: not a link. */
  link: z.string().nullable(),
  /** For a change of the card: the changed fields. */
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
      /** Kinds of entries that the requester may see. */
      kinds: z.array(z.object({ kind: z.string(), name: z.string() })),
    }),
  }),
}
