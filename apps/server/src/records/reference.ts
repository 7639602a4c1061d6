import type { Entity } from '@ordinator/model/entity'
import { HttpError, ValidationError } from '../platform/errors.ts'
import type { Records } from './records.ts'

/** What a reference is refused with when nothing is behind it, or nothing that the actor may know of. */
export const missing = (field: string): ValidationError =>
  new ValidationError([{ field, message: 'Запись не найдена' }])

/**
 * For a reference that no field declares, as of links of several kinds: that the record lives and the actor sees it.
 * @throws ValidationError on the field
 */
export async function mustSee(records: Records, to: Entity, id: number, field: string): Promise<void> {
  try {
    await records.view(to, id, { fields: 'id' })
  } catch (error) {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) throw missing(field)
    throw error
  }
}
