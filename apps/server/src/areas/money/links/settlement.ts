/**
 * Settles a link. It becomes a payment when the payment system, queried by us, confirms the money; it enters the
 * ledger once, by the key of the link.
 */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DECLINED } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { type Claims, claim, releaseClaim, releaseDead } from '#platform/claim.ts'
import type { Db, Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { resultOf } from '#records/once.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { shopOf } from '../connect.ts'
import { dayOf } from '../ledger.ts'
import { lineDueSql, linePaidSql } from '../lines.ts'
import { take } from '../payments.ts'
import { refund } from '../refunds.ts'
import { keepShiftOpen } from '../shifts.ts'
import { AnswerFault, type RemotePayment } from '../yookassa.ts'
import { exchanged, findTry } from './attempt.ts'
import { type LinkRow, type State, stateOf } from './link.ts'

/** Seconds for which a query about a link excludes others: longer than reading all pages of a list of payments. */
const CLAIM_S = 240
const CLAIMS: Claims = { table: 'payment_link_states', key: ['idLink'] }
/** Maximum number of links queried per run. */
const AT_ONCE = 100
/** Minutes between queries about an unpaid link. */
const QUIET_MIN = 10

/**
 * Queries the payment system about a link's attempt, and posts the money to the ledger if it arrived.
 * @param idRemote a payment that a notice, or the nightly comparison, assigns to this link
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
 * Further money of a paid link is an advance of the patient.
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
  const enter = (lines: LinkRow['lines'], bought: LinkRow['membership'], comment = 'Оплата по ссылке') =>
    take(
      app,
      system,
      {
        key: state.takeKey,
        idDesk: link.idDesk,
        idCustomer: link.idCustomer,
        parts: [{ method: remote.method, sum: link.sum }],
        ...(lines?.length && { lines }),
        ...(bought && { membership: { idType: bought.terms.idType ?? undefined, users: bought.users } }),
        ...(link.contact && { contact: link.contact }),
        comment,
      },
      undefined,
      { rrn: remote.id, ...(remote.card && { card: remote.card }), ...(bought && { terms: bought.terms }) },
    )
  // A process may have died after it posted the money.
  const idBefore = await resultOf(app.db, state.takeKey)
  // The money has arrived: post it even if chosen lines are paid or cancelled by now.
  const idPayment =
    idBefore ??
    (
      await enter(link.lines && (await stillOwed(app.db, link.lines)), link.membership).catch((error: unknown) => {
        if (!(error instanceof ValidationError)) throw error
        if (link.membership) return enter(null, null, 'Оплата по ссылке: абонемент не продан, верните деньги')
        if (link.lines) return enter(null, null)
        throw error
      })
    ).id
  await system.asSystem.update(PaymentLink, link.id, { status: 'paid', idPayment, error: null })
}

/** The part of the chosen services that is still unpaid; the rest of the money is an advance. */
async function stillOwed(db: Db, lines: readonly { idCouponService: number; sum: number }[]) {
  const left = await db.query<{ id: number; rest: number }>(sql`
    select l."id"::int as id, (${lineDueSql(raw('l'))} - ${linePaidSql(raw('l'))})::float8 as rest
    from ${visitLinesSql} where l."id" = any (${lines.map(({ idCouponService }) => idCouponService)}::bigint[]) and ${isCountedSql}`)
  return lines.flatMap((line) => {
    const rest = Math.min(line.sum, left.find(({ id }) => id === line.idCouponService)?.rest ?? 0)
    return rest > 0 ? [{ ...line, sum: Math.round(rest * 100) / 100 }] : []
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
