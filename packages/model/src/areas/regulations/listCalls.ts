/** Lists of regulations (spec §7): all, the user's own, and options for forms. */
import { z } from 'zod'
import { call, id, idText, oneOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { classifications } from './regulation.ts'
import { violationLevels, violationSources, violationStates } from './run.ts'
import { regulationStatuses } from './status.ts'
import { listMeta, regulationLine, userRegulation } from './wire.ts'

export const MAX_LISTED = 500
const pages = {
  page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number<number>().int().min(1).max(MAX_LISTED).default(15),
}
const names = z.record(z.string(), z.string())
/** Some of the keys: a comma-separated list, or a repeated parameter. */
const someOf = (words: object) =>
  z
    .union([z.string(), z.array(z.string())])
    .refine(
      (given) =>
        [given]
          .flat()
          .flatMap((list) => (list ? list.split(',') : []))
          .every((word) => Object.hasOwn(words, word)),
      messages.choice,
    )
    .optional()

const sortKeys = ['name', 'type', 'status', 'stagesCount', 'updated_at'] as const
const violationQuery = z.strictObject({ id: idText.optional(), user_id: idText.optional() })

export const regulationListCalls = {
  index: call({
    method: 'GET',
    path: '/regulations/model/index',
    summary: 'Регламенты постранично; без фильтра по статусу — без архивных версий, у которых есть версия новее',
    access: 'signed-in',
    query: z.strictObject({
      ...pages,
      sort: z.enum(sortKeys.flatMap((key) => [key, `-${key}`] as const)).default('name'),
      search: z.string().max(255).default(''),
      status: someOf(regulationStatuses),
      classification: someOf(classifications),
    }),
    answer: z.object({ items: z.array(regulationLine), _meta: listMeta }),
  }),
  ofUser: call({
    method: 'GET',
    path: '/regulations/model/get-user-regulations',
    summary: 'Регламенты, с которыми сотрудник должен ознакомиться, за которые отвечает или которые согласует',
    access: 'signed-in',
    answer: z.array(userRegulation),
  }),
  roles: call({
    method: 'GET',
    path: '/regulations/roles/index',
    summary: 'Роли, которые могут отвечать за регламент: название и описание',
    access: 'signed-in',
    answer: names,
  }),
  classification: call({
    method: 'GET',
    path: '/regulations/model/get-classification',
    summary: 'Классификация регламентов',
    access: 'signed-in',
    answer: z.array(oneOf(classifications)),
  }),
  statuses: call({
    method: 'GET',
    path: '/regulations/model/get-statuses',
    summary: 'Статусы регламента и их названия',
    access: 'signed-in',
    answer: names,
  }),
  scripts: call({
    method: 'GET',
    path: '/regulations/model/get-scripts',
    summary: 'Скрипты, которые можно прикрепить к шагу',
    access: 'editScripts',
    query: z.strictObject({
      ...pages,
      'filter[name][ilike]': z.string().max(255).optional(),
      'filter[active]': z.enum(['0', '1']).optional(),
    }),
    answer: z.object({ items: z.array(z.object({ id, name: z.string() })), _meta: listMeta }),
  }),
  violationsOf: call({
    method: 'GET',
    path: '/regulations/model/get-violations',
    summary: 'Нарушения регламента (id) и сотрудника (user_id), которые видит спрашивающий; новые сверху',
    access: 'signed-in',
    query: violationQuery,
    answer: z.array(
      z.object({
        id,
        idStep: id.nullable(),
        idUser: id,
        level: oneOf(violationLevels),
        description: z.string(),
        dateCreate: z.string(),
        state: oneOf(violationStates),
        source: oneOf(violationSources),
      }),
    ),
  }),
  violationsCount: call({
    method: 'GET',
    path: '/regulations/model/get-violations-count',
    summary: 'Сколько нарушений регламента (id) и сотрудника (user_id) видит спрашивающий',
    access: 'signed-in',
    query: violationQuery,
    answer: z.object({ count: z.int() }),
  }),
}
