import type { Entity } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { name } from './plan.ts'

/**
 * Refuses a parent that is the record itself or below it. Two concurrent moves of records under one another are
 * serialised.
 * @param field the entity's reference to its parent
 * @throws ValidationError on the field
 */
export async function refuseCircle(
  tx: Tx,
  entity: Entity,
  field: string,
  id: number,
  idParent: number | null | undefined,
): Promise<void> {
  if (!idParent) return
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${entity.path}`}, 0))`)
  const circle = await tx.one(sql`
    with recursive above as (
      select "id", ${name(field)} as parent from ${name(entity.table)} where "id" = ${idParent}
      union select t."id", t.${name(field)} from ${name(entity.table)} t join above on above.parent = t."id"
    ) select 1 from above where "id" = ${id}`)
  if (circle) throw new ValidationError([{ field, message: 'Группа не может входить в саму себя' }])
}
