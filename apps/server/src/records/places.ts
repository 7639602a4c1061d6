/** Names of things of a branch (a warehouse, a desk, a room): several branches have one of the same name. */
import { isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, type Sql } from 'sql-template-tag'
import { branchFate } from './branches.ts'
import type { Definition, Registry } from './define.ts'
import { name } from './plan.ts'
import { sealedReferences } from './sealed.ts'

/** The key of an expanded record with its branch, if another record has the same name. */
export const BRANCH_KEY = '_branch'

/** A longer text describes a record, and is no name. */
const MAX_NAME = 128

/** The reference to the branch of a thing that people name; undefined: its name is shown alone. */
function branchRef(registry: Registry, d: Definition): string | undefined {
  const { entity } = d
  const f = entity.title === undefined ? undefined : entity.fields[entity.title]
  const { required, readonly, unique, max } = (f?.options ?? {}) as Record<string, unknown>
  const isName = required && !readonly && !unique && typeof max === 'number' && max <= MAX_NAME
  if (f?.column !== 'text' || !isStored(f) || !isName) return undefined
  const { kind, by } = branchFate(registry, d)
  return (kind === 'own' || kind === 'common') && by.length === 1 && sealedReferences(registry, d).length === 0
    ? by[0]
    : undefined
}

/**
 * SQL: the branch of the row, in short, if another living record has its name; undefined: names of the entity are shown
 * alone.
 */
export function branchApart(registry: Registry, d: Definition, row: Sql): Sql | undefined {
  const by = branchRef(registry, d)
  const f = by === undefined ? undefined : d.entity.fields[by]
  if (by === undefined || !f || !isRef(f)) return undefined
  const { entity } = registry.at(f.to)
  const title = name(d.entity.title as string)
  const names = [...(entity.brief ?? [])].filter((one) => entity.fields[one]?.options.search)
  // The short name before the title.
  const words = names.toSorted((one) => (one === entity.title ? 1 : -1)).map((one) => sql`nullif(b.${name(one)}, '')`)
  return sql`(select coalesce(${join(words)}) from ${name(entity.table)} b where b."id" = ${row}.${name(by)} and exists (
    select 1 from ${name(d.entity.table)} same where same.${title} = ${row}.${title} and same."id" <> ${row}."id"${
      d.entity.soft ? sql` and not same."deleted"` : sql``
    }))`
}

/** SQL: a title with the branch where names repeat: «Основной склад · Мира». */
export function placedTitle(registry: Registry, d: Definition, row: Sql, title: Sql): Sql {
  const branch = branchApart(registry, d, row)
  return branch ? sql`((${title})::text || coalesce(' · ' || ${branch}, ''))` : title
}

/** The same for the stored title of an entity, in an area's own statement. */
export const placeSql = (registry: Registry, path: string, row: Sql): Sql => {
  const d = registry.at(path)
  return placedTitle(registry, d, row, sql`${row}.${name(d.entity.title ?? 'id')}`)
}
