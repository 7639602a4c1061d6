import { z } from 'zod'
import { call, id } from '../../call.ts'
import { messages } from '../../messages.ts'

/** Characters from which anything is looked for. */
export const SEARCH_FROM = 2
/** Records of each group. */
export const SEARCH_TOP = 5
const MAX_ASKED = 100

const foundRecord = z.object({
  id,
  title: z.string(),
  hint: z.string().nullable(),
  /** Under /app. */
  link: z.string(),
})
export type FoundRecord = z.output<typeof foundRecord>

export const searchCalls = {
  search: call({
    method: 'GET',
    path: '/search',
    summary: 'Поиск по всем записям, которые видит спрашивающий: слова, телефон, дата, номер #123',
    access: 'signed-in',
    query: z.object({
      q: z
        .string({ error: messages.required })
        .trim()
        .min(SEARCH_FROM, messages.minLength(SEARCH_FROM))
        .max(MAX_ASKED, messages.maxLength(MAX_ASKED)),
    }),
    answer: z.object({
      groups: z.array(
        z.object({
          path: z.string(),
          name: z.string(),
          items: z.array(foundRecord),
          /** There are more than these. */
          hasMore: z.boolean(),
        }),
      ),
    }),
  }),
}
