import { Customer } from '@ordinator/model/areas/customers/customer'
import { messageCalls } from '@ordinator/model/areas/messages/calls'
import { letterSubjects, type MessageEvent, sampleValues } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { filledText, smsSize, wrongText } from '@ordinator/model/areas/messages/words'
import { User } from '@ordinator/model/areas/staff/user'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { sendLetter } from '#platform/mail.ts'
import { sendSms } from '#platform/sms.ts'
import { operation } from '#records/operation.ts'
import { escaped } from '#records/sanitize.ts'
import { stopParts } from './outgoing.ts'
import { valuesOf } from './texts.ts'
import { emailSql, phoneSql, waysOf } from './ways.ts'

export const preview = operation(messageCalls.preview, async ({ app, records, body }) => {
  assertText(body.text, body.event)
  const { smsPrice, clinicName, messageLink } = await readCommonSettings(app.db)
  let values = {
    ...sampleValues,
    ...(clinicName && { клиника: clinicName }),
    ...(messageLink && { ссылка: messageLink }),
  }
  if (body.idAppointment !== null) {
    // With the user's rights: the visit by its branch, the card unless it is restricted.
    const visit = await records.row(Appointment, body.idAppointment)
    await records.row(Customer, visit.idCustomer)
    const { idCustomer, idFilial, id } = visit
    const own = await valuesOf(app, app.db, { idCustomer, idFilial, idAppointment: id, sum: null })
    values = { ...own, сумма: sampleValues.сумма ?? '' }
  }
  const text = filledText(body.text, values)
  return { text, cost: smsPrice > 0 ? kopecks(smsSize(text).parts * smsPrice) : null }
})

export const test = operation(messageCalls.test, async ({ app, records, actor, body }) => {
  assertText(body.text, body.event)
  const { mailer, sms } = await waysOf(app)
  const me = await records.asSystem.row(User, actor.id)
  const text = filledText(body.text, sampleValues)
  const subject = `Проверка: ${letterSubjects[body.event]}`
  if (body.channel === 'email') {
    if (!mailer) throw new HttpError(409, 'Почта не подключена: письма пациентам не уходят')
    if (!me.email) throw wrong('channel', 'В вашем профиле нет почты: впишите её и попробуйте ещё раз')
    const html = `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`
    const { outcome } = await sendLetter(
      app,
      mailer,
      { operation: 'Проверка шаблона' },
      { to: me.email, subject, text, html },
    )
    if (outcome === 'never') throw wrong('channel', 'Почта отказалась принять письмо: проверьте адрес в своём профиле')
    if (outcome === 'later') throw new HttpError(409, 'Почтовый сервер сейчас не принимает письма: попробуйте позже')
    return { to: me.email, isUnknown: outcome === 'unknown' }
  }
  if (!sms) throw new HttpError(409, 'Шлюз СМС не подключён: сообщения не уходят')
  if (!me.phone) throw wrong('channel', 'В вашем профиле нет телефона: впишите его и попробуйте ещё раз')
  const key = `test-${actor.id}-${crypto.randomUUID()}`
  const answer = await sendSms(app, sms, 'Проверка шаблона', { to: me.phone, key, text })
  if (answer.outcome === 'failed') throw wrong('channel', `Шлюз отказал: ${answer.reason}`.slice(0, 300))
  return { to: me.phone, isUnknown: answer.outcome === 'unknown' }
})

export const repeat = operation(messageCalls.repeat, async ({ records, actor, params }) => {
  await records.row(Message, params.id)
  return records.tx(async (own, tx) => {
    await tx.query(sql`select 1 from messages where "id" = ${params.id} for update`)
    const { status, repeats, idCustomer } = await own.row(Message, params.id)
    if (status !== 'failed' && status !== 'unknown' && status !== 'cancelled')
      throw new HttpError(409, 'Это сообщение отправлено или ещё отправляется: повторять нечего', { code: 'status' })
    // With the card's current address: the original one may have been wrong.
    const now = await tx.one<{ phone: string | null; email: string | null }>(
      sql`select ${phoneSql} as phone, ${emailSql} as email from customers p where p."id" = ${idCustomer}`,
    )
    await stopParts(tx, params.id)
    return own.asSystem.update(Message, params.id, {
      ...now,
      status: 'queued',
      repeats: repeats + 1,
      idAuthor: actor.id,
      tried: [],
      channel: null,
      idLine: null,
      idGateway: null,
      reason: null,
      dateSent: null,
      dateDue: null,
    })
  })
})

const kopecks = (rubles: number): number => Math.round(rubles * 100) / 100
const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

/** @throws ValidationError at the text */
export function assertText(text: string, event: MessageEvent): void {
  const message = wrongText(text, event)
  if (message) throw wrong('text', message)
}
