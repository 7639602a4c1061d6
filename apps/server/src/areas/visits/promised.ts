/**
 * Discounts that were quoted to a patient: at the booking, on the site, at the desk. They are kept with the line of the
 * visit, as they were, until the day up to which its price holds; an employee with the right takes a promise back with
 * a reason.
 */

import type { Rule } from '@ordinator/model/areas/discounts/facts'
import { joinQuotes, type PromisedDiscounts } from '@ordinator/model/areas/discounts/promised'
import sql from 'sql-template-tag'
import type { Asked } from '#areas/discounts/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'

interface PromisedLine {
  id: number
  price: number
  quantity: number
  discount: number
  bonus: number
  paid: number
  /** The last day of the promised price; null: nothing was promised. */
  until: string | null
}

interface Visit {
  idCustomer: number
  date: string
  lines: readonly PromisedLine[]
}

/** A line paid in full before the service keeps what it was paid at, on any day. */
const isPrepaid = ({ price, quantity, discount, bonus, paid }: PromisedLine): boolean =>
  paid > 0 && Math.round((price * quantity - discount - bonus - paid) * 100) <= 0

/** The promises of a visit's lines that hold on its day, in the order of the lines. */
export async function promisesOf(
  db: Queryable,
  { idCustomer, date, lines }: Visit,
): Promise<(PromisedDiscounts | undefined)[]> {
  const ids = lines.flatMap((line) => (line.until !== null && (date <= line.until || isPrepaid(line)) ? [line.id] : []))
  if (ids.length === 0) return lines.map(() => undefined)
  // The column `told`: discounts quoted to the patient, a list for each time a price was quoted; `toldTo`: the patient.
  const kept = await db.query<{ id: number; told: Rule[][]; limit: number | null; toldTo: number }>(sql`
    select "idCouponService" as id, "told", "limit"::float8 as "limit", "toldTo" from visit_promises
    where "idCouponService" = any (${ids}::bigint[])`)
  const byLine = new Map(kept.map((one) => [one.id, one]))
  return lines.map(({ id }) => {
    const one = byLine.get(id)
    return one && { quotes: one.told, limit: one.limit, isMerged: one.toldTo !== idCustomer }
  })
}

/** Stores the discounts quoted now: those quoted before stay as they were, new ones join them. */
export async function keepPromises(
  tx: Tx,
  { idCustomer, lines }: Visit,
  promised: readonly (PromisedDiscounts | undefined)[],
  { calculation, open, limit, lines: basket }: Pick<Asked, 'calculation' | 'open' | 'limit' | 'lines'>,
): Promise<void> {
  const rows = lines.flatMap(({ id, until }, at) => {
    if (until === null) return []
    const before = promised[at]
    const quotes = joinQuotes(open, basket, before?.quotes)
    const byHand = calculation.lines[at]?.applied.some(({ idDiscount }) => idDiscount === null) ? limit : null
    const most = byHand === null ? (before?.limit ?? null) : Math.max(byHand, before?.limit ?? 0)
    return quotes.length || most !== null ? [{ id, told: quotes, limit: most }] : []
  })
  if (rows.length === 0) return
  await tx.query(sql`insert into visit_promises ("idCouponService", "toldTo", "told", "limit")
    select r."id", ${idCustomer}::bigint, r."told", r."limit"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("id" bigint, "told" jsonb, "limit" numeric)
    on conflict ("idCouponService") do update set "told" = excluded."told", "limit" = excluded."limit"`)
}
