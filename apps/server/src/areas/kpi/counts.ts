/**
 * KPI counters, each counted from events: an appeal, a completed visit, an answered call. Visits count on their day,
 * calls and appeals at their time, in the clinic's time zone. Statuses and outcomes are read from history as of the
 * month's close, so that later changes leave a closed month unchanged.
 */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import type { Counts, Indicator } from '@ordinator/model/areas/kpi/score'
import { DONE } from '@ordinator/model/areas/money/payment'
import { DETRACTOR_TO, PROMOTER_FROM } from '@ordinator/model/areas/visits/visit'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { asOf } from '#records/asOf.ts'

export interface Subject {
  /** First day of the month. */
  month: string
  idFilial?: number | undefined
  idUser?: number | undefined
}

/** The counters of all people together, under 0; with `people`, of each person. */
export async function countsOf(db: Queryable, subject: Subject, people = false): Promise<Map<number, Counts>> {
  const found = new Map<number, Counts>()
  // In sequence: a transaction has one connection.
  const makes = [appealsSql, visitsSql, revenueSql, bookedSql, callsSql, shiftsSql, scoresSql]
  // Advertising costs belong to the clinic, not to a person.
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

/**
 * Days after a month in which statuses of its days still count: as long as the desk is asked for outcomes. Later
 * changes leave the month unchanged.
 */
const LATE_DAYS = 7
/** Days within which a patient returns. */
const BACK_DAYS = 90

/** The moment after which the figures of a month are fixed. */
const closing = (month: string, later = 0): Sql => moment(plusDays(until(month), LATE_DAYS + later))

/** SQL condition: visit `b` was completed as known at a moment; a reopening by a person is in the history. */
const wasHeld = (at: Sql): Sql => sql`not b."deleted" and (
  b."visitStatus" = 'completed' and coalesce(b."dateCompleted", b."dateFrom") < ${at}
  or exists (select 1 from appointments_changes e where e."idAppointment" = b."id" and e."fromStatus" = 'completed'
    and e."dateCreate" >= ${at} and not exists (select 1 from appointments_changes d where d."idAppointment" = b."id"
      and d."id" < e."id" and d."toStatus" = 'completed' and d."dateCreate" >= ${at})))`

/** Visits of the month as of its close: an id, a patient, a doctor, an author and a status. */
function ownVisits({ month, idFilial }: Subject): Sql {
  const at = closing(month)
  const then = asOf('appointments', 'a', ['visitStatus', 'localDate', 'idUser'], at)
  const within = (day: Sql) => sql`${day} >= ${month} and ${day} < ${until(month)}`
  return sql`
    select a."id", a."idCustomer", a."dateFrom", a."idAuthor", x."idUser", x.status
    from appointments a ${then.join} cross join lateral (select ${then.value('visitStatus')} as status,
      (${then.value('localDate')})::date as day, (${then.value('idUser')})::bigint as "idUser", ${then.gone} as gone) x
    where a."dateCreate" < ${at} and ${same(raw('a."idFilial"'), idFilial)} and not x.gone and x.status <> 'moved'
      and (${within(raw('a."localDate"'))} or a."id" in (select m."idAppointment" from appointments_moves m
        where m."dateCreate" >= ${at} and ${within(raw('m."fromDate"'))}))
      and ${within(raw('x.day'))}`
}

function appealsSql({ month, idFilial, idUser }: Subject, people: boolean): Sql {
  const at = closing(month)
  const then = asOf('appeals', 'a', ['outcome', 'status', 'idUser'], at)
  return sql`
  with own as (
    select a."id", x."idUser", a."idCustomer", a."dateStart",
      not exists (select 1 from appeals b where (not b."deleted" or b."_deletedAt" >= ${at}) and b."dateStart" < a."dateStart"
        and b."id" <> a."id" and ((a."idCustomer" is not null and b."idCustomer" = a."idCustomer")
          or (a."idCustomer" is null and a."customerPhone" is not null and b."customerPhone" = a."customerPhone"))) as first
    from appeals a ${then.join} cross join lateral (select ${then.value('outcome')} as outcome,
      ${then.value('status')} as status, (${then.value('idUser')})::bigint as "idUser", ${then.gone} as gone) x
    where not x.gone and x.status <> 'draft' and x.outcome is distinct from 'notTarget'
      and ${within(raw('a."dateStart"'), month)} and ${same(raw('a."idFilial"'), idFilial)}
      and ${same(raw('x."idUser"'), idUser)} and ${person(people, raw('x."idUser"'))}
  )
  select ${by(people, raw('o."idUser"'))} as subject, count(*)::int as "обращения",
    count(*) filter (where o.first)::int as "первичные",
    count(*) filter (where o.first and exists (select 1 from appointments v where v."idCustomer" = o."idCustomer"
      and (not v."deleted" or v."_deletedAt" >= ${at}) and v."dateCreate" >= o."dateStart"
      and v."dateCreate" < o."dateStart" + interval '7 days'))::int as "с_записью"
  from own o group by 1`
}

/**
 * Revenue of completed visits: the current allocations of payments made before the close, and what was refunded since.
 */
function visitsSql(subject: Subject, people: boolean): Sql {
  const { month, idUser } = subject
  const at = closing(month)
  const day = plusDays(until(month), LATE_DAYS)
  return sql`
  with own as (
    select v.*, v.status = 'completed' as held, v.status = 'completed' and not exists (select 1 from appointments b
      where b."idCustomer" = v."idCustomer" and b."dateFrom" < v."dateFrom" and ${wasHeld(at)}) as first
    from (${ownVisits(subject)}) v where ${same(raw('v."idUser"'), idUser)}
  ), lines as (
    select l."id", o."id" as visit from own o join coupons c on c."idAppointment" = o."id" and not c."deleted"
      join coupon_services l on l."idCoupon" = c."id" and not l."deleted" where o.held
  ), money as (
    select p.visit, sum(p.kopecks) as paid from (
      select l.visit, w."sum" as kopecks from lines l join ledger_allocations w on w."idLine" = l."id"
        join ledger_txs t on t."id" = w."idTx" and t."localDate" < ${day}
      union all
      select l.visit, i."sum" * 100 from payments r join payments p on p."id" = r."idRefundOf" and p."localDate" < ${day}
        cross join lateral jsonb_to_recordset(coalesce(r."lines", '[]')) as i("idCouponService" bigint, "sum" numeric)
        join lines l on l."id" = i."idCouponService"
      where r."kind" = 'refund' and r."idStatus" = ${DONE} and not r."deleted" and r."localDate" >= ${day}
    ) p group by 1
  )
  select ${by(people, raw('o."idUser"'))} as subject, count(*)::int as "записи", count(*) filter (where o.held)::int as "визиты",
    count(*) filter (where o.held and m.paid > 0)::int as "оплаченные",
    count(*) filter (where o.status = 'noShow')::int as "неявки", count(*) filter (where o.first)::int as "первые_визиты",
    count(*) filter (where o.first and exists (select 1 from appointments b where b."idCustomer" = o."idCustomer"
      and b."dateFrom" > o."dateFrom" and b."dateFrom" <= o."dateFrom" + make_interval(days => ${BACK_DAYS})
      and ${wasHeld(closing(month, BACK_DAYS))}))::int as "вернулись",
    coalesce(sum(m.paid), 0)::float8 / 100 as "оплачено",
    coalesce(sum((select sum(k."allocated") from appointments b join coupons c on c."idAppointment" = b."id"
      join coupon_services l on l."idCoupon" = c."id" join ledger_lines k on k."idLine" = l."id"
      where b."idCustomer" = o."idCustomer" and not b."deleted" and not c."deleted" and not l."deleted"))
      filter (where o.first), 0)::float8 / 100 as "оплачено_когортой"
  from own o left join money m on m.visit = o."id" group by 1`
}

/** Ledger charges of the month with corrections, as in profit and loss. */
const revenueSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  select ${by(people, raw('c."idUser"'))} as subject, (-sum(e."amount"))::float8 / 100 as "выручка"
  from ledger_txs t join ledger_entries e on e."idTx" = t."id" and e."unit" = 'RUB'
    join ledger_accounts r on r."id" = e."idAccount" and r."kind" = 'revenue'
    left join coupon_services l on l."id" = t."idCouponService" left join coupons c on c."id" = l."idCoupon"
    left join cash_shifts s on s."id" = t."idShift" left join cash_desks d on d."id" = s."idDesk"
  where t."localDate" >= ${month} and t."localDate" < ${until(month)}
    and ${same(raw('coalesce(c."idFilial", d."idFilial")'), idFilial)} and ${same(raw('c."idUser"'), idUser)}
    and ${person(people, raw('c."idUser"'))} group by 1`

const bookedSql = (subject: Subject, people: boolean): Sql => sql`
  select ${by(people, raw('v."idAuthor"'))} as subject, count(*)::int as "записал",
    count(*) filter (where v.status = 'completed')::int as "записал_пришли"
  from (${ownVisits(subject)}) v where v."idAuthor" is not null and ${same(raw('v."idAuthor"'), subject.idUser)} group by 1`

/** Minimum ringing seconds; shorter calls count as misdialled. */
const MISTAKE = 5

const callsSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  with own as (
    select c."idUser", c."idFirstUser", c."waitS", c."dateAnswer" is not null as answered,
      case when c."dateReady" >= c."dateEnd" then extract(epoch from c."dateReady" - c."dateEnd") else 0 end as wrap,
      case when c."dateCreate" + make_interval(secs => c."recallS") < ${closing(month)} then c."recallS" end as "recallS",
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
    (avg(o."waitS") filter (where o.answered))::float8 as "ожидание_с", (avg(o.talk) filter (where o.answered))::float8 as "разговор_с",
    (avg(o.wrap) filter (where o.answered))::float8 as "обработка_с"
  from own o group by 1`

/** Scores given by patients after visits; they never change. */
const scoresSql = ({ month, idFilial, idUser }: Subject, people: boolean): Sql => sql`
  select ${by(people, raw('a."idUser"'))} as subject, count(*)::int as "оценки",
    count(*) filter (where s."score" >= ${PROMOTER_FROM})::int as "сторонники",
    count(*) filter (where s."score" <= ${DETRACTOR_TO})::int as "критики"
  from appointments_scores s join appointments a on a."id" = s."idAppointment"
  where ${within(raw('s."dateCreate"'), month)} and ${same(raw('a."idFilial"'), idFilial)} and ${same(raw('a."idUser"'), idUser)}
  group by 1`

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
    select ${by(people, raw('c."idUser"'))}, 0, c."minutes" from (${ownVisits({ month, idFilial })}) v
      join coupons c on c."idAppointment" = v."id"
    where v.status not in ('cancelled', 'noShow') and not c."deleted" and ${same(raw('c."idUser"'), idUser)}
  ) x group by 1`
