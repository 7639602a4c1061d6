/** Text of a message: the clinic's template for its event, filled in with data of the patient and the visit. */
import {
  chatKinds,
  type MessageChannel,
  type MessageEvent,
  type MessageValues,
  type MessageWay,
  messageChannels,
  wayOf,
} from '@ordinator/model/areas/messages/events'
import { filledText } from '@ordinator/model/areas/messages/words'
import { counted, formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { publicNameSql } from '#areas/catalogue/index.ts'
import { lineCountsSql } from '#areas/counted/index.ts'
import { membershipRestSql } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { suitsSql } from './templates.ts'
import { scoreLink, visitLink } from './visitLink.ts'

/** Subject of a message. */
export interface About {
  event: MessageEvent
  idCustomer: number
  idAppointment: number | null
  idFilial: number | null
  /** Rubles. */
  sum: number | null
  /** Key of the message: identifies its event. */
  key?: string
  /** The template that created it, which selects the step. */
  idTemplate?: number | null
}

export interface Words {
  idTemplate: number
  text: string
  advertising: boolean
}

/** Templates and values for a message. */
export interface Speech {
  /** By channel; for messengers by the kind of the chat. */
  by(way: MessageWay, chatKind?: string): Words | undefined
  values: MessageValues
}

interface Template {
  id: number
  channel: MessageChannel | null
  text: string
  advertising: boolean
}

/**
 * Templates for this event, the most specific first: of this channel, of this branch, of these services. An event may
 * have several steps, at once and in a week: each uses the templates with the same delay.
 */
export async function speechOf(app: Pick<AppContext, 'config'>, db: Queryable, about: About): Promise<Speech> {
  const templates = await db.query<Template>(sql`
    select t."id"::int as "id", t."channel", t."text", t."advertising" from message_templates t
    where t."event" = ${about.event} and ${suitsSql(sql`${about.idFilial}::bigint`, sql`${about.idAppointment}::bigint`)}
      and (t."event" <> 'custom' or t."id" = ${about.idTemplate ?? null}::bigint)
      and not exists (select from message_templates o where o."id" = ${about.idTemplate ?? null}::bigint
        and (o."delay", o."delayUnit") <> (t."delay", t."delayUnit"))
    order by t."channel" is null, t."filials" = '{}', t."services" = '{}', t."id"`)
  const values = await valuesOf(app, db, about)
  return {
    values,
    by(way, chatKind) {
      const own = channelsOf(way, chatKind)
      const found = templates.find(({ channel }) => channel === null || own.includes(channel))
      return found && { idTemplate: found.id, text: filledText(found.text, values), advertising: found.advertising }
    },
  }
}

const channelsOf = (way: MessageWay, chatKind: string | undefined): MessageChannel[] =>
  way === 'messenger'
    ? (Object.keys(chatKinds) as (keyof typeof chatKinds)[]).filter((one) => chatKinds[one] === chatKind)
    : (Object.keys(messageChannels) as MessageChannel[]).filter((one) => wayOf(one) === way)

/** Current values of the placeholders of a text. */
export async function valuesOf(
  app: Pick<AppContext, 'config'>,
  db: Queryable,
  { idCustomer, idAppointment, idFilial, sum, key }: Omit<About, 'event' | 'idTemplate'>,
): Promise<MessageValues> {
  const { clinicName, messageLink } = await readCommonSettings(db)
  const found = await db.one<Record<string, string | null>>(sql`
    select p."name" as "имя", concat_ws(' ', nullif(p."name", ''), nullif(p."middleName", '')) as "имя отчество",
      to_char(a."localDate", 'DD.MM.YYYY') as "дата", a."localStart" as "время", ${ifFound(raw('u'), shortFioSql)} as "врач",
      f."nameFilial" as "филиал", f."filialAddressFact" as "адрес", f."filialPhone" as "телефон",
      (select string_agg(distinct ${publicNameSql(raw('s'))}, ', ') from coupons c join coupon_services l on l."idCoupon" = c."id"
        join services s on s."id" = l."idService"
        where c."idAppointment" = a."id" and not c."deleted" and ${lineCountsSql()}) as "услуги"
    from customers p left join appointments a on a."id" = ${idAppointment}::bigint
    left join users u on u."id" = a."idUser" left join filials f on f."id" = coalesce(a."idFilial", ${idFilial}::bigint)
    where p."id" = ${idCustomer}`)
  return {
    ...Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name, value ?? ''])),
    подтверждение: idAppointment === null ? '' : await visitLink(db, app, idAppointment),
    оплата: await payAddress(db, app, key),
    оценка: idAppointment === null ? '' : scoreLink(app, idAppointment),
    клиника: clinicName,
    ...(await membershipOf(db, key)),
    ссылка: messageLink,
    сумма: sum === null ? '' : formatMoney(sum),
  }
}

/** What is left of the membership in a message. */
async function membershipOf(db: Queryable, key: string | undefined): Promise<MessageValues> {
  const [, id] = /^membership-(\d+)/.exec(key ?? '') ?? []
  if (!id) return {}
  const found = await db.one<{ name: string; until: string; rest: number; total: number }>(sql`
    select b."name", to_char(b."dateTo", 'DD.MM.YYYY') as until, ${membershipRestSql(raw('b'))} as rest,
      (select count(*)::int from membership_units u where u."idMembership" = b."id") as total
    from memberships b where b."id" = ${id}`)
  return {
    абонемент: found?.name ?? '',
    'действует по': found?.until ?? '',
    осталось: found?.total ? counted(found.rest, ['посещение', 'посещения', 'посещений']) : '',
  }
}

/** The page of the payment link in a message. */
async function payAddress(db: Queryable, { config }: Pick<AppContext, 'config'>, key: string | undefined) {
  const [, id] = /^paylink-(\d+)/.exec(key ?? '') ?? []
  if (!id) return ''
  const link = await db.one<{ token: string }>(sql`select "token" from payment_link_states where "idLink" = ${id}`)
  return link ? `${config.publicUrl}/pay/${link.token}` : ''
}
