import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { addMissing } from './ready.ts'

/** Standard print templates of a new clinic. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const keeper = await tx.one<{ id: number }>(sql`select "id"::int as id from users order by "id" limit 1`)
  if (keeper) await addMissing(records.asSystem, tx, { idEditor: keeper.id })
}
