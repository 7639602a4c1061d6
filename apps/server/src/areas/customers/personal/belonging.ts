/** Which records are a patient's: by the declared references to cards, and what goes with a record that has one. */
import { isRef } from '@ordinator/model/fields/ref'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Definition, Registry } from '#records/define.ts'
import { name } from '#records/plan.ts'
import { goesWith, sealedReferences } from '#records/sealed.ts'

/** SQL: rows of the entity that name one of the cards, or go with what does; undefined: it has none. */
export function belongsTo(registry: Registry, d: Definition, cards: readonly number[]): Sql | undefined {
  const own = sealedReferences(registry, d)
  if (own.length > 0)
    return sql`(${join(
      own.map(({ by }) => sql`${name(by)} = any (${cards as number[]}::bigint[])`),
      ' or ',
    )})`
  const [by] = goesWith(registry, d)
  const f = by === undefined ? undefined : d.entity.fields[by]
  if (by === undefined || !f || !isRef(f)) return undefined
  const above = registry.at(f.to)
  const inside = belongsTo(registry, above, cards)
  return inside && sql`${name(by)} in (select "id" from ${name(above.entity.table)} where ${inside})`
}

/** The same as a filter of a list, for one card. */
export function filterOf(registry: Registry, d: Definition, card: number): Record<string, string> | undefined {
  const path = pathTo(registry, d)
  return path === undefined ? undefined : { [`filter[${path}]`]: `${card}` }
}

function pathTo(registry: Registry, d: Definition): string | undefined {
  const [own] = sealedReferences(registry, d)
  if (own) return own.by
  const [by] = goesWith(registry, d)
  const f = by === undefined ? undefined : d.entity.fields[by]
  if (!f || !isRef(f)) return undefined
  const above = pathTo(registry, registry.at(f.to))
  return above && `${f.as}.${above}`
}
