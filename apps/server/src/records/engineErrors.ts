/** Errors of the engine: a stale version, a record that its writer no longer sees, an item of a batch. */

import type { FieldError } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import { SEALED } from '@ordinator/model/sealed'
import { conflict, fromPgError, HttpError, ValidationError } from '#platform/errors.ts'
import type { Records } from './records.ts'
import type { Values } from './write.ts'

/** @throws HttpError 409 with the current record when the client has an older version */
export async function refuseStale(
  records: Records,
  entity: Entity,
  before: Values,
  readVersion: unknown,
): Promise<void> {
  if (readVersion === undefined || readVersion === before._version) return
  if (typeof readVersion !== 'number')
    throw new ValidationError([{ field: '_version', message: 'Поле должно быть числом' }])
  throw conflict(JSON.parse(await records.view(entity, before.id as number)))
}

/** A write may make the record invisible to its writer, who still gets the answer. */
export function orWhenInvisible(item: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof HttpError && (error.status === 404 || error.code === SEALED)) return item
    throw error
  }
}

/** Prefixes errors of a batch item with its place. */
export async function within<T>(prefix: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const known = error instanceof HttpError ? error : fromPgError(error)
    if (!(known instanceof ValidationError)) throw known ?? error
    throw new ValidationError(
      known.items.map((item: FieldError) => ({ field: `${prefix}.${item.field}`, message: item.message })),
    )
  }
}
