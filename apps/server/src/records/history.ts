import { type Entity, isVisible } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { hasOwnBranch } from '#records/branches.ts'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Definition, Registry } from './define.ts'
import { type Named, namesOf } from './names.ts'
import { parseListQuery, type RawParams } from './params.ts'
import { aliases, me, name, query } from './plan.ts'
import type { Records } from './records.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { nameTree, selectList } from './select.ts'
import { aboutOf } from './write.ts'

const KEYS: ReadonlySet<string> = new Set(['limit', 'page', 'deleted', 'parts', 'field'])

/**
 * Changes of a record, newest first, for users who may see it; fields hidden from them are left out. `parts=1` includes
 * changes of records within this one that the actor may see; `field` limits it to changes of that field. `names` adds the
 * titles of the records mentioned.
 */
export async function history(
  app: AppContext,
  registry: Registry,
  d: Definition,
  records: Records,
  id: number,
  params: RawParams,
): Promise<string> {
  for (const key of Object.keys(params))
    if (!KEYS.has(key)) throw badRequest(`Неизвестный параметр: ${key.slice(0, 80)}`)
  const { parts, field, ...rest } = params
  if (parts !== undefined && parts !== '0' && parts !== '1') throw badRequest('Параметр parts: нужно 0 или 1')
  const { limit, page, deleted } = parseListQuery(rest)
  const { actor } = records
  if (field !== undefined) checkField(d, actor, field)
  await records.mustOpen(d.entity, id, deleted)
  const env: Env = { registry, actor, me, alias: aliases() }
  const lines = linesSql(env, d, sql`${id}`, {
    field,
    parts: parts === '1',
    limit: limit + 1,
    offset: (page - 1) * limit,
  })
  const found = await app.db.reads.one<{ items: string; more: boolean }>(
    query(
      sql`with lines as (${lines})
        select coalesce(json_agg(x order by x."id" desc), '[]')::text as items, (select count(*) > ${limit} from lines) as more
        from (select * from lines order by "id" desc limit ${limit}) x`,
      actor,
    ),
  )
  const items = found?.items ?? '[]'
  const names = await namesOf(env, app.db, namedBy(registry, JSON.parse(items)))
  return `{"items":${items},"names":${JSON.stringify(names)},"_meta":{"currentPage":${page},"perPage":${limit},"hasMore":${found?.more ?? false}}}`
}

/** A history line in the wire format. */
export interface Line {
  id: number
  path: string
  idEntity: number
  idParent: number | null
  action: 'create' | 'update' | 'delete' | 'restore'
  dateCreate: string
  version: number
  idUser: number | null
  user: { id: number; fio?: string } | null
  changes: Record<string, [unknown, unknown]>
}

/** The latest lines, with those of parts, of records the actor is known to see: by record id. */
export async function latestLines(
  db: Queryable,
  registry: Registry,
  d: Definition,
  actor: ServerActor,
  ids: readonly number[],
  limit: number,
): Promise<Map<number, Line[]>> {
  const env: Env = { registry, actor, me, alias: aliases() }
  const lines = linesSql(env, d, raw('i."of"'), { parts: true, limit, offset: 0 })
  const found = await db.query<{ of: number; lines: Line[] }>(
    query(
      sql`select i."of", (select coalesce(json_agg(x order by x."id" desc), '[]') from (${lines}) x) as lines
        from unnest(${ids}::bigint[]) i("of")`,
      actor,
    ),
  )
  return new Map(found.map((one) => [one.of, one.lines]))
}

interface WhichLines {
  parts: boolean
  field?: string | undefined
  limit: number
  offset: number
}

/** The select of a record's lines, newest first, in the wire format. */
function linesSql(env: Env, d: Definition, id: Sql, { parts, field, limit, offset }: WhichLines): Sql {
  const { actor, registry } = env
  const { people } = registry
  const author = selectList(env, people, sql`u`, nameTree(people.entity.brief ?? []), {})
  const partsShown = parts ? partsOf(registry, d, actor) : []
  const changed = field === undefined ? raw('') : sql`and "changes" ? ${field}`
  const partLines = partsShown.length
    ? sql`union all select h.* from history h where h."pathAbout" = ${d.entity.path} and h."idAbout" = ${id}
        and (${join(
          partsShown.map((part) => visibleLine(env, part)),
          ' or ',
        )})`
    : raw('')
  return sql`select h."id", h."path", h."idEntity", h."idParent", h."action", h."dateCreate", h."version", h."idUser",
      (select row_to_json(a) from (select ${author} from ${name(people.entity.table)} u where u."id" = h."idUser") a) as "user",
      h."changes" - ${hiddenSql([d, ...partsShown], actor)} as "changes"
    from (
      select * from history where "path" = ${d.entity.path} and "idEntity" = ${id} ${changed} ${partLines}
    ) h order by h."id" desc limit ${limit} offset ${offset}`
}

/** Records mentioned by lines: those written, their parents, and the old and new targets of their references. */
function* namedBy(registry: Registry, lines: readonly Line[]): Iterable<Named> {
  for (const { path, idEntity, idParent, changes } of lines) {
    yield [path, idEntity]
    const fields = registry.find(path)?.entity.fields ?? {}
    const within = registry.find(path)?.entity.within
    const parent = within && fields[within]
    if (idParent !== null && parent && isRef(parent)) yield [parent.to, idParent]
    for (const [field, values] of Object.entries(changes)) {
      const f = fields[field]
      if (!f || !isRef(f)) continue
      for (const id of values) if (typeof id === 'number') yield [f.to, id]
    }
  }
}

function checkField({ entity }: Definition, actor: ServerActor, field: unknown): asserts field is string {
  const f = typeof field === 'string' && Object.hasOwn(entity.fields, field) ? entity.fields[field] : undefined
  if (!f || !(actor.system || isVisible(f, actor))) throw badRequest(`Неизвестное поле: ${String(field).slice(0, 80)}`)
}

/** Entities whose changes are part of this entity's history, as far as the actor may see them at all. */
const partsOf = (registry: Registry, d: Definition, actor: ServerActor): Definition[] =>
  registry.definitions.filter(
    (part) => part !== d && aboutOf(part)?.path === d.entity.path && mayDo(actor, 'view', part.entity),
  )

/** A line of a part with its own scope or branch is shown to users who see the part, or saw it before it was deleted. */
function visibleLine(env: Env, part: Definition): Sql {
  const own = sql`h."path" = ${part.entity.path}`
  if (!part.scope?.view && !hasOwnBranch(env, part, part.entity.within)) return sql`(${own})`
  const row = env.alias()
  const condition = visible(env, part, row, 'any')
  if (!condition) return sql`(${own})`
  return sql`(${own} and exists (select 1 from ${name(part.entity.table)} ${row} where ${row}."id" = h."idEntity" and ${condition}))`
}

function hiddenSql(definitions: readonly Definition[], actor: ServerActor): Sql {
  const cases = definitions.flatMap(({ entity }) => {
    const fields = hiddenFields(entity, actor)
    return fields.length ? [sql`when ${entity.path} then ${fields}::text[]`] : []
  })
  return cases.length ? sql`(case h."path" ${join(cases, ' ')} else '{}'::text[] end)` : raw(`'{}'::text[]`)
}

const hiddenFields = (entity: Entity, actor: ServerActor): string[] =>
  actor.system
    ? []
    : Object.entries(entity.fields)
        .filter(([, f]) => !isVisible(f, actor))
        .map(([field]) => field)
