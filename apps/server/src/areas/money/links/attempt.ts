/** Attempts of a link at the payment system: each has a key, by which a repeat is the same payment. */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { kopecks } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import { HttpError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { shopOf } from '../connect.ts'
import { dayOf } from '../ledger.ts'
import { AnswerFault, linkReceipt, type RemotePayment } from '../yookassa.ts'
import { aboutOf, addressOf, KEY_HOURS, type LinkRow, type State, stateOf } from './link.ts'

/** Milliseconds. */
const MINUTE = 60_000

/**
 * Opens an attempt at the payment system, once per attempt: a repeat under the same number returns the same payment, for
 * as long as its key is known there. The result of an older one is queried by `settleLink` first.
 * @returns the payment page
 */
export async function openTry(app: AppContext, link: LinkRow, isSbp = false): Promise<string> {
  const system = app.engine.for(systemActor).asSystem
  const desk = await system.row(CashDesk, link.idDesk)
  const state = await stateOf(app.db, link.id)
  const shop = await shopOf(app, desk)
  if (state.isOld) throw new HttpError(409, 'Прошлая попытка оплаты ещё проверяется', { code: 'busy' })
  if (!shop) throw new HttpError(409, 'Оплата по ссылке сейчас недоступна: позвоните в клинику', { code: 'off' })
  const sum = kopecks(link.sum)
  const about = aboutOf(link)
  const receipt =
    desk.kktMode === 'outside'
      ? linkReceipt({ about, contact: link.contact }, sum, await dayOf(app.db, desk.idFilial))
      : undefined
  await app.db.query(sql`update payment_link_states set "dateTry" = now()
    where "idLink" = ${link.id} and "attempt" = ${state.attempt} and "dateTry" is null`)
  const made = await shop.create({
    key: `link-${link.id}-${state.token.slice(0, 12)}-${state.attempt}${isSbp ? '-sbp' : ''}`,
    isSbp,
    kopecks: sum,
    about,
    returnUrl: addressOf(app, state),
    metadata: { link: String(link.id) },
    ...(receipt && { receipt }),
  })
  const kept =
    await app.db.one(sql`update payment_link_states set "idProvider" = ${made.id}, "url" = ${made.url ?? null},
      "isSbp" = ${isSbp}, "dateAsked" = now()
    where "idLink" = ${link.id} and "attempt" = ${state.attempt}
      and ("idProvider" is null or "idProvider" = ${made.id}) returning 1`)
  await exchanged(app, link, 'Открыта оплата', 'done')
  // Another way was opened meanwhile. This one is not shown, so that it is not paid twice.
  if (!kept) throw new HttpError(409, OTHER_WAY, { code: 'busy' })
  return made.url ?? addressOf(app, state)
}

export const OTHER_WAY = 'Пациент уже открыл страницу оплаты: пусть заплатит на ней, СБП там тоже есть'

export const exchanged = (
  app: AppContext,
  { id, idDesk }: LinkRow,
  operation: string,
  status: 'done' | 'network_error' | 'rejected',
  error?: string,
) =>
  app.exchanged({
    adapter: 'yookassa',
    operation,
    key: `link-${id}-${operation}`,
    about: { path: CashDesk.path, id: idDesk },
    status,
    error,
  })

/**
 * Looks for the payment of an attempt without an answer, whose key ЮKassa may have forgotten. A missing one is
 * over: the next attempt has another key.
 * @returns its id at ЮKassa; null if there is none, or no answer: then the attempt stays as it is
 */
export async function findTry(app: AppContext, link: LinkRow, { attempt, dateTry }: State): Promise<string | null> {
  const shop = await shopOf(app, await app.engine.for(systemActor).asSystem.row(CashDesk, link.idDesk))
  if (!shop || dateTry === null) return null
  const first = Date.parse(dateTry)
  let found: RemotePayment | undefined
  try {
    const then = await shop.payments(new Date(first - MINUTE), new Date(first + KEY_HOURS * 60 * MINUTE + 10 * MINUTE))
    found = then.find(({ metadata, status }) => metadata.link === String(link.id) && status !== 'canceled')
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof AnswerFault)) throw error
    await exchanged(app, link, 'Искали прошлую попытку', 'network_error', error.message)
    return null
  }
  await exchanged(app, link, 'Искали прошлую попытку', 'done')
  const isSame = sql`"idLink" = ${link.id} and "attempt" = ${attempt} and "idProvider" is null`
  await app.db.query(
    found
      ? sql`update payment_link_states set "idProvider" = ${found.id}, "url" = ${found.url ?? null},
          "isSbp" = ${found.method === 'sbp'} where ${isSame}`
      : sql`update payment_link_states set "attempt" = "attempt" + 1, "dateTry" = null where ${isSame}`,
  )
  return found?.id ?? null
}
