/** Plans a requested visit: moments, lengths, prices, rooms; validation errors are at their fields. */

import { holds } from '@ordinator/model/access'
import { durationOf, type VisitKind } from '@ordinator/model/areas/catalogue/performer'
import { DAY_MINUTES, minutesOf } from '@ordinator/model/areas/visits/clock'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { type Gear, gearOf, gearOfAll } from './equipment.ts'
import { type Group, type GroupOf, groupsAt } from './groups.ts'
import { doctorResource, equipmentResource, lockGear, lockResources, roomResource } from './occupancy.ts'
import { pricesFor } from './prices.ts'
import { mustReach } from './scope.ts'
import { momentSql, zoneSql } from './times.ts'

export interface CouponAsked {
  /** Id of an existing coupon. */
  id?: number
  idUser: number
  idRoom?: number | null | undefined
  localStart: string
  minutes?: number | undefined
  services: readonly { idService: number; qty: number; idPlanItem?: number | undefined }[]
}

export interface Asked {
  idFilial: number
  localDate: string
  kind?: VisitKind | null | undefined
  coupons: readonly CouponAsked[]
  idHold?: number | undefined
  /** The group that is being moved: it does not conflict with itself. */
  idGroup?: number | undefined
  overbook: boolean
  outside: boolean
  /** The visit exists already: a start in the past is allowed. */
  isThere?: boolean
  /** It is from the clinic's former program: its room may be taken. */
  isMoved?: true
}

export interface PlannedLine {
  idService: number
  qty: number
  /** Rubles; zero for a service without a price. */
  price: number
  /** By the price list of the visit's day. */
  listed: number
  /** The treatment plan item that sets the price. */
  idPlanItem: number | null
  /** Today's promised price, and the last day for which it is valid. */
  promised: number | null
  priceUntil: string | null
}

export interface Planned {
  id?: number
  idUser: number
  idRoom: number | null
  localStart: string
  minutes: number
  breakAfter: number
  cleaning: number
  dateFrom: string
  dateTo: string
  overbooked: boolean
  gear: Gear[]
  /** The group, if the coupon is a seat in one. */
  group: GroupOf | null
  lines: PlannedLine[]
}

/** Maximum years ahead for bookings. */
const MAX_YEARS = 2

/** The time is taken, or outside of the doctor's shifts; the caller looks for alternatives. */
export class NoRoomError extends Error {
  readonly code: 'taken' | 'outside'
  readonly coupon: CouponAsked
  readonly asked: Asked
  constructor(code: 'taken' | 'outside', message: string, coupon: CouponAsked, asked: Asked) {
    super(message)
    this.code = code
    this.coupon = coupon
    this.asked = asked
  }
  /** The same error, naming the one of several times. */
  of(time: string): NoRoomError {
    return new NoRoomError(this.code, `${time}: ${this.message}`, this.coupon, this.asked)
  }
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

/**
 * Parses a request, locks the resources it takes, and checks the doctors' shifts.
 * @throws ValidationError at the field; NoRoomError outside of the doctor's shifts
 */
export async function planVisit({ tx, actor }: { tx: Tx; actor: ServerActor }, asked: Asked): Promise<Planned[]> {
  const { idFilial, coupons } = asked
  const idUsers = [...new Set(coupons.map(({ idUser }) => idUser))]
  await mustReach(tx, actor, idFilial, idUsers)
  await lockGear(tx, true)
  await mustBeDay(tx, actor, asked)
  const known = await readCatalogue(tx, asked)
  const planned = coupons.map((coupon, at) => planCoupon(coupon, at, asked, known))
  // Shifts and absences are written under the same locks.
  await lockResources(tx, idUsers.map(doctorResource))
  const standing = await standingOf(tx, asked, planned)
  const groups = (await standingGroups(tx, idFilial, planned, standing)).map((group) =>
    group?.id === asked.idGroup ? undefined : group,
  )
  const placed = planned.map((one, at): Planned => {
    const coupon = coupons[at] as CouponAsked
    const is = standing[at] as Standing
    if (!is.shift && !(asked.outside && holds(actor, 'overbookAppointments')))
      throw new NoRoomError('outside', outsideWords(is), coupon, asked)
    const group = groups[at]
    if (group) return { ...one, ...ofGroup(group), dateFrom: is.dateFrom }
    const idRoom = coupon.idRoom === undefined ? is.idRoom : coupon.idRoom
    const room = idRoom === null ? undefined : known.rooms.get(idRoom)
    if (idRoom !== null && !room) throw wrong('idRoom', 'Кабинет не этого филиала')
    return { ...one, dateFrom: is.dateFrom, dateTo: is.dateTo, idRoom, cleaning: room?.cleaning ?? 0 }
  })
  await lockResources(
    tx,
    placed.flatMap(({ idRoom, gear }) => [
      ...(idRoom === null ? [] : [roomResource(idRoom)]),
      ...gear.flatMap(({ id }) => (id === null ? [] : [equipmentResource(id)])),
    ]),
  )
  return placed
}

/** The existing groups for group coupons; a missing one is created later. */
async function standingGroups(
  tx: Queryable,
  idFilial: number,
  planned: readonly Pick<Planned, 'idUser' | 'group'>[],
  standing: readonly { dateFrom: string }[],
): Promise<(Group | undefined)[]> {
  if (planned.every(({ group }) => group === null)) return []
  return groupsAt(
    tx,
    idFilial,
    planned.map(({ idUser, group }, at) => ({
      idUser,
      idService: group?.idService ?? 0,
      dateFrom: (standing[at] as Standing).dateFrom,
    })),
  )
}

/** A group keeps its own settings, whatever the request has. */
const ofGroup = ({ idRoom, minutes, breakAfter, cleaning, dateTo, ...group }: Group) => ({
  idRoom,
  minutes,
  breakAfter,
  cleaning,
  dateTo,
  group,
})

const outsideWords = ({ absence }: Standing): string =>
  absence ? `У врача в это время ${absence}` : 'Это время вне смены врача'

/** Past days and times need a right; bookings across midnight and more than two years ahead are refused. */
async function mustBeDay(tx: Tx, actor: ServerActor, { idFilial, localDate, coupons, isThere }: Asked): Promise<void> {
  const branch = await tx.one<{ today: string; clock: string; last: string; active: boolean }>(sql`
    select (now() at time zone ${zoneSql(raw('f'))})::date::text as today, f."active",
      to_char(now() at time zone ${zoneSql(raw('f'))}, 'HH24:MI') as clock,
      ((now() at time zone ${zoneSql(raw('f'))})::date + make_interval(years => ${MAX_YEARS}))::date::text as last
    from filials f where f."id" = ${idFilial} and not f."deleted"`)
  if (!branch) throw wrong('idFilial', 'Запись не найдена')
  if (!branch.active) throw wrong('idFilial', 'Филиал не работает')
  if (localDate > branch.last) throw wrong('localDate', `Записать можно не дальше чем на ${MAX_YEARS} года вперёд`)
  if (isThere || holds(actor, 'editPastAppointments')) return
  if (localDate < branch.today) throw wrong('localDate', 'Этот день уже прошёл')
  if (localDate === branch.today && coupons.some(({ localStart }) => localStart < branch.clock))
    throw wrong('localStart', 'Это время уже прошло')
}

interface Rule {
  idService: number
  idUser: number | null
  idFilial: number | null
  visit: VisitKind | null
  minutes: number
  breakAfter: number
  online: boolean
}
interface Offered {
  /** By the price list of the visit's day; zero for a service without a price. */
  listed: number
  promised: number | null
  until: string | null
  size: number
}
interface Catalogue {
  services: Map<number, Offered>
  rules: Rule[]
  /** «service doctor» pairs that are performed here. */
  performs: ReadonlySet<string>
  rooms: Map<number, { cleaning: number; capacity: number }>
  /** Required equipment of each service. */
  gear: ReadonlyMap<number, readonly Gear[]>
  doctors: ReadonlySet<number>
}

async function readCatalogue(tx: Queryable, { idFilial, localDate, coupons }: Asked): Promise<Catalogue> {
  const idServices = [...new Set(coupons.flatMap(({ services }) => services.map(({ idService }) => idService)))]
  const idUsers = [...new Set(coupons.map(({ idUser }) => idUser))]
  const services = await tx.query<{ id: number; size: number }>(sql`
    select s."id", s."groupSize" as size
    from services s where s."id" = any (${idServices}::bigint[]) and s."active" and not s."deleted"`)
  const prices = new Map((await pricesFor(tx, idServices, { idFilial, localDate })).map((one) => [one.id, one]))
  const rules =
    await tx.query<Rule>(sql`select "idService", "idUser", "idFilial", "visit", "minutes", "breakAfter", "online"
    from service_durations where "idService" = any (${idServices}::bigint[]) and not "deleted"`)
  const performs = await tx.query<{ key: string }>(sql`select p."idService" || ' ' || p."idUser" as key
    from service_doctors p where p."idService" = any (${idServices}::bigint[])
      and (p."idFilial" is null or p."idFilial" = ${idFilial}) and p."idUser" = any (${idUsers}::bigint[])`)
  const rooms = await tx.query<{ id: number; cleaning: number; capacity: number }>(
    sql`select "id", "cleaning", "capacity" from filials_rooms where "idFilial" = ${idFilial} and not "deleted"`,
  )
  const doctors = await tx.query<{ id: number }>(
    sql`select "id" from users where "id" = any (${idUsers}::bigint[]) and not "deleted" and not "isBlocked"`,
  )
  return {
    services: new Map(
      services.map(({ id, size }) => {
        const { listed = null, promised = null, until = null } = prices.get(id) ?? {}
        return [id, { listed: listed ?? 0, promised, until, size }]
      }),
    ),
    rules,
    performs: new Set(performs.map(({ key }) => key)),
    rooms: new Map(rooms.map((room) => [room.id, room])),
    gear: await gearOf(tx, idFilial, idServices),
    doctors: new Set(doctors.map(({ id }) => id)),
  }
}

/** Minutes of a service without a set length. */
export const USUAL_MINUTES = 30

/** Length of consecutive services of a doctor, and the break after the last. */
export function lengthOf(
  rules: readonly Rule[],
  idServices: readonly number[],
  asked: { idUser: number; idFilial: number; visit: VisitKind | null },
): { minutes: number; breakAfter: number } {
  const found = idServices.map((idService) =>
    durationOf(
      rules.filter((rule) => rule.idService === idService),
      asked,
    ),
  )
  return {
    minutes: found.reduce((sum, rule) => sum + (rule?.minutes ?? USUAL_MINUTES), 0),
    breakAfter: found.at(-1)?.breakAfter ?? 0,
  }
}

type Draft = Omit<Planned, 'dateFrom' | 'dateTo' | 'idRoom' | 'cleaning'>

function planCoupon(coupon: CouponAsked, at: number, asked: Asked, known: Catalogue): Draft {
  const { idUser, localStart, services } = coupon
  const field = (name: string) => (asked.coupons.length > 1 ? `coupons.${at}.${name}` : name)
  if (!known.doctors.has(idUser)) throw wrong(field('idUser'), 'Запись не найдена')
  const lines = services.map(({ idService, qty, idPlanItem = null }): PlannedLine => {
    const service = known.services.get(idService)
    if (!service) throw wrong(field('idService'), 'Услуга не найдена или не действует')
    if (!known.performs.has(`${idService} ${idUser}`))
      throw wrong(field('idUser'), 'Этот врач не выполняет услугу в этом филиале')
    const { listed, promised, until } = service
    // A plan item has its own price promise.
    if (idPlanItem !== null || promised === null || until === null)
      return { idService, qty, price: listed, listed, idPlanItem, promised: null, priceUntil: null }
    const price = asked.localDate <= until ? Math.min(listed, promised) : listed
    return { idService, qty, price, listed, idPlanItem, promised, priceUntil: until }
  })
  const [single] = services
  const capacity = Math.max(...services.map(({ idService }) => known.services.get(idService)?.size ?? 1))
  if (capacity > 1 && services.length > 1)
    throw wrong(field('idService'), 'Групповую услугу записывают отдельно от других')
  const usual = lengthOf(
    known.rules,
    services.map(({ idService }) => idService),
    { idUser, idFilial: asked.idFilial, visit: asked.kind ?? null },
  )
  const gear = gearOfAll(
    known.gear,
    services.map(({ idService }) => idService),
  )
  const missing = gear.find(({ capacity }) => capacity === 0)
  if (missing) throw wrong(field('idService'), `В филиале нет нужного оборудования: ${missing.name}`)
  const minutes = coupon.minutes ?? usual.minutes
  if ((minutesOf(localStart) as number) + minutes > DAY_MINUTES)
    throw wrong(
      field(coupon.minutes === undefined ? 'localStart' : 'minutes'),
      'Визит не может переходить через полночь',
    )
  return {
    ...(coupon.id !== undefined && { id: coupon.id }),
    idUser,
    localStart,
    minutes,
    breakAfter: usual.breakAfter,
    overbooked: false,
    gear,
    group: capacity > 1 && single ? { idService: single.idService, capacity } : null,
    lines,
  }
}

interface Standing {
  dateFrom: string
  dateTo: string
  /** True if the doctor's shift covers the time without absences. */
  shift: boolean
  idRoom: number | null
  absence: string | null
}

/** The moments of the coupons, and whether their doctors work then. */
async function standingOf(tx: Tx, { idFilial, localDate }: Asked, planned: readonly Draft[]): Promise<Standing[]> {
  const rows = planned.map(({ idUser, localStart, minutes }) => ({ idUser, localStart, minutes }))
  return tx.query<Standing>(sql`
    select m."from" as "dateFrom", m."to" as "dateTo", s."id" is not null and a."type" is null as "shift",
      s."idRoom", a.words as "absence"
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ("idUser" bigint, "localStart" text, "minutes" int))
        with ordinality w("idUser", "localStart", "minutes", at)
      join filials f on f."id" = ${idFilial}
      cross join lateral (select ${momentSql(sql`${localDate}`, raw('w."localStart"'), zoneSql(raw('f')))} as "from") t
      cross join lateral (select t."from", t."from" + make_interval(mins => w."minutes") as "to") m
      left join lateral (select e."id", e."idRoom" from staff_events e where e."type" = 'shift' and not e."deleted"
        and e."idUser" = w."idUser" and e."idFilial" = ${idFilial} and e."dateFrom" <= m."from" and e."dateTo" >= m."to"
        limit 1) s on true
      left join lateral (select e."type", case e."type" when 'block' then 'перерыв' when 'vacation' then 'отпуск'
          when 'sick' then 'больничный' when 'training' then 'обучение' else 'совещание' end as words
        from staff_events e where e."type" <> 'shift' and not e."deleted" and e."idUser" = w."idUser"
          and e."dateFrom" < m."to" and e."dateTo" > m."from"
        limit 1) a on true
    order by w.at`)
}

/** The 409 response with alternatives. */
export const noRoom = (error: NoRoomError, alternatives: readonly unknown[]): HttpError =>
  new HttpError(409, error.message, {
    code: error.code,
    body: {
      name: 'Conflict',
      message: error.message,
      status: 409,
      code: error.code,
      field: 'localStart',
      alternatives,
    },
  })
