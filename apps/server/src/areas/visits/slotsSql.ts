/** SQL of free times: shifts of doctors, zones, and starts that fit. */
import type { VisitKind } from '@ordinator/model/areas/catalogue/performer'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicService } from '#areas/catalogue/index.ts'
import type { ServerActor } from '#records/actor.ts'
import { heldSeats, takenSeats } from './groups.ts'
import { equipmentSql, LONGEST, roomSql, takenFrom } from './occupancy.ts'
import { coveredSql } from './shifts.ts'
import { momentSql, zoneSql } from './times.ts'

export interface SlotsAsked {
  idServices: readonly number[]
  idFilial?: number | undefined
  idUser?: number | undefined
  /** `YYYY-MM-DD`, inclusive. */
  from: string
  to: string
  limit: number
  minutes?: number | undefined
  kind?: VisitKind | null | undefined
  /** From each stretch of free time only the start nearest to this moment, by smallest difference. */
  near?: { moment: string; idUser: number } | undefined
  /** Online booking: only times open to patients, from this many hours ahead. */
  online?: { leadHours: number } | undefined
}

export interface Doctor {
  idUser: number
  idFilial: number
  minutes: number
  breakAfter: number
  /** Key of the query when several are searched at once. */
  key?: number
}

/** SQL condition: patients may book the doctor `u` in the branch `f` online, for all of these services. */
export const openSql = (
  idServices: readonly number[],
): Sql => sql`${publicDoctor(raw('u'))} and ${publicFilial(raw('f'))}
  and not exists (select 1 from unnest(${idServices}::bigint[]) o(id)
    where not exists (select 1 from services s where s."id" = o.id and ${publicService(raw('s'))}))`

/** SQL of the start times of this length within the free ranges. */
const startsSql = (
  free: Sql,
  length: Sql,
): Sql => sql`(select range_agg(tstzrange(lower(f), upper(f) - ${length}, '[]'))
  from unnest(${free}) f where upper(f) - lower(f) >= ${length})`

/** Lengths in the shift `e`: the visit alone, with the doctor's break, with the room's cleaning. */
export const length = raw('make_interval(mins => e."minutes")')
const whole = raw('make_interval(mins => e."minutes" + e."breakAfter")')
const cleaned = raw('make_interval(mins => e."minutes" + e."cleaning")')
/** Rounds up to five minutes: free time may begin in between, as it does now. */
export const round = raw('to_timestamp(ceil(extract(epoch from lower(x)) / 300) * 300)')

/**
 * SQL of the shifts `e` of these doctors in a few days, and of their taken times. Reads the shifts once, and all taken
 * times of their doctors, rooms and equipment once: ranges are aggregated per resource and subtracted from each shift,
 * without a query per shift.
 */
export const shiftsSql = (
  actor: ServerActor,
  doctors: readonly Doctor[],
  { from, to, idServices }: SlotsAsked,
): Sql => sql`d as materialized (select * from jsonb_to_recordset(${JSON.stringify(doctors)}::jsonb)
        as d("idUser" bigint, "idFilial" bigint, "minutes" int, "breakAfter" int, "key" bigint)),
      e as materialized (select d."key", e."localDate", e."dateFrom", e."dateTo", e."zones", e."idUser", e."idFilial", e."idRoom",
          d."minutes", d."breakAfter", coalesce(r."cleaning", 0) as "cleaning", r."capacity", ${zoneSql(raw('f'))} as "zone"
        from staff_events e join d on d."idUser" = e."idUser" and d."idFilial" = e."idFilial"
          join filials f on f."id" = e."idFilial" left join filials_rooms r on r."id" = e."idRoom"
        where e."type" = 'shift' and not e."deleted" and e."localDate" between ${from}::date and ${to}::date
          and e."dateTo" > now() and f."active" and not f."deleted"),
      gear as materialized (select q."id", q."idFilial", q."capacity", q."cleaning" from filials_equipment q
        where not q."deleted" and q."idFilial" = any (array(select "idFilial" from e)) and q."idKind" = any (array(
          select n."idKind" from service_equipment n join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
          where n."idService" = any (${idServices}::bigint[]) and not n."deleted"))),
      span as materialized (select min("dateFrom") as "from", max("dateTo") as "to" from e),
      taken as materialized (select o."resource", o."lane", range_agg(o."during") as m from visit_occupancy o
        where o."resource" = any (array(select "idUser" from e union select ${roomSql(raw('"idRoom"'))} from e where "idRoom" is not null
            union select ${equipmentSql(raw('"id"'))} from gear))
          and lower(o."during") > (select "from" from span) - ${LONGEST}
          and lower(o."during") < (select "to" from span) + interval '8 hours' and ${takenFrom(actor.id, raw('o'))}
        group by o."resource", o."lane"),
      doctor as materialized (select "resource", range_agg(m) as m from taken group by "resource"),
      -- Only where each of its places is taken; who was let in beyond them takes none.
      room as materialized (select r."id", range_intersect_agg(t.m) as m from taken t
        join filials_rooms r on ${roomSql(raw('r."id"'))} = t."resource" and t."lane" < r."capacity"
        group by r."id" having count(*) >= r."capacity"),
      -- Where the last piece of some kind is taken, and so long before that it could not be made ready again.
      used as materialized (select g."idFilial", range_agg(tstzrange(lower(x) - make_interval(mins => g."cleaning"), upper(x))) as m
        from (select g."id", g."idFilial", g."cleaning", range_intersect_agg(t.m) as m from gear g
            join taken t on t."resource" = ${equipmentSql(raw('g."id"'))} and t."lane" < g."capacity"
            group by 1, 2, 3, g."capacity" having count(*) >= g."capacity") g
          cross join lateral unnest(g.m) x
        group by g."idFilial"),
      away as materialized (select a."idUser", range_agg(tstzrange(a."dateFrom", a."dateTo")) as m from staff_events a
        where a."idUser" = any (array(select "idUser" from e)) and a."type" <> 'shift' and not a."deleted" and a."dateFrom" < a."dateTo"
          and a."dateFrom" > (select "from" from span) - ${LONGEST} and a."dateFrom" < (select "to" from span)
        group by a."idUser")`

/** SQL of the ranges `x` of possible start moments in a shift `e`. */
export const freeSql = ({ kind, online }: SlotsAsked): Sql => sql`
        e left join doctor on doctor."resource" = e."idUser" left join room on room."id" = e."idRoom"
          left join away on away."idUser" = e."idUser" left join used on used."idFilial" = e."idFilial"
          cross join lateral (select ${online ? onlineZonesSql(raw('e."zone"')) : zonesSql(kind, raw('e."zone"'))} as work) z
          cross join lateral (select ${startsSql(
            sql`z.work + tstzmultirange(tstzrange(e."dateTo", e."dateTo" + make_interval(mins => e."breakAfter")))
              - coalesce(doctor.m, '{}') - coalesce(away.m, '{}')`,
            whole,
          )} * coalesce(${startsSql(
            sql`tstzmultirange(tstzrange(e."dateFrom", e."dateTo" + make_interval(mins => e."cleaning"))) - coalesce(room.m, '{}')`,
            cleaned,
          )}, '{}') * coalesce(${startsSql(
            sql`tstzmultirange(tstzrange(e."dateFrom", e."dateTo")) - coalesce(used.m, '{}')`,
            length,
          )}, '{}') * tstzmultirange(tstzrange(now() + make_interval(hours => ${online?.leadHours ?? 0}), null)) as ok) s
          cross join lateral unnest(s.ok) x`

/** SQL of the groups `g` of these doctors with free seats; `t.taken` is the number taken. */
export const standingSql = (
  actor: ServerActor,
  doctors: readonly Doctor[],
  { from, to, idServices, online }: Pick<SlotsAsked, 'from' | 'to' | 'idServices' | 'online'>,
): Sql => sql`jsonb_to_recordset(${JSON.stringify(doctors)}::jsonb) as d("idUser" bigint, "idFilial" bigint)
    join appointments_groups g on d."idUser" = g."idUser" and d."idFilial" = g."idFilial"
      and g."idService" = any (${idServices}::bigint[]) and not g."deleted"
      and g."localDate" between ${from}::date and ${to}::date and g."dateFrom" > now() + make_interval(hours => ${online?.leadHours ?? 0})
    join lateral (select ${takenSeats} + ${heldSeats(actor.id)} as taken) t on t.taken < g."capacity" and ${coveredSql('g')}`

/** SQL of the zones of the shift `e` of some kinds. */
const zonesOf = (zone: Sql, kinds: Sql): Sql => sql`(select range_agg(tstzrange(
          ${momentSql(raw('e."localDate"'), raw('z."from"'), zone)}, ${momentSql(raw('e."localDate"'), raw('z."to"'), zone)}))
        from jsonb_to_recordset(e."zones") as z("from" text, "to" text, "kind" text) where ${kinds})`

/** SQL of the times of the shift `e` open to patients: its online zones if any, never those of other visits. */
const onlineZonesSql = (zone: Sql): Sql => sql`
  coalesce(${zonesOf(zone, raw(`z."kind" = 'online'`))}, tstzmultirange(tstzrange(e."dateFrom", e."dateTo")))
    * tstzmultirange(tstzrange(e."dateFrom", e."dateTo")) - coalesce(${zonesOf(zone, raw(`z."kind" in ('urgent', 'repeat')`))}, '{}')`

/** SQL of the times of the shift `e` for visits of this kind: all of it, or the zones reserved for them. */
const zonesSql = (kind: VisitKind | null | undefined, zone: Sql): Sql =>
  kind === null || kind === undefined
    ? sql`tstzmultirange(tstzrange(e."dateFrom", e."dateTo"))`
    : sql`tstzmultirange(tstzrange(e."dateFrom", e."dateTo"))
        - coalesce(${zonesOf(zone, sql`z."kind" in ('primary', 'repeat') and z."kind" <> ${kind}`)}, '{}')`
