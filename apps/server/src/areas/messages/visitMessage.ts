/** Sends a booking to the patient from the desk: by the template of the booking, once for each template. */
import { messageCalls } from '@ordinator/model/areas/messages/calls'
import { Message } from '@ordinator/model/areas/messages/message'
import type { MessageTemplate } from '@ordinator/model/areas/messages/messageTemplate'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { reachedBy } from './collect.ts'
import { emailSql, phoneSql, waysOf } from './ways.ts'

export const messageVisit = operation(messageCalls.messageVisit, async ({ app, records, actor, params: { id } }) => {
  const ways = await waysOf(app)
  if (ways.order.length === 0) throw new HttpError(409, 'Писать нечем: ни один способ не подключён', { code: 'ways' })
  const { idFilial } = await records.row(Appointment, id)
  return records.tx(async (own, tx) => {
    const template = await tx.one<Pick<Row<typeof MessageTemplate>, 'id' | 'channel' | 'advertising'>>(sql`
      select t."id"::int as "id", t."channel", t."advertising" from message_templates t
      where t."event" = 'booking' and t."active" and not t."deleted" and t."services" = '{}'
        and (t."filials" = '{}' or ${idFilial}::bigint = any (t."filials"))
      order by t."filials" = '{}', t."id" limit 1`)
    if (!template)
      throw new HttpError(409, 'Сообщения «Запись создана» выключены: включите их в шаблонах сообщений', {
        code: 'template',
      })
    // The key of the automatic message, so that the patient gets it once.
    const key = sql`'booking-' || a."id" || '-' || ${template.id}::bigint`
    await own.asSystem.createFrom(
      Message,
      sql`appointments a join customers p on p."id" = a."idCustomer" where a."id" = ${id} and a."dateFrom" > now()
        and not a."deleted" and a."visitStatus" in ('booked', 'confirmed') and ${reachedBy(ways, template)}`,
      {
        idCustomer: raw('p."id"'),
        event: 'booking',
        idTemplate: template.id,
        key,
        idAppointment: raw('a."id"'),
        idFilial: raw('a."idFilial"'),
        dateFrom: raw('a."dateFrom"'),
        idAuthor: actor.id,
        phone: phoneSql,
        email: emailSql,
      },
      { skipTaken: true },
    )
    const made = await tx.one(sql`select 1 from appointments a join messages m on lower(m."key") = ${key}
      where a."id" = ${id}`)
    if (!made)
      throw new HttpError(409, 'Написать некуда: нет телефона или пациент отказался от сообщений', {
        code: 'unreached',
      })
    return { queued: true }
  })
})
