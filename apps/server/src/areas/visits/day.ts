/**
 * Data of a branch's day, or of a doctor's days, for the calendar grid: a few statements, whatever the number of
 * visits.
 */

import { holds } from '@ordinator/model/access'
import { moneyView } from '@ordinator/model/areas/money/desk'
import { MAX_DAY_SPAN, visitCalls } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Answered } from '@ordinator/model/call'
import { type Holiday, hoursOn, type WorkingHours } from '@ordinator/model/hours'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { lineCountsSql } from '#areas/counted/index.ts'
import { ifOpen } from '#areas/customers/index.ts'
import { lineDueSql, linePaidSql } from '#areas/money/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { heldSeats, takenSeats } from './groups.ts'
import { reaches, reachesEvent } from './scope.ts'
import { zoneSql } from './times.ts'

type Day = Answered<typeof visitCalls.day>
const DAY_MS = 86_400_000
const line = raw('l')

/** SQL of the service names of the coupon `c`. */
const servicesOfCoupon = sql`coalesce((select string_agg(coalesce(v."shortNameService", v."nameService"), ', ' order by l."id")
  from coupon_services l join services v on v."id" = l."idService" where l."idCoupon" = c."id" and ${lineCountsSql()}), '')`

export const day = operation(visitCalls.day, async ({ app, records, actor, query }): Promise<Day> => {
  const { idFilial = null, idUser = null, date: from, to = from, cancelled } = query
  if (idFilial === null && idUser === null)
    throw new ValidationError([{ field: 'idFilial', message: 'Выберите филиал или врача' }])
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1) throw new ValidationError([{ field: 'to', message: 'Конец раньше начала' }])
  if (days > MAX_DAY_SPAN) throw new ValidationError([{ field: 'to', message: `Не больше ${MAX_DAY_SPAN} дней` }])
  const asked: Asked = { db: app.db.reads, actor, idFilial, idUser, from, to, cancelled }
  const branch = await branchOf(asked)
  if (!branch) throw notFound()
  const [events, visits, holds, groups] = await Promise.all([
    eventsOf(asked),
    visitsOf(asked),
    holdsOf(asked),
    groupsOf(asked),
  ])
  const idDoctors = [...new Set([...events, ...visits].map((one) => one.idUser))]
  const idServices = [...new Set(visits.flatMap((one) => one.idServices))]
  const [doctors, rooms, performs] = await Promise.all([
    doctorsOf(asked, idDoctors),
    roomsOf(asked),
    performersOf(asked, idServices, idDoctors),
  ])
  if (isNamed(actor) && visits.length)
    await app.journal({
      ...journalActor(records.actor),
      action: 'search',
      entityType: Appointment.path,
      basis: 'Расписание дня',
    })
  const shown = Array.from({ length: days }, (_, at) => plusDays(from, at))
  const hours = shown.flatMap((date) => {
    const open = hoursOn(branch.week, date, branch.days)
    return open ? [{ date, ...open }] : []
  })
  // An empty time means none.
  const special = branch.days.map(({ day: date, reason, start, end }) => ({
    ...{ date, reason },
    ...(start && end ? { start, end } : { start: null, end: null }),
  }))
  return { timeZone: branch.timeZone, hours, special, doctors, performs, rooms, events, visits, groups, holds }
})

/** The days of a branch, or of a doctor in all branches. */
interface Asked {
  db: Queryable
  actor: ServerActor
  idFilial: number | null
  idUser: number | null
  from: string
  to: string
  /** Cancelled visits are shown, too. */
  cancelled: boolean
}

/** The actor sees names of patients. */
const isNamed = (actor: ServerActor): boolean => holds(actor, 'viewCustomers')

/** SQL condition: a row of these days, doctor and rights. @param row its alias */
const within = ({ actor, idUser, from, to }: Asked, row: string): Sql => {
  const t = raw(row)
  return sql`${t}."localDate" between ${from}::date and ${to}::date and (${idUser}::bigint is null or ${t}."idUser" = ${idUser})
    and ${reaches(actor, sql`${t}."idUser"`, sql`${t}."idFilial"`)}`
}

/** Time zone, hours and special days; those of the clinic without a branch. Undefined: there is no such branch. */
async function branchOf({ db, idFilial, from, to }: Asked) {
  const [branch] = await db.query<{
    timeZone: string
    week: WorkingHours | null
    days: (Holiday & { reason: string })[]
  }>(sql`
    select ${zoneSql(raw('f'))} as "timeZone", f."workingHours" as week, coalesce((select json_agg(json_build_object('day', h."day",
      'start', h."start", 'end', h."end", 'reason', h."reason") order by h."day") from filials_holidays h where h."idFilial" = f."id" and not h."deleted"
        and h."day" between ${from}::date and ${to}::date), '[]') as days
    from (values (1)) one(x) left join filials f on f."id" = ${idFilial}::bigint and not f."deleted"
    where ${idFilial}::bigint is null or f."id" is not null`)
  return branch
}

/** Shifts and absences, with those that began the evening before the first day. */
const eventsOf = ({ db, actor, idFilial, idUser, from, to }: Asked) =>
  db.query<Day['events'][number]>(sql`
    select e."id", e."type", e."idUser", e."idFilial", e."idRoom", e."localDate", e."localFrom", e."localTo", e."dateFrom", e."dateTo",
      e."comment"
    from staff_events e
    where not e."deleted" and e."localDate" between ${from}::date - 1 and ${to}::date
      and (e."localDate" >= ${from}::date or (e."localTo" <= e."localFrom" and e."localTo" > '00:00'))
      and (${idUser}::bigint is null or e."idUser" = ${idUser}) and ${reachesEvent(actor, raw('e'))}
      and (${idFilial}::bigint is null or e."idFilial" = ${idFilial} or (e."type" <> 'shift' and exists (
        select 1 from staff_events s where s."idUser" = e."idUser" and s."idFilial" = ${idFilial} and s."type" = 'shift'
          and s."localDate" = e."localDate" and not s."deleted")))
    order by e."dateFrom", e."id"`)

function visitsOf(asked: Asked) {
  const { db, actor, idFilial, cancelled } = asked
  const named = isNamed(actor)
  const moneyed = moneyView.some((right) => holds(actor, right))
  return db.query<Day['visits'][number]>(sql`
    select c."id", c."idAppointment", ${named ? raw('a."idCustomer"') : raw('null')} as "idCustomer",
      ${named ? shortFioSql(raw('p')) : raw('null')} as patient,
      ${named ? ifOpen(actor, raw('p'), raw('coalesce(p."phone", p."phoneMother", p."phoneFather")')) : raw('null')} as phone,
      c."idUser", c."idFilial", c."idRoom", c."localDate", c."localStart", c."minutes", c."dateFrom", c."dateTo", a."visitStatus",
      ${servicesOfCoupon} as services,
      array(select l."idService"::int from coupon_services l where l."idCoupon" = c."id" and ${lineCountsSql()}) as "idServices", a."needsRebook", c."overbooked", a."kind", a."idSeries", st."idGroup", a."note", a."_version" as version,
      a."dateArrived", a."dateStarted",
      (select count(*) from appointments n where n."idCustomer" = a."idCustomer" and n."visitStatus" = 'noShow'
        and not n."deleted" and n."dateFrom" > now() - interval '1 year')::int as "noShows",
      ${moneyed ? raw('m.due') : raw('null')} as due, ${moneyed ? raw('m.paid') : raw('null')} as paid
    from coupons c join appointments a on a."id" = c."idAppointment" join customers p on p."id" = a."idCustomer"
      left join visit_seats st on st."idCoupon" = c."id"
      ${
        moneyed
          ? sql`cross join lateral (select coalesce(sum(${lineDueSql(line)}), 0)::float8 as due,
        coalesce(sum(${linePaidSql(line)}), 0)::float8 as paid
        from coupon_services l where l."idCoupon" = c."id" and ${lineCountsSql()}) m`
          : sql``
      }
    where not c."deleted" and not a."deleted" and ${within(asked, 'c')}
      and (${idFilial}::bigint is null or c."idFilial" = ${idFilial})
      and (${cancelled} or (not c."cancelled" and a."visitStatus" not in ('cancelled', 'moved')))
    order by c."dateFrom", c."id"`)
}

/** Times that are being booked. */
function holdsOf(asked: Asked) {
  const { db, actor, idFilial } = asked
  return db.query<Day['holds'][number]>(sql`
    select h."id", h."idUser", h."idRoom", h."localDate", h."localStart", h."minutes", h."dateFrom", h."dateTo",
      h."idAuthor" is not distinct from ${actor.id}::bigint and not h."isOffered" as mine,
      case when h."idAuthor" is null then 'пациент онлайн' when not h."isOffered" then ${shortFioSql(raw('u'))} end as author, h."expiresAt"
    from appointments_holds h left join users u on u."id" = h."idAuthor"
    where not h."deleted" and h."expiresAt" > now() and ${within(asked, 'h')}
      and not exists (select 1 from visit_seats s where s."idHold" = h."id") and (${idFilial}::bigint is null or h."idFilial" = ${idFilial})
    order by h."dateFrom", h."id"`)
}

function groupsOf(asked: Asked) {
  const { db, actor, idFilial } = asked
  return db.query<Day['groups'][number]>(sql`
    select g."id", g."idService", coalesce(v."shortNameService", v."nameService") as service, g."idUser", g."idFilial",
      g."idRoom", g."localDate", g."localStart", g."minutes", g."dateFrom", g."dateTo", g."capacity",
      g."_version" as version, ${takenSeats} as taken, ${heldSeats(actor.id)} as held
    from appointments_groups g join services v on v."id" = g."idService"
    where not g."deleted" and ${within(asked, 'g')} and (${idFilial}::bigint is null or g."idFilial" = ${idFilial})
    order by g."dateFrom", g."id"`)
}

const doctorsOf = ({ db }: Asked, ids: readonly number[]) =>
  db.query<
    Day['doctors'][number]
  >(sql`select u."id" as "idUser", ${shortFioSql(raw('u'))} as "shortFio", u."post", u."avatar",
      u."color", s."name" as speciality,
      (select min(d."minutes") from service_performers p join service_durations d on d."idService" = p."idService" and not d."deleted"
          and (d."idUser" is null or d."idUser" = u."id")
        where p."idUser" = u."id" and p."allowed" and not p."deleted")::int as shortest
    from users u left join specialities s on s."id" = u."idSpeciality" and not s."deleted" where u."id" = any (${ids as number[]}::bigint[]) order by u."surname", u."name", u."id"`)

const roomsOf = ({ db, idFilial }: Asked) =>
  db.query<Day['rooms'][number]>(sql`select r."id", r."name", r."capacity" from filials_rooms r
    where r."idFilial" = ${idFilial}::bigint and not r."deleted" order by r."name", r."id"`)

/** Doctors of the day who perform the services of its visits. */
const performersOf = ({ db, idFilial }: Asked, idServices: readonly number[], idDoctors: readonly number[]) =>
  db.query<Day['performs'][number]>(sql`select p."idService", array_agg(distinct p."idUser"::int) as "idUsers"
    from service_doctors p where p."idService" = any (${idServices as number[]}::bigint[]) and p."idUser" = any (${idDoctors as number[]}::bigint[])
      and (${idFilial}::bigint is null or p."idFilial" is null or p."idFilial" = ${idFilial})
    group by 1 order by 1`)
