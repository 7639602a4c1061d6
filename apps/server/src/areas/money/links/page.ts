/** The page of a link for the patient, and the notices of the payment system, which only trigger a query. */
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { readObject } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import { escaped } from '#records/sanitize.ts'
import { AnswerFault } from '../yookassa.ts'
import { exchanged, openTry } from './attempt.ts'
import { payeeOf, stateOf } from './link.ts'
import { settleLink } from './settlement.ts'

/** @param back the way to the patient's room, where the clinic has one */
const page = (title: string, text: string, back: boolean): string =>
  `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;color:#1a1b1e;background:#f6f7f9}
main{padding:32px;max-width:420px;text-align:center}h1{font-size:22px;margin:0 0 8px}p{margin:0;color:#495057}
@media(prefers-color-scheme:dark){body{background:#17181b;color:#e9ecef}p{color:#ced4da}a{color:#66d9e8}}a{display:inline-block;margin-top:16px;padding:8px 12px;color:#0b7285}</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${back ? '<a href="/portal#bills">В личный кабинет</a>' : ''}</main></html>`

export const open = operation(moneyCalls.openLink, async ({ app, params, reply }) => {
  const found = await app.db.one<{ id: number }>(
    sql`select s."idLink"::int as id from payment_link_states s join payment_links l on l."id" = s."idLink" and not l."deleted"
      where s."token" = ${params.token}`,
  )
  const { portalActive } = await readCommonSettings(app.db)
  const say = (title: string, text: string) =>
    reply
      .type('text/html')
      .header('cache-control', 'no-store')
      .send(page(title, text, portalActive))
  if (!found) return say('Ссылка не найдена', 'Проверьте адрес или позвоните в клинику.')
  const link = await settleLink(app, found.id)
  switch (link.status) {
    case 'paid':
      return say(
        'Оплачено',
        `${formatMoney(link.sum)}. Спасибо! ${link.contact ? 'Чек придёт на телефон или почту.' : 'Чек возьмите в клинике.'}`,
      )
    case 'waiting': {
      const { url } = await stateOf(app.db, link.id)
      try {
        return reply.redirect(url ?? (await openTry(app, link)), 303)
      } catch (error) {
        if (!(error instanceof RemoteFault || error instanceof AnswerFault || error instanceof HttpError)) throw error
        const isRefused = error instanceof AnswerFault
        await exchanged(app, link, 'Открыта оплата', isRefused ? 'rejected' : 'network_error', error.message)
        if (!isRefused)
          return say('Оплата сейчас недоступна', 'Попробуйте через несколько минут или заплатите в клинике.')
        // The same would be refused again: the desk gets the reason, the patient the number to call.
        await app.engine.for(systemActor).asSystem.update(PaymentLink, link.id, { error: error.message.slice(0, 500) })
        const { phone } = await payeeOf(app.db, link)
        return say(
          'Оплата по этой ссылке не открывается',
          `Позвоните в клинику${phone ? `: ${phone}` : ''}. Платить можно и на месте.`,
        )
      }
    }
    case 'disputed':
      return say('Оплата проверяется', 'Клиника свяжется с вами. Второй раз платить не нужно.')
    default:
      return say('Ссылка больше не действует', 'Попросите в клинике новую.')
  }
})

/** A notice is not trusted: the payment that it names is queried. */
export const notice = operation(moneyCalls.yookassaNotice, async ({ app, request }) => {
  const notice = readObject((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  const { id, metadata } = (notice.object ?? {}) as { id?: unknown; metadata?: { link?: unknown } }
  if (typeof id !== 'string' || id.length > 64) return { ok: true }
  const named = /^\d{1,15}$/.test(String(metadata?.link)) ? Number(metadata?.link) : null
  const found = await app.db.one<{ id: number; isPresent: boolean }>(
    sql`select "idLink"::int as id, coalesce("idProvider" = ${id}, false) as "isPresent" from payment_link_states
      where "idProvider" = ${id} or "idLink" = ${named} order by 2 desc limit 1`,
  )
  if (found) await app.jobs.send('money.link', { id: found.id, ...(!found.isPresent && { idRemote: id }) })
  return { ok: true }
})
