/**
 * Remote payments: links and QR codes of ЮKassa. A link becomes a payment when the payment system, queried by us,
 * confirms the money; it enters the ledger once, by the key of the link. A notice only triggers the query.
 */
import { randomBytes } from 'node:crypto'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DECLINED } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { barsOf } from '#platform/barcodes.ts'
import { type Claims, claim, releaseClaim, releaseDead } from '#platform/claim.ts'
import type { Db, Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { readObject } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { once, resultOf } from '#records/once.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { escaped } from '#records/sanitize.ts'
import { LINK_ABOUT, shopOf } from './connect.ts'
import { dayOf } from './ledger.ts'
import { checkChosen, lineDueSql, linePaidSql } from './lines.ts'
import { take } from './payments.ts'
import { refund } from './refunds.ts'
import { paymentScope } from './scope.ts'
import { keepShiftOpen, workingDesk } from './shifts.ts'
import { refreshPrices } from './visitPrices.ts'
import { AnswerFault, linkReceipt, type RemotePayment } from './yookassa.ts'

type LinkRow = Row<typeof PaymentLink>
type Desk = Row<typeof CashDesk>

export const paymentLinks = records(PaymentLink, { scope: paymentScope })

/** Seconds for which a query about a link excludes others: longer than reading all pages of a list of payments. */
const CLAIM_S = 240
const CLAIMS: Claims = { table: 'payment_link_states', key: ['idLink'] }
/** Maximum number of links queried per run. */
const AT_ONCE = 100
/** Milliseconds. */
const MINUTE = 60_000
/** Minutes between queries about an unpaid link. */
const QUIET_MIN = 10

/** Hours for which ЮKassa certainly knows the key of an attempt: an hour less than it promises. */
const KEY_HOURS = 23

interface State {
  token: string
  takeKey: string
  attempt: number
  idProvider: string | null
  url: string | null
  /** When the attempt was first sent; null: not yet. */
  dateTry: string | null
  /** Its key may be forgotten: sent again, it could make a second payment. */
  isOld: boolean
}
const stateSql = sql`"token", "takeKey", "attempt", "idProvider", "url", "dateTry",
  coalesce("dateTry" < now() - make_interval(hours => ${KEY_HOURS}), false) as "isOld"`
const stateOf = async (db: Db, id: number): Promise<State> =>
  (await db.one<State>(sql`select ${stateSql} from payment_link_states where "idLink" = ${id}`)) as State

const addressOf = (app: AppContext, { token }: Pick<State, 'token'>): string => `${app.config.publicUrl}/pay/${token}`

/** URL of a link. */
export const linkAddress = async (app: AppContext, id: number): Promise<string> =>
  addressOf(app, await stateOf(app.db, id))

async function told(app: AppContext, link: LinkRow) {
  const { id, status, sum, dateTo, idPayment, error } = link
  const [state, payee] = await Promise.all([stateOf(app.db, id), payeeOf(app.db, link)])
  const url = addressOf(app, state)
  return { id, status, sum, about: aboutOf(link), payee, dateTo, idPayment, error, url, qr: await qrOf(url) }
}

const aboutOf = ({ about }: Pick<LinkRow, 'about'>): string => about || LINK_ABOUT

/** Whose desk the link is of, and the phone by which a patient asks about it: of the branch, else of the organization. */
const payeeOf = async (db: Db, { idDesk }: Pick<LinkRow, 'idDesk'>) =>
  (await db.one<{ name: string; phone: string | null }>(sql`select o."shortName" as name,
      coalesce(nullif(f."filialPhone", ''), nullif(o."phone", '')) as phone
    from cash_desks d join organizations o on o."id" = d."idOrganization" join filials f on f."id" = d."idFilial"
    where d."id" = ${idDesk}`)) as { name: string; phone: string | null }

async function qrOf(text: string): Promise<{ size: number; path: string } | null> {
  const bars = await barsOf('qr', text)
  const path = bars?.cells.map(([column, row, length]) => `M${column} ${row}h${length}v1h-${length}z`).join('')
  return bars && path ? { size: bars.width, path } : null
}

export interface LinkAsked {
  /** Idempotency key of the caller: one key makes one link. */
  key: string
  /** The key of the resulting payment; absent: a key of its own. */
  takeKey?: string | undefined
  idDesk?: number | undefined
  /** The organization that receives the money; absent: any. */
  idOrganization?: number | undefined
  idCustomer: number
  sum: number
  lines?: readonly { idCouponService: number; sum: number }[] | undefined
  about?: string | undefined
  contact?: string | null | undefined
  days: number
}

/** The desk that takes money by links. @throws HttpError 409 `off` if there is none */
async function linkDesk(records: Records, db: Queryable, asked: LinkAsked): Promise<Desk> {
  const id =
    asked.idDesk ??
    (
      await db.one<{
        id: number
      }>(sql`select d."id"::int as id from cash_desks d where d."terminalMode" = 'yookassa' and d."active"
        and not d."deleted" and d."datePaySecret" is not null
        and (${asked.idOrganization ?? null}::bigint is null or d."idOrganization" = ${asked.idOrganization ?? null}) order by d."id" limit 1`)
    )?.id
  if (!id) throw new HttpError(409, 'ЮKassa не подключена: ссылки создаёт касса с её ключом', { code: 'off' })
  const desk = await workingDesk(() => records.asSystem.row(CashDesk, id))
  if (desk.terminalMode !== 'yookassa')
    throw new ValidationError([{ field: 'idDesk', message: 'Эта касса не принимает деньги по ссылкам' }])
  return desk
}

/** Where the receipt of money from afar goes when nothing else was said: it has no paper (54-ФЗ, ст. 1.2, п. 5). */
export const contactOf = async (db: Queryable, idCustomer: number): Promise<string | undefined> =>
  (
    await db.one<{ contact: string | null }>(
      sql`select coalesce(nullif("email", ''), "phone") as contact from customers where "id" = ${idCustomer}`,
    )
  )?.contact ?? undefined

/** True for a mail address or a phone of full length. */
const isReachable = (contact: string | null): boolean =>
  contact !== null && (contact.includes('@') || contact.replace(/\D/g, '').length >= 11)

/** Creates a link, once. @throws ValidationError, HttpError 409 `off`, `key` */
export async function makeLink(records: Records, asked: LinkAsked): Promise<LinkRow> {
  const { takeKey, ...same } = asked
  const keyed = { call: moneyCalls.makeLink, key: asked.key, asked: same }
  const { id } = await once(records, keyed, (inside, tx) => enterLink(inside, tx, asked))
  return records.asSystem.row(PaymentLink, id as number)
}

/** @returns id of the link */
async function enterLink(inside: Records, tx: Tx, asked: LinkAsked): Promise<number> {
  const desk = await linkDesk(inside, tx, asked)
  await assertVisible(inside.asSystem, Customer, asked.idCustomer, 'idCustomer')
  const { idCustomer, sum, lines = [] } = asked
  await refreshPrices(inside, tx, lines)
  await checkChosen(tx, lines, { idCustomer, idOrganization: desk.idOrganization, sum: kopecks(sum) })
  const contact = asked.contact || (await contactOf(tx, idCustomer)) || null
  // A receipt of ЮKassa has no paper: without an address no payment can be opened.
  if (desk.kktMode === 'outside' && !isReachable(contact))
    throw new ValidationError([
      { field: 'contact', message: 'Чек ЮKassa уходит на телефон или почту: впишите их, иначе оплата не откроется' },
    ])
  const made = await inside.asSystem.create(PaymentLink, {
    idCustomer,
    idDesk: desk.id,
    sum,
    lines: lines.length ? [...lines] : null,
    about: asked.about || null,
    contact,
    status: 'waiting',
    error: null,
    dateTo: plusDays(await dayOf(tx, desk.idFilial), asked.days),
    idPayment: null,
  } as Create<typeof PaymentLink>)
  await tx.query(sql`insert into payment_link_states ("idLink", "token", "takeKey")
      values (${made.id}, ${randomBytes(18).toString('base64url')}, ${asked.takeKey ?? `link-${made.id}`})`)
  return made.id
}

/**
 * Opens an attempt at the payment system, once per attempt: a repeat under the same number returns the same payment, for
 * as long as its key is known there. What came of an older one `settleLink` finds out first.
 * @returns the payment page
 */
async function openTry(app: AppContext, link: LinkRow, isSbp = false): Promise<string> {
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
  // Another way was opened meanwhile. This one is shown to nobody, so that nobody pays twice.
  if (!kept) throw new HttpError(409, OTHER_WAY, { code: 'busy' })
  return made.url ?? addressOf(app, state)
}

const OTHER_WAY = 'Пациент уже открыл страницу оплаты: пусть заплатит на ней, СБП там тоже есть'

const exchanged = (
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
 * Queries the payment system about a link's attempt, and posts the money to the ledger if it arrived.
 * @param idRemote a payment that a notice, or the nightly comparison, says to be of this link
 * @returns the link in its current state
 */
export async function settleLink(app: AppContext, id: number, idRemote?: string): Promise<LinkRow> {
  const system = app.engine.for(systemActor)
  const link = await system.asSystem.row(PaymentLink, id)
  if (link.status === 'paid' && idRemote === undefined) return link
  const token = await claim(app.db, CLAIMS, [id], app.life, CLAIM_S)
  if (!token) {
    // A notice is not lost because the link is being asked about at the same moment.
    if (idRemote !== undefined) await app.jobs.send('money.link', { id, idRemote }, { startAfter: LATER_S })
    return link
  }
  try {
    await app.db.query(sql`update payment_link_states set "dateAsked" = now() where "idLink" = ${id}`)
    const state = await stateOf(app.db, id)
    if (link.status !== 'paid') {
      const idProvider = state.idProvider ?? (state.isOld ? await findTry(app, link, state) : null)
      if (idProvider !== null) await judge(app, link, state, idProvider)
    }
    if (idRemote !== undefined) await judgeStray(app, id, idRemote)
    const now = await system.asSystem.row(PaymentLink, id)
    const today = await dayOf(app.db, (await system.asSystem.row(CashDesk, link.idDesk)).idFilial)
    const after = await stateOf(app.db, id)
    if (now.status === 'waiting' && after.idProvider === null && now.dateTo < today)
      return await system.asSystem.update(PaymentLink, id, { status: 'expired' })
    return now
  } finally {
    await releaseClaim(app.db, CLAIMS, [id], token)
  }
}

/** Seconds after which a notice is looked at again that came while its link was claimed. */
const LATER_S = 5

/** Whether the money of a payment at ЮKassa is posted. */
export const isPosted = async (db: Queryable, idRemote: string): Promise<boolean> =>
  (await db.one(sql`select 1 from payments_parts where "terminal"->>'rrn' = ${idRemote} limit 1`)) !== undefined

/**
 * Posts a payment at ЮKassa that names the link, but is not its present attempt: another way of paying it was open.
 * What a paid link gets more is an advance of the patient.
 */
async function judgeStray(app: AppContext, id: number, idRemote: string): Promise<void> {
  const system = app.engine.for(systemActor)
  const link = await system.asSystem.row(PaymentLink, id)
  const state = await stateOf(app.db, id)
  if (state.idProvider === idRemote || (await isPosted(app.db, idRemote))) return
  const shop = await shopOf(app, await system.asSystem.row(CashDesk, link.idDesk))
  if (!shop) return
  const remote = await shop.payment(idRemote)
  if (remote.metadata.link !== String(id) || remote.status !== 'succeeded' || remote.sum === undefined) return
  if (link.status !== 'paid' && remote.sum === kopecks(link.sum)) {
    await app.db.query(sql`update payment_link_states set "idProvider" = ${remote.id}, "isSbp" = ${remote.method === 'sbp'}
      where "idLink" = ${id}`)
    return post(app, link, state, remote)
  }
  await keepShiftOpen(app, system, link.idDesk)
  const sum = rubles(remote.sum)
  await take(
    app,
    system,
    {
      key: `stray-${remote.id}`,
      idDesk: link.idDesk,
      idCustomer: link.idCustomer,
      parts: [{ method: remote.method, sum }],
      ...(link.contact && { contact: link.contact }),
      comment: `По ссылке № ${id} заплатили ещё раз: верните лишнее`,
    },
    undefined,
    { rrn: remote.id, ...(remote.card && { card: remote.card }) },
  )
}

/**
 * Looks for the payment of an attempt without an answer, whose key ЮKassa may have forgotten. One that is not there is
 * over: the next attempt has another key.
 * @returns its id at ЮKassa; null if there is none, or nobody answers: then the attempt stays as it is
 */
async function findTry(app: AppContext, link: LinkRow, { attempt, dateTry }: State): Promise<string | null> {
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

async function judge(app: AppContext, link: LinkRow, state: State, idProvider: string): Promise<void> {
  const system = app.engine.for(systemActor)
  const shop = await shopOf(app, await system.asSystem.row(CashDesk, link.idDesk))
  if (!shop) return
  let remote: RemotePayment
  try {
    remote = await shop.payment(idProvider)
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof AnswerFault)) throw error
    return exchanged(app, link, 'Спросили об оплате', 'network_error', error.message)
  }
  await exchanged(app, link, 'Спросили об оплате', 'done')
  if (remote.status === 'canceled') {
    // Allow another attempt under another number.
    await app.db.query(sql`update payment_link_states set "idProvider" = null, "url" = null, "attempt" = "attempt" + 1,
        "dateTry" = null
      where "idLink" = ${link.id} and "attempt" = ${state.attempt}`)
    if (link.status === 'waiting') await system.asSystem.update(PaymentLink, link.id, { error: remote.reason ?? null })
    return
  }
  if (remote.status !== 'succeeded') return
  if (remote.sum !== kopecks(link.sum)) {
    await system.asSystem.update(PaymentLink, link.id, {
      status: 'disputed',
      error: `ЮKassa приняла ${remote.sum === undefined ? 'не рубли' : formatMoney(remote.sum / 100)} вместо ${formatMoney(link.sum)}: разберитесь в её кабинете`,
    })
    return
  }
  await post(app, link, state, remote)
}

/** Posts the money of a link, once by its key. */
async function post(app: AppContext, link: LinkRow, state: State, remote: RemotePayment): Promise<void> {
  const system = app.engine.for(systemActor)
  await keepShiftOpen(app, system, link.idDesk)
  const enter = (lines: LinkRow['lines']) =>
    take(
      app,
      system,
      {
        key: state.takeKey,
        idDesk: link.idDesk,
        idCustomer: link.idCustomer,
        parts: [{ method: remote.method, sum: link.sum }],
        ...(lines?.length && { lines }),
        ...(link.contact && { contact: link.contact }),
        comment: 'Оплата по ссылке',
      },
      undefined,
      { rrn: remote.id, ...(remote.card && { card: remote.card }) },
    )
  // A process may have died after it posted the money.
  const idBefore = await resultOf(app.db, state.takeKey)
  // The money has arrived: post it even if chosen lines are paid or cancelled by now.
  const idPayment =
    idBefore ??
    (
      await enter(link.lines && (await stillOwed(app.db, link.lines))).catch((error: unknown) => {
        if (error instanceof ValidationError && link.lines) return enter(null)
        throw error
      })
    ).id
  await system.asSystem.update(PaymentLink, link.id, { status: 'paid', idPayment, error: null })
}

/** The part of the chosen services that is still unpaid; the rest of the money is an advance. */
async function stillOwed(db: Db, lines: readonly { idCouponService: number; sum: number }[]) {
  const left = await db.query<{ id: number; rest: number }>(sql`
    select l."id"::int as id, (${lineDueSql(raw('l'))} - ${linePaidSql(raw('l'))})::float8 as rest
    from coupon_services l where l."id" = any (${lines.map(({ idCouponService }) => idCouponService)}::bigint[]) and not l."deleted" and not l."cancelled"`)
  return lines.flatMap((line) => {
    const rest = Math.min(line.sum, left.find(({ id }) => id === line.idCouponService)?.rest ?? 0)
    return rest > 0 ? [{ ...line, sum: Math.round(rest * 100) / 100 }] : []
  })
}

const make = operation(moneyCalls.makeLink, {
  once: ({ records, tx, body }) => enterLink(records, tx, body),
  answer: async ({ app, records, id }) => told(app, await records.asSystem.row(PaymentLink, id as number)),
})

/** The link, if its desk is in the user's scope. */
async function seen(records: Records, id: number): Promise<LinkRow> {
  const link = await records.row(PaymentLink, id)
  await records.row(CashDesk, link.idDesk)
  return link
}

const ask = operation(moneyCalls.linkState, async ({ app, records, params: { id } }) => {
  await seen(records, id)
  return told(app, await settleLink(app, id))
})

/** The СБП code itself for the screen of the desk: a banking app opens it without a page in between. */
const sbp = operation(moneyCalls.sbpLink, async ({ app, records, params: { id } }) => {
  await seen(records, id)
  const link = await settleLink(app, id)
  if (link.status !== 'waiting') throw new HttpError(409, 'Эта ссылка больше не ждёт оплаты', { code: 'state' })
  const open = await app.db.one<{ isSbp: boolean }>(
    sql`select "isSbp" from payment_link_states where "idLink" = ${id} and "idProvider" is not null`,
  )
  // Two open methods could be paid twice.
  if (open && !open.isSbp) throw new HttpError(409, OTHER_WAY, { code: 'busy' })
  try {
    const url = await openTry(app, link, true)
    return { ...(await told(app, link)), qr: await qrOf(url) }
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof AnswerFault)) throw error
    await exchanged(app, link, 'Открыта оплата', 'network_error', error.message)
    throw new HttpError(409, `QR СБП не получен: ${error.message}`, { code: 'remote' })
  }
})

const cancel = operation(moneyCalls.cancelLink, async ({ app, records, params: { id } }) => {
  await seen(records, id)
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
    return told(
      app,
      link.status === 'waiting' ? await inside.asSystem.update(PaymentLink, id, { status: 'cancelled' }) : link,
    )
  })
})

/** The response body of a link. */
export const toldLink = async (app: AppContext, id: number) =>
  told(app, await app.engine.for(systemActor).asSystem.row(PaymentLink, id))

/** Ends a link that is not being paid right now; money that arrives anyway is an advance. */
export async function dropLink(app: AppContext, id: number): Promise<void> {
  await app.engine.for(systemActor).tx(async ({ asSystem }, tx) => {
    const open = await tx.one(sql`select 1 from payment_links l join payment_link_states s on s."idLink" = l."id"
      where l."id" = ${id} and l."status" = 'waiting' and s."idProvider" is null for update of l`)
    if (open) await asSystem.update(PaymentLink, id, { status: 'cancelled' })
  })
}

/** Refunds the rest of the payment of a link, once by this key, by the original method. */
export async function giveBackLink(
  app: AppContext,
  { idLink, key, reason }: { idLink: number; key: string; reason: string },
): Promise<void> {
  const records = app.engine.for(systemActor)
  const { idPayment } = await records.asSystem.row(PaymentLink, idLink)
  if (idPayment === null) return
  const parts = await app.db.query<{ method: PaymentMethod; sum: number; idDesk: number }>(sql`
    select t."method", sum(case p."kind" when 'payment' then t."sum" else -t."sum" end)::float8 as sum,
      max(p."idDesk")::int as "idDesk"
    from payments p join payments_parts t on t."idPayment" = p."id"
    where (p."id" = ${idPayment} or (p."idRefundOf" = ${idPayment} and p."idStatus" <> ${DECLINED})) and not exists (
      select 1 from request_keys k where k."key" = ${key} and k."idResult" = p."id")
    group by t."method" having sum(case p."kind" when 'payment' then t."sum" else -t."sum" end) > 0`)
  const [first] = parts
  if (!first) return
  await keepShiftOpen(app, records, first.idDesk)
  await refund(app, records, idPayment, { key, parts: parts.map(({ method, sum }) => ({ method, sum })), reason })
}

/** Sends a link to its patient through the clinic's channels and templates. */
export async function sendLink(app: AppContext, id: number): Promise<void> {
  await app.db.query(
    sql`update payment_link_states set "dateSend" = now() where "idLink" = ${id} and "dateSend" is null`,
  )
}

const send = operation(moneyCalls.sendLink, async ({ app, records, params: { id } }) => {
  const link = await seen(records, id)
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
  return told(app, link)
})

/** @param back the way to the patient's room, where the clinic has one */
const page = (title: string, text: string, back: boolean): string =>
  `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;color:#1a1b1e;background:#f6f7f9}
main{padding:32px;max-width:420px;text-align:center}h1{font-size:22px;margin:0 0 8px}p{margin:0;color:#495057}
@media(prefers-color-scheme:dark){body{background:#17181b;color:#e9ecef}p{color:#ced4da}a{color:#66d9e8}}a{display:inline-block;margin-top:16px;padding:8px 12px;color:#0b7285}</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${back ? '<a href="/portal#bills">В личный кабинет</a>' : ''}</main></html>`

const open = operation(moneyCalls.openLink, async ({ app, params, reply }) => {
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
        // The same would be refused again: the desk is told why, the patient whom to call.
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
const notice = operation(moneyCalls.yookassaNotice, async ({ app, request }) => {
  const told = readObject((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  const { id, metadata } = (told.object ?? {}) as { id?: unknown; metadata?: { link?: unknown } }
  if (typeof id !== 'string' || id.length > 64) return { ok: true }
  const named = /^\d{1,15}$/.test(String(metadata?.link)) ? Number(metadata?.link) : null
  const found = await app.db.one<{ id: number; isPresent: boolean }>(
    sql`select "idLink"::int as id, coalesce("idProvider" = ${id}, false) as "isPresent" from payment_link_states
      where "idProvider" = ${id} or "idLink" = ${named} order by 2 desc limit 1`,
  )
  if (found) await app.jobs.send('money.link', { id: found.id, ...(!found.isPresent && { idRemote: id }) })
  return { ok: true }
})

export const linkOperations = [make, ask, send, sbp, cancel, open, notice]

/** Queries links that have an attempt, at growing intervals while they are unpaid. */
export function startLinks(app: AppContext): void {
  app.jobs.register<{ id: number; idRemote?: string }>('money.link', {
    concurrency: 4,
    handler: ({ id, idRemote }) => settleLink(app, id, idRemote),
  })
  app.life.onDeath(async (life) => {
    const left = await releaseDead<{ idLink: number }>(app.db, CLAIMS, life)
    for (const { idLink } of left) await app.jobs.send('money.link', { id: Number(idLink) }, { key: `${idLink}` })
  })
  app.jobs.register('money.links', {
    cron: '* * * * *',
    async handler() {
      const due = await app.db.query<{ id: number }>(sql`select l."id"::int as id from payment_links l
        join payment_link_states s on s."idLink" = l."id" where l."status" = 'waiting' and not l."deleted"
          and (s."idProvider" is not null or l."dateTo" < ${clinicToday})
          and (s."dateAsked" is null or s."dateAsked" < now() - least(make_interval(mins => ${QUIET_MIN}),
            greatest(interval '30 seconds', (now() - l."dateCreate") / 20)))
        order by s."dateAsked" nulls first limit ${AT_ONCE}`)
      await oneByOne(app, 'money.links', due, ({ id }) => settleLink(app, id))
    },
  })
}
