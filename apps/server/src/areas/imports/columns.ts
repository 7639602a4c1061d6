import type { Entity } from '@ordinator/model/entity'
import { isReadable } from '#records/fields/registry.ts'
import type { ImporterColumn } from './importer.ts'

/** A column of a field of the entity (`name` and `required` are the field's own unless given), or another one. */
type ColumnOf<E extends Entity> =
  | (Omit<ImporterColumn, 'name' | 'field' | 'of'> & { field: keyof E['fields'] & string; name?: string })
  | Omit<ImporterColumn, 'of'>

/**
 * Columns of an importer in the order of its template. A column of a field is named as the field, required as it is, and
 * read by its type (`RowReader.values`), unless files write it in words of their own, as references.
 */
export const columnsFor = <E extends Entity>(entity: E, columns: readonly ColumnOf<E>[]): ImporterColumn[] =>
  columns.map((column) => {
    const of = column.field === undefined ? undefined : entity.fields[column.field]
    const { label = '', required, default: given } = of?.options ?? {}
    return {
      name: label,
      ...(required && given === undefined && { required: true }),
      ...column,
      ...(of && isReadable(of) && { of }),
    }
  })
