/** How rows name employees and services, and which of them go: whoever and whatever the branch's rows need. */
import { type DurationFacts, durationOf } from '@ordinator/model/areas/catalogue/performer'
import sql, { raw, type Sql } from 'sql-template-tag'
import { isGivenSql, lineCountsSql, visitLinesSql } from '#areas/counted/index.ts'
import { plainName } from '#areas/imports/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Source } from './portions.ts'

export interface Names {
  /** Employees and services that go, by ascending id. */
  users: readonly number[]
  services: readonly number[]
  /** Pairs of service and performer, in order. */
  performers: readonly { idService: number; idUser: number }[]
  /** The name in a cell: its code where two that go are called alike. */
  user(id: number | null): string
  service(id: number | null): string
}

/** SQL of coupons `c` of the branch with their visits `a`. */
export const couponsSql = ({ idFilial }: Source): Sql => sql`coupons c join appointments a on a."id" = c."idAppointment"
  and not a."deleted" and a."idFilial" = ${idFilial} and not c."deleted"`

/** SQL: a coupon `c` of a visit `a` is still to come. The moving-in refuses a time that has passed. */
export const comingSql = ({ now }: Source): Sql =>
  sql`(a."visitStatus" in ('booked', 'confirmed') and not c."cancelled" and c."dateFrom" > ${now}::timestamptz)`

/**
 * SQL: a plan `p` of a handed over patient `h` goes: the branch's, or of no branch and of a patient who was nowhere else;
 * not refused, and no variant beside the agreed one.
 */
export const planSql = ({ idFilial }: Source): Sql => sql`(not p."deleted" and p."dateRefused" is null
  and (p."idFilial" = ${idFilial} or p."idFilial" is null and h."isOnly")
  and not exists (select from customer_plans o where o."id" <> p."id" and not o."deleted" and o."dateAgreed" is not null
    and p."dateAgreed" is null and o."dateRefused" is null and coalesce(o."idFirst", o."id") = coalesce(p."idFirst", p."id")))`

/** SQL of what of an item `i` is still to do. */
export const restOfItemSql = sql`(i."qty" - coalesce((select floor(sum(l."qty")) from ${visitLinesSql}
  where l."idPlanItem" = i."id" and ${isGivenSql}), 0))::int`

export async function namesOf(source: Source): Promise<Names> {
  const { app, idFilial, id, mark } = source
  const { db } = app
  const patients = sql`handover_patients h on h."idHandover" = ${id}`
  const named = await db.query<{ id: number }>(sql`select u."id"::int as id from users u where not u."deleted" and (
      u."id" in (select c."idUser" from ${couponsSql(source)} join ${patients} and h."idCustomer" = a."idCustomer" where ${comingSql(source)})
      or u."id" in (select p."idDoctor" from customer_plans p join ${patients} and h."idCustomer" = p."idCustomer" where ${planSql(source)}))`)
  // Works here: said on the card, or in the service; or performs services and is bound to no branch.
  const performers = await db.query<{ idService: number; idUser: number }>(sql`
    select distinct d."idService"::int as "idService", d."idUser"::int as "idUser" from service_doctors d
      join services s on s."id" = d."idService" and s."active" and not s."deleted" and s."serviceCategory" = 0
      join users u on u."id" = d."idUser" and not u."deleted"
    where (d."idFilial" is null or d."idFilial" = ${idFilial}) and (${idFilial} = any (u."filials")
      or exists (select from service_performers p where p."idUser" = u."id" and p."allowed" and not p."deleted"
        and (p."idFilial" = ${idFilial} or p."idFilial" is null and coalesce(cardinality(u."filials"), 0) = 0))
      or u."id" = any (${named.map((one) => one.id)}::bigint[])) order by 1, 2`)
  const idUsers = sorted([...named.map((one) => one.id), ...performers.map((one) => one.idUser)])
  const needed = await db.query<{ id: number }>(sql`
    select i."idService"::int as id from customer_plans p join ${patients} and h."idCustomer" = p."idCustomer"
        join customer_plans_stages s on s."idPlan" = p."id" and not s."deleted"
        join customer_plans_items i on i."idStage" = s."id" and not i."deleted" and not i."cancelled"
      where ${planSql(source)} and ${restOfItemSql} > 0
    union select l."idService"::int from ${couponsSql(source)} join coupon_services l on l."idCoupon" = c."id"
        and ${lineCountsSql()} join ${patients} and h."idCustomer" = a."idCustomer" where ${comingSql(source)}`)
  const services = sorted([...performers.map((one) => one.idService), ...needed.map((one) => one.id)])
  const codeOf = (one: number) => `${mark}-${one}`
  const people = await db.query<{ id: number; name: string }>(
    sql`select u."id"::int as id, ${fioSql(raw('u'))} as name from users u`,
  )
  const things = await db.query<{ id: number; name: string }>(
    sql`select "id"::int as id, "nameService" as name from services`,
  )
  return {
    users: idUsers,
    services,
    performers,
    user: cellOf(people, new Set(idUsers), codeOf),
    service: cellOf(things, new Set(services), codeOf),
  }
}

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)

/** Names by id; a name that two of `going` have is their code. */
function cellOf(
  all: readonly { id: number; name: string }[],
  going: ReadonlySet<number>,
  codeOf: (id: number) => string,
): (id: number | null) => string {
  const alike = Map.groupBy(
    all.filter(({ id }) => going.has(id)),
    ({ name }) => plainName(name),
  )
  const cells = new Map(
    all.map(({ id, name }) => [id, going.has(id) && (alike.get(plainName(name))?.length ?? 0) > 1 ? codeOf(id) : name]),
  )
  return (id) => (id === null ? '' : (cells.get(id) ?? ''))
}

/** Minutes of a service for an employee in the branch, by the rule that bookings use. */
export async function minutesOf(
  { app, idFilial }: Source,
  idServices: readonly number[],
): Promise<(idService: number, idUser: number) => number | undefined> {
  const rules = await app.db.query<DurationFacts & { idService: number }>(sql`select "idService"::int as "idService",
      "idUser"::int as "idUser", "idFilial"::int as "idFilial", "visit", "minutes", "breakAfter", "online"
    from service_durations where "idService" = any (${idServices as number[]}::bigint[]) and not "deleted"`)
  const byService = Map.groupBy(rules, (rule) => rule.idService)
  return (idService, idUser) => durationOf(byService.get(idService) ?? [], { idUser, idFilial })?.minutes
}
