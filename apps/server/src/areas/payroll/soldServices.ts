/** Services and costs of a month, by which commissions are counted. */
import type { PayerIncome } from '@ordinator/model/areas/payers/rules'
import type { Performer, ServiceFact } from '@ordinator/model/areas/payroll/facts'
import { ratio } from '@ordinator/model/areas/payroll/shares'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isGivenSql, labItemCountsSql } from '#areas/counted/index.ts'
import { lineCostSql, payerShareSql } from '#areas/money/index.ts'
import { acceptedSql } from '#areas/payers/index.ts'
import { unitCostsAt, writtenOff } from '#areas/warehouse/index.ts'
import type { Queryable } from '#platform/db.ts'

interface ServiceRow {
  idLine: number
  idService: number
  idGroup: number | null
  isProduct: boolean
  day: string
  paidDay: string | null
  qty: number
  list: number
  discounted: number
  paid: number
  paidNow: number
  idDoctor: number
  performers: { idUser: number; share: number }[] | null
  idPlanDoctor: number | null
  channel: string | null
  idAuthor: number | null
  assistants: number[] | null
  /** Kopecks written off by the warehouse for this line, and charged by the laboratory. */
  materials: number | null
  laboratory: number | null
}

/** SQL of the materials `w` and the laboratory `y` that the lines `given` cost the clinic. */
const ownCosts = sql`left join (${writtenOff(raw('select "id" from given'))}) w on w."idLine" = l."id"
  left join (select i."idCouponService" as "idLine", sum(i."cost") as "cost" from given g
    join laboratory_order_items i on i."idCouponService" = g."id" and ${labItemCountsSql()}
    group by 1) y on y."idLine" = l."id"`
const noCosts = sql`cross join (select null::numeric as "cost") w cross join (select null::numeric as "cost") y`

/** SQL of the lines given in the month, or paid in it. */
export function serviceRows(
  idFilial: number,
  from: string,
  to: string,
  asked: {
    performers: readonly number[] | undefined
    payerIncome: PayerIncome | null
    assistants: boolean
    costs: boolean
  },
): Sql {
  const assistants: Sql = asked.assistants
    ? sql`(select array_agg(distinct e."idUser" order by e."idUser") from staff_events e
        where e."idRoom" = c."idRoom" and e."type" = 'shift' and not e."deleted" and e."localDate" = c."localDate"
          and e."dateFrom" <= c."dateFrom" and e."dateTo" >= c."dateTo")`
    : raw('null::bigint[]')
  const costly: Sql = asked.costs ? ownCosts : noCosts
  const wanted: Sql =
    asked.performers === undefined
      ? raw('true')
      : sql`(c."idUser" = any (${asked.performers}::bigint[]) or exists (select 1 from coupon_services_performers r
          where r."idCouponService" = l."id" and r."idUser" = any (${asked.performers}::bigint[]) and not r."deleted"))`
  const cost = lineCostSql(raw('l'))
  const share = payerShareSql(raw('l'), cost)
  const isAccepted = asked.payerIncome === 'accepted'
  // What a payer owes counts on the day of the service, or when it is accepted.
  const answered: Sql = isAccepted
    ? sql`cross join lateral (select coalesce(sum(q."amount"), 0) as sum, max(greatest(q."day", c."localDate")) filter (where
          greatest(q."day", c."localDate") between ${from} and ${to}) as day,
        coalesce(sum(q."amount") filter (where greatest(q."day", c."localDate") between ${from} and ${to}), 0) as now
        from ${acceptedSql} q where q."idLine" = l."id" and l."insurer" > 0) pay`
    : sql`cross join lateral (select ${share} as sum, case when l."insurer" > 0 and c."localDate" between ${from} and ${to}
          then c."localDate" end as day,
        case when c."localDate" between ${from} and ${to} then ${share} else 0 end as now) pay`
  const answeredNow: Sql = isAccepted
    ? sql`union select q."idLine" from ${acceptedSql} q join coupon_services l on l."id" = q."idLine"
        join coupons c on c."id" = l."idCoupon" and c."idFilial" = ${idFilial} and not c."deleted"
        where q."day" between ${from} and ${to} and c."localDate" <= ${to}`
    : raw('')
  const income = isAccepted ? sql`(${cost} - ${share} + pay.sum)` : cost
  return sql`
    with coming as (
      select b."idLine", sum(b."sum")::float8 as now, max(greatest(t."localDate", c."localDate")) as day
      from ledger_txs t join ledger_allocations b on b."idTx" = t."id" and b."sum" > 0
        join coupon_services l on l."id" = b."idLine" join coupons c on c."id" = l."idCoupon" and c."idFilial" = ${idFilial} and not c."deleted"
      where (t."localDate" between ${from} and ${to} and c."localDate" <= ${to})
      group by 1
    ), ahead as (
      select b."idLine", sum(b."sum")::float8 as now, max(c."localDate") as day
      from coupons c join coupon_services l on l."idCoupon" = c."id" join ledger_allocations b on b."idLine" = l."id" and b."sum" > 0
        join ledger_txs t on t."id" = b."idTx"
      where c."idFilial" = ${idFilial} and c."localDate" between ${from} and ${to} and not c."deleted" and t."localDate" < ${from}
      group by 1
    ), given as (
      select l."id" from coupons c join coupon_services l on l."idCoupon" = c."id"
      where c."idFilial" = ${idFilial} and c."localDate" between ${from} and ${to} and not c."deleted"
      union select "idLine" from coming union select "idLine" from ahead ${answeredNow}
    ), performed as (
      select r."idCouponService" as "idLine", json_agg(json_build_object('idUser', r."idUser", 'share', r."share") order by r."id") as performers
      from given g join coupon_services_performers r on r."idCouponService" = g."id" and not r."deleted" group by 1
    )
    select l."id" as "idLine", l."idService", s."idGroup", s."serviceCategory" = 1 as "isProduct",
      to_char(c."localDate", 'YYYY-MM-DD') as day, to_char(greatest(m.day, h.day, pay.day), 'YYYY-MM-DD') as "paidDay",
      (l."qty" * 1000)::float8 as qty, (round(l."price" * l."qty", 2) * 100)::float8 as list,
      (${income} * 100)::float8 as discounted, coalesce(k."allocated", 0)::float8 + (pay.sum * 100)::float8 as paid,
      coalesce(m.now, 0) + coalesce(h.now, 0) + (pay.now * 100)::float8 as "paidNow",
      c."idUser" as "idDoctor", f.performers, p."idDoctor" as "idPlanDoctor", a."channel", a."idAuthor",
      ${assistants} as assistants, (w."cost" * 100)::float8 as materials, (y."cost" * 100)::float8 as laboratory
    from given g join coupon_services l on l."id" = g."id" join coupons c on c."id" = l."idCoupon"
      join appointments a on a."id" = c."idAppointment" join services s on s."id" = l."idService"
      left join coming m on m."idLine" = l."id" left join ahead h on h."idLine" = l."id"
      left join ledger_lines k on k."idLine" = l."id"
      left join customer_plans_items i on i."id" = l."idPlanItem" left join customer_plans_stages e on e."id" = i."idStage"
      left join customer_plans p on p."id" = e."idPlan"
      ${answered} left join performed f on f."idLine" = l."id" ${costly}
    where ${isGivenSql} and ${wanted}`
}

export async function servicesOf(
  db: Queryable,
  { idFilial, from, to }: { idFilial: number; from: string; to: string },
  of: Sql,
  { costs, commissions }: { costs: ReadonlyMap<number, Cost>; commissions: ReadonlyMap<string, number> },
): Promise<ServiceFact[]> {
  const rows = await db.query<ServiceRow>(sql`select * from (${of}) x order by x.day, x."idLine"`)
  const ownOf = (idService: number, idUser: number): number | null =>
    commissions.get(`${idService}|${idUser}|${idFilial}`) ?? commissions.get(`${idService}|${idUser}|`) ?? null
  return rows.map((row): ServiceFact => {
    const performers = (row.performers ?? [{ idUser: row.idDoctor, share: 100 }]).map(
      ({ idUser, share }): Performer => ({ idUser, share, own: ownOf(row.idService, idUser) }),
    )
    const isPerformer = (idUser: number | null) => performers.some((one) => one.idUser === idUser)
    const referrer = row.idPlanDoctor ?? (row.channel === 'doctor' ? row.idAuthor : null)
    return {
      idLine: row.idLine,
      idService: row.idService,
      idGroup: row.idGroup,
      isProduct: row.isProduct,
      doneDay: row.day >= from && row.day <= to ? row.day : null,
      paidDay: row.paidNow > 0 ? row.paidDay : null,
      qty: row.qty,
      list: row.list,
      discounted: row.discounted,
      paid: Math.min(row.paid, row.discounted),
      paidNow: Math.min(row.paidNow, row.discounted),
      costs: costOf(row, costs.get(row.idService)),
      performers,
      idReferrer: isPerformer(referrer) ? null : referrer,
      assistants: (row.assistants ?? []).map(Number).filter((idUser) => !isPerformer(idUser)),
      idAuthor: row.idAuthor,
    }
  })
}

/** Kopecks per unit of a service. */
export interface Cost {
  kopecks: number
  /** Set by the clinic, for materials and laboratory together: overrides the warehouse's write-off. */
  isStated: boolean
}

/**
 * Kopecks of materials and laboratory of a line: the clinic's setting for the service; else the warehouse's write-off
 * for this line, or without one the norm of materials, plus the laboratory's charge.
 */
function costOf({ qty, materials, laboratory }: ServiceRow, cost: Cost | undefined): number {
  const whole = ratio(cost?.kopecks ?? 0, qty, 1000)
  return cost?.isStated ? whole : (materials ?? whole) + (laboratory ?? 0)
}

/**
 * Costs of services by the clinic's setting, else by their norms of materials: at the mean cost in the warehouses on a
 * day, so that a month gives the same result later; a good without moves counts at its price.
 */
export async function costsOf(db: Queryable, day: string): Promise<Map<number, Cost>> {
  const goods = raw('select distinct "idProduct" from service_consumables where not "deleted"')
  const rows = await db.query<Cost & { idService: number }>(sql`
    select n."idService", round(sum(n."qty" * coalesce(u."cost", p."priceService", 0)) * 100)::float8 as kopecks, false as "isStated"
    from service_consumables n join services p on p."id" = n."idProduct"
      left join (${unitCostsAt(sql`${day}::date`, goods)}) u on u."idProduct" = n."idProduct"
    where not n."deleted" and not n."optional"
      and not exists (select from payroll_service_costs k where k."idService" = n."idService" and not k."deleted")
    group by 1
    union all
    select "idService", (("materials" + "laboratory") * 100)::float8, true from payroll_service_costs where not "deleted"`)
  return new Map(rows.map(({ idService, ...cost }) => [idService, cost]))
}
