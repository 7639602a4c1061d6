import { type Entity, isVisible } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { AppContext } from '../platform/context.ts'
import { badRequest } from '../platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { Definition } from './define.ts'
import { parseListQuery, type RawParams } from './params.ts'
import { aliases, me, name, query } from './plan.ts'
import type { Records } from './records.ts'
import type { Registry } from './registry.ts'
import { type Env, mayDo, visible } from './scope.ts'
import { nameTree, selectList } from './select.ts'
import { aboutOf } from './write.ts'

const KEYS: ReadonlySet<string> = new Set(['limit', 'page', 'deleted', 'parts'])

/**
 * Who wrote what and when, newest first, to those who see the record; fields hidden from them are left out.
 * With `parts=1` it also tells of the records that are about this one, those of them that the actor may see.
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
  const { parts, ...rest } = params
  if (parts !== undefined && parts !== '0' && parts !== '1') throw badRequest('Параметр parts: нужно 0 или 1')
  const { limit, page, deleted } = parseListQuery(rest)
  const { actor } = records
  await records.view(d.entity, id, { fields: 'id', ...(deleted ? { deleted: '1' } : {}) })
  const { people } = registry
  const env: Env = { registry, actor, me, alias: aliases() }
  const author = selectList(env, people, sql`u`, nameTree(people.entity.brief ?? []), {})
  const told = parts === '1' ? partsOf(registry, d, actor) : []
  const partLines = told.length
    ? sql`union all select h.* from history h where h."pathAbout" = ${d.entity.path} and h."idAbout" = ${id}
        and (${join(
          told.map((part) => seenLine(env, part)),
          ' or ',
        )})`
    : raw('')
  const lines = await app.db.one<{ items: string; more: boolean }>(
    query(
      sql`with lines as (
        select * from (
          select * from history where "path" = ${d.entity.path} and "idEntity" = ${id} ${partLines}
        ) h order by "id" desc limit ${limit + 1} offset ${(page - 1) * limit}
      ) select coalesce(json_agg(x order by x."id" desc), '[]')::text as items, (select count(*) > ${limit} from lines) as more
        from (
          select h."id", h."path", h."idEntity", h."action", h."dateCreate", h."version", h."idUser",
            (select row_to_json(a) from (select ${author} from ${name(people.entity.table)} u where u."id" = h."idUser") a) as "user",
            h."changes" - ${hiddenSql([d, ...told], actor)} as "changes"
          from lines h order by h."id" desc limit ${limit}
        ) x`,
      actor,
    ),
  )
  return `{"items":${lines?.items ?? '[]'},"_meta":{"currentPage":${page},"perPage":${limit},"hasMore":${lines?.more ?? false}}}`
}

/** The entities whose history this one tells too, as far as the actor may see them at all. */
const partsOf = (registry: Registry, d: Definition, actor: ServerActor): Definition[] =>
  registry.definitions.filter(
    (part) => part !== d && aboutOf(part)?.path === d.entity.path && mayDo(actor, 'view', part.entity),
  )

/** A line of a part that has a scope of its own is shown to those who see the part, or saw it before it was deleted. */
function seenLine(env: Env, part: Definition): Sql {
  const own = sql`h."path" = ${part.entity.path}`
  if (!part.scope?.view) return sql`(${own})`
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
