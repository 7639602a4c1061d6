/** Booked, done and paid parts of a plan: never stored, always computed from coupon lines and the ledger. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import { clinicToday, clinicZone, settingSql } from '#areas/settings/index.ts'

/** Rubles of a line of a plan: `itemKopecks` of the model. */
export const itemTotalSql = (row: Sql): Sql =>
  sql`greatest(0, coalesce(${row}."price", 0) * ${row}."qty" - ${row}."discount")`

const pieces = {
  qtyDone: sql`coalesce(sum(l."qty") filter (where l."completed"), 0)::int`,
  qtyBooked: sql`coalesce(sum(l."qty") filter (where not l."completed"), 0)::int`,
  done: sql`coalesce(sum(l."planSum") filter (where l."completed"), 0)`,
} as const
type Piece = keyof typeof pieces | 'paid'

/** Of a service of a plan, by its row. */
export const pieceSql = (row: Sql, piece: Piece): Sql =>
  piece === 'paid'
    ? sql`(select coalesce(sum(p."allocated"), 0)::numeric / 100 from coupon_services l
        join ledger_lines p on p."idLine" = l."id" where l."idPlanItem" = ${row}."id")`
    : sql`(select ${pieces[piece]} from ${visitLinesSql} where l."idPlanItem" = ${row}."id" and ${isCountedSql})`

/** A table of the services of a plan with their computed fields. @param row of the plan */
export const itemsSql = (row: Sql): Sql => itemsOf(sql`${row}."id"`)

/** The same for the plan with this id. */
export const itemsOf = (
  idPlan: Sql | number,
): Sql => sql`(select i.*, ${itemTotalSql(raw('i'))} as total, f."qtyDone", f."qtyBooked",
    f."done", ${pieceSql(raw('i'), 'paid')} as paid
  from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
    cross join lateral (select ${pieces.qtyDone} as "qtyDone", ${pieces.qtyBooked} as "qtyBooked", ${pieces.done} as "done"
      from ${visitLinesSql} where l."idPlanItem" = i."id" and ${isCountedSql}) f
  where s."idPlan" = ${idPlan} and not s."deleted")`

/**
 * Rubles of a plan: cancelled services count only their completed part, which is the only one that needs the visits.
 */
export const sumSql = (
  row: Sql,
): Sql => sql`(select coalesce(sum(case when i."cancelled" then ${pieceSql(raw('i'), 'done')}
    else ${itemTotalSql(raw('i'))} end), 0)
  from customer_plans_stages s join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
  where s."idPlan" = ${row}."id" and not s."deleted")`

/** A plan that was never agreed has no bookings. */
export const onceAgreed = (row: Sql, value: Sql, otherwise = raw('0')): Sql =>
  sql`case when ${row}."dateAgreed" is null then ${otherwise} else ${value} end`

export const doneSql = (row: Sql): Sql =>
  onceAgreed(row, visitsSql(row, sql`coalesce(sum(l."planSum"), 0)`, sql`l."completed"`))

export const paidSql = (row: Sql): Sql =>
  onceAgreed(
    row,
    sql`(select coalesce(sum(paid."allocated"), 0)::numeric / 100 from customer_plans_stages s
      join customer_plans_items i on i."idStage" = s."id" join coupon_services l on l."idPlanItem" = i."id"
      join ledger_lines paid on paid."idLine" = l."id" where s."idPlan" = ${row}."id")`,
  )

/** `planStatusOf` of the model. */
export const planStatusSql = (row: Sql): Sql => sql`case when ${row}."dateRefused" is not null then 'refused'
  when ${row}."dateAgreed" is null then case when ${row}."dateOffered" is null then 'draft' else 'offered' end
  else (select case when count(*) filter (where not i."cancelled" and i."qtyDone" < i."qty") = 0 then 'done'
    when coalesce(sum(i."qtyDone" + i."qtyBooked"), 0) > 0 then 'inWork' else 'agreed' end from ${itemsSql(row)} i) end`

/** An aggregate over the visits with services of the plan. */
export const visitsSql = (row: Sql, what: Sql, more: Sql): Sql => sql`(select ${what} from customer_plans_stages s
  join customer_plans_items i on i."idStage" = s."id" and not i."deleted"
  join coupon_services l on l."idPlanItem" = i."id" join coupons c on c."id" = l."idCoupon"
  join appointments a on a."id" = c."idAppointment"
  where s."idPlan" = ${row}."id" and not s."deleted" and ${isCountedSql} and ${more})`

/** The last day with a completed service of the plan. */
export const lastVisitSql = (row: Sql): Sql =>
  onceAgreed(row, visitsSql(row, sql`max(c."localDate")`, sql`l."completed"`), raw('null'))

/** SQL of the days that a plan may be without a visit; 0: unlimited. */
const overdueDays = settingSql('planOverdueDays')

/** Agreed and unfinished, without bookings, and without a visit for long. */
export const overdueSql = (
  row: Sql,
): Sql => sql`(case when ${row}."dateAgreed" is null or ${row}."dateRefused" is not null
    or ${overdueDays} = 0 or (${row}."dateAgreed" at time zone ${clinicZone})::date >= ${clinicToday} - ${overdueDays} then false
  else ${planStatusSql(row)} in ('agreed', 'inWork')
    and ${visitsSql(row, sql`count(*) filter (where not l."completed")`, sql`true`)} = 0
    and coalesce(${lastVisitSql(row)} < ${clinicToday} - ${overdueDays}, true) end)`
