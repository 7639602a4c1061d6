/**
 * Creates messages for events: for each enabled template, one to each patient of the event who is reachable. The key of
 * a message identifies the event, so that none is created twice, in any number of processes.
 * Reminders of visits are created by `areas/visits`.
 */
import { chatKinds, MEMBERSHIP_ENDS_DAYS, type MessageEvent, wayOf } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import type { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import { moneyMethods } from '@ordinator/model/areas/money/methods'
import { DONE } from '@ordinator/model/areas/money/payment'
import { SCORE_DAYS } from '@ordinator/model/areas/visits/visitScore'
import type { Row } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { mayAdvertiseSql } from '#areas/consents/index.ts'
import { visitCountsSql } from '#areas/counted/index.ts'
import { membershipStateSql } from '#areas/money/index.ts'
import { clinicToday, clinicZone } from '#areas/settings/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { suitsSql } from './templates.ts'
import { emailSql, owedSql, phoneSql, reachedSql, type Ways, waysOf } from './ways.ts'

/** Maximum number of messages per template and run: the next run continues. */
const AT_ONCE = 500
/** Days after which an event is too old to announce, after a downtime or while the template was disabled. */
export const LATE_DAYS = 2

/** SQL source of an event. The card is `p`, the visit, if any, `a`. */
interface Source {
  from: Sql
  where: Sql
  /** Time of the event. */
  at: Sql
  key: Sql
  /** A future visit: the message contains its time, and is invalid at another. */
  isComing?: true
  /** The event is a day: it counts also for a template that is enabled later that day. */
  isDay?: true
  idAppointment?: Sql
  idFilial: Sql
  sum?: Sql
  /** Whether message `m` is still valid when it is sent, unless the time of its visit decides. */
  still?: Sql
}

const visit = { idAppointment: raw('a."id"'), idFilial: raw('a."idFilial"') }
const coming = raw(`a."dateFrom" > now() and not a."deleted" and a."visitStatus" in ('booked', 'confirmed')`)
const ofVisit = raw('join customers p on p."id" = a."idCustomer"')
const changed = (status: string) => ({
  ...visit,
  from: sql`appointments_changes c join appointments a on a."id" = c."idAppointment" and not a."deleted" ${ofVisit}`,
  where: sql`c."toStatus" = ${status} and a."visitStatus" = ${status}`,
  at: raw('c."dateCreate"'),
})
const notBack = sql`a."visitStatus" = 'completed' and not a."deleted" and not exists (select from appointments n
  where n."idCustomer" = a."idCustomer" and n."dateFrom" > a."dateFrom"
    and ${visitCountsSql(raw('n'))})`

// A birthday on February 29 is celebrated on March 1 in other years.
const isBirthday = sql`(extract(month from p."birthday"), extract(day from p."birthday")) in (
  (extract(month from ${clinicToday}), extract(day from ${clinicToday})),
  (case when extract(month from ${clinicToday}) = 3 and extract(day from ${clinicToday}) = 1
    and extract(day from ${clinicToday} - 1) = 28 then 2 end, 29))`
const isDone = raw(`y."kind" = 'payment' and y."idStatus" = ${DONE} and not y."deleted"`)
/** Of a payment only the patient's money, not an insurer's, an advance or a certificate. */
const given = sql`(select coalesce(sum(i."sum"), 0) from payments_parts i
  where i."idPayment" = y."id" and i."method" = any (${moneyMethods}::text[]))`

const isEnding = sql`not b."deleted" and b."dateTo" >= ${clinicToday} and ${membershipStateSql(raw('b'))} in ('active', 'waiting')`

const sources: Partial<Record<MessageEvent, Source>> = {
  booking: {
    ...visit,
    from: sql`appointments a ${ofVisit}`,
    // The first visit represents a series.
    where: sql`${coming} and coalesce(a."idSeries", a."id") = a."id"`,
    at: raw('a."dateCreate"'),
    key: sql`'booking-' || a."id"`,
    isComing: true,
  },
  changed: {
    ...visit,
    from: sql`appointments_moves c join appointments a on a."id" = c."idAppointment" ${ofVisit}`,
    // A reply to a reminder of the former time leads to a reminder of the new one.
    where: sql`${coming} and (c."fromDate", c."fromStart") is distinct from (c."toDate", c."toStart")
      and not exists (select from appointments_moves n where n."idAppointment" = c."idAppointment" and n."id" > c."id")
      and not (a."dateFrom" < now() + interval '3 days' and exists (select from appointments_reminders r
        where r."idAppointment" = a."id" and r."dateFrom" <> a."dateFrom" and r."meaning" is not null))`,
    at: raw('c."dateCreate"'),
    key: sql`'changed-' || c."id"`,
    isComing: true,
  },
  cancelled: {
    ...changed('cancelled'),
    where: sql`${changed('cancelled').where} and a."dateFrom" > now()`,
    still: raw(`a."visitStatus" = 'cancelled' and a."dateFrom" > now() and not a."deleted"`),
    key: sql`'cancelled-' || c."id"`,
  },
  review: {
    ...changed('completed'),
    key: sql`'review-' || a."id"`,
    still: raw(`a."visitStatus" = 'completed' and not a."deleted"`),
  },
  // Once per visit and at intervals: the survey is optional.
  score: {
    ...changed('completed'),
    where: sql`${changed('completed').where} and a."dateCompleted" > now() - make_interval(days => ${SCORE_DAYS})
      and not exists (select from messages q where q."idCustomer" = a."idCustomer" and q."event" = 'score'
        and q."dateCreate" > now() - make_interval(days => ${SCORE_DAYS}))`,
    key: sql`'score-' || a."id"`,
    still: sql`a."visitStatus" = 'completed' and not a."deleted"
      and not exists (select from appointments_scores s where s."idAppointment" = a."id")`,
  },
  recall: {
    ...visit,
    from: sql`appointments a ${ofVisit}`,
    where: notBack,
    still: notBack,
    at: raw('a."dateFrom"'),
    key: sql`'recall-' || a."id"`,
  },
  payment: {
    from: sql`payments y join customers p on p."id" = y."idCustomer" left join cash_desks d on d."id" = y."idDesk"`,
    where: sql`${isDone} and ${given} > 0`,
    // A payment may wait for a terminal or an approval: it is posted when it is done.
    at: sql`coalesce((select min(x."dateCreate") from ledger_txs x where x."idPayment" = y."id"), y."dateCreate")`,
    key: sql`'payment-' || y."id"`,
    idFilial: raw('d."idFilial"'),
    sum: given,
    still: sql`exists (select from payments y where y."id" = split_part(m."key", '-', 2)::bigint and ${isDone})`,
  },
  debt: {
    // Debts since one day are announced once: their lines have one key.
    from: sql`ledger_txs x join ledger_lines l on l."idLine" = x."idCouponService" and l."idTx" = x."id" and l."charged" > l."allocated"
      join ledger_accounts b on b."id" = l."idAccount" and b."kind" = 'patient' join customers p on p."id" = b."idCustomer"`,
    where: sql`x."idCouponService" is not null and ${owedSql(raw('p."id"'))} > 0`,
    at: raw('x."dateCreate"'),
    key: sql`'debt-' || p."id" || '-' || x."localDate"`,
    idFilial: raw('null::bigint'),
    sum: owedSql(raw('p."id"')),
    still: sql`${owedSql(raw('p."id"'))} > 0`,
  },
  // A link is sent once, on request.
  payLink: {
    from: sql`payment_link_states y join payment_links k on k."id" = y."idLink" and not k."deleted"
      join customers p on p."id" = k."idCustomer" join cash_desks d on d."id" = k."idDesk"`,
    where: sql`y."dateSend" is not null and k."status" = 'waiting'`,
    at: raw('y."dateSend"'),
    key: sql`'paylink-' || k."id"`,
    idFilial: raw('d."idFilial"'),
    sum: raw('k."sum"'),
    still: sql`exists (select from payment_links k where k."id" = split_part(m."key", '-', 2)::bigint
      and k."status" = 'waiting' and not k."deleted")`,
  },
  // The content is only in the portal; a corrected document is not announced.
  resultReady: {
    from: sql`(select 'result-' || e."id" as key, e."idCustomer", e."dateSigned" as at from examinations e
        join examination_templates o on o."id" = e."idTemplate" and o."forPatient"
        where e."status" = 'signed' and not e."deleted" and e."idCorrected" is null
      union all select 'result-lab-' || o."id", o."idCustomer", o."issuedAt" from laboratory_orders o
        where o."issuedAt" is not null and not o."deleted") e join customers p on p."id" = e."idCustomer"`,
    where: raw('true'),
    at: raw('e.at'),
    key: raw('e.key'),
    idFilial: raw('null::bigint'),
  },
  // Announced once until the patient has read it.
  answer: {
    from: sql`service_online d join customers p on p."id" = d."idCustomer"`,
    where: sql`d."outCount" > d."readOut" and not d."deleted"`,
    at: sql`(select min(l."dateCreate") from service_online_messages l where l."idDialog" = d."id" and l."author" = 'staff'
      and l."no" > d."readOut" and l."dateRemoved" is null)`,
    key: sql`'answer-' || d."id" || '-' || d."readOut"`,
    idFilial: raw('d."idFilial"'),
    still: sql`exists (select from service_online d where d."id" = split_part(m."key", '-', 2)::bigint
      and d."outCount" > d."readOut" and not d."deleted")`,
  },
  birthday: {
    from: raw('customers p'),
    where: isBirthday,
    still: isBirthday,
    at: sql`(${clinicToday}::timestamp at time zone ${clinicZone})`,
    isDay: true,
    key: sql`'birthday-' || p."id" || '-' || extract(year from ${clinicToday})`,
    idFilial: raw('null::bigint'),
  },
  // A membership that is frozen ends later, and is announced again by its other last day.
  membership: {
    from: sql`memberships b join customers p on p."id" = b."idBuyer"`,
    where: isEnding,
    at: sql`((b."dateTo" - ${MEMBERSHIP_ENDS_DAYS}::int)::timestamp at time zone ${clinicZone})`,
    isDay: true,
    key: sql`'membership-' || b."id" || '-' || b."dateTo"`,
    idFilial: raw('null::bigint'),
    still: sql`exists (select from memberships b where b."id" = split_part(m."key", '-', 2)::bigint
      and starts_with(m."key", 'membership-' || b."id" || '-' || b."dateTo") and ${isEnding})`,
  },
}

/** SQL condition: the event of message `m` is still valid; the card is `p`, the visit, if any, `a`. */
export const stillSql = sql`(case when m."dateFrom" is not null then coalesce(a."dateFrom" = m."dateFrom" and a."dateFrom" > now()
    and not a."deleted" and a."visitStatus" in ('booked', 'confirmed'), false)
  ${join(
    Object.entries(sources).flatMap(([event, { still }]) =>
      still ? [sql`when m."event" = ${event} then coalesce(${still}, false)`] : [],
    ),
    ' ',
  )} else true end)`

type Template = Pick<
  Row<typeof MessageTemplate>,
  'id' | 'event' | 'channel' | 'delay' | 'delayUnit' | 'advertising' | 'dateActive'
>

/** The job `messages.collect`. */
export async function collect(app: AppContext): Promise<void> {
  const ways = await waysOf(app)
  if (ways.order.length === 0) return
  const templates = await app.db.query<Template>(sql`
    select "id"::int as "id", "event", "channel", "delay", "delayUnit", "advertising", "dateActive" from message_templates
    where "active" and not "deleted" order by "id"`)
  await oneByOne(app, 'messages.collect', templates, async (template) => {
    const source = sources[template.event]
    if (source) await collectOne(app, ways, template, source)
  })
}

/** SQL condition: a template reaches the patient of card `p`: by its channel, and with consent if it is advertising. */
export function reachedBy(
  ways: Ways,
  { channel, advertising }: Pick<Row<typeof MessageTemplate>, 'channel' | 'advertising'>,
): Sql {
  // A template for one channel applies to patients reachable by it; the others get another template.
  const order = channel === null ? ways.order : ways.order.filter((way) => way === wayOf(channel))
  return reachedSql(
    order,
    (way) => (advertising ? mayAdvertiseSql(raw('p."id"'), sql`${way}::text`) : raw('true')),
    channel !== null && channel in chatKinds ? chatKinds[channel as keyof typeof chatKinds] : undefined,
  )
}

async function collectOne(app: AppContext, ways: Ways, template: Template, source: Source): Promise<void> {
  const { id, event, channel, delay, delayUnit, advertising, dateActive } = template
  const delayed = sql`${`${delay} ${delayUnit}`}::interval`
  const idAppointment = source.idAppointment ?? raw('null::bigint')
  const isReached = reachedBy(ways, { channel, advertising })
  // Templates with the same delay are one step of the event, announced once; older keys had no template in them.
  const isQueued = sql`exists (select from messages k where lower(k."key") in (select ${source.key} union all
    select ${source.key} || '-' || s."id" from message_templates s
    where (s."event", s."delay", s."delayUnit") = (t."event", t."delay", t."delayUnit")))`
  // A more specific template, by branch or services, replaces the general one.
  const isNearest = sql`not exists (select from message_templates s where s."event" = t."event"
    and s."channel" is not distinct from t."channel" and ${suitsSql(source.idFilial, idAppointment, raw('s'))}
    and (s."filials" = '{}', s."services" = '{}') < (t."filials" = '{}', t."services" = '{}'))`
  const since = sql`${dateActive}::timestamptz - make_interval(days => ${source.isDay ? 1 : 0}::int)`
  await app.engine.for(systemActor).tx(async (own) => {
    await own.asSystem.createFrom(
      Message,
      sql`${source.from} join message_templates t on t."id" = ${id}
        where ${source.at} <= now() - ${delayed} and ${source.at} > now() - ${delayed} - make_interval(days => ${LATE_DAYS})
          and ${source.at} + ${delayed} >= ${since} and ${source.where} and ${suitsSql(source.idFilial, idAppointment)}
          and ${isReached} and ${isNearest} and not ${isQueued}
        order by ${source.at} limit ${AT_ONCE}`,
      {
        idCustomer: raw('p."id"'),
        event,
        idTemplate: raw('t."id"'),
        key: sql`${source.key} || '-' || t."id"`,
        idAppointment,
        idFilial: source.idFilial,
        ...(source.isComing && { dateFrom: raw('a."dateFrom"') }),
        ...(source.sum && { sum: source.sum }),
        phone: phoneSql,
        email: emailSql,
      },
      { skipTaken: true },
    )
  })
}
