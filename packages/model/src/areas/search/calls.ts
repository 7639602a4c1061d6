import { z } from 'zod'
import { call, id, idText } from '../../call.ts'
import { messages } from '../../messages.ts'

/** Minimum characters of a query. */
export const SEARCH_FROM = 2
/** Limit of a search in one kind. */
export const SEARCH_OF_KIND = 50
/** Records per group. */
export const SEARCH_TOP = 5
const MAX_ASKED = 100
/** Tags of one answer. */
const MAX_TAGS = 500

const foundRecord = z.object({
  id,
  title: z.string(),
  hint: z.string().nullable(),
  /** Path under /app. */
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
      /** Entity path to limit the search to. */
      kind: z.string().max(64).optional(),
      /** By deadline for tasks, by birthday for patients, by creation day for others. */
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      /** Employee of the record: author, doctor, responsible. */
      person: idText.optional(),
    }),
    answer: z.object({
      groups: z.array(
        z.object({
          path: z.string(),
          name: z.string(),
          items: z.array(foundRecord),
          /** More results exist. */
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
    query: z.strictObject({
      entityType: z.string().max(64).optional(),
      q: z.string().trim().max(64).optional(),
      /** As in every list. */
      limit: z.coerce.number<number>().int().min(0).max(MAX_TAGS).default(MAX_TAGS),
      page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
      sort: z
        .string()
        .regex(/^[-+]?(?:name|entityType|count)(?:,[-+]?(?:name|entityType|count))*$/, 'Неизвестный ключ сортировки')
        .default('-count,name'),
      count: z.enum(['0', '1', 'exact']).optional(),
      'filter[name]': z.string().max(255).optional(),
      'filter[name][ilike]': z.string().trim().max(255).optional(),
      'filter[entityType]': z.string().max(64).optional(),
    }),
    answer: z.object({
      _meta: z.object({
        currentPage: z.int(),
        perPage: z.int(),
        hasMore: z.boolean(),
        totalCount: z.int().optional(),
        pageCount: z.int().optional(),
      }),
      items: z.array(
        z.object({
          name: z.string(),
          color: z.string().nullable(),
          icon: z.string().nullable(),
          /** Entity path of the tagged records: `customers`. */
          entityType: z.string(),
          count: z.int(),
        }),
      ),
    }),
  }),
}
