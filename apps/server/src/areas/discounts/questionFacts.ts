/** Reads the facts that the calculation of discounts asks for. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import type { BasketBody } from '@ordinator/model/areas/discounts/calls'
import { Discount } from '@ordinator/model/areas/discounts/discount'
import type { BasketLine, CodeFacts, CustomerFacts, Rule } from '@ordinator/model/areas/discounts/facts'
import type { PromisedDiscounts } from '@ordinator/model/areas/discounts/promised'
import type { Entity } from '@ordinator/model/entity'
import { gateOf, tariffIncludes } from '@ordinator/model/tariff'
import { wallOf, zoneFor } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { clinicToday, clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import type { Records } from '#records/records.ts'
import { codeUsesSql } from './codes.ts'
import { MAX_ACTIVE } from './discounts.ts'

/** Assumptions for a trial calculation; not stored. */
export interface Supposed {
  suppose?: { isFirstVisit?: boolean | undefined; paid?: number | undefined } | undefined
  /** No card yet: the price of a first visit. */
  newcomer?: boolean
  idDiscount?: number | undefined
  bonus?: number | undefined
}

/** Facts of a customer without a card: no earlier visits. */
export const NEWCOMER: CustomerFacts = {
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
export interface Line extends BasketLine {
  name: string
  idCouponService: number | null
}

/** The system as requester: no customer data is revealed then. */
export interface AskedBy {
  /** The user whose limit and approvals count; null: none, for a calculation without manual discounts. */
  idUser: number | null
  /** The visit itself: it does not count as an earlier visit of the customer. */
  idAppointment: number
  /** Of each line: the discounts that were quoted and still hold. */
  promised?: readonly (PromisedDiscounts | undefined)[]
}

/** Features outside of the clinic's tariff do not affect prices. */
export const clinicHas = async (db: Queryable, { path }: Entity): Promise<boolean> =>
  tariffIncludes((await readCommonSettings(db)).tariff, gateOf(path)?.tariff ?? 'basic')

/** The day and time in the branch's time zone, else in the clinic's. */
export async function clockOf(db: Queryable, idFilial: number | null): Promise<{ date: string; time: string }> {
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
export async function linesOf(
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

export async function customerOf(
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

export const codeFacts = (db: Queryable, code: string) =>
  db.one<
    CodeFacts & { id: number; deleted: boolean }
  >(sql`select p."id", p."code", p."idDiscount", p."idCustomer", p."expires"::text as expires,
      p."limit", ${codeUsesSql(raw('p'))} as uses, p."deleted"
    from discounts_promo_codes p where lower(p."code") = lower(${code}) order by p."deleted", p."id" desc limit 1`)

/** Discounts in force on the day, or in the range of days; a named one is tried alone, whatever its status. */
export async function rulesOf(
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
