import type { MessageWay, RefusedWay } from '@ordinator/model/areas/messages/events'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { reachableSql } from '#areas/chats/index.ts'
import { mailerOf, readCommonSettings, smsOf } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { Mailer } from '#platform/mail.ts'
import type { SmsGateway } from '#platform/sms.ts'
import type { AppContext } from '#records/context.ts'
import { hasDeviceSql } from './devices.ts'

/** Available channels: the gateway, the mail server; messengers where patients have written. */
export interface Ways {
  sms: SmsGateway | undefined
  mailer: Mailer | undefined
  order: readonly MessageWay[]
}

/** The connected channels in the clinic's order. */
export async function waysOf(app: AppContext): Promise<Ways> {
  const [sms, mailer] = await Promise.all([smsOf(app), mailerOf(app)])
  const { reminderChannels, portalActive } = await readCommonSettings(app.db)
  const connected = { push: portalActive, messenger: true, sms: sms !== undefined, email: mailer !== undefined }
  const order = reminderChannels.filter((one) => connected[one])
  return { sms, mailer, order }
}

/** SQL of the phone for messages of card `p`. */
export const phoneSql = raw('coalesce(p."phone", p."phoneMother", p."phoneFather")')
export const emailSql = raw(`nullif(p."email", '')`)

/** Card fields of refused channels. */
const refusals: Record<RefusedWay, string> = { messenger: 'noMessenger', sms: 'noSms', email: 'noEmail' }

/** SQL of the channels refused by the patient of card `p`. */
export const refusedSql = sql`array_remove(array[${join(
  Object.entries(refusals).map(([way, field]) => sql`case when p.${raw(`"${field}"`)} then ${way}::text end`),
)}], null)`

/** SQL condition: a channel reaches the patient of card `p`. @param kind of the messenger; absent: any */
const reaches = (kind: string | undefined): Record<MessageWay, Sql> => ({
  push: hasDeviceSql(raw('p."id"')),
  sms: sql`${phoneSql} is not null`,
  email: sql`${emailSql} is not null`,
  messenger: sql`exists (select from live_assist c where c."idCustomer" = p."id" and ${reachableSql}
    ${kind === undefined ? raw('') : sql`and exists (select from live_assist_channels k where k."id" = c."idChannel" and k."kind" = ${kind})`})`,
})

/**
 * SQL condition: any channel of the order reaches the patient of card `p`. @param also further condition on a channel
 */
export const reachedSql = (
  order: readonly MessageWay[],
  also: (way: MessageWay) => Sql = () => raw('true'),
  messenger?: string,
): Sql =>
  order.length === 0
    ? raw('false')
    : sql`(p."dateDeath" is null and not p."deleted" and (${join(
        order.map((way) => {
          const refused = way === 'push' ? raw('false') : sql`p.${raw(`"${refusals[way]}"`)}`
          return sql`(${reaches(messenger)[way]} and not ${refused} and ${also(way)})`
        }),
        ' or ',
      )}))`

/** SQL of the rubles that a patient owes; an advance at one organization does not reduce a debt to another. */
export const owedSql = (idCustomer: Sql): Sql => sql`(select coalesce(sum(greatest(o.balance, 0)), 0) / 100.0 from (
  select sum(e."amount") as balance from ledger_accounts oa join ledger_entries e on e."idAccount" = oa."id" and e."unit" = 'RUB'
  where oa."kind" = 'patient' and oa."idCustomer" = ${idCustomer} group by oa."idOrganization") o)`

/** Number of messages pending on this channel. */
export async function waitingBy(db: Queryable, way: MessageWay): Promise<number> {
  const row = await db.one<{ count: number }>(sql`select count(*)::int as count from (
    select from messages where "status" = 'queued' and "channel" = ${way} limit 10000) q`)
  return row?.count ?? 0
}
