import sql from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'

/** The job that sends an order to its partner. */
export const JOB_SEND = 'laboratory.send'

/** Queues the lines of an order that go to this laboratory; nothing where it has no program. */
export async function queuePartnerOrder(app: AppContext, tx: Tx, idOrder: number, idLaboratory: number): Promise<void> {
  const partner = await tx.one<{ adapter: string }>(
    sql`select "adapter" from laboratory_list where "id" = ${idLaboratory} and "kind" = 'partner' and "adapter" <> 'none'`,
  )
  if (partner) await app.jobs.send(JOB_SEND, { idOrder, idLaboratory }, { tx, key: `${idOrder}:${idLaboratory}` })
}
