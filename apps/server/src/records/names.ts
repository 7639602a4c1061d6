/** Titles of records, for the history. */
import { isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { Definition } from './define.ts'
import { columnSql } from './filter.ts'
import { placedTitle } from './places.ts'
import { and, name, query } from './plan.ts'
import { type Env, mayDo, visible } from './scope.ts'

/** Maximum references to follow for a title: an executor is a member, which is a user. */
const MAX_STEPS = 3

/** Titles by path and id. */
export type Names = Record<string, Record<string, string>>

/** A record by path and id. */
export type Named = readonly [path: string, id: number]

/**
 * Titles of these records in one statement: of those the actor may see, deleted ones included. Records with personal data
 * are left out: clients read them directly, which is journaled.
 */
export async function namesOf(env: Env, db: Queryable, wanted: Iterable<Named>): Promise<Names> {
  const byPath = new Map<string, Set<number>>()
  for (const [path, id] of wanted) byPath.set(path, (byPath.get(path) ?? new Set()).add(id))
  const parts = [...byPath].flatMap(([path, ids]) => {
    const d = env.registry.find(path)
    const row = env.alias()
    const title = d && titleSql(env, d, row, MAX_STEPS)
    if (!title) return []
    const isVisible = and([sql`${row}."id" = any(${[...ids]}::bigint[])`, visible(env, d, row, 'any')])
    return [
      sql`select ${path} as "path", ${row}."id", ${title} as "title" from ${name(d.entity.table)} ${row} where ${isVisible}`,
    ]
  })
  if (parts.length === 0) return {}
  const found = await db.query<{ path: string; id: number; title: string | null }>(
    query(join(parts, ' union all '), env.actor),
  )
  const names: Names = {}
  for (const { path, id, title } of found) if (title) (names[path] ??= {})[id] = title
  return names
}

/** A record without a title uses the title of the first record it refers to, other than its parent. */
function titleSql(env: Env, d: Definition, row: Sql, steps: number): Sql | undefined {
  const { entity } = d
  if (entity.personal || !mayDo(env.actor, 'view', entity)) return undefined
  const by =
    entity.title ?? Object.entries(entity.fields).find(([field, f]) => isRef(f) && field !== entity.within)?.[0]
  const f = by === undefined ? undefined : entity.fields[by]
  if (by === undefined || !f || !isReadable(f) || !(env.actor.system || isVisible(f, env.actor))) return undefined
  if (!isRef(f)) return sql`(${placedTitle(env.registry, d, row, columnSql(env, d, by, f, row))})::text`
  if (steps === 0) return undefined
  const target = env.registry.at(f.to)
  const other = env.alias()
  const title = titleSql(env, target, other, steps - 1)
  if (!title) return undefined
  const isOtherVisible = and([sql`${other}."id" = ${row}.${name(by)}`, visible(env, target, other, 'any')])
  return sql`(select ${title} from ${name(target.entity.table)} ${other} where ${isOtherVisible})`
}
