/** Search for free times of a service, over doctors, branches and rooms. */
import { durationOf } from '@ordinator/model/areas/catalogue/performer'
import { MAX_SLOT_SPAN, type Slot, visitCalls } from '@ordinator/model/areas/visits/calls'
import { DAY_MINUTES } from '@ordinator/model/areas/visits/clock'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import { groupSizes } from './groups.ts'
import { lengthOf, type NoRoomError } from './plan.ts'
import { bookedPriceSql } from './prices.ts'
import { reaches } from './scope.ts'
import { type Doctor, freeSql, length, openSql, round, type SlotsAsked, shiftsSql, standingSql } from './slotsSql.ts'

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
