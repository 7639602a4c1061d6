import { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import sql from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'
import type { Records } from '../../records/records.ts'
import { demoTemplates } from './demoTemplates.ts'

/** The papers that a clinic prints from the first day on. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const keeper = await tx.one<{ id: number }>(sql`select "id"::int as id from users order by "id" limit 1`)
  if (!keeper) return
  const contract = await tx.one<{ id: number }>(sql`select "id"::int as id from sequences where "code" = 'contract'`)
  for (const { isNumbered, ...template } of demoTemplates)
    await records.asSystem.create(PrintTemplate, {
      ...template,
      ...(isNumbered && { idSequence: contract?.id ?? null }),
      idEditor: keeper.id,
    })
}
