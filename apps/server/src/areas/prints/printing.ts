/** Shared by prints of a record: the entity of a template, the lines of the access journal. */
import { printed } from '@ordinator/model/areas/prints/printTemplate'
import { entityAt } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { badRequest } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalAction, journalActor } from '#records/journal.ts'
import type { Records } from '#records/records.ts'
import type { Reading } from './readings.ts'

/** @throws HttpError 400 for records that are not printed */
export function entityOf(path: string): Entity {
  const entity = Object.hasOwn(printed, path) ? entityAt(path) : undefined
  if (!entity) throw badRequest('Такие записи не печатаются')
  return entity
}

/** Adds one line to the access journal for each patient with data in the document. */
export async function journalPrint(
  app: AppContext,
  records: Records,
  entity: Entity,
  idEntity: number,
  { patients }: Reading,
  action: JournalAction,
  basis: string,
): Promise<void> {
  const line = { ...journalActor(records.actor), action, entityType: entity.path, idEntity, basis }
  await app.journal(...[...patients].map((idCustomer) => ({ ...line, idCustomer })))
}
