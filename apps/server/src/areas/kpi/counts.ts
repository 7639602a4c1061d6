/**
 * The counters of KPI, each counted from what happened in the month: an appeal came, a visit was held, a call was
 * answered. A visit counts on the day it was held for, a call and an appeal when they came, by the clinic's clock.
 */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import type { Counts, Indicator } from '@ordinator/model/areas/kpi/score'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { lineCostSql } from '../money/index.ts'
import { clinicZone } from '../settings/index.ts'

export interface Subject {
  /** First day of the month. */
  month: string
  idFilial?: number | undefined
  idUser?: number | undefined
}

/** The counters of everybody together, under 0; by `people` of each person. */
export async function countsOf(db: Queryable, subject: Subject, people = false): Promise<Map<number, Counts>> {
  const found = new Map<number, Counts>()
  // One after another: a transaction has one connection.
  const makes = [appealsSql, visitsSql, bookedSql, callsSql, shiftsSql]
  // Advertising is the clinic's, and nobody's own.
  if (!people && subject.idUser === undefined) makes.push(costsSql)
  for (const make of makes)
    for (const { subject: key, ...counts } of await db.query<Record<string, number | null>>(make(subject, people))) {
      const own = found.get(key ?? 0) ?? {}
      found.set(key ?? 0, own)
      for (const [name, value] of Object.entries(counts)) if (value !== null) own[name as Indicator] = Number(value)
    }
  return found
}

const until = (month: string): string => monthsLater(month, 1)
const moment = (day: string): Sql => sql`(${day}::date::timestamp at time zone ${clinicZone})`
const within = (column: Sql, month: string): Sql =>
  sql`${column} >= ${moment(month)} and ${column} < ${moment(until(month))}`
const same = (column: Sql, id: number | undefined): Sql => (id === undefined ? raw('true') : sql`${column} = ${id}`)
const by = (people: boolean, column: Sql): Sql => (people ? column : raw('0::bigint'))
const person = (people: boolean, column: Sql): Sql => (people ? sql`${column} is not null` : raw('true'))

const appealsSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  with own as (
    select a."id", a."idUser", a."idCustomer", a."dateStart",
      not exists (select 1 from appeals b where not b."deleted" and b."dateStart" < a."dateStart" and b."id" <> a."id"
        and ((a."idCustomer" is not null and b."idCustomer" = a."idCustomer")
          or (a."idCustomer" is null and a."customerPhone" is not null and b."customerPhone" = a."customerPhone"))) as first
    from appeals a where not a."deleted" and a."status" <> 'draft' and a."outcome" is distinct from 'notTarget'
      and ${within(raw('a."dateStart"'), month)} and ${same(raw('a."idFilial"'), idFilial)}
      and ${same(raw('a."idUser"'), idUser)} and ${person(people, raw('a."idUser"'))}
  )
  select ${by(people, raw('o."idUser"'))} as subject, count(*)::int as "обращения",
    count(*) filter (where o.first)::int as "первичные",
    count(*) filter (where o.first and exists (select 1 from appointments v where v."idCustomer" = o."idCustomer"
      and not v."deleted" and v."dateCreate" >= o."dateStart" and v."dateCreate" < o."dateStart" + interval '7 days'))::int as "с_записью"
  from own o group by 1`

const visitsSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  with own as (
    select a."id", a."idUser", a."idCustomer", a."dateFrom", a."visitStatus" = 'completed' as held,
      a."visitStatus" = 'noShow' as missed,
      not exists (select 1 from appointments b where b."idCustomer" = a."idCustomer" and b."visitStatus" = 'completed'
        and not b."deleted" and b."dateFrom" < a."dateFrom") as first
    from appointments a where not a."deleted" and a."visitStatus" <> 'moved' and a."localDate" >= ${month}
      and a."localDate" < ${until(month)} and ${same(raw('a."idFilial"'), idFilial)} and ${same(raw('a."idUser"'), idUser)}
  ), money as (
    select o."id", sum(${lineCostSql(raw('l'))}) as cost, sum(k."allocated") as paid
    from own o join coupons c on c."idAppointment" = o."id" and not c."deleted" and not c."cancelled"
      join coupon_services l on l."idCoupon" = c."id" and not l."deleted" and not l."cancelled" and l."completed"
      left join ledger_lines k on k."idLine" = l."id"
    where o.held group by 1
  )
  select ${by(people, raw('o."idUser"'))} as subject, count(*)::int as "записи", count(*) filter (where o.held)::int as "визиты",
    count(*) filter (where o.held and m.paid > 0)::int as "оплаченные", count(*) filter (where o.missed)::int as "неявки",
    count(*) filter (where o.held and o.first)::int as "первые_визиты",
    count(*) filter (where o.held and o.first and exists (select 1 from appointments b where b."idCustomer" = o."idCustomer"
      and b."visitStatus" = 'completed' and not b."deleted" and b."dateFrom" > o."dateFrom"
      and b."dateFrom" <= o."dateFrom" + interval '90 days'))::int as "вернулись",
    coalesce(sum(m.cost), 0)::float8 as "выручка", coalesce(sum(m.paid), 0)::float8 / 100 as "оплачено",
    coalesce(sum((select sum(k."allocated") from appointments b join coupons c on c."idAppointment" = b."id"
      join coupon_services l on l."idCoupon" = c."id" join ledger_lines k on k."idLine" = l."id"
      where b."idCustomer" = o."idCustomer" and not b."deleted" and not c."deleted" and not l."deleted"))
      filter (where o.held and o.first), 0)::float8 / 100 as "оплачено_когортой"
  from own o left join money m on m."id" = o."id" group by 1`

const bookedSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  select ${by(people, raw('a."idAuthor"'))} as subject, count(*)::int as "записал",
    count(*) filter (where a."visitStatus" = 'completed')::int as "записал_пришли"
  from appointments a where not a."deleted" and a."visitStatus" <> 'moved' and a."localDate" >= ${month}
    and a."localDate" < ${until(month)} and a."idAuthor" is not null and ${same(raw('a."idFilial"'), idFilial)}
    and ${same(raw('a."idAuthor"'), idUser)} group by 1`

/** Seconds that a caller rang; shorter ones dialled by mistake. */
const MISTAKE = 5

const callsSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  with own as (
    select c.*, c."dateAnswer" is not null as answered,
      extract(epoch from c."dateEnd" - c."dateAnswer") as talk,
      (c."dateAnswer" is null and coalesce(c."waitS", ${MISTAKE + 1}) > ${MISTAKE} and not exists (
        select 1 from calls r where r."contactPhone" = c."contactPhone" and r."dateAnswer" is not null
          and r."dateCreate" > c."dateCreate" and r."dateCreate" <= c."dateCreate" + interval '10 minutes')) as missed
    from calls c where c."callType" in (1, 3, 5) and not c."training" and ${within(raw('c."dateCreate"'), month)}
      and ${same(raw('c."idFilial"'), idFilial)} and ${same(raw('coalesce(c."idUser", c."idFirstUser")'), idUser)}
      and ${person(people, raw('coalesce(c."idUser", c."idFirstUser")'))}
  )
  select ${by(people, raw('coalesce(o."idUser", o."idFirstUser")'))} as subject, count(*)::int as "входящие",
    count(*) filter (where o.missed)::int as "пропущенные",
    count(*) filter (where o.missed and o."recallS" is not null)::int as "перезвонили",
    count(*) filter (where o.missed and o."recallS" <= 900)::int as "перезвонили_15",
    (percentile_cont(0.5) within group (order by o."recallS") filter (where o.missed) / 60)::float8 as "перезвон_мин",
    count(*) filter (where o.answered)::int as "ответили",
    count(*) filter (where o.answered and o."waitS" <= 20)::int as "ответили_20",
    count(*) filter (where not o.answered and o."waitS" > 20)::int as "брошенные_20",
    (avg(o."waitS") filter (where o.answered))::float8 as "ожидание_с", (avg(o.talk) filter (where o.answered))::float8 as "разговор_с"
  from own o group by 1`

const costsSql = ({ month, idFilial }: Subject): Sql => sql`
  select 0::bigint as subject, coalesce(sum(c."cost"), 0)::float8 as "реклама"
  from advertising_costs c join advertising_campaigns p on p."id" = c."idCampaign"
  where not c."deleted" and c."localDate" >= ${month} and c."localDate" < ${until(month)} and ${same(raw('p."idFilial"'), idFilial)}`

const shiftsSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  select subject, sum(worked)::float8 as "минуты_смен", sum(busy)::float8 as "минуты_записи" from (
    select ${by(people, raw('e."idUser"'))} as subject, extract(epoch from e."dateTo" - e."dateFrom") / 60 as worked, 0 as busy
    from staff_events e where e."type" = 'shift' and not e."deleted" and e."localDate" >= ${month} and e."localDate" < ${until(month)}
      and ${same(raw('e."idFilial"'), idFilial)} and ${same(raw('e."idUser"'), idUser)}
    union all
    select ${by(people, raw('c."idUser"'))}, 0, c."minutes" from coupons c join appointments a on a."id" = c."idAppointment"
    where not c."deleted" and not c."cancelled" and not a."deleted" and a."visitStatus" not in ('cancelled', 'noShow', 'moved')
      and c."localDate" >= ${month} and c."localDate" < ${until(month)} and ${same(raw('c."idFilial"'), idFilial)}
      and ${same(raw('c."idUser"'), idUser)}
  ) x group by 1`
