import type { Entity } from '@ordinator/model/entity'
import { isRef, type Reference } from '@ordinator/model/fields/ref'
import { formatDay } from '@ordinator/model/format'
import { briefAt } from './declarations.ts'

/** The part of an entity that defines the names of its records: its declaration or its brief. */
export type Naming = Pick<Entity, 'title' | 'fields'> & {
  label: readonly [string, ...string[]]
  registry?: { columns?: readonly string[] }
}

/**
 * The name of a record: its title field, or a usual name field, or the expanded record of its first column, or its number.
 */
export function titleOf(entity: Naming | undefined, record: { id: number } & Record<string, unknown>): string {
  for (const name of [entity?.title, 'shortFio', 'fio', 'name', 'title']) {
    const value = name === undefined ? undefined : record[name]
    if (typeof value !== 'string' || value === '') continue
    if (entity?.fields[name as string]?.days === 'day') return formatDay(value)
    // Given by the server where another branch has a record of this name.
    return typeof record._branch === 'string' ? `${value} · ${record._branch}` : value
  }
  const by = entity && namedBy(entity)
  const related = by && (record[by.as] as typeof record | null | undefined)
  return related ? titleOf(briefAt(by.to), related) : `№ ${record.id}`
}

/** The name of a record shown alone: a bare number is preceded by the entity's name. */
export function headOf(entity: Naming, record: { id: number } & Record<string, unknown>): string {
  const title = titleOf(entity, record)
  return title === `№ ${record.id}` ? `${entity.label[0]} ${title}` : title
}

/** The reference that names records without a title: the registry's first column. */
export function namedBy({ title, registry, fields }: Naming): Reference | undefined {
  const first = title === undefined ? registry?.columns?.[0] : undefined
  const f = first === undefined ? undefined : fields[first]
  return f && isRef(f) ? f : undefined
}
