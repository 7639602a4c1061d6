/** Stock queries: the balance, the card of a good, order proposals, recipients of a batch. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import { MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { daysOfStock } from '@ordinator/model/areas/warehouse/rules'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { openName } from '#areas/customers/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { recordInOwnBranch } from '#records/branches.ts'
import type { AppContext } from '#records/context.ts'
import { countedCall } from '#records/countedCall.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { placeSql } from '#records/places.ts'
import { balanceAt, turnsAt } from './balances.ts'
import { visibleTo } from './scope.ts'

/** Days before expiry from which lists mark a batch as expiring. */
const SOON_DAYS = 90
const MAX_SOON = 12
const PAGE = 50

const day = (text: string): Sql => sql`${text}::date`

type BalanceAsked = z.output<typeof warehouseCalls.balance.query> & { from: string; to: string }

async function balanceOf(db: Queryable, query: BalanceAsked, actor: ServerActor) {
  const today = dayIn(actor.timeZone, Date.now())
  const { from, to } = query
  const { idWarehouse, idGroup, q, only, limit, after } = query
  const words = `%${(q ?? '').trim().replace(/[%_\\]/g, '\\$&')}%`
  const mine = sql`${visibleTo(actor, sql`t."idWarehouse"`)} and (${idWarehouse ?? null}::bigint is null or t."idWarehouse" = ${idWarehouse ?? null})`
  const sumsAt = (
    on: string,
  ) => sql`select t."idProduct", sum(t."qty") as qty, sum(t."cost") as cost, sum(t."came") as came,
    sum(t."went") as went, sum(t."wentCost") as "wentCost", sum(t."used") as used from (${turnsAt(day(on))}) t where ${mine} group by 1`
  const isOnly = {
    low: sql`p."minStock" is not null and r.closing < p."minStock"`,
    expiring: sql`e."nearest" between ${day(today)} and ${day(plusDays(today, SOON_DAYS))}`,
    expired: sql`e."nearest" < ${day(today)}`,
    consumable: sql`exists (select 1 from service_consumables n where n."idProduct" = p."id" and not n."deleted")`,
    pku: sql`p."isPku"`,
  }
  // Materialized: a nested plan would sum all moves again for each good.
  const rows = await db.query<Balance>(sql`
    with opened as materialized (${sumsAt(plusDays(from, -1))}), closed as materialized (${sumsAt(to)}),
      before as materialized (${sumsAt(plusDays(to, -30))}),
      held as materialized (select t."idProduct", sum(t."reserved") as reserved from warehouse_stock t where t."qty" > 0 and ${mine} group by 1),
      ends as materialized (select t."idProduct", min(b."expiry") as nearest from warehouse_stock t join warehouse_batches b on b."id" = t."idBatch"
        where t."qty" > 0 and ${mine} group by 1),
      r as materialized (select c."idProduct" as id, coalesce(o.qty, 0) as opening, c.came - coalesce(o.came, 0) as came,
          c.went - coalesce(o.went, 0) as went, c.qty as closing, coalesce(o.cost, 0) as "openingCost", c.cost,
          c."wentCost" - coalesce(o."wentCost", 0) as "wentCost", c.used - coalesce(b.used, 0) as used
        from closed c left join opened o on o."idProduct" = c."idProduct" left join before b on b."idProduct" = c."idProduct"
        where c.qty <> 0 or c.cost <> 0 or o.qty <> 0 or o.cost <> 0 or c.came <> coalesce(o.came, 0) or c.went <> coalesce(o.went, 0))
    select p."id"::int as "idProduct", p."nameService" as name, p."unit", g."nameServiceGroup" as "group",
      coalesce(r.opening, 0)::float8 as opening, coalesce(r.came, 0)::float8 as came, coalesce(r.went, 0)::float8 as went,
      coalesce(r.closing, 0)::float8 as closing, coalesce(r.cost, 0)::float8 as cost, coalesce(h.reserved, 0)::float8 as reserved,
      p."minStock"::float8 as "minStock", p."maxStock"::float8 as "maxStock", coalesce(r.used, 0)::float8 as used,
      case when r."openingCost" + r.cost > 0 then round(2 * r."wentCost" / (r."openingCost" + r.cost), 2)::float8 end as turnover,
      e."nearest"::text as "nearestExpiry",
      count(*) over ()::int as "all", sum(r."openingCost") over ()::float8 as "sumOpening", sum(r.cost) over ()::float8 as "sumClosing",
      sum(r."wentCost") over ()::float8 as "sumWent"
    from services p left join r on r.id = p."id" left join services_groups g on g."id" = p."idGroup"
    left join held h on h."idProduct" = p."id" left join ends e on e."idProduct" = p."id"
    where p."serviceCategory" = 1 and not p."deleted" and (r.id is not null or ${only === 'low'})
      and (${idGroup ?? null}::bigint is null or p."idGroup" = ${idGroup ?? null})
      and (p."nameService" ilike ${words} or p."article" ilike ${words} or p."inn" ilike ${words})
      and ${only ? isOnly[only] : sql`true`}
    order by p."nameService", p."id" offset ${after ?? 0} limit ${limit + 1}`)
  const [first] = rows
  const sums = { opening: first?.sumOpening ?? 0, went: first?.sumWent ?? 0, closing: first?.sumClosing ?? 0 }
  return {
    from,
    to,
    items: rows
      .slice(0, limit)
      .map(({ used: out, all: _all, sumOpening: _o, sumClosing: _c, sumWent: _w, ...row }) => ({
        ...row,
        days: daysOfStock(row.closing, out),
      })),
    totals: {
      goods: first?.all ?? 0,
      ...sums,
      came: Math.round((sums.closing - sums.opening + sums.went) * 100) / 100,
    },
    hasMore: rows.length > limit,
  }
}

export const balance = countedCall(warehouseCalls.balance, {
  asked({ actor, query }) {
    const to = query.to ?? dayIn(actor.timeZone, Date.now())
    const from = query.from ?? `${to.slice(0, 8)}01`
    if (from > to) throw new ValidationError([{ field: 'from', message: 'Начало периода позже его конца' }])
    return { ...query, from, to }
  },
  count: balanceOf,
  empty: ({ from, to }) => ({
    from,
    to,
    items: [],
    totals: { goods: 0, opening: 0, came: 0, went: 0, closing: 0 },
    hasMore: false,
  }),
})

interface Balance {
  idProduct: number
  name: string
  unit: string | null
  group: string | null
  opening: number
  came: number
  went: number
  closing: number
  cost: number
  reserved: number
  minStock: number | null
  maxStock: number | null
  used: number
  turnover: number | null
  nearestExpiry: string | null
  all: number
  sumOpening: number
  sumClosing: number
  sumWent: number
}

/** SQL of the name of the warehouse `w`. */
const warehouseName = ({ registry }: AppContext): Sql => placeSql(registry, Warehouse.path, raw('w'))

const batchFields = (app: AppContext): Sql =>
  sql`s."idBatch", s."idWarehouse", ${warehouseName(app)} as warehouse, b."series", b."expiry"::text as expiry, b."state",
  s."qty"::float8 as qty, s."reserved"::float8 as reserved, b."cost"::float8 as cost, o."shortName" as supplier`
const batchTables =
  raw(`warehouse_stock s join warehouse_batches b on b."id" = s."idBatch" join warehouses w on w."id" = s."idWarehouse"
  left join organizations o on o."id" = b."idSupplier"`)

export const card = operation(warehouseCalls.card, async ({ app, actor, params, query }) => {
  const { idWarehouse } = query
  const isVisible = (row: string) => sql`${visibleTo(actor, sql`${raw(row)}."idWarehouse"`)}
    and (${idWarehouse ?? null}::bigint is null or ${raw(row)}."idWarehouse" = ${idWarehouse ?? null})`
  const batches = query.on
    ? await app.db.broad.query<never>(sql`select t."idBatch", t."idWarehouse", ${warehouseName(app)} as warehouse, b."series",
        b."expiry"::text as expiry, b."state", t."qty"::float8 as qty, 0 as reserved,
        round(t."cost" / t."qty", 2)::float8 as cost, o."shortName" as supplier
      from (${balanceAt(day(query.on))}) t join warehouse_batches b on b."id" = t."idBatch"
        join warehouses w on w."id" = t."idWarehouse" left join organizations o on o."id" = b."idSupplier"
      where t."idProduct" = ${params.id} and t."qty" > 0 and ${isVisible('t')}
      order by w."name", b."expiry" nulls last, b."id" limit 500`)
    : await app.db.broad.query<never>(sql`select ${batchFields(app)} from ${batchTables}
    where s."idProduct" = ${params.id} and s."qty" > 0 and ${isVisible('s')} order by w."name", b."expiry" nulls last, b."id" limit 500`)
  const [, at, id, rest] = /^(\d{4}-\d\d-\d\d)_(\d+)_(-?[\d.]+)$/.exec(query.before ?? '') ?? []
  if (query.before !== undefined && !at) throw new ValidationError([{ field: 'before', message: 'Нет такого места' }])
  const rows = await app.db.broad.query<{ id: number; localDate: string; qty: number }>(sql`
    select m."id", m."localDate"::text as "localDate", m."kind", m."idDocument", d."number", ${warehouseName(app)} as warehouse, b."series",
      m."qty"::float8 as qty, m."cost"::float8 as cost
    from warehouse_moves m join warehouses w on w."id" = m."idWarehouse" join warehouse_batches b on b."id" = m."idBatch"
    join warehouse_documents d on d."id" = m."idDocument"
    where m."idProduct" = ${params.id} and ${isVisible('m')}
      and ${at ? sql`(m."localDate", m."id") < (${at}::date, ${id}::bigint)` : sql`true`}
    order by m."localDate" desc, m."id" desc limit ${PAGE + 1}`)
  let after = at
    ? Number(rest)
    : Number(
        (
          await app.db.broad.one<{
            qty: number
          }>(sql`select coalesce(sum(s."qty"), 0)::float8 as qty from warehouse_stock s
        where s."idProduct" = ${params.id} and s."qty" > 0 and ${isVisible('s')}`)
        )?.qty ?? 0,
      )
  const moves = rows.slice(0, PAGE).map((row) => {
    const result = { ...row, after }
    after = Math.round((after - row.qty) * 1000) / 1000
    return result
  })
  const last = moves.at(-1)
  return {
    batches,
    moves: moves as never,
    next: rows.length > PAGE && last ? `${last.localDate}_${last.id}_${after}` : null,
  }
})

export const summary = operation(warehouseCalls.summary, async ({ app, actor }) => {
  const { expiryNotice } = await readCommonSettings(app.db)
  const today = day(dayIn(actor.timeZone, Date.now()))
  const isVisible = visibleTo(actor, sql`s."idWarehouse"`)
  const isDocumentVisible = sql`(${visibleTo(actor, sql`d."idFrom"`)} or ${visibleTo(actor, sql`d."idTo"`)})`
  const seenMdlp = recordInOwnBranch(app.registry, actor, MdlpDocument.path, sql`m."id"`)
  const ofStatus = (status: string) => sql`(select count(*)::int from warehouse_documents d
    where d."status" = ${status} and not d."deleted" and ${isDocumentVisible})`
  const ending = sql`(select count(*)::int from ${batchTables} where s."qty" > 0 and ${isVisible}`
  const found = await app.db.broad.one<Omit<Summary, 'soon'>>(sql`select
    ${ofStatus('draft')} as drafts, ${ofStatus('inTransit')} as "inTransit", ${ofStatus('counting')} as counting,
    ${ending} and b."expiry" < ${today}) as expired,
    ${ending} and b."expiry" between ${today} and ${today} + ${expiryNotice}::int) as expiring,
    ${ending} and b."state" <> 'free') as blocked,
    (select count(*)::int from services p where p."serviceCategory" = 1 and not p."deleted" and p."minStock" > coalesce((select sum(s."qty")
      from warehouse_stock s where s."idProduct" = p."id" and s."qty" > 0 and ${isVisible}), 0)) as low,
    (select count(*)::int from mdlp_documents m where m."status" = 'incoming' and ${seenMdlp}) as "mdlpIncoming",
    (select count(*)::int from mdlp_documents m where m."status" in ('failed', 'partial') and ${seenMdlp}) as "mdlpFailed",
    (select coalesce(sum(s."cost"), 0)::float8 from warehouse_values s where ${isVisible}) as cost`)
  const soon =
    await app.db.broad.query<never>(sql`select s."idProduct", p."nameService" as name, p."unit", ${batchFields(app)}
    from ${batchTables} join services p on p."id" = s."idProduct"
    where s."qty" > 0 and b."expiry" <= ${today} + ${Math.max(expiryNotice, 30)}::int and ${isVisible}
    order by b."expiry", p."nameService" limit ${MAX_SOON}`)
  return { ...(found as Omit<Summary, 'soon'>), soon }
})

interface Summary {
  drafts: number
  inTransit: number
  counting: number
  expired: number
  expiring: number
  low: number
  blocked: number
  mdlpIncoming: number
  mdlpFailed: number
  cost: number
  soon: never[]
}

export const patients = operation(warehouseCalls.patients, async ({ app, records, actor, params }) => {
  const rows = await app.db.broad.query<{
    idCustomer: number
    name: string
    idAppointment: number
    localDate: string
    service: string | null
    qty: number
  }>(sql`
    select a."idCustomer", ${openName(actor, raw('c'), fioSql(raw('c')))} as name,
      d."idAppointment", m."localDate"::text as "localDate", p."nameService" as service, (-sum(m."qty"))::float8 as qty
    from warehouse_moves m join warehouse_documents d on d."id" = m."idDocument" join appointments a on a."id" = d."idAppointment"
    join customers c on c."id" = a."idCustomer" left join warehouse_lines l on l."id" = m."idLine"
    left join coupon_services k on k."id" = l."idCouponService" left join services p on p."id" = k."idService"
    where m."idBatch" = ${params.id} and m."kind" = 'issue' and ${visibleTo(records.actor, sql`m."idWarehouse"`)}
    group by a."idCustomer", c."id", d."idAppointment", m."localDate", p."nameService" having sum(m."qty") < 0
    order by m."localDate" desc, c."id" limit 1000`)
  const patients = [...new Set(rows.map(({ idCustomer }) => idCustomer))]
  if (patients.length > 0)
    await app.journal(
      ...patients.map((idCustomer) => ({
        ...journalActor(actor),
        action: 'view' as const,
        entityType: Customer.path,
        idEntity: idCustomer,
        idCustomer,
        basis: `Кто получил партию ${params.id}`,
      })),
    )
  return { items: rows }
})

export const pku = operation(warehouseCalls.pku, async ({ app, actor, query }) => {
  const { idProduct, idWarehouse, month } = query
  const first = `${month}-01`
  const isVisible = visibleTo(actor, sql`t."idWarehouse"`)
  const opening = await app.db.broad.one<{
    qty: number
  }>(sql`select coalesce(sum(t."qty"), 0)::float8 as qty from (${turnsAt(sql`${first}::date - 1`)}) t
    where t."idProduct" = ${idProduct} and t."idWarehouse" = ${idWarehouse} and ${isVisible}`)
  const rows = await app.db.broad.query<{ localDate: string; id: number; number: string | null; qty: number }>(sql`
    select t."localDate"::text as "localDate", d."id", d."number", sum(t."qty")::float8 as qty
    from warehouse_moves t join warehouse_documents d on d."id" = t."idDocument"
    where t."idProduct" = ${idProduct} and t."idWarehouse" = ${idWarehouse} and t."localDate" >= ${first}::date
      and t."localDate" < ${first}::date + interval '1 month' and ${isVisible}
    group by 1, 2, 3 having sum(t."qty") <> 0 order by 1, 2`)
  let left = opening?.qty ?? 0
  const days = [...Map.groupBy(rows, ({ localDate }) => localDate)].map(([localDate, own]) => {
    const came = own.reduce((sum, { qty }) => sum + Math.max(0, qty), 0)
    const went = own.reduce((sum, { qty }) => sum + Math.max(0, -qty), 0)
    left = Math.round((left + came - went) * 1000) / 1000
    return { localDate, came, went, left, documents: own.map(({ id, number, qty }) => ({ id, number, qty })) }
  })
  return { opening: opening?.qty ?? 0, days }
})
