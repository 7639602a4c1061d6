/**
 * What has happened and is to be told of: for each template that is on, a message to each patient whom its event concerns
 * and whom some way reaches. A message has the key of what it tells of, so that none is made twice, whoever looks.
 * Reminders of visits are made by `areas/visits`.
 */
import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import type { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { mayAdvertiseSql } from '../consents/index.ts'
import { clinicZone } from '../settings/index.ts'
import { suitsSql } from './templates.ts'
import { emailSql, owedSql, phoneSql, reachedSql, type Ways, waysOf } from './ways.ts'

/** Messages that one template makes in a run: the next goes on. */
const AT_ONCE = 500
/** Days after which it is too late to tell of something: the server stood still, or the template was not on. */
const LATE_DAYS = 2

/** Where an event is read. The card is `p`, the visit, if there is one, `a`. */
interface Source {
  from: Sql
  where: Sql
  /** When it happened. */
  at: Sql
  key: Sql
  /** A visit that is yet to come: the message tells its time, and is of no use at another. */
  isComing?: true
  idAppointment?: Sql
  idFilial: Sql
  sum?: Sql
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
const today = sql`(now() at time zone ${clinicZone})::date`

const sources: Partial<Record<MessageEvent, Source>> = {
  booking: {
    ...visit,
    from: sql`appointments a ${ofVisit}`,
    // Of a series the first visit tells.
    where: sql`${coming} and coalesce(a."idSeries", a."id") = a."id"`,
    at: raw('a."dateCreate"'),
    key: sql`'booking-' || a."id"`,
    isComing: true,
  },
  changed: {
    ...visit,
    from: sql`appointments_moves c join appointments a on a."id" = c."idAppointment" ${ofVisit}`,
    // Who has answered a reminder of the former time is reminded of the new one.
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
    key: sql`'cancelled-' || c."id"`,
  },
  review: { ...changed('completed'), key: sql`'review-' || a."id"` },
  recall: {
    ...visit,
    from: sql`appointments a ${ofVisit}`,
    where: sql`a."visitStatus" = 'completed' and not a."deleted" and not exists (select from appointments n
      where n."idCustomer" = a."idCustomer" and n."dateFrom" > a."dateFrom" and not n."deleted"
        and n."visitStatus" not in ('cancelled', 'noShow', 'moved'))`,
    at: raw('a."dateFrom"'),
    key: sql`'recall-' || a."id"`,
  },
  payment: {
    from: sql`payments y join customers p on p."id" = y."idCustomer" left join cash_desks d on d."id" = y."idDesk"`,
    where: sql`y."kind" = 'payment' and y."idStatus" = 2 and not y."deleted"`,
    at: raw('y."dateCreate"'),
    key: sql`'payment-' || y."id"`,
    idFilial: raw('d."idFilial"'),
    sum: raw('y."sum"'),
  },
  debt: {
    // Of what a patient owes since one day they are told once: its lines have one key.
    from: sql`ledger_txs x join ledger_lines l on l."idLine" = x."idCouponService" and l."idTx" = x."id" and l."charged" > l."allocated"
      join ledger_accounts b on b."id" = l."idAccount" and b."kind" = 'patient' join customers p on p."id" = b."idCustomer"`,
    where: sql`x."idCouponService" is not null and ${owedSql(raw('p."id"'))} > 0`,
    at: raw('x."dateCreate"'),
    key: sql`'debt-' || p."id" || '-' || x."localDate"`,
    idFilial: raw('null::bigint'),
    sum: owedSql(raw('p."id"')),
  },
  birthday: {
    from: raw('customers p'),
    // Who was born on February 29 has it on March 1 in other years.
    where: sql`(extract(month from p."birthday"), extract(day from p."birthday")) in (
      (extract(month from ${today}), extract(day from ${today})),
      (case when extract(month from ${today}) = 3 and extract(day from ${today}) = 1
        and extract(day from ${today} - 1) = 28 then 2 end, 29))`,
    at: sql`(${today}::timestamp at time zone ${clinicZone})`,
    key: sql`'birthday-' || p."id" || '-' || extract(year from ${today})`,
    idFilial: raw('null::bigint'),
  },
}

type Template = Pick<Row<typeof MessageTemplate>, 'id' | 'event' | 'delay' | 'delayUnit' | 'advertising' | 'dateActive'>

/** The job `messages.collect`. */
export async function collect(app: AppContext): Promise<void> {
  const ways = await waysOf(app)
  if (ways.order.length === 0) return
  const templates = await app.db.query<Template>(sql`
    select "id"::int as "id", "event", "delay", "delayUnit", "advertising", "dateActive" from message_templates
    where "active" and not "deleted" order by "id"`)
  for (const template of templates) {
    const source = sources[template.event]
    if (source) await collectOne(app, ways, template, source)
  }
}

async function collectOne(app: AppContext, ways: Ways, template: Template, source: Source): Promise<void> {
  const { id, event, delay, delayUnit, advertising, dateActive } = template
  const delayed = sql`${`${delay} ${delayUnit}`}::interval`
  const idAppointment = source.idAppointment ?? raw('null::bigint')
  const isReached = reachedSql(ways.order, (way) =>
    advertising ? mayAdvertiseSql(raw('p."id"'), sql`${way}::text`) : raw('true'),
  )
  // A birthday of the day on which it was switched on counts.
  const since =
    event === 'birthday' ? sql`${dateActive}::timestamptz - interval '1 day'` : sql`${dateActive}::timestamptz`
  await app.engine.for(systemActor).tx(async (own) => {
    await own.asSystem.createFrom(
      Message,
      sql`${source.from} join message_templates t on t."id" = ${id}
        where ${source.at} <= now() - ${delayed} and ${source.at} > now() - ${delayed} - make_interval(days => ${LATE_DAYS})
          and ${source.at} + ${delayed} >= ${since} and ${source.where} and ${suitsSql(source.idFilial, idAppointment)}
          and ${isReached} and not exists (select from messages k where lower(k."key") = ${source.key})
        order by ${source.at} limit ${AT_ONCE}`,
      {
        idCustomer: raw('p."id"'),
        event,
        key: source.key,
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
