import { BonusProgram, type Rate, rateOf } from '@ordinator/model/areas/discounts/bonusProgram'
import { type Calculation, calculate } from '@ordinator/model/areas/discounts/calculate'
import type { BasketBody } from '@ordinator/model/areas/discounts/calls'
import { orderRefusal } from '@ordinator/model/areas/discounts/conditions'
import type { Authority, CodeFacts, Rule } from '@ordinator/model/areas/discounts/facts'
import { calculatePromised, type PromisedDiscounts } from '@ordinator/model/areas/discounts/promised'
import { codeOf } from '@ordinator/model/areas/discounts/promoCode'
import { kopecks } from '@ordinator/model/money'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { agreedOf } from './approvals.ts'
import {
  type AskedBy,
  clinicHas,
  clockOf,
  codeFacts,
  customerOf,
  customerUsesSql,
  type Line,
  limitOf,
  linesOf,
  NEWCOMER,
  rulesOf,
  type Supposed,
} from './questionFacts.ts'

export interface Asked {
  calculation: Calculation
  lines: readonly Line[]
  date: string
  time: string
  idCustomer: number | null
  idFilial: number | null
  code: (CodeFacts & { id: number; deleted: boolean }) | undefined
  codeRefusal: string | null
  approvals: Awaited<ReturnType<typeof agreedOf>>
  /** The discounts in force that may apply to the basket. */
  open: readonly Rule[]
  /** Rules of promises by id, with the limits quoted with them. */
  promisedRules: ReadonlyMap<number, Rule>
  /** Percent that the employee may give by hand; null: no limit is set. */
  limit: number | null
}

/**
 * Calculates the discounts in force for a basket. Reads the catalogue, the customer (recorded in the access journal,
 * except for system requests), the code and the employee; a caller that applies the result must hold `lockRules`.
 * @throws ValidationError for a missing service, branch or approval
 */
export async function ask(records: Records, db: Queryable, body: BasketBody & Supposed, by?: AskedBy): Promise<Asked> {
  const idUser = by ? by.idUser : records.actor.id
  const { idCustomer = null, idFilial = null } = body
  const now = await clockOf(db, idFilial)
  const date = body.date ?? now.date
  const time = body.time ?? now.time
  const customer =
    idCustomer === null
      ? body.newcomer
        ? NEWCOMER
        : null
      : await customerOf(records, db, { id: idCustomer, suppose: body.suppose, by })
  const lines = await linesOf(db, body, date)
  const promised = await promisedOf(db, by?.promised ?? [], idCustomer)
  const known = body.code?.trim() ? await codeFacts(db, codeOf(body.code)) : undefined
  const promisedRules = new Map(promised.flatMap((one) => one?.quotes.flat() ?? []).map((rule) => [rule.id, rule]))
  // A deleted code still gives what was promised with it.
  const code = known && (!known.deleted || promisedRules.has(known.idDiscount)) ? known : undefined
  const approvals = await agreedOf(db, { ids: body.approvals ?? [], idUser: idUser ?? 0, idCustomer })
  const rules = await rulesOf(records, db, { date, idCustomer, idDiscount: body.idDiscount })
  const authority: Authority = {
    limit: idUser === null ? null : await limitOf(db, idUser),
    approved: {
      discounts: approvals.flatMap(({ idDiscount }) => idDiscount ?? []),
      manual: approvals.some(({ idDiscount }) => idDiscount === null),
    },
  }
  const basket = { lines, idFilial, date, time, idCompany: body.idCompany ?? null, customer }
  const open = rules.filter(
    (rule) => !(code?.deleted && rule.id === code.idDiscount) && orderRefusal(rule, basket, code) === undefined,
  )
  const question = { basket, rules, code, manual: body.manual, bonus: kopecks(body.bonus ?? 0), authority }
  const calculation = calculatePromised(
    code?.deleted ? { ...question, rules: rules.filter(({ id }) => id !== code.idDiscount) } : question,
    promised,
  )
  const isUsed = calculation.lines.some(({ applied }) => applied.some((one) => one.idDiscount === code?.idDiscount))
  const refused = calculation.lines.flatMap((line) => line.refused).find((one) => one.idDiscount === code?.idDiscount)
  const codeRefusal =
    !body.code?.trim() || isUsed ? null : code ? (refused?.why ?? 'Скидка этого кода не действует') : 'Такого кода нет'
  const { limit } = authority
  return {
    calculation,
    lines,
    date,
    time,
    idCustomer,
    idFilial,
    code,
    codeRefusal,
    approvals,
    open,
    promisedRules,
    limit,
  }
}

/** Promises with the uses counted until now: their limits hold, as they were quoted. */
async function promisedOf(
  db: Queryable,
  promised: readonly (PromisedDiscounts | undefined)[],
  idCustomer: number | null,
): Promise<(PromisedDiscounts | undefined)[]> {
  const ids = [...new Set(promised.flatMap((one) => one?.quotes.flat().map(({ id }) => id) ?? []))]
  if (ids.length === 0) return [...promised]
  const uses = new Map(
    (
      await db.query<{ id: number; uses: number }>(
        sql`select "idDiscount" as id, "uses"::int as uses from discount_counters where "idDiscount" = any (${ids}::bigint[])`,
      )
    ).map((one) => [one.id, one.uses]),
  )
  const own = new Map(
    idCustomer === null
      ? []
      : (await db.query<{ id: number; count: number }>(customerUsesSql(idCustomer, ids))).map((one) => [
          one.id,
          one.count,
        ]),
  )
  return promised.map(
    (one) =>
      one && {
        ...one,
        quotes: one.quotes.map((rules) =>
          rules.map((rule) => ({ ...rule, uses: uses.get(rule.id) ?? 0, customerUses: own.get(rule.id) ?? 0 })),
        ),
      },
  )
}

/** Lines with known prices for a customer, at one place and time. */
export interface Offered {
  idFilial: number
  date: string
  time: string
  lines: readonly { idService: number; idUser: number; price: number }[]
}

/**
 * Prices of many baskets of one customer, each separately: the rules, the customer and the services are read once.
 * Reveals no customer data.
 * @param idCustomer null: a first visit without a card
 */
export async function askEach(
  records: Records,
  db: Queryable,
  idCustomer: number | null,
  offers: readonly Offered[],
): Promise<Calculation[]> {
  const dates = offers.map(({ date }) => date).toSorted()
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined || to === undefined) return []
  const services = new Map(offers.flatMap(({ lines }) => lines.map((line) => [line.idService, line] as const)))
  const known = new Map(
    (await linesOf(db, { lines: [...services.values()] }, from)).map((line) => [line.idService, line]),
  )
  const customer =
    idCustomer === null
      ? NEWCOMER
      : await customerOf(records, db, { id: idCustomer, suppose: undefined, by: { idUser: null, idAppointment: 0 } })
  const rules = await rulesOf(records, db, { date: from, until: to, idCustomer })
  const authority = { limit: null, approved: { discounts: [], manual: false } }
  return offers.map(({ idFilial, date, time, lines }) =>
    calculate({
      basket: {
        lines: lines.map(({ idService, idUser, price }) => ({
          ...(known.get(idService) as Line),
          ...{ idDoctor: idUser, price },
        })),
        ...{ idFilial, date, time, idCompany: null, customer },
      },
      rules,
      authority,
    }),
  )
}

/** A visit's bill: lines with their totals after discounts. */
export interface Bill {
  idAppointment: number
  idCustomer: number
  idFilial: number
  date: string
  time: string
  lines: readonly { idService: number; idUser: number; price: number }[]
}

async function basketOf(records: Records, db: Queryable, bill: Bill) {
  const { idAppointment, idCustomer, idFilial, date, time } = bill
  const lines = await linesOf(db, { ...bill, lines: [...bill.lines] }, date, 'deletedToo')
  const by = { idUser: null, idAppointment }
  const customer = await customerOf(records, db, { id: idCustomer, suppose: undefined, by })
  return { lines, idFilial, date, time, idCompany: null, customer }
}

/** Kopecks of each line of a bill that bonuses may pay, by the discount rules. */
export async function bonusShares(records: Records, db: Queryable, bill: Bill): Promise<bigint[]> {
  const rules = (await rulesOf(records, db, bill)).filter(({ kind }) => kind === 'bonus')
  if (rules.length === 0) return bill.lines.map(() => 0n)
  const basket = await basketOf(records, db, bill)
  const bonus = bill.lines.reduce((all, { price }) => all + kopecks(price), 0n)
  const authority = { limit: null, approved: { discounts: [], manual: false } }
  return calculate({ basket, rules, bonus, authority }).lines.map((line) => line.bonus)
}

/** Maximum number of active programmes. */
const MAX_PROGRAMS = 200

/** The bonus rate of each line of a bill; undefined if it earns none. */
export async function bonusRates(records: Records, db: Queryable, bill: Bill): Promise<(Rate | undefined)[]> {
  if (!(await clinicHas(db, BonusProgram))) return bill.lines.map(() => undefined)
  const programs = await records.asSystem.rows(BonusProgram, { 'filter[active]': '1', limit: String(MAX_PROGRAMS) })
  if (programs.length === 0) return bill.lines.map(() => undefined)
  const basket = await basketOf(records, db, bill)
  return bill.lines.map((_, at) => rateOf(programs, basket, at))
}
