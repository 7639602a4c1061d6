/** Estimates of bookings and of lists of free times, with the discounts that will apply. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { type Slot, visitCalls } from '@ordinator/model/areas/visits/calls'
import { kopecks, rubles } from '@ordinator/model/money'
import { askEach, estimateOf, reasonsOf } from '#areas/discounts/index.ts'
import type { Queryable } from '#platform/db.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { pricesFor } from './prices.ts'

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
