import { maxCount } from '@ordinator/model/count'
import type { Entity } from '@ordinator/model/entity'
import { positionOf } from '@ordinator/model/fields/position'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { type Sql } from 'sql-template-tag'
import { badRequest, forbidden } from '#platform/errors.ts'
import type { Definition } from './define.ts'
import { filterShape, filterSql } from './filter.ts'
import { type FilterTree, type ListQuery, parseListQuery, type RawParams } from './params.ts'
import { and, input, name, type Plan, readPlan, where } from './plan.ts'
import { type ListRow, listSql } from './reads.ts'
import { type Env, mayDo, principalsOnce, visible } from './scope.ts'
import { encodeCursor } from './sort.ts'

/** Maximum groups in one call. */
const MAX_GROUPS = 100
/** Maximum records of each group. */
const MAX_OF_GROUP = 50
/** Prefix of the values of the groups' filter, apart from the list's. */
const OF_GROUP = 'group'

/** The first records of one group, in the form of `listPlan`. */
export interface GroupRow extends ListRow {
  key: number
}

export interface GroupedQuery extends ListQuery {
  /** Filter of the records that define the groups. */
  group: FilterTree
}

/** The reference that groups the entity's positions; undefined: none, or several fields. */
export function groupOf({ fields }: Entity): string | undefined {
  const [by, more] = positionOf(fields)?.[1].options.group ?? []
  const reference = by === undefined || more !== undefined ? undefined : fields[by]
  return reference && isRef(reference) ? by : undefined
}

/** @throws HttpError 400 that names an unknown or wrong key */
export function parseGroupedQuery(raw: RawParams): GroupedQuery {
  const ofGroup: RawParams = {}
  const ofList: RawParams = {}
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'page' || key === 'after' || key === 'deleted') throw badRequest(`Неизвестный параметр: ${key}`)
    if (key.startsWith('group[')) ofGroup[`filter${key.slice(5)}`] = value
    else ofList[key] = value
  }
  const { filter: group } = parseListQuery(ofGroup)
  // Each group's page ends with a cursor, from which the group's list continues.
  const list = { ...parseListQuery(ofList), after: '' }
  if (list.limit > MAX_OF_GROUP) throw badRequest(`Параметр limit должен быть целым числом от 0 до ${MAX_OF_GROUP}`)
  return { ...list, group }
}

/** Statement of a grouped read: its text depends only on the shape of the query, the values are in `inputs`. */
export function groupedQuery(env: Env, d: Definition, q: GroupedQuery) {
  const inputs: Record<string, unknown> = {}
  const { sort, limit, fields, expand, count } = q
  const asked = JSON.stringify([sort, limit, fields, expand, count])
  const shape = asked + filterShape(q.filter, inputs) + filterShape(q.group, inputs, OF_GROUP)
  return { shape, inputs, make: () => groupedPlan({ ...env, valueAt: input }, d, q) }
}

/** One statement: the groups that the actor may see and the filter selects, each with its list. */
function groupedPlan(env: Env, d: Definition, q: GroupedQuery): Plan {
  const by = groupOf(d.entity) as string
  const reference = d.entity.fields[by]
  if (!reference || !isRef(reference)) throw badRequest('У этих записей нет групп')
  const groups = env.registry.at(reference.to)
  if (!mayDo(env.actor, 'view', groups.entity)) throw forbidden()
  const ofGroup = { field: by, of: (row: Sql) => sql`${row}.${name(by)} = groups."id"` }
  const build = (asking: Env) => {
    const g = asking.alias()
    const condition = and([visible(asking, groups, g), filterSql(asking, groups, q.group, g, OF_GROUP)])
    return sql`select groups."id" as key, list.*
    from (
      select ${g}."id" from ${name(groups.entity.table)} ${g} ${where(condition)} order by ${g}."id" limit ${MAX_GROUPS + 1}
    ) groups cross join lateral (${listSql(asking, d, q, undefined, ofGroup)}) list
    order by groups."id"`
  }
  return readPlan(principalsOnce(env, build))
}

/**
 * JSON text of the answer.
 * @throws HttpError 400 when there are too many groups
 */
export function groupedText(rows: readonly GroupRow[], { count }: GroupedQuery): string {
  if (rows.length > MAX_GROUPS) throw badRequest(`Групп больше ${MAX_GROUPS}: уточните group`)
  const groups = rows.map(({ key, items, more, last, total }) => {
    const next = more && last ? `,"next":${JSON.stringify(encodeCursor(last))}` : ''
    const all = count ? totalText(count, total ?? 0) : ''
    return `{"key":${key},"items":${items},"hasMore":${more}${all}${next}}`
  })
  return `{"groups":[${groups.join()}]}`
}

/** Total as in a list: up to maxCount, unless the exact number is requested. */
const totalText = (count: true | 'exact', total: number): string =>
  count !== 'exact' && total > maxCount ? `,"totalCount":${maxCount},"totalIsMore":true` : `,"totalCount":${total}`
