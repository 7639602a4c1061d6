import type { Entity } from '@ordinator/model/entity'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { Records } from './records.ts'

/** Error for a reference to a record that does not exist or that the actor may not see. */
export const missing = (field: string): ValidationError =>
  new ValidationError([{ field, message: 'Запись не найдена' }])

/**
 * For references that no field declares, such as links to several kinds: asserts that the record exists and is visible.
 * @throws ValidationError on the field
 */
export async function assertVisible(records: Records, to: Entity, id: number, field: string): Promise<void> {
  try {
    await records.view(to, id, { fields: 'id' })
  } catch (error) {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) throw missing(field)
    throw error
  }
}
