import type { Entity } from './entity.ts'

/**
 * Whether rows of an entity name patients: it is declared (`personal`), refers to a patient's card, or is a part of
 * such a record (`within`). An export of such rows asks for the password again.
 * @param entityAt the entity of a path
 */
export function namesPatient(entity: Entity, entityAt: (path: string) => Entity | undefined): boolean {
  if (entity.personal !== undefined) return true
  const refs = Object.values(entity.fields).flatMap((field) =>
    'to' in field && typeof field.to === 'string' ? [field.to] : [],
  )
  if (refs.includes('customers')) return true
  const parent = entity.within === undefined ? undefined : entity.fields[entity.within]
  const above = parent && 'to' in parent && typeof parent.to === 'string' ? entityAt(parent.to) : undefined
  return above !== undefined && above !== entity && namesPatient(above, entityAt)
}
