/**
 * Values judged anew. Triggers of the database note in `laboratory_rejudge` the values of which the patient, the order or
 * the norm has changed, whoever changed it: a desk, a merge of cards, an import. They are judged before each approval and
 * by a job each five minutes.
 */
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Work } from './change.ts'
import { resultRows, settleValues } from './settle.ts'

/** Orders per run of the job. */
const AT_ONCE = 200

/** Judges the noted values of the orders of these lines. The caller has locked the orders. */
export async function rejudgeItems({ records, tx }: Work, idItems: readonly number[]): Promise<void> {
  const noted = await tx.query<{ id: number; why: 'card' | 'norm' }>(sql`delete from laboratory_rejudge j
    using laboratory_results r join laboratory_order_items i on i."id" = r."idItem"
    where j."idResult" = r."id" and i."idOrder" in (
      select "idOrder" from laboratory_order_items where "id" = any (${idItems}::bigint[])) returning r."id", j."why"`)
  if (noted.length === 0) return
  const whyOf = new Map(noted.map(({ id, why }) => [id, why]))
  const rows = await resultRows(records, [...whyOf.keys()])
  await settleValues({ records, tx }, async (settle) => {
    for (const row of rows) await settle({ how: 'judge', row, why: whyOf.get(row.id) ?? 'card' })
  })
}

/** The job `laboratory.rejudge`: each order in a transaction of its own. */
export async function rejudgeDue(app: AppContext): Promise<void> {
  const orders = await app.db.query<{ idOrder: number; idItem: number }>(sql`select i."idOrder", min(i."id") as "idItem"
    from laboratory_rejudge j join laboratory_results r on r."id" = j."idResult" join laboratory_order_items i on i."id" = r."idItem"
    group by 1 order by 1 limit ${AT_ONCE}`)
  for (const { idOrder, idItem } of orders)
    await app.engine.for(systemActor).asSystem.tx(async (records, tx) => {
      await tx.query(sql`select 1 from laboratory_orders where "id" = ${idOrder} for update`)
      await rejudgeItems({ records, tx }, [idItem])
    })
}
