/**
 * Estimate with the discounts that will apply, and their reasons: shared by bookings, orders of the laboratory, treatment
 * plans, offers, the site and the portal.
 */
import type { Estimate, Quote } from '@ordinator/model/areas/discounts/estimate'
import { formatMoney } from '@ordinator/model/format'
import { kopecks, lineKopecks, rubles } from '@ordinator/model/money'
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { ask } from './question.ts'

export interface Estimated {
  /** null: no card yet. */
  idCustomer: number | null
  idFilial: number | null
  /** Absent: now, in the branch's time zone. */
  localDate?: string
  localStart?: string
  /** `price` in rubles per unit; absent: the list price of the day. */
  lines: readonly { idService: number; idUser: number | null; qty?: number | undefined; price?: number }[]
  /** The visit itself if it is booked already, so that it does not count as an earlier one. */
  idAppointment?: number
}

/**
 * Uses the rules of the bill with system rights: reveals no data of the patient.
 * @throws ValidationError for a service without a price
 */
export async function estimateOf(records: Records, db: Queryable, asked: Estimated): Promise<Estimate> {
  const { idCustomer, idFilial, localDate, localStart } = asked
  const { calculation, lines } = await ask(
    records,
    db,
    {
      ...(idCustomer === null ? { newcomer: true } : { idCustomer }),
      ...(idFilial !== null && { idFilial }),
      ...(localDate !== undefined && { date: localDate }),
      ...(localStart !== undefined && { time: localStart }),
      lines: asked.lines.map(({ idService, idUser, qty, price }) => ({
        ...{ idService, quantity: qty ?? 1 },
        ...(idUser !== null && { idUser }),
        ...(price !== undefined && { price }),
      })),
    },
    { idUser: null, idAppointment: asked.idAppointment ?? 0 },
  )
  const priced = lines.map(({ idService, price, quantity }, at) => {
    const found = calculation.lines[at]
    const base = Math.round(price * quantity * 100 + 1e-6) / 100
    const discount = rubles(found?.discount ?? 0n)
    return {
      idService,
      base,
      final: Math.max(0, Math.round((base - discount) * 100) / 100),
      applied: (found?.applied ?? []).map(({ name, why, amount }) => ({ name, why, amount: rubles(amount) })),
    }
  })
  const sum = (of: 'base' | 'final') => Math.round(priced.reduce((all, line) => all + line[of], 0) * 100) / 100
  return { base: sum('base'), final: sum('final'), lines: priced }
}

/** A line of a plan or an offer: `price` in rubles per unit, `discount` in rubles off the line. */
export interface QuotedLine {
  id: number
  idService: number
  idUser: number | null
  quantity: number
  price: number
  discount: number
}

/** Estimates lines that have prices and discounts of their own, as if they were given now. */
export async function quoteOf(
  records: Records,
  db: Queryable,
  asked: Pick<Estimated, 'idCustomer' | 'idFilial'> & { lines: readonly QuotedLine[] },
): Promise<Quote> {
  if (asked.lines.length === 0) return { base: 0, final: 0, now: 0, lines: [] }
  const estimate = await estimateOf(records, db, {
    ...{ idCustomer: asked.idCustomer, idFilial: asked.idFilial },
    lines: asked.lines.map(({ quantity, ...line }) => ({ ...line, qty: quantity })),
  })
  const lines = asked.lines.flatMap(({ id, quantity, price, discount }, at) => {
    const found = estimate.lines[at]
    if (!found) return []
    const { base, final, applied } = found
    const now = lineKopecks({ quantity, price }) - kopecks(discount)
    return [{ id, base, final, now: rubles(now > 0n ? now : 0n), applied }]
  })
  const now = rubles(lines.reduce((sum, line) => sum + kopecks(line.now), 0n))
  return { base: estimate.base, final: estimate.final, now, lines }
}

/** «Первый визит: −63 ₽», one line per discount. */
export const reasonsOf = (applied: readonly { name: string; amount: bigint }[]): string[] =>
  [...Map.groupBy(applied, ({ name }) => name)].map(
    ([name, of]) => `${name}: −${formatMoney(rubles(of.reduce((sum, { amount }) => sum + amount, 0n)))}`,
  )
