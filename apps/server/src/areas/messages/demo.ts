/** Messages to the demo clinic's patients over two months: most delivered, some failed. */
import type { MessageEvent, MessageStatus, MessageWay } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import { filledText, smsSize } from '@ordinator/model/areas/messages/words'
import type { Create, Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { mayAdvertiseSql } from '#areas/consents/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { valuesOf } from './texts.ts'

const COUNT = 150
/** Maximum number of patients of the mailing. */
const MAILED = 30
/** Rubles per part of an SMS. */
const PRICE = 4.2

interface Visit {
  id: number
  idCustomer: number
  idFilial: number
  status: string
  start: string
  from: Date
  made: Date
  phone: string
  email: string | null
}

const hours = (moment: Date, more: number) => new Date(moment.getTime() + more * 3_600_000)

/** The event of a message, and its time. */
function eventOf({ status, start, from, made }: Visit, at: number): [MessageEvent, Date] {
  if (status === 'cancelled') return ['cancelled', hours(made, 20)]
  if (at % 5 === 0) return ['booking', hours(made, 0.1)]
  if (at % 5 === 1 && start >= '11:00') return ['reminder2h', hours(from, -2)]
  if (at % 5 === 2 && status === 'completed' && start < '16:00') return ['review', hours(from, 3.5)]
  return ['reminder24h', hours(from, -24)]
}

/** The outcome of a message; `failed` has a reason. */
function fateOf(way: MessageWay, at: number): { status: MessageStatus; reason?: string } {
  if (at % 12 === 5) {
    if (way === 'messenger') return { status: 'failed', reason: 'Клиент закрыл чат для сообщений' }
    if (way === 'email') return { status: 'failed', reason: 'Почта не приняла письмо' }
    return { status: 'failed', reason: at % 24 === 5 ? 'Номер в чёрном списке' : 'Шлюз не доставил сообщение' }
  }
  if (way === 'email') return { status: 'accepted' }
  if (way === 'messenger') return { status: at % 3 ? 'read' : 'delivered' }
  return { status: at % 40 === 7 ? 'unknown' : 'delivered' }
}

/** A mailing to patients with consent to advertising by SMS. */
async function mailing(records: Records, app: AppContext, tx: Tx): Promise<Body[]> {
  const template = await records.asSystem.create(MessageTemplate, {
    name: 'Проверка сердца со скидкой',
    event: 'custom',
    channel: 'sms',
    text: '{имя}, до конца месяца проверка сердца со скидкой 15 %. Звоните нам. {клиника}',
    advertising: true,
    active: true,
  })
  const patients = await tx.query<{ id: number; phone: string; idAuthor: number }>(sql`
    select p."id"::int as "id", p."phone", (select min("id")::int from users) as "idAuthor" from customers p
    where p."phone" is not null and not p."noSms" and not p."deleted" and p."secretLevel" = 'none'
      and ${mayAdvertiseSql(raw('p."id"'), sql`'sms'::text`)} order by p."id" limit ${MAILED}`)
  const moment = hours(new Date(), -9 * 24)
  const bodies: Body[] = []
  for (const [at, { id: idCustomer, phone, idAuthor }] of patients.entries()) {
    const text = filledText(
      template.text,
      await valuesOf(app, tx, { idCustomer, idAppointment: null, idFilial: null, sum: null }),
    )
    const { parts } = smsSize(text)
    const isFailed = at % 10 === 4
    bodies.push({
      idCustomer,
      event: 'custom',
      idTemplate: template.id,
      idAuthor,
      advertising: true,
      key: `custom-${template.id}-${idCustomer}-demo`,
      phone,
      email: null,
      channel: 'sms',
      tried: [],
      text,
      parts,
      cost: Math.round(parts * PRICE * 100) / 100,
      status: isFailed ? 'failed' : 'delivered',
      reason: isFailed ? 'Шлюз не доставил сообщение' : null,
      dateSent: moment.toISOString(),
      dateDelivered: isFailed ? null : hours(moment, 0.01).toISOString(),
      dateRead: null,
      dateCreate: moment.toISOString(),
    })
  }
  return bodies
}

type Body = Create<typeof Message> & Partial<Row<typeof Message>>

export const demo: NonNullable<Area['demo']> = async (records, app, tx) => {
  const templates = await tx.query<{ id: number; event: MessageEvent; channel: string | null; text: string }>(sql`
    select "id"::int as "id", "event", "channel", "text" from message_templates
    where not "deleted" order by "channel" is null, "id"`)
  const visits = await tx.query<Visit>(sql`
    select v.* from (
      select a."id"::int as "id", a."idCustomer"::int as "idCustomer", a."idFilial"::int as "idFilial",
        a."visitStatus" as status, a."localStart"::text as start, a."dateFrom" as "from", a."dateCreate" as made, p."phone",
        nullif(p."email", '') as email
      from appointments a join customers p on p."id" = a."idCustomer"
      where a."dateFrom" between now() - interval '60 days' and now() - interval '6 hours' and p."phone" is not null
        and not a."deleted" and not p."deleted" and p."secretLevel" = 'none'
      order by hashint8(a."id"), a."id" limit ${COUNT}) v
    order by v."from", v."id"`)
  const bodies: Body[] = []
  for (const [at, raw] of visits.entries()) {
    const visit = { ...raw, from: new Date(raw.from), made: new Date(raw.made) }
    const { id: idAppointment, idCustomer, idFilial, phone, email } = visit
    const [event, moment] = eventOf(visit, at)
    const channel = at % 9 === 0 && email ? 'email' : at % 9 < 3 ? 'messenger' : 'sms'
    const template = templates.find((one) => one.event === event && (one.channel ?? channel) === channel)
    if (!template) continue
    const values = await valuesOf(app, tx, { idCustomer, idAppointment, idFilial, sum: null })
    const text = filledText(template.text, values)
    const { status, reason } = fateOf(channel, at)
    const { parts } = smsSize(text)
    const isSms = channel === 'sms' && reason !== 'Номер в чёрном списке'
    const came = status === 'delivered' || status === 'read' ? hours(moment, 0.01).toISOString() : null
    bodies.push({
      idCustomer,
      event,
      idTemplate: template.id,
      idAppointment,
      idFilial,
      dateFrom: event === 'review' || event === 'cancelled' ? null : visit.from.toISOString(),
      key: `demo-${at}`,
      phone,
      email,
      channel: status === 'failed' && !isSms ? null : channel,
      tried: status === 'failed' && !isSms ? [channel] : [],
      text,
      ...(isSms && { parts, cost: Math.round(parts * PRICE * 100) / 100 }),
      status,
      reason: reason ?? null,
      dateSent: status === 'failed' && !isSms ? null : moment.toISOString(),
      dateDelivered: came,
      dateRead: status === 'read' ? hours(moment, 0.4).toISOString() : null,
      dateCreate: moment.toISOString(),
    })
  }
  bodies.push(...(await mailing(records, app, tx)))
  bodies.sort((one, other) => String(one.dateCreate).localeCompare(String(other.dateCreate)))
  await records.asSystem.createMany(Message, bodies)
}
