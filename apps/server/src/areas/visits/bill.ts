/**
 * The price of a visit: list prices of its lines less discounts, and the charge of given lines. Until a line is given
 * the discounts are a forecast; with the first given line they are applied to the whole visit and their uses are
 * counted. Any later change reverses them and applies them anew.
 */
import { isPromisedWhy, type PromisedDiscounts } from '@ordinator/model/areas/discounts/promised'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { type PromisedLine, promiseWords } from '@ordinator/model/areas/visits/promise'
import { Appointment, CouponService } from '@ordinator/model/areas/visits/visit'
import type { Answered, BodyOf } from '@ordinator/model/call'
import { kopecks, rubles } from '@ordinator/model/money'
import sql, { raw } from 'sql-template-tag'
import { couponCountsSql, lineCountsSql, visitCountsSql } from '#areas/counted/index.ts'
import { type Asked, ask, give, limitOf, lockRules, reverseOrder } from '#areas/discounts/index.ts'
import { coverVisit } from '#areas/memberships/index.ts'
import { chargeVisit, linePaidSql, lockCustomers, registerVisitPrices } from '#areas/money/index.ts'
import { payVisit } from '#areas/payers/index.ts'
import { settleMaterials } from '#areas/warehouse/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { promisedLines } from './prices.ts'
import { keepPromises, promisesOf } from './promised.ts'

type Terms = Pick<BodyOf<typeof visitCalls.discounts>, 'manual' | 'code'> & {
  approvals: number[]
  idUser: number | null
  turn: number
  given: boolean
  basis: string | null
}
/** Terms of a visit without its own; a new object each time, because terms are changed in place. */
const noTerms = (): Terms => ({
  code: null,
  manual: null,
  approvals: [],
  idUser: null,
  turn: 0,
  given: false,
  basis: null,
})

interface Line {
  id: number
  idCoupon: number
  idService: number
  idUser: number
  quantity: number
  price: number
  discount: number
  bonus: number
  paid: number
  completed: boolean
  /** The last day of the quoted price; null: none was quoted. */
  until: string | null
  /** Why the quoted price was taken back. */
  taken: string | null
  /** Its price is the share of a membership. */
  isMembership: boolean
}

export interface Bill {
  idAppointment: number
  idCustomer: number
  idFilial: number
  date: string
  time: string
  /** A line was given and not taken back: the price is final. */
  given: boolean
  /** True unless the visit is cancelled or missed. */
  on: boolean
  /** Lines whose price discounts change. */
  lines: Line[]
  /** Lines of treatment plans, whose price is agreed. */
  fixed: Line[]
  terms: Terms
  /** Of each line: the discounts that were quoted. */
  promised: (PromisedDiscounts | undefined)[]
}

export async function billOf(db: Queryable, idAppointment: number): Promise<Bill | undefined> {
  const visit = await db.one<
    Omit<Bill, 'lines' | 'fixed' | 'terms' | 'given' | 'idAppointment' | 'promised'> & { terms: Terms | null }
  >(sql`
    select a."idCustomer", a."idFilial", a."localDate"::text as date, a."localStart" as time,
      ${visitCountsSql()} as "on",
      (select to_jsonb(d) from visit_discounts d where d."idAppointment" = a."id") as terms
    from appointments a where a."id" = ${idAppointment}`)
  if (!visit) return undefined
  const all = await db.query<Line & { isFixed: boolean }>(sql`
    select l."id", l."idCoupon", l."idService", c."idUser", l."qty"::float8 as quantity, l."price"::float8 as price,
      l."discount"::float8 as discount, l."bonus"::float8 as bonus, (${linePaidSql(raw('l'))} + l."insurer")::float8 as paid, l."completed", l."isFixed",
      l."priceUntil"::text as until, l."promiseTaken" as taken, l."idMembership" is not null as "isMembership"
    from coupon_services l join coupons c on c."id" = l."idCoupon" and ${couponCountsSql()}
    where c."idAppointment" = ${idAppointment} and ${lineCountsSql()} order by l."id"`)
  const lines = all.filter(({ isFixed }) => !isFixed)
  const fixed = all.filter(({ isFixed }) => isFixed)
  const given = visit.on && lines.some(({ completed }) => completed)
  const promised = await promisesOf(db, { ...visit, lines })
  return { idAppointment, ...visit, given, lines, fixed, terms: visit.terms ?? noTerms(), promised }
}

/** Unpaid kopecks of a visit. */
export const dueOf = ({ lines, fixed }: Bill): number =>
  [...lines, ...fixed].reduce(
    (sum, { price, quantity, discount, bonus, paid }) =>
      sum + Math.max(0, Math.round((price * quantity - discount - bonus - paid) * 100)),
    0,
  )

export const orderOf = ({ idAppointment, terms }: Bill): string => `visit-${idAppointment}-${terms.turn}`

export const basketOf = ({ idCustomer, idFilial, date, time, lines, terms }: Bill) => ({
  idCustomer,
  idFilial,
  date,
  time,
  lines: lines.map(({ id, idService, idUser, quantity, price }) => ({
    idService,
    idUser,
    quantity,
    price,
    idCouponService: id,
  })),
  ...(terms.code && { code: terms.code }),
  ...(terms.manual && { manual: terms.manual }),
  approvals: terms.approvals,
})
export const byOf = ({ idAppointment, terms, promised }: Bill) => ({ idUser: terms.idUser, idAppointment, promised })

/** Drops terms that are no longer valid: an expired code, an approval never given, an approval already used. */
async function asked(records: Records, db: Queryable, bill: Bill): Promise<Asked> {
  const { terms } = bill
  if (terms.approvals.length) {
    const open = await db.query<{ id: number }>(sql`select a."id" from discounts_approvals a
      where a."id" = any (${terms.approvals}::bigint[]) and a."status" = 'approved' and not exists (select 1
        from discounts_uses u where u."idApproval" = a."id" and u."reversedQuantity" < u."quantity")`)
    terms.approvals = open.map(({ id }) => id)
  }
  const found = await ask(records, db, basketOf(bill), byOf(bill))
  const noCode = found.codeRefusal !== null
  const noManual = terms.manual && found.calculation.needApproval.includes(null)
  const small = tooSmall(found)
  if (!noCode && !noManual && small.length === 0) return found
  if (noCode) terms.code = null
  if (noManual) terms.manual = null
  terms.approvals = terms.approvals.filter((id) => !small.includes(id))
  return small.length ? asked(records, db, bill) : ask(records, db, basketOf(bill), byOf(bill))
}

/** Approvals for less than the discount that would be applied. */
export const tooSmall = ({ approvals, calculation }: Asked): number[] =>
  approvals.flatMap(({ id, idDiscount, amount }) => {
    const given = calculation.lines.flatMap(({ applied }) => applied).filter((one) => one.idDiscount === idDiscount)
    return given.reduce((sum, one) => sum + one.amount, 0n) > kopecks(amount) ? [id] : []
  })

/**
 * Brings the discounts and charges of a visit in line with its lines and terms; idempotent.
 * @param isQuoted the patient is quoted the price now: at a booking, a move, an added service, other terms
 * @throws HttpError 409 `exhausted` if another request has just used the last of a discount: a retry goes without it
 */
export async function billVisit(
  records: Records,
  tx: Tx,
  idAppointment: number,
  { isQuoted = false }: { isQuoted?: boolean } = {},
): Promise<void> {
  const visit = await tx.one<{ idCustomer: number }>(
    sql`select "idCustomer" from appointments where "id" = ${idAppointment}`,
  )
  if (!visit) return
  await lockCustomers(tx, [visit.idCustomer])
  await payVisit(records, tx, idAppointment, isQuoted)
  await coverVisit(records, tx, idAppointment, isQuoted)
  const bill = (await billOf(tx, idAppointment)) as Bill
  await priceVisit(records, tx, bill, isQuoted)
  await chargeVisit(records, tx, idAppointment)
  await settleMaterials(records, tx, idAppointment)
}

async function priceVisit(records: Records, tx: Tx, bill: Bill, isQuoted: boolean): Promise<void> {
  const { idAppointment, lines, terms, on, given } = bill
  const of = lines.map(({ id, idUser, quantity, price }) => [id, idUser, quantity, price])
  const taken = lines.flatMap((line) => (line.taken === null ? [] : [line.id]))
  const basis = JSON.stringify([
    ...[bill.idCustomer, bill.date, bill.time, terms.code, terms.manual, terms.approvals, of],
    ...(taken.length ? [taken] : []),
  ])
  if (terms.given && given && terms.basis === basis) return
  if (terms.given) {
    await reverseOrder(records, tx, { order: orderOf(bill), reason: 'Услуги записи изменены или отменены' }).catch(
      orNothing,
    )
    await tx.query(
      sql`update visit_discounts set "given" = false, "basis" = null where "idAppointment" = ${idAppointment}`,
    )
  }
  const any = await tx.one(sql`select 1 from discounts where "status" = 'active' and not "deleted" limit 1`)
  if (!on || lines.length === 0) return write(records, lines, new Map())
  const isPlain = !any && !terms.manual && bill.promised.every((one) => one === undefined)
  if (isPlain) await write(records, lines, new Map())
  else {
    if (given) await lockRules(tx, true)
    const found = await asked(records, tx, bill)
    const { calculation } = found
    if (isQuoted) await keepPromises(tx, bill, bill.promised, found)
    const off = calculation.lines.map((line, at) => [lines[at]?.id as number, rubles(line.discount)] as const)
    await write(records, lines, new Map(off))
  }
  if (!given) return
  terms.turn += 1
  if (!isPlain)
    await give(records, tx, { ...basketOf(bill), key: orderOf(bill), idCoupon: lines[0]?.idCoupon }, byOf(bill))
  // Stored even without a discount: a later discount does not change completed work.
  await tx.query(sql`insert into visit_discounts ("idAppointment", "turn", "given", "basis")
    values (${idAppointment}, ${terms.turn}, true, ${basis})
    on conflict ("idAppointment") do update set "turn" = excluded."turn", "given" = true, "basis" = excluded."basis"`)
}

/** An order without discounts has nothing to reverse. */
export function orNothing(error: unknown): void {
  if (!(error instanceof HttpError) || (error.status !== 404 && error.status !== 409)) throw error
}

/** Writes the rubles off each line; unlisted lines get zero. */
async function write(records: Records, lines: readonly Line[], off: ReadonlyMap<number, number>): Promise<void> {
  const rows = lines.flatMap(({ id, discount }) => {
    const now = off.get(id) ?? 0
    return now === discount ? [] : [{ id, discount: now }]
  })
  if (rows.length === 0) return
  await records.asSystem.updateWhere(
    CouponService,
    {
      rows: sql`select r."id", r."discount" from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("id" bigint, "discount" numeric)`,
    },
    ({ picked }) => ({ discount: sql`${picked}."discount"` }),
    { pastHooks: 'It is what the hooks come to' },
  )
}

export type Price = Answered<typeof visitCalls.price>

const wordsOf = ({ taken }: Line, promised: PromisedLine | undefined): string | null =>
  taken === null ? ((promised && promiseWords(promised)) ?? null) : `Обещанная цена отозвана: ${taken}`

export async function quote(records: Records, db: Queryable, bill: Bill): Promise<Price> {
  const { lines, fixed, terms } = bill
  const kept = (await promisedLines(db, bill.idAppointment)).filter(({ byHand }) => !byHand)
  const promised = new Map(kept.map((one) => [one.id, one]))
  const given = terms.given || bill.given
  const common = {
    ...{ code: terms.code ?? null, manual: terms.manual ?? null, given },
    limit: await limitOf(db, records.actor.id),
  }
  const base = (line: Line) => Math.round(line.price * line.quantity * 100 + 1e-6) / 100
  const costs = (line: Line) => {
    const gross = base(line)
    return {
      id: line.id,
      paid: line.paid,
      base: gross,
      discount: line.discount,
      bonus: line.bonus,
      promise: wordsOf(line, promised.get(line.id)),
      final: Math.max(0, Math.round((gross - line.discount) * 100) / 100),
    }
  }
  const isPromised = (id: number, applied: readonly { why: string }[]) => {
    const line = promised.get(id)
    return (
      applied.some(({ why }) => isPromisedWhy(why)) || (line !== undefined && !line.prepaid && line.price < line.listed)
    )
  }
  const agreed = fixed.map((line) => ({ ...costs(line), isPromised: false, applied: agreedOff(line), refused: [] }))
  if (given) {
    const uses = await usesOf(db, bill)
    return {
      ...common,
      needApproval: [],
      lines: [
        ...lines.map((line) => {
          const applied = uses.filter(({ id }) => id === line.id).map(({ id: _, ...use }) => use)
          return { ...costs(line), isPromised: isPromised(line.id, applied), applied, refused: [] }
        }),
        ...agreed,
      ],
    }
  }
  if (lines.length === 0) return { ...common, needApproval: [], lines: agreed }
  const { calculation } = await asked(records, db, bill)
  return {
    ...common,
    needApproval: [...calculation.needApproval],
    lines: [
      ...lines.map((line, at) => {
        const found = calculation.lines[at]
        return {
          ...costs({ ...line, discount: rubles(found?.discount ?? 0n) }),
          isPromised: isPromised(line.id, found?.applied ?? []),
          applied: (found?.applied ?? []).map((one) => ({ ...one, amount: rubles(one.amount) })),
          refused: [...(found?.refused ?? [])],
        }
      }),
      ...agreed,
    ],
  }
}

type Applied = Price['lines'][number]['applied'][number]

/** What a membership or a plan takes off its line. */
const agreedOff = ({ discount, isMembership }: Line): Applied[] =>
  discount > 0
    ? [
        {
          idDiscount: null,
          name: isMembership ? 'Абонемент' : 'План лечения',
          why: 'цена согласована',
          amount: discount,
        },
      ]
    : []

/** Discounts that a given visit has used, by the ids of its lines. */
const usesOf = (db: Queryable, bill: Bill): Promise<(Applied & { id: number })[]> =>
  db.query(sql`
    select u."idCouponService" as id, u."idDiscount", coalesce(d."name", 'Скидка вручную') as name, u."reason" as why,
      (u."amount" - u."reversedAmount")::float8 as amount
    from discounts_uses u left join discounts d on d."id" = u."idDiscount"
    where u."order" = ${orderOf(bill)} and u."reversedQuantity" < u."quantity" order by u."id"`)

/** The price of a visit with its reasons, for other parts of the server; undefined if there is no such visit. */
export async function priceOf(records: Records, db: Queryable, idAppointment: number): Promise<Price | undefined> {
  const bill = await billOf(db, idAppointment)
  return bill && quote(records, db, bill)
}

export const price = operation(visitCalls.price, async ({ app, records, params: { id } }) => {
  await records.row(Appointment, id)
  return quote(records, app.db.reads, (await billOf(app.db.reads, id)) as Bill)
})

/** Money is asked and taken for the price of now. */
registerVisitPrices({
  async discountsOf(records, db, idAppointment) {
    const price = await priceOf(records, db, idAppointment)
    return new Map(price?.lines.map(({ id, discount }) => [id, discount]))
  },
  refresh: (records, tx, idAppointment) => billVisit(records, tx, idAppointment),
})
