import { Customer } from '@ordinator/model/areas/customers/customer'
import { BonusProgram, type Rate, rateOf } from '@ordinator/model/areas/discounts/bonusProgram'
import { type Calculation, calculate } from '@ordinator/model/areas/discounts/calculate'
import type { BasketBody } from '@ordinator/model/areas/discounts/calls'
import { orderRefusal } from '@ordinator/model/areas/discounts/conditions'
import { codeOf, Discount } from '@ordinator/model/areas/discounts/discount'
import type { Authority, BasketLine, CodeFacts, CustomerFacts, Rule } from '@ordinator/model/areas/discounts/facts'
import { calculatePromised, type PromisedDiscounts } from '@ordinator/model/areas/discounts/promised'
import type { Entity } from '@ordinator/model/entity'
import { kopecks } from '@ordinator/model/money'
import { gateOf, tariffIncludes } from '@ordinator/model/tariff'
import { wallOf, zoneFor } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { clinicToday, clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import type { Records } from '#records/records.ts'
import { agreedOf } from './approvals.ts'
import { codeUsesSql } from './codes.ts'
import { MAX_ACTIVE } from './discounts.ts'

/** Assumptions for a trial calculation; not stored. */
interface Supposed {
  suppose?: { isFirstVisit?: boolean | undefined; paid?: number | undefined } | undefined
  /** No card yet: the price of a first visit. */
  newcomer?: boolean
  idDiscount?: number | undefined
  bonus?: number | undefined
}

/** Facts of a customer without a card: no earlier visits. */
const NEWCOMER: CustomerFacts = {
  id: 0,
  birthday: null,
  gender: 'none',
  isStaff: false,
  tags: [],
  sources: [],
  isFirstVisit: true,
  paid: { all: 0, year: 0 },
}

/** A requested line, with its catalogue data. */
interface Line extends BasketLine {
  name: string
  idCouponService: number | null
}

/** The system as requester: no customer data is revealed then. */
export interface AskedBy {
  /** The user whose limit and approvals count; null: none, for a calculation without manual discounts. */
  idUser: number | null
  /** The visit itself: it does not count as an earlier visit of the customer. */
  idAppointment: number
  /** Of each line: the discounts that were told and still hold. */
  promised?: readonly (PromisedDiscounts | undefined)[]
}

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
  /** Rules of promises by id, with the limits that were told. */
  told: ReadonlyMap<number, Rule>
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
  const told = new Map(promised.flatMap((one) => one?.told.flat() ?? []).map((rule) => [rule.id, rule]))
  // A deleted code still gives what was promised with it.
  const code = known && (!known.deleted || told.has(known.idDiscount)) ? known : undefined
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
  return { calculation, lines, date, time, idCustomer, idFilial, code, codeRefusal, approvals, open, told, limit }
}

/** Promises with the uses counted until now: their limits hold, as they were told. */
async function promisedOf(
  db: Queryable,
  promised: readonly (PromisedDiscounts | undefined)[],
  idCustomer: number | null,
): Promise<(PromisedDiscounts | undefined)[]> {
  const ids = [...new Set(promised.flatMap((one) => one?.told.flat().map(({ id }) => id) ?? []))]
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
        told: one.told.map((rules) =>
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

/** Features outside of the clinic's tariff do not affect prices. */
const clinicHas = async (db: Queryable, { path }: Entity): Promise<boolean> =>
  tariffIncludes((await readCommonSettings(db)).tariff, gateOf(path)?.tariff ?? 'basic')

/** The day and time in the branch's time zone, else in the clinic's. */
async function clockOf(db: Queryable, idFilial: number | null): Promise<{ date: string; time: string }> {
  const found = await db.one<{ id: number | null; zone: string | null; clinic: string }>(
    sql`select f."id", f."timeZone" as zone, ${clinicZone} as clinic
      from (select) one left join filials f on f."id" = ${idFilial}::bigint and not f."deleted"`,
  )
  if (idFilial !== null && !found?.id) throw new ValidationError([{ field: 'idFilial', message: 'Запись не найдена' }])
  const wall = new Date(wallOf(Date.now(), zoneFor(found?.clinic ?? 'Europe/Moscow', found?.zone))).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, 16) }
}

/**
 * Adds the parent groups, and the list price unless given.
 * @param which `deletedToo` for lines of a visit: they outlive their service
 */
async function linesOf(
  db: Queryable,
  body: BasketBody,
  date: string,
  which: 'living' | 'deletedToo' = 'living',
): Promise<Line[]> {
  const place = {
    day: sql`${date}::date`,
    idFilial: sql`${body.idFilial ?? null}::bigint`,
    idOrganization: sql`${body.idCompany ?? null}::bigint`,
  }
  const found = await db.query<{
    id: number
    name: string
    isProduct: boolean
    price: number | null
    groups: number[]
  }>(sql`
    with recursive upper as (
      select s."id" as service, g."id", g."idParentGroup" from services s join services_groups g on g."id" = s."idGroup"
      where s."id" = any (${body.lines.map(({ idService }) => idService)}::bigint[])
      union
      select u.service, g."id", g."idParentGroup" from upper u join services_groups g on g."id" = u."idParentGroup"
    )
    select s."id", s."nameService" as name, s."serviceCategory" = 1 as "isProduct",
      ${priceSql(raw('s'), raw('s."id"'), place)}::float8 as price,
      array(select u."id"::float8 from upper u where u.service = s."id") as groups
    from services s where s."id" = any (${body.lines.map(({ idService }) => idService)}::bigint[])
      ${which === 'living' ? sql`and not s."deleted"` : sql``}`)
  const byId = new Map(found.map((one) => [one.id, one]))
  return body.lines.map((line, at) => {
    const service = byId.get(line.idService)
    const refuse = (field: string, message: string) => new ValidationError([{ field: `lines.${at}.${field}`, message }])
    if (!service) throw refuse('idService', 'Запись не найдена')
    const price = line.price ?? service.price
    if (price === null) throw refuse('price', `У услуги «${service.name}» нет цены: укажите её`)
    return {
      idService: line.idService,
      name: service.name,
      groups: service.groups,
      isProduct: service.isProduct,
      idDoctor: line.idUser ?? null,
      quantity: line.quantity ?? 1,
      price,
      idCouponService: line.idCouponService ?? null,
    }
  })
}

async function customerOf(
  records: Records,
  db: Queryable,
  { id, suppose, by }: { id: number; suppose: Supposed['suppose']; by: AskedBy | undefined },
): Promise<CustomerFacts> {
  const { actor } = records
  if (!by) await records.mustOpen(Customer, id)
  const { birthday, gender, secretLevel } = await records.asSystem.row(Customer, id)
  if (!by)
    await journal(db, {
      ...journalActor(actor),
      action: 'view',
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
    })
  const more = await db.one<{ tags: string[]; sources: number[]; hasCome: boolean; all: number; year: number }>(sql`
    with recursive upper as (
      select s."id", s."idParentSource" from customers c join customer_sources s on s."id" = c."idSource" where c."id" = ${id}
      union select s."id", s."idParentSource" from upper u join customer_sources s on s."id" = u."idParentSource"
    )
    select array(select t."name" from customers_tags t where t."idCustomer" = ${id}) as tags,
      array(select "id"::float8 from upper) as sources,
      exists (select 1 from appointments a where a."idCustomer" = ${id} and not a."deleted"
        and a."visitStatus" in ('inProgress', 'completed') and a."id" is distinct from ${by?.idAppointment ?? null}::bigint) as "hasCome",
      coalesce(p."all", 0)::float8 as "all", coalesce(p."year", 0)::float8 as "year"
    from (select sum(s.rub) as "all", sum(s.rub) filter (where s."localDate" > ${clinicToday} - interval '1 year') as "year"
      from (select y."localDate", case y."kind" when 'payment' then t."sum" else -t."sum" end as rub
        from payments y join payments_parts t on t."idPayment" = y."id" and t."method" not in ('advance', 'certificate')
        where y."idCustomer" = ${id} and y."idStatus" = 2 and not y."deleted") s) p`)
  return {
    id,
    birthday,
    gender,
    isStaff: secretLevel === 'staff',
    tags: more?.tags ?? [],
    sources: more?.sources ?? [],
    isFirstVisit: suppose?.isFirstVisit ?? !more?.hasCome,
    paid: { all: suppose?.paid ?? more?.all ?? 0, year: suppose?.paid ?? more?.year ?? 0 },
  }
}

const codeFacts = (db: Queryable, code: string) =>
  db.one<
    CodeFacts & { id: number; deleted: boolean }
  >(sql`select p."id", p."code", p."idDiscount", p."idCustomer", p."expires"::text as expires,
      p."limit", ${codeUsesSql(raw('p'))} as uses, p."deleted"
    from discounts_promo_codes p where lower(p."code") = lower(${code}) order by p."deleted", p."id" desc limit 1`)

/** Discounts in force on the day, or in the range of days; a named one is tried alone, whatever its status. */
async function rulesOf(
  records: Records,
  db: Queryable,
  {
    date,
    until = date,
    idCustomer,
    idDiscount,
  }: { date: string; until?: string; idCustomer: number | null; idDiscount?: number | undefined },
): Promise<Rule[]> {
  if (!(await clinicHas(db, Discount))) return []
  const found = await records.asSystem.rows(Discount, {
    ...(idDiscount === undefined
      ? {
          'filter[status]': 'active',
          'filter[and][0][or][0][dateFrom][lte]': until,
          'filter[and][0][or][1][dateFrom][null]': '1',
          'filter[and][1][or][0][dateTo][gte]': date,
          'filter[and][1][or][1][dateTo][null]': '1',
        }
      : { 'filter[id]': String(idDiscount) }),
    limit: String(MAX_ACTIVE),
  })
  const own = new Map<number, number>()
  if (idCustomer !== null)
    for (const one of await db.query<{ id: number; count: number }>(
      customerUsesSql(
        idCustomer,
        found.map(({ id }) => id),
      ),
    ))
      own.set(one.id, one.count)
  return found.map((rule) => ({
    ...rule,
    ...(idDiscount !== undefined && { status: 'active' as const }),
    customerUses: own.get(rule.id) ?? 0,
  }))
}

/** Number of a customer's orders with each discount that are not reversed. */
export const customerUsesSql = (idCustomer: number, discounts: readonly number[]) =>
  sql`select u."idDiscount" as id, count(distinct u."order")::int as count from discounts_uses u
    where u."idCustomer" = ${idCustomer} and u."idDiscount" = any (${[...discounts]}::bigint[])
      and u."reversedQuantity" < u."quantity" group by u."idDiscount"`

/** The highest limit of the employee's roles, percent; null if none has one. */
export async function limitOf(db: Queryable, idUser: number): Promise<number | null> {
  const found = await db.one<{ most: number | null }>(sql`select max(r."maxDiscount")::float8 as most
    from user_roles u join roles r on r."id" = u."idRole" where u."idUser" = ${idUser}`)
  return found?.most ?? null
}
