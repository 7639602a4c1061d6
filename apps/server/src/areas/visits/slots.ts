/** Search for free times of a service, over doctors, branches and rooms. */
import { durationOf, type VisitKind } from '@ordinator/model/areas/catalogue/performer'
import { MAX_SLOT_SPAN, type Slot, visitCalls } from '@ordinator/model/areas/visits/calls'
import { DAY_MINUTES } from '@ordinator/model/areas/visits/clock'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicService } from '#areas/catalogue/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import { groupSizes, heldSeats, takenSeats } from './groups.ts'
import { equipmentSql, LONGEST, roomSql, takenFrom } from './occupancy.ts'
import { lengthOf, type NoRoomError } from './plan.ts'
import { bookedPriceSql } from './prices.ts'
import { reaches } from './scope.ts'
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

/** Days searched per step: most searches end in the first; the last step repeats to the end. */
const STEPS = [1, 2, 4, 8]
const DAY_MS = 86_400_000

export async function findSlots(db: Queryable, actor: ServerActor, asked: SlotsAsked): Promise<Slot[]> {
  const rules = await rulesOf(db, asked.idServices)
  const [idService] = asked.idServices
  const size =
    asked.idServices.length === 1 ? (await groupSizes(db, asked.idServices)).get(idService as number) : undefined
  const found: Slot[] = []
  let from = asked.from
  for (let at = 0; ; at++) {
    const step = asked.near ? MAX_SLOT_SPAN : (STEPS[at] ?? (STEPS.at(-1) as number))
    const last = plusDays(from, step - 1)
    const to = last < asked.to ? last : asked.to
    const days = { ...asked, from, to, limit: asked.limit - found.length }
    const doctors = await doctorsOf(db, actor, days, rules)
    if (doctors.length > 0) {
      const free = await slotsOf(db, actor, doctors, days)
      found.push(...(size === undefined ? free : await withGroups(db, actor, doctors, days, free, size)))
    }
    if (found.length >= asked.limit || to >= asked.to) return found
    from = plusDays(to, 1)
  }
}

type Rule = Parameters<typeof lengthOf>[0][number]

/** Lengths of the services, and their group sizes. */
export const rulesOf = (db: Queryable, idServices: readonly number[]): Promise<Rule[]> =>
  db.query<Rule>(sql`
    select "idService", "idUser", "idFilial", "visit", "minutes", "breakAfter", "online" from service_durations
    where "idService" = any (${idServices}::bigint[]) and not "deleted"`)

interface Doctor {
  idUser: number
  idFilial: number
  minutes: number
  breakAfter: number
  /** Key of the query when several are searched at once. */
  key?: number
}

/** Doctors with shifts in these days who perform all of these services there, and the length. */
async function doctorsOf(
  db: Queryable,
  actor: ServerActor,
  { idServices, idFilial, idUser, kind, minutes, from, to, online }: SlotsAsked,
  rules: readonly Rule[],
): Promise<Doctor[]> {
  const pairs = await db.query<{ idUser: number; idFilial: number }>(sql`
    select e."idUser", e."idFilial"
    from (select distinct "idUser", "idFilial" from staff_events where "type" = 'shift' and not "deleted"
        and "localDate" between ${from}::date and ${to}::date) e
      join users u on u."id" = e."idUser" join filials f on f."id" = e."idFilial"
    where not u."deleted" and not u."isBlocked" and not f."deleted" and f."active"
      and (${idFilial ?? null}::bigint is null or e."idFilial" = ${idFilial ?? null})
      and (${idUser ?? null}::bigint is null or e."idUser" = ${idUser ?? null})
      and ${reaches(actor, raw('e."idUser"'), raw('e."idFilial"'))}
      and ${online ? openSql(idServices) : raw('true')}
      and not exists (select 1 from unnest(${idServices}::bigint[]) s(id)
        where not exists (select 1 from service_doctors p where p."idService" = s.id and p."idUser" = e."idUser"
            and (p."idFilial" is null or p."idFilial" = e."idFilial")))
      and not exists (select 1 from service_equipment n join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
        where n."idService" = any (${idServices}::bigint[]) and not n."deleted"
          and not exists (select 1 from filials_equipment q where q."idKind" = n."idKind" and q."idFilial" = e."idFilial"
            and q."capacity" > 0 and not q."deleted"))
    order by 1, 2`)
  const open = online
    ? pairs.filter((pair) =>
        idServices.every(
          (idService) =>
            durationOf(
              rules.filter((rule) => rule.idService === idService),
              { ...pair, visit: kind ?? null },
            )?.online !== false,
        ),
      )
    : pairs
  return open.map((pair) => {
    const usual = lengthOf(rules, idServices, { ...pair, visit: kind ?? null })
    return { ...pair, minutes: minutes ?? usual.minutes, breakAfter: usual.breakAfter }
  })
}

/** SQL condition: patients may book the doctor `u` in the branch `f` online, for all of these services. */
const openSql = (idServices: readonly number[]): Sql => sql`${publicDoctor(raw('u'))} and ${publicFilial(raw('f'))}
  and not exists (select 1 from unnest(${idServices}::bigint[]) o(id)
    where not exists (select 1 from services s where s."id" = o.id and ${publicService(raw('s'))}))`

/** SQL of the start times of this length within the free ranges. */
const startsSql = (
  free: Sql,
  length: Sql,
): Sql => sql`(select range_agg(tstzrange(lower(f), upper(f) - ${length}, '[]'))
  from unnest(${free}) f where upper(f) - lower(f) >= ${length})`

/** Lengths in the shift `e`: the visit alone, with the doctor's break, with the room's cleaning. */
const length = raw('make_interval(mins => e."minutes")')
const whole = raw('make_interval(mins => e."minutes" + e."breakAfter")')
const cleaned = raw('make_interval(mins => e."minutes" + e."cleaning")')
/** Rounds up to five minutes: free time may begin in between, as it does now. */
const round = raw('to_timestamp(ceil(extract(epoch from lower(x)) / 300) * 300)')

/**
 * SQL of the shifts `e` of these doctors in a few days, and of their taken times. Reads the shifts once, and all taken
 * times of their doctors, rooms and equipment once: ranges are aggregated per resource and subtracted from each shift,
 * without a query per shift.
 */
const shiftsSql = (
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
const freeSql = ({ kind, online }: SlotsAsked): Sql => sql`
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

async function slotsOf(
  db: Queryable,
  actor: ServerActor,
  doctors: readonly Doctor[],
  asked: SlotsAsked,
): Promise<Slot[]> {
  const { limit, near, idServices } = asked
  const moment = near ? sql`${near.moment}::timestamptz` : raw('null')
  const starts = near
    ? sql`select greatest(${round}, least(upper(x), ${moment})) as t where ${round} <= upper(x)`
    : // One visit after another.
      sql`select generate_series(${round}, upper(x), greatest(${length}, interval '5 minutes')) as t`
  const order = near
    ? sql`abs(extract(epoch from c.t - ${moment})), e."idUser" <> ${near.idUser}, c.t`
    : raw('e."localDate", c.t, e."idUser"')
  return db.query<Slot>(sql`
    with ${shiftsSql(actor, doctors, asked)},
      free as (select to_char(c.t at time zone e."zone", 'YYYY-MM-DD') as "localDate",
          to_char(c.t at time zone e."zone", 'HH24:MI') as "localStart", c.t as "dateFrom", c.t + ${length} as "dateTo",
          e."minutes", e."idUser", e."idFilial", e."idRoom", row_number() over (order by ${order}) as at
        from ${freeSql(asked)}
          cross join lateral (${starts}) c
        order by ${order} limit ${limit})
    select s."localDate", s."localStart", s."dateFrom", s."dateTo", s."minutes", s."idUser", ${shortFioSql(raw('u'))} as "userName",
      s."idFilial", s."idRoom", p.price, null as places
    from free s join users u on u."id" = s."idUser"
      left join lateral (select sum(${bookedPriceSql(raw('v'), {
        day: raw('s."localDate"::date'),
        idFilial: raw('s."idFilial"'),
      })})::float8 as price from services v where v."id" = any (${idServices}::bigint[])) p on true
    order by s.at`)
}

/**
 * The first free times of many services or doctors, the same number of each. Equipment and group services are not
 * supported here.
 * @param doctors performers of each with the length; `key` identifies it
 */
export async function firstTimes(
  db: Queryable,
  doctors: readonly Required<Doctor>[],
  { from, to, each, leadHours }: { from: string; to: string; each: number; leadHours: number },
): Promise<FirstTime[]> {
  if (doctors.length === 0) return []
  const asked: SlotsAsked = { idServices: [], from, to, limit: each, online: { leadHours } }
  return db.query<FirstTime>(sql`
    with ${shiftsSql(systemActor, doctors, asked)},
      starts as (select e."key", e."idUser", e."idFilial", e."zone", c.t,
          row_number() over (partition by e."key" order by c.t, e."idUser") as at
        from ${freeSql(asked)}
          cross join lateral (select generate_series(${round}, least(upper(x), ${round} + ${each - 1}::int * ${length}), ${length}) as t) c)
    select "key"::int as "key", "idUser"::int as "idUser", "idFilial"::int as "idFilial",
      to_char(t at time zone "zone", 'YYYY-MM-DD') as "localDate", to_char(t at time zone "zone", 'HH24:MI') as "localStart"
    from starts where at <= ${each} order by "key", at`)
}

export interface FirstTime {
  key: number
  idUser: number
  idFilial: number
  localDate: string
  localStart: string
}

/** SQL of the groups `g` of these doctors with free seats; `t.taken` is the number taken. */
const standingSql = (
  actor: ServerActor,
  doctors: readonly Doctor[],
  { from, to, idServices, online }: Pick<SlotsAsked, 'from' | 'to' | 'idServices' | 'online'>,
): Sql => sql`jsonb_to_recordset(${JSON.stringify(doctors)}::jsonb) as d("idUser" bigint, "idFilial" bigint)
    join appointments_groups g on d."idUser" = g."idUser" and d."idFilial" = g."idFilial"
      and g."idService" = any (${idServices}::bigint[]) and not g."deleted"
      and g."localDate" between ${from}::date and ${to}::date and g."dateFrom" > now() + make_interval(hours => ${online?.leadHours ?? 0})
    join lateral (select ${takenSeats} + ${heldSeats(actor.id)} as taken) t on t.taken < g."capacity" and ${coveredSql('g')}`

/** Free times of a group service, and groups with free seats, in the order of the search. */
async function withGroups(
  db: Queryable,
  actor: ServerActor,
  doctors: readonly Doctor[],
  { from, to, limit, near, idServices, online }: SlotsAsked,
  free: readonly Slot[],
  size: number,
): Promise<Slot[]> {
  const order = near ? sql`abs(extract(epoch from g."dateFrom" - ${near.moment}::timestamptz))` : raw('g."localDate"')
  const groups = await db.query<Slot>(sql`
    select g."localDate", g."localStart", g."dateFrom", g."dateTo", g."minutes", g."idUser", ${shortFioSql(raw('u'))} as "userName",
      g."idFilial", g."idRoom", (${bookedPriceSql(raw('v'), {
        day: raw('g."localDate"::date'),
        idFilial: raw('g."idFilial"'),
      })})::float8 as price, json_build_object('taken', t.taken, 'capacity', g."capacity") as places
    from ${standingSql(actor, doctors, { from, to, idServices, online })}
      join users u on u."id" = g."idUser" join services v on v."id" = g."idService"
    order by ${order}, g."dateFrom", g."idUser" limit ${limit}`)
  const off = ({ dateFrom }: Slot) => (near ? Math.abs(Date.parse(dateFrom) - Date.parse(near.moment)) : 0)
  const other = ({ idUser }: Slot) => Number(near !== undefined && idUser !== near.idUser)
  return [...free.map((slot) => ({ ...slot, places: { taken: 0, capacity: size } })), ...groups]
    .sort(
      (a, b) =>
        off(a) - off(b) ||
        other(a) - other(b) ||
        (near ? 0 : a.localDate.localeCompare(b.localDate)) ||
        Date.parse(a.dateFrom) - Date.parse(b.dateFrom) ||
        a.idUser - b.idUser,
    )
    .slice(0, limit)
}

/** Possible start times of the services with a doctor on a day: minutes since midnight, inclusive. */
export interface Window {
  localDate: string
  idUser: number
  idRoom: number | null
  minutes: number
  breakAfter: number
  cleaning: number
  from: number
  to: number
  /** For a group service: the number of taken seats. */
  places: Slot['places']
}

/**
 * The windows of all performers of the services in these days; those that begin after midnight belong to the next day.
 */
export async function windowsOf(
  db: Queryable,
  actor: ServerActor,
  asked: SlotsAsked,
  rules: readonly Rule[],
): Promise<Window[]> {
  const doctors = await doctorsOf(db, actor, asked, rules)
  if (doctors.length === 0) return []
  const [idService] = asked.idServices
  const capacity = idService === undefined ? undefined : (await groupSizes(db, asked.idServices)).get(idService)
  const free = await freeWindows(db, actor, doctors, asked)
  if (capacity === undefined) return free
  const standing = await db.query<Window>(sql`
    select g."localDate", g."idUser", g."idRoom", g."minutes", g."breakAfter", g."cleaning", m.at as "from", m.at as "to",
      json_build_object('taken', t.taken, 'capacity', g."capacity") as places
    from ${standingSql(actor, doctors, asked)}
      cross join lateral (select (extract(epoch from g."localStart"::interval) / 60)::int as at) m
    order by 1, m.at, g."idUser"`)
  return [...standing, ...free.map((window) => ({ ...window, places: { taken: 0, capacity } }))]
}

async function freeWindows(
  db: Queryable,
  actor: ServerActor,
  doctors: readonly Doctor[],
  asked: SlotsAsked,
): Promise<Window[]> {
  const wall = sql`(${round} at time zone e."zone")`
  return db.query<Window>(sql`
    with ${shiftsSql(actor, doctors, asked)}
    select to_char(${wall}, 'YYYY-MM-DD') as "localDate", e."idUser", e."idRoom", e."minutes", e."breakAfter", e."cleaning",
      null as places, w."from", least(w."from" + (extract(epoch from upper(x) - ${round}) / 60)::int, ${DAY_MINUTES}::int - e."minutes") as "to"
    from ${freeSql(asked)}
      cross join lateral (select (extract(epoch from ${wall}::time) / 60)::int as "from") w
    where ${round} <= upper(x) and w."from" + e."minutes" <= ${DAY_MINUTES}::int
    order by 1, w."from", e."idUser"`)
}

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

export const slots = operation(visitCalls.slots, async ({ app, actor, query }) => {
  const { idService, from, to } = query
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1) throw new ValidationError([{ field: 'to', message: 'Конец раньше начала' }])
  if (days > MAX_SLOT_SPAN) throw new ValidationError([{ field: 'to', message: `Не больше ${MAX_SLOT_SPAN} дней` }])
  return { items: await findSlots(app.db.reads, actor, { ...query, idServices: [idService] }) }
})

const ALTERNATIVES = 3
/** Number of times among which a moved group looks for one without a group. */
const GROUPS_NEAR = 20
/** Days around the requested one that are searched for alternatives. */
const AROUND = 3

/** The nearest alternatives to a taken time: smallest difference, the same doctor, the earlier. */
export function alternativesTo(
  db: Queryable,
  actor: ServerActor,
  { coupon, asked }: Pick<NoRoomError, 'coupon' | 'asked'>,
  moment: string,
  around = AROUND,
): Promise<Slot[]> {
  const found = findSlots(db, actor, {
    idServices: coupon.services.map(({ idService }) => idService),
    idFilial: asked.idFilial,
    from: plusDays(asked.localDate, -around),
    to: plusDays(asked.localDate, around),
    limit: asked.idGroup === undefined ? ALTERNATIVES : GROUPS_NEAR,
    minutes: coupon.minutes,
    kind: asked.kind,
    near: { moment, idUser: coupon.idUser },
  })
  // A moved group needs a time without another group.
  return found.then((slots) =>
    slots.filter(({ places }) => asked.idGroup === undefined || !places?.taken).slice(0, ALTERNATIVES),
  )
}
