/** Calls of the desk about links. */
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import sql from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { operation } from '#records/operation.ts'
import { AnswerFault } from '../yookassa.ts'
import { exchanged, OTHER_WAY, openTry } from './attempt.ts'
import { enterLink, linkBody, qrOf, sendLink, visibleLink } from './link.ts'
import { notice, open } from './page.ts'
import { settleLink } from './settlement.ts'

const make = operation(moneyCalls.makeLink, {
  once: ({ records, tx, body }) => enterLink(records, tx, body),
  answer: async ({ app, records, id }) => linkBody(app, await records.asSystem.row(PaymentLink, id as number)),
})

const ask = operation(moneyCalls.linkState, async ({ app, records, params: { id } }) => {
  await visibleLink(records, id)
  return linkBody(app, await settleLink(app, id))
})

/** The СБП code itself for the screen of the desk: a banking app opens it without a page in between. */
const sbp = operation(moneyCalls.sbpLink, async ({ app, records, params: { id } }) => {
  await visibleLink(records, id)
  const link = await settleLink(app, id)
  if (link.status !== 'waiting') throw new HttpError(409, 'Эта ссылка больше не ждёт оплаты', { code: 'state' })
  const open = await app.db.one<{ isSbp: boolean }>(
    sql`select "isSbp" from payment_link_states where "idLink" = ${id} and "idProvider" is not null`,
  )
  // Two open methods could be paid twice.
  if (open && !open.isSbp) throw new HttpError(409, OTHER_WAY, { code: 'busy' })
  try {
    const url = await openTry(app, link, true)
    return { ...(await linkBody(app, link)), qr: await qrOf(url) }
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof AnswerFault)) throw error
    await exchanged(app, link, 'Открыта оплата', 'network_error', error.message)
    throw new HttpError(409, `QR СБП не получен: ${error.message}`, { code: 'remote' })
  }
})

const cancel = operation(moneyCalls.cancelLink, async ({ app, records, params: { id } }) => {
  await visibleLink(records, id)
  // It may have been paid a moment ago.
  await settleLink(app, id)
  return records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from payment_links where "id" = ${id} for update`)
    const link = await inside.row(PaymentLink, id)
    if (link.status === 'paid') throw new HttpError(409, 'По ссылке уже заплатили: оформите возврат', { code: 'state' })
    const open = await tx.one(
      sql`select 1 from payment_link_states where "idLink" = ${id} and "idProvider" is not null`,
    )
    if (open && link.status === 'waiting')
      throw new HttpError(409, 'Пациент открыл страницу оплаты: дождитесь, пока она закроется, и отмените снова', {
        code: 'busy',
      })
    return linkBody(
      app,
      link.status === 'waiting' ? await inside.asSystem.update(PaymentLink, id, { status: 'cancelled' }) : link,
    )
  })
})

const send = operation(moneyCalls.sendLink, async ({ app, records, params: { id } }) => {
  const link = await visibleLink(records, id)
  if (link.status !== 'waiting') throw new HttpError(409, 'Эта ссылка больше не ждёт оплаты', { code: 'state' })
  const words = await app.db.one(
    sql`select 1 from message_templates where "event" = 'payLink' and "active" and not "deleted" limit 1`,
  )
  if (!words)
    throw new HttpError(409, 'Нет слов для сообщения: включите шаблон «Ссылка на оплату» в шаблонах сообщений', {
      code: 'template',
    })
  await sendLink(app, id)
  await app.jobs.send('messages.collect', {})
  return linkBody(app, link)
})

export const linkOperations = [make, ask, send, sbp, cancel, open, notice]
