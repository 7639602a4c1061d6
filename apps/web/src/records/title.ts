import type { Entity } from '@ordinator/model/entity'

/** How a record is named in a line: its title field, or what usually names one, or its number. */
export function titleOf(entity: Entity | undefined, record: { id: number } & Record<string, unknown>): string {
  for (const name of [entity?.title, 'shortFio', 'fio', 'name', 'title']) {
    const value = name === undefined ? undefined : record[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return `№ ${record.id}`
}
