import { z } from 'zod'
import { call, id, idText } from '../../call.ts'
import { messages } from '../../messages.ts'

/** Characters from which anything is looked for. */
export const SEARCH_FROM = 2
/** Records of one kind, when it alone is asked for. */
export const SEARCH_OF_KIND = 50
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
      /** Path of the entity whose records alone are looked for. */
      kind: z.string().max(64).optional(),
      /** Of a task its deadline, of a patient the birthday, of the rest the day when it was made. */
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      /** The employee whose it is: the author, the doctor, whoever is in charge. */
      person: idText.optional(),
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
  tags: call({
    method: 'GET',
    path: '/tags',
    summary:
      'Метки всех разделов, которые видит спрашивающий: название, цвет и сколько раз стоит; entityType — одного раздела',
    access: 'signed-in',
    query: z.object({
      entityType: z.string().max(64).optional(),
      q: z.string().trim().max(64).optional(),
    }),
    answer: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          color: z.string().nullable(),
          icon: z.string().nullable(),
          /** Path of what it marks: `customers`. */
          entityType: z.string(),
          count: z.int(),
        }),
      ),
    }),
  }),
}
