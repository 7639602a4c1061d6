/**
 * Calendar feed of the own schedule by a secret address. It is read without sign-in, so it only shows that there is a
 * visit, unless the clinic's setting allows names; its contents follow the current rights of the employee.
 */
import { createHash, randomBytes } from 'node:crypto'
import { allowed, holds } from '@ordinator/model/access'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { clockOf, DAY_MINUTES, minutesOf } from '@ordinator/model/areas/visits/clock'
import { type IcalEvent, icalOf } from '@ordinator/model/areas/visits/ical'
import { type EventType, eventTypes } from '@ordinator/model/areas/visits/shift'
import { Appointment, visitAccess } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { lineCountsSql, takesTimeSql } from '#areas/counted/index.ts'
import { ifOpen } from '#areas/customers/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { actorOfUser } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import { takenSeats } from './groups.ts'
import { zoneSql } from './times.ts'

/** Days before and after today, and the maximum number of visits and events in the feed. */
const [BEHIND, AHEAD] = [30, 180]
const MAX_VISITS = 2_000
const MAX_EVENTS = 1_000
/** Minutes between two updates of the time of the last read. */
const NOTED_EVERY = 15

const hashed = (token: string): Buffer => createHash('sha256').update(token).digest()

export const feed = operation(visitCalls.feed, async ({ app, actor }) => {
  const own = await app.db.reads.one<{ made: string; read: string | null }>(
    sql`select "made", "read" from calendar_feeds where "idUser" = ${actor.id}`,
  )
  const names = await showsNames(app.db.reads, actor)
  return { made: own?.made ?? null, read: own?.read ?? null, names }
})

export const makeFeed = operation(visitCalls.makeFeed, async ({ app, actor }) => {
  const token = randomBytes(32).toString('base64url')
  await app.db.query(sql`insert into calendar_feeds ("idUser", "token") values (${actor.id}, ${hashed(token)})
    on conflict ("idUser") do update set "token" = excluded."token", "made" = now(), "read" = null`)
  return { url: `${app.config.publicUrl}/calendar-feed/${token}.ics` }
})

export const dropFeed = operation(visitCalls.dropFeed, async ({ app, actor }) => {
  await app.db.query(sql`delete from calendar_feeds where "idUser" = ${actor.id}`)
})

export const readFeed = operation(visitCalls.readFeed, async ({ app, params, request, reply }) => {
  const token = /^([\w-]{43})\.ics$/.exec(params.file)?.[1]
  if (!token) throw notFound()
  const db = app.db.reads
  const own = await db.one<{ idUser: number; fio: string }>(sql`
    select u."id" as "idUser", ${shortFioSql(raw('u'))} as fio from calendar_feeds f join users u on u."id" = f."idUser"
    where f."token" = ${hashed(token)} and not u."deleted" and not u."isBlocked"`)
  const actor = own && (await actorOfUser(db, own.idUser))
  if (!own || !actor || !allowed(actor, visitAccess.view)) throw notFound()
  const names = await showsNames(db, actor)
  const text = icalOf({ name: `Расписание: ${own.fio}`, events: await eventsOf(db, actor, names) })
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 32)}"`
  await app.db.query(sql`update calendar_feeds set "read" = now() where "idUser" = ${own.idUser}
    and ("read" is null or "read" < now() - make_interval(mins => ${NOTED_EVERY}))`)
  reply.header('etag', etag).header('cache-control', 'private, no-cache').header('x-robots-tag', 'noindex')
  const known = request.headers['if-none-match']
  if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
  if (names)
    await app.journal({
      action: 'export',
      idUser: own.idUser,
      ip: request.ip,
      entityType: Appointment.path,
      basis: 'Своё расписание по секретному адресу',
      requestId: request.id,
    })
  return reply.type('text/calendar; charset=utf-8').send(text)
})

const showsNames = async (db: Queryable, actor: ServerActor): Promise<boolean> =>
  holds(actor, 'viewCustomers') && (await readCommonSettings(db)).calendarNames

interface Row extends Pick<IcalEvent, 'day' | 'from' | 'zone' | 'changed'> {
  id: number
  location: string
}

async function eventsOf(db: Queryable, actor: ServerActor, names: boolean): Promise<IcalEvent[]> {
  const place = raw(
    `concat_ws(', ', case when r."name" ~ '^[0-9]' then 'каб. ' || r."name" else r."name" end, f."nameFilial")`,
  )
  const within = (row: string) => sql`${raw(row)}."idUser" = ${actor.id} and not ${raw(row)}."deleted"
    and ${raw(row)}."localDate" between ${clinicToday} - ${BEHIND}::int and ${clinicToday} + ${AHEAD}::int`
  const services = sql`(select string_agg(coalesce(v."shortNameService", v."nameService"), ', ' order by l."id")
    from coupon_services l join services v on v."id" = l."idService"
    where l."idCoupon" = c."id" and ${lineCountsSql()})`
  const visits = await db.query<Row & { minutes: number; services: string | null; patient: string | null }>(sql`
    select c."id", c."localDate" as day, c."localStart" as "from", c."minutes", ${zoneSql(raw('f'))} as zone, ${place} as location,
      a."dateChange" as changed, ${services} as services,
      ${names ? ifOpen(actor, raw('p'), shortFioSql(raw('p'))) : raw('null')} as patient
    from coupons c join appointments a on a."id" = c."idAppointment" join customers p on p."id" = a."idCustomer"
      join filials f on f."id" = c."idFilial" left join filials_rooms r on r."id" = c."idRoom"
    where ${within('c')} and ${takesTimeSql}
      and not exists (select 1 from visit_seats s where s."idCoupon" = c."id")
    order by c."dateFrom", c."id" limit ${MAX_VISITS}`)
  const groups = await db.query<Row & { minutes: number; service: string; taken: number; capacity: number }>(sql`
    select g."id", g."localDate" as day, g."localStart" as "from", g."minutes", ${zoneSql(raw('f'))} as zone, ${place} as location,
      g."dateCreate" as changed, coalesce(v."shortNameService", v."nameService") as service, ${takenSeats} as taken, g."capacity"
    from appointments_groups g join services v on v."id" = g."idService" join filials f on f."id" = g."idFilial"
      left join filials_rooms r on r."id" = g."idRoom"
    where ${within('g')} order by g."dateFrom", g."id" limit ${MAX_EVENTS}`)
  const events = await db.query<Row & { to: string; type: EventType }>(sql`
    select e."id", e."type", e."localDate" as day, e."localFrom" as "from", e."localTo" as "to", e."dateCreate" as changed,
      ${zoneSql(raw('f'))} as zone, ${place} as location
    from staff_events e left join filials f on f."id" = e."idFilial" left join filials_rooms r on r."id" = e."idRoom"
    where ${within('e')} order by e."dateFrom", e."id" limit ${MAX_EVENTS}`)
  // A visit has the same uid in every response.
  const until = ({ from, minutes }: { from: string; minutes: number }) =>
    clockOf(Math.min(DAY_MINUTES, (minutesOf(from) as number) + minutes))
  return [
    ...visits.map(({ id, minutes, services, patient, ...one }) => ({
      ...one,
      uid: `visit-${id}@ordinator`,
      to: until({ ...one, minutes }),
      summary: patient ? `Приём: ${patient}` : 'Приём',
      description: services ?? undefined,
      busy: true,
    })),
    ...groups.map(({ id, minutes, service, taken, capacity, ...one }) => ({
      ...one,
      uid: `group-${id}@ordinator`,
      to: until({ ...one, minutes }),
      summary: `Групповой приём, ${taken} из ${capacity}`,
      description: service,
      busy: true,
    })),
    ...events.map(({ id, type, ...one }) => ({
      ...one,
      uid: `event-${id}@ordinator`,
      summary: eventTypes[type],
      busy: type !== 'shift',
    })),
  ]
}
