import type { Entity } from '@ordinator/model/entity'
import { isRef, type Reference } from '@ordinator/model/fields/ref'
import { briefAt } from './declarations.ts'

/** What of an entity says how its records are named: its declaration or its brief. */
export type Naming = Pick<Entity, 'title' | 'fields'> & {
  label: readonly [string, ...string[]]
  registry?: { columns?: readonly string[] }
}

/**
 * How a record is named in a line: its title field, or what usually names one, or whom its first column leads to where
 * that was read too, or its number.
 */
export function titleOf(entity: Naming | undefined, record: { id: number } & Record<string, unknown>): string {
  for (const name of [entity?.title, 'shortFio', 'fio', 'name', 'title']) {
    const value = name === undefined ? undefined : record[name]
    if (typeof value === 'string' && value !== '') return value
  }
  const by = entity && namedBy(entity)
  const related = by && (record[by.as] as typeof record | null | undefined)
  return related ? titleOf(briefAt(by.to), related) : `№ ${record.id}`
}

/** The same where the record stands alone: of one that only has a number it is said what it is. */
export function headOf(entity: Naming, record: { id: number } & Record<string, unknown>): string {
  const title = titleOf(entity, record)
  return title === `№ ${record.id}` ? `${entity.label[0]} ${title}` : title
}

/** What leads to the record that one without a title of its own is named by: its registry's first column. */
export function namedBy({ title, registry, fields }: Naming): Reference | undefined {
  const first = title === undefined ? registry?.columns?.[0] : undefined
  const f = first === undefined ? undefined : fields[first]
  return f && isRef(f) ? f : undefined
}
