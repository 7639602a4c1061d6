/** What a booking will cost with the discounts that will apply, and why: one answer for the desk, the site and the portal. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { type Estimate, visitCalls } from '@ordinator/model/areas/visits/calls'
import { rubles } from '@ordinator/model/money'
import type { Queryable } from '../../platform/db.ts'
import { operation } from '../../records/operation.ts'
import type { Records } from '../../records/records.ts'
import { ask } from '../discounts/index.ts'

export interface Estimated {
  /** null: nobody's card yet. */
  idCustomer: number | null
  idFilial: number
  localDate: string
  localStart: string
  lines: readonly { idService: number; idUser: number; qty?: number | undefined }[]
  /** The visit that it is, where it is booked already: it is not the one before itself. */
  idAppointment?: number
}

/**
 * Counts by the rules that count the bill, as the house: nothing of the patient is shown by it.
 * @throws ValidationError of a service without a price
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

export const estimate = operation(visitCalls.estimate, async ({ app, records, body }) => {
  if (body.idCustomer !== null) await records.view(Customer, body.idCustomer, { fields: 'id' })
  return estimateOf(records, app.db.reads, body)
})
