import type { AnyField, Entity, Fields } from './entity.ts'
import { hasLabels } from './fields/choice.ts'
import { isReadable } from './fields/field.ts'
import { isRef } from './fields/ref.ts'

/**
 * The part of an entity that any screen may need without its declaration: names of records, rights to view, targets of
 * relations. It is plain data, of all entities some 11 kB after compression (`briefPack.ts`). `fields` has the references
 * and naming fields, each with its kind, hidden permissions and target; `access` the right to view, and to create if a
 * name makes a record; `registry` only the first column.
 */
export type Brief = Pick<
  Entity,
  | 'path'
  | 'title'
  | 'within'
  | 'pulse'
  | 'personal'
  | 'distinguishedBy'
  | 'quickAdd'
  | 'recalled'
  | 'soft'
  | 'gate'
  | 'branchBy'
> &
  Pick<Entity, 'access' | 'many' | 'fields' | 'upload'> & {
    /** The singular name. */
    label: readonly [string]
    registry?: { columns?: readonly string[] }
    /** The area that declares it. */
    area: string
  }

/** Fields by which a record is usually named or recognised. */
export const namingFields = ['shortFio', 'fio', 'name', 'surname', 'avatar', 'color', 'post'] as const

/** References and fields compared to distinguish records of one name; more would make every choice slower. */
const MAX_APART = 3
/**
 * Fields that distinguish records of one name where the declaration names none (`distinguishedBy`): the place that they
 * belong to, their kind and their number; names of the entity's fields. References that the program fills in do not
 * help.
 */
export function apartBy({
  title,
  distinguishedBy,
  fields,
  within,
}: Pick<Entity, 'title' | 'distinguishedBy' | 'fields' | 'within'>): string[] {
  if (distinguishedBy || title === undefined) return [...(distinguishedBy ?? [])]
  const own = Object.entries(fields).filter(([name, f]) => isReadable(f) && name !== title && !f.options.computed)
  const places = own.filter(([name, f]) => isRef(f) && (name === within || f.options.required) && !f.options.auto)
  const kinds = own.filter(([, f]) => hasLabels(f) || (f.options.search !== undefined && f.column === 'text'))
  return [...places, ...kinds].slice(0, MAX_APART).map(([name]) => name)
}

/** @param area the folder that declares the entity */
export function briefOf(entity: Entity, area: string): Brief {
  const {
    path,
    title,
    within,
    pulse,
    personal,
    distinguishedBy,
    quickAdd,
    recalled,
    soft,
    gate,
    upload,
    many,
    branchBy,
  } = entity
  const first = title === undefined ? entity.registry?.columns?.[0] : undefined
  const naming = new Set<string | undefined>([title, ...namingFields, ...(distinguishedBy ?? [])])
  const kept = Object.entries(entity.fields).filter(([name, f]) => isRef(f) || (naming.has(name) && isReadable(f)))
  const { view, create } = entity.access
  return {
    area,
    path,
    label: [entity.label[0]],
    title,
    within,
    pulse,
    personal,
    distinguishedBy,
    quickAdd,
    recalled,
    soft,
    access: quickAdd ? { view, create } : { view },
    gate,
    upload,
    many,
    ...(branchBy === 'self' && { branchBy }),
    fields: Object.fromEntries(kept.map(([name, f]) => [name, dataOf(f)])) as Fields,
    ...(first !== undefined && isRef(entity.fields[first] ?? { kind: '' }) && { registry: { columns: [first] } }),
  }
}

function dataOf(f: AnyField) {
  const { kind, options } = f
  const { hidden } = options
  return { kind, options: hidden === undefined ? {} : { hidden }, ...(isRef(f) && { to: f.to, as: f.as }) }
}
