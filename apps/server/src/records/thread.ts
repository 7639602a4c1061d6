/**
 * Timeline of a record: everything that happened to it in all areas, newest first, as one statement with the user's
 * rights. Each kind is a branch that reads its index only as far as a page needs.
 */
import { isVisible } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { badRequest } from '#platform/errors.ts'
import type { Definition, Thread } from './define.ts'
import { and, name } from './plan.ts'
import type { ThreadAsked } from './records.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { foundSql } from './search.ts'

/** History entries of the record itself. */
export const CHANGES = 'changes'
const changesName = 'Изменения карты'

interface Cursor {
  /** As written by PostgreSQL, in microseconds. */
  at: string
  kind: string
  id: number
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([a-z-]{1,40})_(\d{1,15})$/

/** @throws HttpError 400 for a cursor no answer has given */
function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [, at, kind, id] = CURSOR.exec(text) ?? []
  if (!at || !kind || !id || Number.isNaN(Date.parse(at)))
    throw badRequest('Параметр before: нужен next прежнего ответа')
  return { at, kind, id: Number(id) }
}

/**
 * Kinds in the timeline of the entity for this actor: key and heading.
 * @param present the rare kinds of which the record has lines
 */
export function threadKinds(env: Env, d: Definition, present: readonly string[]): { kind: string; name: string }[] {
  return [
    { kind: CHANGES, name: changesName },
    ...branchesOf(env, d)
      .filter(({ thread: { kind, rare } }) => !rare || present.includes(kind))
      .map(({ thread: { kind, name } }) => ({ kind, name })),
  ]
}

/** Statement for the rare kinds of which the record has lines; undefined if its timeline has no rare kinds. */
export function rareKindsSql(env: Env, d: Definition, id: number): Sql | undefined {
  const rare = branchesOf(env, d).filter(({ thread }) => thread.rare)
  const branches = rare.map(({ d: of, thread }) => {
    const row = env.alias()
    return sql`select ${thread.kind}::text as kind where exists (select from ${name(of.entity.table)} ${row}
      where ${and([thread.belongs({ row, me: env.me }, sql`${id}::bigint`), visible(env, of, row)])})`
  })
  return branches.length ? join(branches, ' union all ') : undefined
}

function branchesOf(env: Env, d: Definition): { d: Definition; thread: Thread }[] {
  return env.registry.definitions.flatMap((one) =>
    one.thread && one.thread.of === d.entity.path && mayDo(env.actor, 'view', one.entity)
      ? [{ d: one, thread: one.thread }]
      : [],
  )
}

/** @param d the record's definition; the caller has checked that the actor may see the record */
export function threadSql(env: Env, d: Definition, { id, kinds, before, limit }: ThreadAsked): Sql {
  const cursor = cursorOf(before)
  const asks = (kind: string) => !kinds?.length || kinds.includes(kind)
  const most = raw(String(limit + 1))
  const branches = [
    ...(asks(CHANGES) ? [changesSql(env, d, id, cursor, most)] : []),
    ...branchesOf(env, d).flatMap(({ d: of, thread }) =>
      asks(thread.kind) ? [branchSql(env, of, thread, id, cursor, most)] : [],
    ),
  ]
  if (branches.length === 0) throw badRequest('Параметр kinds: таких событий здесь нет')
  return sql`select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, kind, "id"::int as "id",
      title, hint, link, fields, "idUser"::int as "idUser"
    from (${join(branches, ' union all ')}) e order by e.at desc, e.kind collate "C" desc, e."id" desc limit ${most}`
}

function branchSql(env: Env, d: Definition, thread: Thread, id: number, cursor: Cursor | undefined, most: Sql): Sql {
  const [row, t] = [env.alias(), env.alias()]
  const about = foundSql(env, t)
  const at = sql`${row}.${name(thread.when)}`
  const mine = thread.belongs({ row, me: env.me }, sql`${id}::bigint`)
  return sql`(select ${t}.${name(thread.when)} as at, ${thread.kind}::text as kind, ${t}."id", (${thread.title(about)})::text as title,
      (${thread.hint?.(about) ?? raw('null')})::text as hint, (${thread.opens?.(about) ?? raw('null')})::text as link,
      null::text[] as fields, (${thread.author?.(about) ?? raw('null')})::bigint as "idUser"
    from (select ${row}.* from ${name(d.entity.table)} ${row}
      where ${and([mine, afterSql(cursor, thread.kind, at, sql`${row}."id"`), visible(env, d, row)])}
      order by ${at} desc, ${row}."id" desc limit ${most}) ${t})`
}

function changesSql(env: Env, d: Definition, id: number, cursor: Cursor | undefined, most: Sql): Sql {
  const hidden = env.actor.system
    ? []
    : Object.entries(d.entity.fields).flatMap(([field, f]) => (isVisible(f, env.actor) ? [] : [field]))
  return sql`(select h."dateCreate" as at, ${CHANGES}::text as kind, h."id", h."action" as title, null::text as hint,
      null::text as link, array(select f from jsonb_object_keys(h."changes" - ${hidden}::text[]) f) as fields, h."idUser"
    from history h where ${and([
      sql`h."path" = ${d.entity.path} and h."idEntity" = ${id}::bigint`,
      afterSql(cursor, CHANGES, raw('h."dateCreate"'), raw('h."id"')),
    ])}
    order by h."dateCreate" desc, h."id" desc limit ${most})`
}

/** Condition after the cursor, in a form that the index of this kind supports. */
function afterSql(cursor: Cursor | undefined, kind: string, at: Sql, id: Sql): Sql | undefined {
  if (!cursor) return undefined
  const moment = sql`${cursor.at}::timestamptz`
  if (kind === cursor.kind) return sql`(${at}, ${id}) < (${moment}, ${cursor.id}::bigint)`
  return kind < cursor.kind ? sql`${at} <= ${moment}` : sql`${at} < ${moment}`
}
