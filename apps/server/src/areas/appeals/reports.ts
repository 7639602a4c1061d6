/** Facts of the reports on appeals, calls and chats. */
import { appealsReport, callsReport, chatsReport, funnelReport } from '@ordinator/model/areas/appeals/reports'
import { INCOMING, MISSED, OUTGOING, RECALLED } from '@ordinator/model/areas/calls/call'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import { dayAt, reportSource } from '#records/reports/source.ts'

/** Days after an appeal within which a booking is attributed to it. */
const BOOKING_DAYS = 7

/** Shorter rings are misdialled; a talk within these minutes after a missed call makes up for it. */
const MISTAKE_SECONDS = 5
const TALKED_MINUTES = 10

/** SQL of the time zone of a row that may have a branch `b`. */
const zone = sql`coalesce(b."timeZone", ${clinicZone})`
const withBranch = (row: Sql) => sql`left join filials b on b."id" = ${row}."idFilial"`

/** Visits `v` attributed to an appeal `a`: by its links, and by its patient. Each part uses its index. */
const bookingsSql = sql`(
  select v."id", v."visitStatus" from appeal_links k join appointments v on v."id" = k."idEntity"
    where k."idAppeal" = a."id" and k."entityType" = 'appointments' and not k."deleted" and not v."deleted"
  union select v."id", v."visitStatus" from appointments v where not v."deleted" and v."idCustomer" = a."idCustomer"
    and v."dateCreate" >= a."dateStart" and v."dateCreate" < a."dateStart" + ${raw(`interval '${BOOKING_DAYS} days'`)}) v`

/** SQL: nobody with the patient or the number of appeal `a` has appealed before. */
const isFirstSql = sql`(case when a."idCustomer" is not null then not exists (select from appeals b
    where b."idCustomer" = a."idCustomer" and not b."deleted" and b."status" <> 'draft' and b."dateStart" < a."dateStart")
  else a."customerPhone" is null or not exists (select from appeals b where b."customerPhone" = a."customerPhone"
    and not b."deleted" and b."status" <> 'draft' and b."dateStart" < a."dateStart") end)`

const linked = (type: string) =>
  sql`exists (select from appeal_links k where k."idAppeal" = a."id" and k."entityType" = ${type} and not k."deleted")`

const appeals = reportSource(
  appealsReport,
  ({ near }) => sql`
    select x.*, not x."isNew" as "isOld", x."handled" is not null as "isHandled", not (x."isBooked" or x."hasDeal" or x."hasTask") and x."outcome" is null as "isBare" from (
      select ${dayAt(sql`a."dateStart"`, zone)} as "day", a."idFilial" as "filial", a."dateStart" as "at", a."id" as "appeal",
        a."entityType" as "source", a."status", a."outcome", a."idCause" as "cause", a."idCustomer" as "customer",
        a."idUser" as "operator", a."idOwner" as "owner",
        array(select distinct t."name" from appeals_tags t where t."idAppeal" = a."id" order by 1)::text[] as "tag",
        case when a."dateEnd" >= a."dateStart" then extract(epoch from a."dateEnd" - a."dateStart")::int end as "handled",
        a."entityType" is not distinct from 'call' as "isCall", a."entityType" is not distinct from 'live-assist' as "isChat",
        not exists (select from appointments v where v."idCustomer" = a."idCustomer" and v."visitStatus" = 'completed'
          and not v."deleted" and v."dateFrom" < a."dateStart") as "isNew",
        exists (select from ${bookingsSql}) as "isBooked", ${linked('leads')} as "hasDeal", ${linked('tasks')} as "hasTask",
        a."idThread" is not null and a."idThread" <> a."id" as "isRepeat"
      from appeals a ${withBranch(raw('a'))} where not a."deleted" and a."status" <> 'draft' and ${near(sql`a."dateStart"`)}) x`,
)

const funnel = reportSource(
  funnelReport,
  ({ near }) => sql`
    select x.*, x."isFirst" and x."isBooked" as "isFirstBooked" from (
    select ${dayAt(sql`a."dateStart"`, zone)} as "day", a."idFilial" as "filial", a."dateStart" as "at", a."id" as "appeal",
      a."idCustomer" as "customer", a."entityType" as "source", a."idCause" as "cause", a."idUser" as "operator",
      ${isFirstSql} as "isFirst", coalesce(v.booked, false) as "isBooked", coalesce(v.come, false) as "isCome", coalesce(v.paid, false) as "isPaid"
    from appeals a ${withBranch(raw('a'))} cross join lateral (
      select bool_or(true) as booked, bool_or(v."visitStatus" = 'completed') as come,
        bool_or(v."visitStatus" = 'completed' and exists (select from coupons c join coupon_services l on l."idCoupon" = c."id"
          join ledger_lines p on p."idLine" = l."id" where c."idAppointment" = v."id" and not c."deleted" and not l."deleted" and p."allocated" > 0)) as paid
      from ${bookingsSql}) v
    where not a."deleted" and a."status" <> 'draft' and a."outcome" is distinct from 'notTarget' and ${near(sql`a."dateStart"`)}) x`,
)

const calls = reportSource(
  callsReport,
  ({ near }) => sql`
    select x.*, x."isIn" and not x."isMissed" as "isAnswered",
      x."isMissed" and coalesce(x."wait" >= ${MISTAKE_SECONDS}, true) and not x."isTalked" as "isClean",
      x."isIn" and not x."isMissed" and x."talk" is not null as "isTalkIn",
      case when x."isIn" and not x."isMissed" then x."talk" end as "talkIn",
      case when x."isIn" and not x."isMissed" and x."talk" is not null then x."wrap" end as "wrapIn",
      case when x."isIn" and not x."isMissed" then x."talk" + coalesce(x."wrap", 0) end as "handleIn",
      x."isIn" and not x."isMissed" and coalesce(x."wait" <= 20, false) as "isQuick",
      x."isIn" and (not x."isMissed" or coalesce(x."wait" > 20, false)) as "isMeasured",
      x."isMissed" and x."recalled" is not null as "isRecalled", x."isMissed" and coalesce(x."recalled" <= 900, false) as "isSoon",
      x."talk" is not null as "isTalk", x."wrap" is not null as "isWrap", x."talk" + coalesce(x."wrap", 0) as "handle", case when x."isIn" and not x."isMissed" then x."wait" end as "answeredWait"
    from (
      select ${dayAt(sql`c."dateCreate"`, zone)} as "day", c."idFilial" as "filial", c."dateCreate" as "at", c."id" as "call",
        c."callType" as "type", c."idCustomer" as "customer", c."idUser" as "operator",
        coalesce(c."idUser", c."idFirstUser") as "person", c."queue",
        extract(hour from c."dateCreate" at time zone ${zone})::int as "hour", c."waitS" as "wait", c."recallS" as "recalled",
        case when c."dateEnd" >= c."dateAnswer" then extract(epoch from c."dateEnd" - c."dateAnswer")::int end as "talk",
        case when c."dateReady" >= c."dateEnd" then extract(epoch from c."dateReady" - c."dateEnd")::int end as "wrap",
        c."callType" in (${INCOMING}, ${MISSED}, ${RECALLED}) as "isIn", c."callType" = ${OUTGOING} as "isOut",
        c."callType" in (${MISSED}, ${RECALLED}) as "isMissed",
        c."callType" in (${MISSED}, ${RECALLED}) and exists (select from calls r where r."contactPhone" = c."contactPhone"
          and r."dateAnswer" is not null and r."dateCreate" > c."dateCreate"
          and r."dateCreate" <= c."dateCreate" + ${raw(`interval '${TALKED_MINUTES} minutes'`)}) as "isTalked"
      from calls c ${withBranch(raw('c'))}
      where not c."training" and c."callType" in (${INCOMING}, ${OUTGOING}, ${MISSED}, ${RECALLED}) and ${near(sql`c."dateCreate"`)}) x`,
)

const chats = reportSource(
  chatsReport,
  ({ near }) => sql`
    select ${dayAt(sql`c."dateCreate"`, zone)} as "day", c."idFilial" as "filial", c."dateCreate" as "at", c."id" as "chat",
      coalesce(c."sourceName", c."source") as "source", coalesce(c."idUser", c."lastUser") as "operator", c."idGroup" as "group",
      c."idOutcome" as "outcome", c."idCustomer" as "customer", c."firstAnswerTime" as "frt",
      c."answerSum" as "waits", c."answerCount" as "answers", c."rating", c."answerCount" > 0 as "isAnswered",
      c."answerCount" = 0 and c."inCount" > 0 as "isSilent", c."rating" is not null as "isRated"
    from live_assist c ${withBranch(raw('c'))}
    where not c."training" and not c."banned" and ${near(sql`c."dateCreate"`)}`,
)

export const appealReports = [appeals, funnel, calls, chats] as const
