/** The lists of regulations (spec §7): all of them, one's own, and what their forms choose from. */
import { classifications, Regulation, RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { Violation, violationLevels, violationSources, violationStates } from '@ordinator/model/areas/regulations/run'
import { regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import { Role } from '@ordinator/model/areas/staff/role'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { operation } from '../../records/operation.ts'
import { isAudience } from './scope.ts'
import { id, idQuery, listMeta, oneOf, regulationLine, userRegulation } from './shapes.ts'
import { type LineRow, lineOf, lineQuery } from './view.ts'

const MAX = 500
const pages = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(MAX).default(15),
}
const names = z.record(z.string(), z.string())
/** Some of these words: a comma list, or the key repeated. */
const someOf = (words: object) =>
  z
    .union([z.string(), z.array(z.string())])
    .refine(
      (given) =>
        [given]
          .flat()
          .flatMap((list) => (list ? list.split(',') : []))
          .every((word) => Object.hasOwn(words, word)),
      'Недопустимое значение',
    )
    .optional()

const sortKeys = ['name', 'type', 'status', 'stagesCount', 'updated_at'] as const

const index = operation({
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
  async handler({ records, query: { page, limit, sort, search, status, classification } }) {
    const text = await records.list(Regulation, {
      ...lineQuery,
      page,
      limit,
      sort,
      count: 1,
      ...(search && { 'filter[or][0][name][ilike]': search, 'filter[or][1][description][ilike]': search }),
      ...(status?.length ? { 'filter[status][in]': status } : { 'filter[isSuperseded]': 0 }),
      ...(classification?.length && { 'filter[type][in]': classification }),
    })
    const { items, _meta } = JSON.parse(text) as { items: LineRow[]; _meta: object }
    return { items: items.map(lineOf), _meta }
  },
})

const ofUser = operation({
  method: 'GET',
  path: '/regulations/model/get-user-regulations',
  summary: 'Регламенты, с которыми сотрудник должен ознакомиться, за которые отвечает или которые согласует',
  access: 'signed-in',
  answer: z.array(userRegulation),
  async handler({ app, records, actor }) {
    const me = sql`${actor.id}::bigint`
    const found = await app.db.query<{ id: number; decision: 'none' | 'approved' | 'rejected' | null }>(sql`
      select r."id", (
        select case when bool_or(v."decision" = 'rejected') then 'rejected'
          when bool_or(v."decision" = 'none') then 'none' when count(*) > 0 then 'approved' end
        from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = ${me}
      ) as decision
      from regulations r where not r."deleted" and (
        r."idResponsibleUser" = ${me} and r."status" <> 'archived'
        or r."status" = 'review' and exists (
          select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = ${me})
        or r."status" = 'active' and (${isAudience(raw('r'), me)} or exists (
          select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = ${me} and not d."deleted")))
      order by r."name", r."id" limit ${MAX}`)
    if (found.length === 0) return []
    const ids = found.map((one) => one.id).join()
    const text = await records.list(Regulation, { ...lineQuery, 'filter[id][in]': ids, sort: 'name', limit: MAX })
    const reads = await records.rows(RegulationRead, {
      'filter[idRegulation][in]': ids,
      'filter[idUser]': actor.id,
      limit: MAX,
    })
    const decisions = new Map(found.map((one) => [one.id, one.decision]))
    return (JSON.parse(text).items as LineRow[]).map((row) => {
      const read = reads.find(({ idRegulation }) => idRegulation === row.id)
      return {
        ...lineOf(row),
        read: read ? { dateDue: read.dateDue, dateRead: read.dateRead, score: read.score } : null,
        decision: decisions.get(row.id) ?? null,
      }
    })
  },
})

const roles = operation({
  method: 'GET',
  path: '/regulations/roles/index',
  summary: 'Роли, которые могут отвечать за регламент: название и описание',
  access: 'signed-in',
  answer: names,
  async handler({ records }) {
    const rows = await records.asSystem.rows(Role, { limit: MAX })
    return Object.fromEntries(rows.map(({ name, description }) => [name, description ?? '']))
  },
})

const classification = operation({
  method: 'GET',
  path: '/regulations/model/get-classification',
  summary: 'Классификация регламентов',
  access: 'signed-in',
  answer: z.array(oneOf(classifications)),
  handler: () => Object.keys(classifications),
})

const statuses = operation({
  method: 'GET',
  path: '/regulations/model/get-statuses',
  summary: 'Статусы регламента и их названия',
  access: 'signed-in',
  answer: names,
  handler: () => regulationStatuses,
})

const scripts = operation({
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
  async handler({ records, query }) {
    const text = await records.list(OldScript, { ...query, fields: 'name', count: 1 })
    const { items, _meta } = JSON.parse(text) as { items: { id: number; name: string }[]; _meta: object }
    return { items: items.map(({ id, name }) => ({ id, name })), _meta }
  },
})

const violationQuery = z.strictObject({ id: idQuery.optional(), user_id: idQuery.optional() })
const ofQuery = (query: z.output<typeof violationQuery>) => ({
  ...(query.id && { 'filter[idRegulation]': query.id }),
  ...(query.user_id && { 'filter[idUser]': query.user_id }),
})

const violationsOf = operation({
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
  async handler({ records, query }) {
    const rows = await records.rows(Violation, { ...ofQuery(query), limit: MAX })
    return rows.map(({ id, idStep, idUser, level, description, dateCreate, state, source }) => ({
      id,
      idStep,
      idUser,
      level,
      description,
      dateCreate,
      state,
      source,
    }))
  },
})

const violationsCount = operation({
  method: 'GET',
  path: '/regulations/model/get-violations-count',
  summary: 'Сколько нарушений регламента (id) и сотрудника (user_id) видит спрашивающий',
  access: 'signed-in',
  query: violationQuery,
  answer: z.object({ count: z.int() }),
  async handler({ records, query }) {
    const text = await records.list(Violation, { ...ofQuery(query), fields: 'id', limit: 0, count: 1 })
    return { count: JSON.parse(text)._meta.totalCount }
  },
})

export const listOperations = [index, ofUser, roles, classification, statuses, scripts, violationsOf, violationsCount]
