/** Facts of the visit reports: outcomes, load of shifts, returning patients. */

import { loadReport, npsReport, returnReport, visitsReport } from '@ordinator/model/areas/visits/reports'
import { DETRACTOR_TO, PROMOTER_FROM } from '@ordinator/model/areas/visits/visitScore'
import sql, { raw, type Sql } from 'sql-template-tag'
import { takesTimeSql } from '#areas/counted/index.ts'
import { paidEverSql } from '#areas/money/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { dayAt, type Rollup, reportSource } from '#records/reports/source.ts'
import { isFirstOfGroupSql, openMinutesSql } from './load.ts'

const visitDays = (which: Sql) => sql`select a."localDate" from appointments a where ${which}`
const ofLines: Rollup['touched'][string] = (ids) =>
  visitDays(sql`a."id" in (select c."idAppointment" from coupons c join coupon_services l on l."idCoupon" = c."id"
    where l."id" in ${ids()})`)

/** SQL: the time of visit `a` has come. True of every visit of a past day, so that a rollup may keep it. */
const isDue = sql`(a."visitStatus" <> 'moved' and (a."dateFrom" <= now() or a."visitStatus" in ('completed', 'noShow')))`

export const visitFacts = reportSource(
  visitsReport,
  ({ within }) => sql`
    select a."localDate" as "day", a."idFilial" as "filial", a."dateFrom" as "at", a."id" as "visit", a."idCustomer" as "customer",
      a."idUser" as "doctor", (select u."idSpeciality" from users u where u."id" = a."idUser") as "speciality",
      a."visitStatus" as "status", a."kind", a."channel", a."cancelReason" as "reason", a."idAuthor" as "author",
      case when a."dateStarted" >= a."dateArrived" then round(extract(epoch from a."dateStarted" - a."dateArrived") / 60) end as "waited",
      a."visitStatus" <> 'moved' as "isKept", ${isDue} as "isDue", ${isDue} and a."idAuthor" is not null as "isMade",
      a."visitStatus" = 'completed' and a."idAuthor" is not null as "isMadeCome", a."visitStatus" = 'completed' as "isCompleted",
      a."visitStatus" = 'noShow' as "isNoShow", a."visitStatus" = 'cancelled' as "isCancelled",
      a."visitStatus" = 'completed' and exists (select from coupons c join coupon_services l on l."idCoupon" = c."id"
        join ledger_lines p on p."idLine" = l."id"
        where c."idAppointment" = a."id" and not c."deleted" and not l."deleted" and p."allocated" > 0) as "isPaid"
    from appointments a where not a."deleted" and ${within(sql`a."localDate"`)}`,
  {
    kept: ['doctor', 'status', 'kind', 'channel', 'reason', 'author'],
    derived: { speciality: sql`(select u."idSpeciality" from users u where u."id" = r."doctor")` },
    since: sql`select min("localDate") from appointments where not "deleted"`,
    touched: {
      appointments: (ids) => visitDays(sql`a."id" in ${ids()}`),
      coupons: (ids) => visitDays(sql`a."id" in (select c."idAppointment" from coupons c where c."id" in ${ids()})`),
      'coupon-services': ofLines,
      'ledger/lines': ofLines,
    },
  },
)

export const npsFacts = reportSource(
  npsReport,
  ({ near }) => sql`
    select x.*, (x."side" = 'promoter') as "isPromoter", (x."side" = 'detractor') as "isDetractor",
      case x."side" when 'promoter' then 1 when 'detractor' then -1 else 0 end as "balance"
    from (
      select ${dayAt(sql`s."dateCreate"`, sql`f."timeZone"`)} as "day", a."idFilial" as "filial", s."dateCreate" as "at",
        a."idCustomer" as "customer", a."idUser" as "doctor",
        (select u."idSpeciality" from users u where u."id" = a."idUser") as "speciality", s."score", s."comment", a."id" as "visit",
        case when s."score" >= ${PROMOTER_FROM} then 'promoter' when s."score" <= ${DETRACTOR_TO} then 'detractor' else 'neutral' end as "side"
      from appointments_scores s join appointments a on a."id" = s."idAppointment" and not a."deleted"
        join filials f on f."id" = a."idFilial" where ${near(sql`s."dateCreate"`)}) x`,
)

/** Both parts of the union have the same types, so that a figure of one column does not count the other's rows. */
export const loadFacts = reportSource(
  loadReport,
  ({ within }) => sql`
    select s."localDate" as "day", s."idFilial" as "filial", s."dateFrom" as "at", 'shift' as "what", s."idUser" as "doctor",
      s."idRoom" as "room", extract(isodow from s."localDate")::int as "weekday",
      ${openMinutesSql(raw('s'))}::numeric(10, 2) as "shift", 0::numeric(10, 2) as "taken"
    from staff_events s where s."type" = 'shift' and not s."deleted" and ${within(sql`s."localDate"`)}
    union all
    select c."localDate", c."idFilial", c."dateFrom", 'visit', c."idUser", c."idRoom", extract(isodow from c."localDate")::int,
      0::numeric, case when ${isFirstOfGroupSql(raw('c'))} then c."minutes"::numeric else 0::numeric end
    from coupons c join appointments a on a."id" = c."idAppointment"
    where ${takesTimeSql} and ${within(sql`c."localDate"`)}`,
  {
    kept: ['what', 'doctor', 'room'],
    derived: { weekday: sql`extract(isodow from r."day")::int` },
    since: sql`least((select min("localDate") from staff_events where not "deleted"), (select min("localDate") from coupons where not "deleted"))`,
    touched: {
      appointments: (ids) => sql`select c."localDate" from coupons c where c."idAppointment" in ${ids()}`,
      coupons: (ids) => sql`select c."localDate" from coupons c where c."id" in ${ids()}`,
      // An absence shortens the shifts it overlaps, including those it overlapped before its change.
      'staff-events': (ids) => sql`select s."localDate" from staff_events s where s."id" in ${ids()}
        union select s."localDate" from staff_events s join (
          select e."idUser", least(e."dateFrom", x.first) as "dateFrom", greatest(e."dateTo", x.last) as "dateTo" from staff_events e
            left join lateral (select min(m.at::timestamptz) as first, max(m.at::timestamptz) as last from w
              cross join lateral (select jsonb_array_elements_text(w.changes -> 'dateFrom') union all
                select jsonb_array_elements_text(w.changes -> 'dateTo')) m(at)
              where w.path = 'staff-events' and w.id = e."id" and m.at is not null) x on true
          where e."id" in ${ids()} and e."type" <> 'shift') b
          on b."idUser" = s."idUser" and b."dateFrom" < s."dateTo" and b."dateTo" > s."dateFrom"`,
    },
  },
)

/**
 * The first completed visit of each patient; later visits are queried only for those in the period. Former visits are
 * looked up for each (`offset`): PostgreSQL would compare the visits of all years.
 */
export const returnFacts = reportSource(
  returnReport,
  ({ within }) => sql`
    select a."localDate" as "day", a."idFilial" as "filial", a."idCustomer" as "customer", a."idUser" as "doctor",
      p."idSource" as "source", n."next", n."visits", ${paidEverSql(sql`a."idCustomer"`)} as "lifetime",
      coalesce(n."next" <= a."localDate" + 30, false) and x.days >= 30 as "back30",
      coalesce(n."next" <= a."localDate" + 90, false) and x.days >= 90 as "back90",
      coalesce(n."next" <= a."localDate" + 180, false) and x.days >= 180 as "back180",
      x.days >= 30 as "due30", x.days >= 90 as "due90", x.days >= 180 as "due180"
    from appointments a join customers p on p."id" = a."idCustomer"
      cross join lateral (select ${clinicToday} - a."localDate" as days) x
      cross join lateral (select min(v."localDate") filter (where v."id" <> a."id") as "next", count(*)::int as "visits"
        from appointments v where v."idCustomer" = a."idCustomer" and v."visitStatus" = 'completed' and not v."deleted") n
    where a."visitStatus" = 'completed' and not a."deleted" and ${within(sql`a."localDate"`)}
      and not exists (select from appointments e where e."idCustomer" = a."idCustomer" and e."visitStatus" = 'completed'
        and not e."deleted" and (e."localDate", e."id") < (a."localDate", a."id") offset 0)`,
)
