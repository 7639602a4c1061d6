/** Visits of the demo clinic, single and in groups, with their scores. */

import { ServiceDuration, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment, Coupon, CouponService, GroupVisit } from '@ordinator/model/areas/visits/visit'
import { VisitScore } from '@ordinator/model/areas/visits/visitScore'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import type { pastPatients } from './demoPatients.ts'
import { pastHooks } from './demoShifts.ts'
import { ROOMS } from './occupancy.ts'
import { momentSql, zoneSql } from './times.ts'

/**
 * In each branch an hour-long group, in the afternoon of the days on which its doctor works in the morning, for a week.
 */
export async function demoGroups(records: Records, tx: Tx): Promise<void> {
  const system = records.asSystem
  const keeper = await tx.one<{ id: number }>(sql`select "id" from users where "login" = 'manager'`)
  const { id: idService } = await system.create(Service, {
    userCreate: keeper?.id as number,
    userChange: keeper?.id as number,
    nameService: 'Школа здоровья, групповое занятие',
    shortNameService: 'Школа здоровья',
    priceService: 900,
    groupSize: 8,
  })
  await system.create(ServiceDuration, { idService, minutes: 60, breakAfter: 10 })
  const zone = zoneSql(raw('f'))
  const [from, to] = ['15:00', '17:00'].map((clock) => sql`${clock}`) as [Sql, Sql]
  await system.createFrom(
    StaffEvent,
    sql`(select distinct on (e."idFilial") e."idFilial", e."idUser" from staff_events e join users u on u."id" = e."idUser"
          where e."type" = 'shift' and u."post" not ilike '%УЗИ%' order by e."idFilial", e."idUser" desc) d
      join filials f on f."id" = d."idFilial"
      join staff_events s on s."idUser" = d."idUser" and s."idFilial" = f."id" and s."type" = 'shift'
        and s."localDate" between ${clinicToday} and ${clinicToday} + 7 and s."localTo" <= '13:00'
      order by s."localDate", d."idUser"`,
    {
      type: 'shift',
      idUser: raw('d."idUser"'),
      idFilial: raw('f."id"'),
      localDate: raw('s."localDate"'),
      localFrom: from,
      localTo: to,
      comment: 'Групповые занятия',
      dateFrom: momentSql(raw('s."localDate"'), from, zone),
      dateTo: momentSql(raw('s."localDate"'), to, zone),
      idAuthor: raw(`(select "id" from users where "login" = 'manager')`),
    },
    pastHooks,
  )
  const lessons = raw(`staff_events s where s."type" = 'shift' and s."comment" = 'Групповые занятия'`)
  await system.createFrom(
    ServicePerformer,
    sql`(select distinct s."idUser" from ${lessons}) s order by 1`,
    { idService, idUser: raw('s."idUser"') },
    pastHooks,
  )
  await system.createFrom(
    GroupVisit,
    sql`${lessons} and s."dateFrom" > now() order by s."dateFrom", s."idUser"`,
    {
      idService,
      idUser: raw('s."idUser"'),
      idFilial: raw('s."idFilial"'),
      localDate: raw('s."localDate"'),
      localStart: raw('s."localFrom"'),
      dateFrom: raw('s."dateFrom"'),
      dateTo: raw(`s."dateFrom" + interval '1 hour'`),
      minutes: 60,
      breakAfter: 10,
      capacity: 8,
    },
    pastHooks,
  )
  const seated = sql`appointments_groups g join lateral (select row_number() over (order by c."id") as seat, c."id" from customers c
    where c."id" % 11 = g."id" % 11 order by c."id" limit 2 + g."id" % 6) p on true`
  await system.createFrom(
    Appointment,
    sql`${seated} order by g."id", p.seat`,
    {
      idCustomer: raw('p."id"'),
      idFilial: raw('g."idFilial"'),
      idUser: raw('g."idUser"'),
      localDate: raw('g."localDate"'),
      localStart: raw('g."localStart"'),
      dateFrom: raw('g."dateFrom"'),
      dateTo: raw('g."dateTo"'),
      visitStatus: raw(`case when p.seat % 2 = 1 then 'confirmed' else 'booked' end`),
      channel: 'phone',
      idAuthor: raw(`(select "id" from users where "login" = 'operator')`),
    },
    pastHooks,
  )
  await system.createFrom(
    Coupon,
    sql`appointments_groups g join appointments a on a."idUser" = g."idUser" and a."dateFrom" = g."dateFrom" order by a."id"`,
    {
      idAppointment: raw('a."id"'),
      idService,
      idUser: raw('g."idUser"'),
      idFilial: raw('g."idFilial"'),
      idGroup: raw('g."id"'),
      localDate: raw('g."localDate"'),
      localStart: raw('g."localStart"'),
      dateFrom: raw('g."dateFrom"'),
      dateTo: raw('g."dateTo"'),
      minutes: 60,
      breakAfter: 10,
    },
    pastHooks,
  )
  await system.createFrom(
    CouponService,
    sql`coupons c where c."idGroup" is not null order by c."id"`,
    { idCoupon: raw('c."id"'), idService, qty: 1, price: 900 },
    pastHooks,
  )
  await tx.query(sql`insert into visit_occupancy ("resource", "lane", "during", "idGroup")
    select g."idUser", 0, tstzrange(g."dateFrom", g."dateTo" + interval '10 minutes'), g."id" from appointments_groups g`)
  await tx.query(sql`insert into visit_seats ("idGroup", "seat", "capacity", "idCoupon")
    select g."id", row_number() over (partition by g."id" order by c."id"), g."capacity", c."id"
    from appointments_groups g join coupons c on c."idGroup" = g."id"`)
}

/** Scores that some patients gave after their visits. */
export async function demoScores(records: Records): Promise<void> {
  await records.asSystem.createFrom(
    VisitScore,
    sql`appointments a cross join lateral (select ${chance('a."id"', '11')} as luck, ${chance('a."id"', '5')} as fate) c
      where a."visitStatus" = 'completed' and a."dateCompleted" < now() - interval '1 day' and c.luck < 12 order by a."dateCompleted"`,
    {
      idAppointment: raw('a."id"'),
      score: raw(`case when c.fate < 46 then 10 when c.fate < 68 then 9 when c.fate < 79 then 8 when c.fate < 87 then 7
        when c.fate < 93 then 6 when c.fate < 97 then 4 else 1 end`),
      comment: raw(`case when c.fate % 6 = 0 then case when c.fate < 68
        then (array['Спасибо врачу, всё объяснил', 'Приняли вовремя', 'Вежливая регистратура'])[c.fate % 3 + 1]
        when c.fate < 87 then 'Хорошо, но долго искали карту' else 'Ждали приёма сорок минут' end end`),
      dateCreate: raw(`a."dateCompleted" + interval '20 hours'`),
    },
    pastHooks,
  )
}

/** A stable number from 0 to 99 for each row. */
const chance = (of: string, salt: string) => raw(`(hashint8(${of} * 31 + ${salt}) & 2147483647) % 100`)

/**
 * @param load taken slots, in percent of a shift
 * @param from the patients with their places, and the place of a visit's patient
 */
export async function demoVisits(
  records: Records,
  tx: Tx,
  [first, last]: readonly [Sql, Sql],
  load: Sql,
  { patients, place }: ReturnType<typeof pastPatients> = {
    patients: raw('(select "id", row_number() over (order by "id") - 1 as at from customers)'),
    place: raw('(hashint8(w.seed) & 2147483647) % greatest(1, (select count(*) from customers))'),
  },
): Promise<void> {
  const system = records.asSystem
  const within = (day: Sql) => sql`${day} between ${first} and ${last}`
  const past = raw(`w."from" < now() - interval '1 hour'`)
  const today = sql`s."localDate" = ${clinicToday}`
  await system.createFrom(
    Appointment,
    sql`staff_events s
      cross join generate_series(0, 8) k(n)
      cross join lateral (select s."dateFrom" + make_interval(mins => 35 * k.n) as "from", s."id" * 16 + k.n as seed) w
      cross join lateral (select ${chance('w.seed', '7')} as luck, ${chance('w.seed', '3')} as fate) c
      join ${patients} p on p.at = ${place}
      where s."type" = 'shift' and ${within(raw('s."localDate"'))} and w."from" + interval '35 minutes' <= s."dateTo"
        and c.luck < ${load}
        and exists (select 1 from service_performers sp where sp."idUser" = s."idUser")
      order by w."from", s."idUser"`,
    {
      idCustomer: raw('p."id"'),
      idFilial: raw('s."idFilial"'),
      idUser: raw('s."idUser"'),
      localDate: raw('s."localDate"'),
      localStart: raw(`to_char(s."localFrom"::interval + make_interval(mins => 35 * k.n), 'HH24:MI')`),
      dateFrom: raw('w."from"'),
      dateTo: raw(`w."from" + interval '30 minutes'`),
      kind: raw(`case when c.fate % 3 = 0 then 'primary' else 'repeat' end`),
      channel: raw(`case c.fate % 4 when 0 then 'site' when 1 then 'desk' else 'phone' end`),
      visitStatus: sql`case when c.fate < 6 then 'cancelled'
        when ${past} and c.fate < 13 then 'noShow'
        when ${past} then 'completed'
        when ${today} and w."from" < now() then 'inProgress'
        when ${today} and w."from" < now() + interval '30 minutes' then 'arrived'
        when c.fate % 2 = 0 then 'confirmed' else 'booked' end`,
      cancelReason: raw(
        `case when c.fate < 6 then (array['ill', 'time', 'price', 'other', 'double', 'clinic'])[c.fate + 1] end`,
      ),
      cancelledBy: raw(`case when c.fate < 5 then 'patient' when c.fate = 5 then 'clinic' end`),
      dateArrived: sql`case when c.fate >= 13 and ${past} then w."from" - interval '8 minutes' end`,
      dateStarted: sql`case when c.fate >= 13 and ${past} then w."from" + interval '3 minutes' end`,
      dateCompleted: sql`case when c.fate >= 13 and ${past} then w."from" + interval '28 minutes' end`,
      idAuthor: raw(`(select "id" from users where "login" = 'operator')`),
      dateCreate: raw(`least(now(), w."from" - interval '3 days')`),
      dateChange: raw(`least(now(), w."from" + interval '30 minutes')`),
    },
    pastHooks,
  )
  await system.createFrom(
    Coupon,
    sql`appointments a join staff_events s on s."idUser" = a."idUser" and s."type" = 'shift' and s."dateFrom" <= a."dateFrom"
        and s."dateTo" >= a."dateTo"
      cross join lateral (select sp."idService" from service_performers sp join services v on v."id" = sp."idService"
        where sp."idUser" = a."idUser" and v."active"
        order by (v."nameService" ilike case when a."kind" = 'primary' then '%первичный' else '%повторный' end) desc,
          (hashint8(a."id" + sp."id") & 2147483647) limit 1) v
      where ${within(raw('a."localDate"'))} order by a."id"`,
    {
      idAppointment: raw('a."id"'),
      idService: raw('v."idService"'),
      idUser: raw('a."idUser"'),
      idFilial: raw('a."idFilial"'),
      idRoom: raw('s."idRoom"'),
      localDate: raw('a."localDate"'),
      localStart: raw('a."localStart"'),
      dateFrom: raw('a."dateFrom"'),
      dateTo: raw('a."dateTo"'),
      minutes: 30,
      breakAfter: 5,
      cancelled: raw(`a."visitStatus" = 'cancelled'`),
      dateCreate: raw('a."dateCreate"'),
    },
    pastHooks,
  )
  await system.createFrom(
    CouponService,
    sql`coupons c join appointments a on a."id" = c."idAppointment" join services v on v."id" = c."idService"
      where ${within(raw('c."localDate"'))} order by c."id"`,
    {
      idCoupon: raw('c."id"'),
      idService: raw('c."idService"'),
      qty: 1,
      price: raw('coalesce(v."priceService", 0)'),
      completed: raw(`a."visitStatus" = 'completed'`),
      dateCompleted: raw('a."dateCompleted"'),
      dateCreate: raw('a."dateCreate"'),
    },
    pastHooks,
  )
  // Past visits take no time any more.
  for (const resource of [raw('c."idUser"'), raw(`c."idRoom" + ${ROOMS}`)])
    await tx.query(sql`insert into visit_occupancy ("resource", "lane", "during", "idCoupon")
      select ${resource}, 0, tstzrange(c."dateFrom", c."dateTo" + interval '5 minutes'), c."id"
      from coupons c join appointments a on a."id" = c."idAppointment"
      where c."dateTo" > now() - interval '1 day' and ${within(raw('c."localDate"'))} and ${resource} is not null
        and a."visitStatus" not in ('cancelled', 'noShow', 'moved')`)
}
