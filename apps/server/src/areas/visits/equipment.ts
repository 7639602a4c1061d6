/** Equipment of services: a number of pieces of a kind per branch, each used by one visit at a time. */
import { Equipment, EquipmentKind, ServiceEquipment } from '@ordinator/model/areas/visits/equipment'
import sql, { raw, type Sql } from 'sql-template-tag'
import { lineCountsSql, takesTimeSql } from '#areas/counted/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { records, type WriteContext } from '#records/define.ts'
import { equipmentResource, equipmentSql, lockGear, lockResources, ofCoupon, settle } from './occupancy.ts'
import { flagVisits } from './shifts.ts'

/** On any change existing visits take the equipment they now need, before new ones. */
export const equipmentKinds = records(EquipmentKind, {
  hooks: {
    afterDelete: (context, { id }) => refit(context, id),
    afterRestore: (context, { id }) => refit(context, id),
  },
})

export const equipment = records(Equipment, {
  hooks: {
    afterCreate: (context, { idKind, idFilial }) => refit(context, idKind, idFilial),
    afterUpdate: (context, { idKind, idFilial }) => refit(context, idKind, idFilial),
    afterDelete: (context, { idKind, idFilial }) => refit(context, idKind, idFilial),
    afterRestore: (context, { idKind, idFilial }) => refit(context, idKind, idFilial),
  },
})

export const serviceEquipment = records(ServiceEquipment, {
  hooks: {
    afterCreate: (context, { idKind }) => refit(context, idKind),
    afterDelete: (context, { idKind }) => refit(context, idKind),
    afterRestore: (context, { idKind }) => refit(context, idKind),
  },
})

/** SQL condition: the coupon `c` of the visit `a` is upcoming, and takes time. */
const coming = sql`${takesTimeSql} and c."dateTo" > now()`

/** SQL condition: a service of the coupon `c` needs the kind. @param tie SQL of the ties `n` that count */
const needs = (idKind: number, tie: Sql): Sql => sql`exists (select 1 from coupon_services l
  join service_equipment n on n."idService" = l."idService"
  where l."idCoupon" = c."id" and ${lineCountsSql()} and n."idKind" = ${idKind} and ${tie})`

interface Piece {
  id: number
  idFilial: number
  capacity: number
  cleaning: number
  /** True if it and its kind exist. */
  stands: boolean
}

/**
 * Recomputes the equipment of a kind taken by visits. Visits that lack it are marked as uncovered; visits that have it
 * again are unmarked.
 */
async function refit(context: WriteContext, idKind: number, idFilial?: number): Promise<void> {
  const { tx } = context
  await lockGear(tx, false)
  const pieces = await tx.query<Piece>(sql`
    select q."id", q."idFilial", q."capacity", q."cleaning", not q."deleted" and not k."deleted" as stands
    from filials_equipment q join equipment_kinds k on k."id" = q."idKind"
    where q."idKind" = ${idKind} and (${idFilial ?? null}::bigint is null or q."idFilial" = ${idFilial ?? null})
    order by q."id"`)
  await lockResources(
    tx,
    pieces.map(({ id }) => equipmentResource(id)),
  )
  for (const piece of pieces) await refitPiece(tx, idKind, piece)
  await flagVisits(
    context,
    sql`(${idFilial ?? null}::bigint is null or c."idFilial" = ${idFilial ?? null}) and ${needs(idKind, raw('true'))}`,
  )
}

/** SQL condition: a service needs the kind now. */
const needing = (idKind: number, idService: Sql): Sql => sql`exists (select 1 from service_equipment n
  where n."idService" = ${idService} and n."idKind" = ${idKind} and not n."deleted")`

async function refitPiece(tx: Tx, idKind: number, { id, idFilial, capacity, cleaning, stands }: Piece): Promise<void> {
  const resource = equipmentResource(id)
  const until = (row: string) => sql`${raw(row)}."dateTo" + make_interval(mins => ${cleaning})`
  await tx.query(sql`delete from visit_occupancy o using coupons c
    where o."resource" = ${resource} and c."id" = o."idCoupon" and c."dateTo" > now()
      and not (${stands} and upper(o."during") = ${until('c')} and ${needs(idKind, raw('not n."deleted"'))})`)
  await tx.query(sql`delete from visit_occupancy o using appointments_groups g
    where o."resource" = ${resource} and g."id" = o."idGroup" and g."dateTo" > now()
      and not (${stands} and upper(o."during") = ${until('g')} and ${needing(idKind, raw('g."idService"'))})`)
  if (!stands) return
  const missing = await tx.query<Missing>(sql`
    select * from (
      select c."id" as "idCoupon", null::bigint as "idGroup", c."dateFrom" as "from", ${until('c')} as "to"
      from coupons c join appointments a on a."id" = c."idAppointment"
      where c."idFilial" = ${idFilial} and ${coming} and ${needs(idKind, raw('not n."deleted"'))}
        and not exists (select 1 from visit_seats s where s."idCoupon" = c."id")
        and not exists (select 1 from visit_occupancy o where o."idCoupon" = c."id" and o."resource" = ${resource})
      union all
      select null, g."id", g."dateFrom", ${until('g')} from appointments_groups g
      where g."idFilial" = ${idFilial} and not g."deleted" and g."dateTo" > now() and ${needing(idKind, raw('g."idService"'))}
        and not exists (select 1 from visit_occupancy o where o."idGroup" = g."id" and o."resource" = ${resource})
    ) t order by "from", "idCoupon", "idGroup"`)
  await takeBeyond(tx, resource, capacity, missing)
  await settle(tx, resource, capacity)
}

/** A coupon or group that needs a piece and has none. */
interface Missing {
  idCoupon: number | null
  idGroup: number | null
  from: string
  to: string
}

/** Assigns each time to the lowest free lane beyond the capacity. */
async function takeBeyond(tx: Tx, resource: number, capacity: number, missing: readonly Missing[]): Promise<void> {
  if (missing.length === 0) return
  const beyond = await tx.query<{ lane: number; to: string }>(sql`
    select "lane", max(upper("during")) as "to" from visit_occupancy
    where "resource" = ${resource} and "lane" >= ${capacity} group by 1`)
  // Existing rows keep their lanes: unused gaps between them do not matter.
  const ends = new Map(beyond.map(({ lane, to }) => [lane, Date.parse(to)]))
  const rows = missing.map((one) => {
    let lane = capacity
    while ((ends.get(lane) ?? -Infinity) > Date.parse(one.from)) lane++
    ends.set(lane, Date.parse(one.to))
    return { ...one, lane }
  })
  await tx.query(sql`insert into visit_occupancy ("resource", "lane", "during", "idCoupon", "idGroup")
    select ${resource}, m."lane", tstzrange(m."from", m."to"), m."idCoupon", m."idGroup"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as m("lane" int, "from" timestamptz, "to" timestamptz, "idCoupon" bigint, "idGroup" bigint)`)
}

/** Number of pieces of a kind in a branch. */
export interface Gear {
  idKind: number
  name: string
  /** Null: the branch has none of it. */
  id: number | null
  capacity: number
  cleaning: number
}

/** Required equipment of each service, as the branch has it. */
export async function gearOf(
  db: Queryable,
  idFilial: number,
  idServices: readonly number[],
): Promise<Map<number, Gear[]>> {
  const rows = await db.query<Gear & { idService: number }>(sql`
    select n."idService", n."idKind", k."name", e."id", coalesce(e."capacity", 0) as "capacity",
      coalesce(e."cleaning", 0) as "cleaning"
    from service_equipment n join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
      left join filials_equipment e on e."idKind" = n."idKind" and e."idFilial" = ${idFilial} and not e."deleted"
    where n."idService" = any (${idServices}::bigint[]) and not n."deleted" order by n."idKind"`)
  return Map.groupBy(rows, ({ idService }) => idService)
}

/** One piece of each kind, whichever services need it. */
export const gearOfAll = (known: ReadonlyMap<number, readonly Gear[]>, idServices: readonly number[]): Gear[] => [
  ...new Map(idServices.flatMap((id) => known.get(id) ?? []).map((gear) => [gear.idKind, gear])).values(),
]

/** SQL of the names of the equipment that the coupon takes. */
export const namesOfGear = (row: Sql): Sql => sql`coalesce((select string_agg(k."name", ', ' order by k."name")
  from visit_occupancy o join filials_equipment e on ${equipmentSql(raw('e."id"'))} = o."resource"
    join equipment_kinds k on k."id" = e."idKind" where ${ofCoupon(row)}), '')`
