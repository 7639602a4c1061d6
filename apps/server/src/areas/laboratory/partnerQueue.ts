/** Queues messages to partners, in the transaction of the change. */
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'

export interface PartnerPayload {
  /** Key of the row of `laboratory_partner_orders`; ends with the bar codes of its tubes. */
  key: string
  idOrder: number
}

/** Queues the shipped tubes of an order for this laboratory; does nothing without an adapter. */
export async function queuePartnerOrder(app: AppContext, tx: Tx, idOrder: number, idLaboratory: number): Promise<void> {
  const samples = await tx.query<{ barcode: string }>(sql`select s."barcode" from laboratory_samples s
    join laboratory_list b on b."id" = s."idLaboratory" and b."kind" = 'partner' and b."adapter" <> 'none'
    where s."idOrder" = ${idOrder} and s."idLaboratory" = ${idLaboratory} and s."status" = 'shipped' and not s."deleted"
      and not exists (select 1 from laboratory_partner_orders p where p."idOrder" = ${idOrder}
        and s."barcode" = any (string_to_array(p."key", '-')))
    order by s."id"`)
  if (samples.length === 0) return
  const key = ['lab', idOrder, ...samples.map(({ barcode }) => barcode)].join('-')
  await tx.query(
    sql`insert into laboratory_partner_orders ("key", "idOrder", "idLaboratory") values (${key}, ${idOrder}, ${idLaboratory})`,
  )
  await add(app, tx, 'create', 'Заказ партнёру', { key, idOrder }, idLaboratory)
}

/** Queues the cancellation of an order at every partner that has it. */
export async function queuePartnerCancel(app: AppContext, tx: Tx, idOrder: number): Promise<void> {
  const sent = await tx.query<{
    key: string
    idLaboratory: number
  }>(sql`select "key", "idLaboratory" from laboratory_partner_orders
    where "idOrder" = ${idOrder} and "state" in ('queued', 'accepted', 'part') order by "key"`)
  for (const { key, idLaboratory } of sent)
    await add(app, tx, 'cancel', 'Отмена заказа', { key, idOrder }, idLaboratory)
}

/** A silent partner does not delay the others: each has its own lane. */
const add = (
  app: AppContext,
  tx: Tx,
  operation: 'create' | 'cancel',
  title: string,
  payload: PartnerPayload,
  idLaboratory: number,
) =>
  app.outbox.add(tx, {
    adapter: 'laboratory',
    operation,
    title,
    key: `${operation}-${payload.key}`.slice(0, 190),
    subject: payload.key.slice(0, 190),
    lane: `laboratory:${idLaboratory}`,
    about: { path: LabOrder.path, id: payload.idOrder },
    payload,
  })
