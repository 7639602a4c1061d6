/**
 * Estimate of a booking with the discounts that will apply, and their reasons: shared by the desk, the site and the
 * portal.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { type Estimate, type Slot, visitCalls } from '@ordinator/model/areas/visits/calls'
import { formatMoney } from '@ordinator/model/format'
import { kopecks, rubles } from '@ordinator/model/money'
import { ask, askEach } from '#areas/discounts/index.ts'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { pricesFor } from './prices.ts'

export interface Estimated {
  /** null: no card yet. */
  idCustomer: number | null
  idFilial: number
  localDate: string
  localStart: string
  lines: readonly { idService: number; idUser: number; qty?: number | undefined }[]
  /** The visit itself if it is booked already, so that it does not count as an earlier one. */
  idAppointment?: number
}

/**
 * Uses the rules of the bill with system rights: reveals no data of the patient.
 * @throws ValidationError for a service without a price
 */
export async function estimateOf(records: Records, db: Queryable, asked: Estimated): Promise<Estimate> {
  const { calculation, lines } = await ask(
    records,
    db,
    {
      ...(asked.idCustomer === null ? { newcomer: true } : { idCustomer: asked.idCustomer }),
      idFilial: asked.idFilial,
      date: asked.localDate,
      time: asked.localStart,
      lines: asked.lines.map(({ idService, idUser, qty }) => ({ idService, idUser, quantity: qty ?? 1 })),
    },
    { idUser: null, idAppointment: asked.idAppointment ?? 0 },
  )
  const told = lines.map(({ idService, price, quantity }, at) => {
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
  const sum = (of: 'base' | 'final') => Math.round(told.reduce((all, line) => all + line[of], 0) * 100) / 100
  return { base: sum('base'), final: sum('final'), lines: told }
}

/** Price of a free time as patients see it. */
export interface Shown {
  /** Rubles; null: no price. */
  price: number | null
  /** Price without discounts; null: there are none. */
  fullPrice: number | null
  /** «Первый визит: −63 ₽» */
  why: readonly string[]
}

type FreeTime = Pick<Slot, 'idUser' | 'idFilial' | 'localDate' | 'localStart' | 'price'>

/**
 * Prices of many free times with the discounts that will apply, and their reasons, for lists of times.
 * @param idCustomer null: unknown, priced as a new patient
 */
export async function estimateEach(
  records: Records,
  db: Queryable,
  asked: { idCustomer: number | null; idServices: readonly number[] },
  times: readonly FreeTime[],
): Promise<Shown[]> {
  const { idCustomer, idServices } = asked
  const priced = times.filter(({ price }) => price !== null && price > 0)
  const days = idServices.length > 1 ? await pricesOfDays(db, idServices, priced) : undefined
  const offers = priced.map((time) => {
    const { idUser, idFilial, localDate, localStart } = time
    const lines = idServices.map((idService) => ({
      ...{ idService, idUser },
      price: days?.get(`${idFilial} ${localDate}`)?.get(idService) ?? (days ? 0 : (time.price ?? 0)),
    }))
    return { idFilial, date: localDate, time: localStart, lines }
  })
  const found = new Map((await askEach(records, db, idCustomer, offers)).map((one, at) => [priced[at], one]))
  return times.map((time) => {
    const { price } = time
    const applied = found.get(time)?.lines.flatMap((line) => line.applied) ?? []
    const off = applied.reduce((sum, { amount }) => sum + amount, 0n)
    if (price === null || off === 0n) return { price, fullPrice: null, why: [] }
    return { price: rubles(kopecks(price) - off), fullPrice: price, why: reasonsOf(applied) }
  })
}

/** «Первый визит: −63 ₽», one line per discount. */
export const reasonsOf = (applied: readonly { name: string; amount: bigint }[]): string[] =>
  [...Map.groupBy(applied, ({ name }) => name)].map(
    ([name, of]) => `${name}: −${formatMoney(rubles(of.reduce((sum, { amount }) => sum + amount, 0n)))}`,
  )

/** By branch and day («3 2026-12-01») the prices at which services are booked. */
async function pricesOfDays(db: Queryable, idServices: readonly number[], times: readonly FreeTime[]) {
  const days = new Map(times.map((time) => [`${time.idFilial} ${time.localDate}`, time]))
  const found = new Map<string, Map<number, number>>()
  for (const [key, day] of days)
    found.set(
      key,
      new Map(
        (await pricesFor(db, idServices, day)).map(({ id, listed, promised }) => [
          id,
          Math.min(listed ?? 0, promised ?? Number.POSITIVE_INFINITY),
        ]),
      ),
    )
  return found
}

export const estimate = operation(visitCalls.estimate, async ({ app, records, body }) => {
  if (body.idCustomer !== null) await records.mustOpen(Customer, body.idCustomer)
  return estimateOf(records, app.db.reads, body)
})
