/** A mailing: chosen patients get a message from a template, each once a day. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { messageCalls } from '@ordinator/model/areas/messages/calls'
import { Message } from '@ordinator/model/areas/messages/message'
import { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import { filledText, smsSize } from '@ordinator/model/areas/messages/words'
import sql, { raw } from 'sql-template-tag'
import { clinicDay } from '#areas/consents/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { reachedBy } from './collect.ts'
import { valuesOf } from './texts.ts'
import { emailSql, phoneSql, waysOf } from './ways.ts'

export const mail = operation(messageCalls.mail, async ({ app, records, actor, params, body }) => {
  const { id, event, channel, active, advertising } = await records.row(MessageTemplate, params.id)
  if (event !== 'custom' || !active)
    throw new HttpError(409, 'Рассылают только словами включённого шаблона рассылки', { code: 'template' })
  const ways = await waysOf(app)
  if (ways.order.length === 0) throw new HttpError(409, 'Писать нечем: ни один способ не подключён', { code: 'ways' })
  // Only customers in the user's scope; a restricted card counts as missing.
  const customers = await records.rows(Customer, {
    'filter[id][in]': [...new Set(body.customers)].join(),
    fields: 'id',
    limit: String(body.customers.length),
  })
  const ids = customers.map((one) => one.id)
  return records.tx(async (own, tx) => {
    // A concurrent request finds the messages of this one.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`mail-${id}`}, 0))`)
    const key = sql`'custom-' || ${id} || '-' || p."id" || '-' || ${await clinicDay(tx)}::text`
    const alreadySent = await tx.query<{ id: number }>(sql`select p."id"::int as id from customers p
      where p."id" = any (${ids}::bigint[]) and exists (select from messages m where lower(m."key") = ${key})`)
    await own.asSystem.createFrom(
      Message,
      sql`customers p where p."id" = any (${ids}::bigint[]) and not p."id" = any (${alreadySent.map((one) => one.id)}::bigint[])
        and ${reachedBy(ways, { channel, advertising })} order by p."id"`,
      {
        idCustomer: raw('p."id"'),
        event,
        idTemplate: id,
        key,
        advertising,
        idAuthor: actor.id,
        phone: phoneSql,
        email: emailSql,
      },
      { skipTaken: true },
    )
    const made = await tx.one<{ count: number }>(sql`select count(*)::int as count from customers p
      join messages m on lower(m."key") = ${key} where p."id" = any (${ids}::bigint[])`)
    const queued = (made?.count ?? 0) - alreadySent.length
    return {
      queued,
      already: alreadySent.length,
      unreached: new Set(body.customers).size - alreadySent.length - queued,
    }
  })
})

/** Maximum cost of a mailing: by SMS to all who are reachable, with the text for the longest name. */
export const estimate = operation(messageCalls.estimate, async ({ app, records, params: { id }, body }) => {
  const template = await records.row(MessageTemplate, id)
  const ways = await waysOf(app)
  const { smsPrice } = await readCommonSettings(app.db)
  const isSms = template.channel === null || template.channel === 'sms'
  if (!isSms || !ways.order.includes('sms')) return { people: 0, parts: 0, cost: null }
  const customers = await records.rows(Customer, {
    'filter[id][in]': [...new Set(body.customers)].join(),
    fields: 'id',
    limit: String(body.customers.length),
  })
  const found = await app.db.one<{ count: number; longest: number | null }>(sql`select count(*)::int as count,
      (array_agg(p."id"::int order by length(concat(p."surname", p."name", p."middleName")) desc, p."id"))[1] as longest
    from customers p where p."id" = any (${customers.map((one) => one.id)}::bigint[])
      and ${reachedBy(ways, { channel: 'sms', advertising: template.advertising })}`)
  const values = found?.longest
    ? await valuesOf(app, app.db, { idCustomer: found.longest, idAppointment: null, idFilial: null, sum: null })
    : {}
  const { parts } = smsSize(filledText(template.text, values))
  const people = found?.count ?? 0
  return { people, parts, cost: smsPrice > 0 ? Math.round(people * parts * smsPrice * 100) / 100 : null }
})
