/** A patient's account in the portal, and online payments through the terminal of a desk open to patients. */
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { DONE, IN_WORK, Payment } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { PortalPayment } from '@ordinator/model/areas/portal/billCalls'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { contactOf, type LinkAsked, linkAddress, makeLink } from './links/link.ts'
import { typeTerms } from './membershipSale.ts'
import { isOfferedSql } from './memberships.ts'
import { linesOf, openDesk, statuses } from './onlineBill.ts'
import { organizationOf } from './organization.ts'
import { take } from './payments.ts'
import { completePayment } from './settling.ts'
import { keepShiftOpen } from './shifts.ts'

/** Maximum number of payments that a patient begins per hour, whatever their outcome. */
const TRIES_AN_HOUR = 10

export interface PayAsked {
  idCustomer: number
  /** Idempotency key of the caller: one key makes one payment. */
  key: string
  method: 'card' | 'sbp'
  lines?: readonly number[] | undefined
  /** A membership to buy. */
  membership?: { idType: number; users: number[] } | undefined
  /** For an advance: the branch whose organization receives it; absent: any that takes money online. */
  idFilial?: number | undefined
  /** Rubles, as shown to the patient. */
  sum: number
  contact?: string | undefined
  /** Description for the cash desk. */
  what?: string
}

const keyOf = ({ idCustomer, key }: Pick<PayAsked, 'idCustomer' | 'key'>): string => `portal-${idCustomer}-${key}`

/** The state of a patient's payment with this key, and whether it was refunded; undefined if there is none. */
export async function onlinePaymentOf(
  db: Queryable,
  of: Pick<PayAsked, 'idCustomer' | 'key'>,
): Promise<{ status: PortalPayment['status']; isReturned: boolean } | undefined> {
  const found = await db.one<{ idStatus: number; isReturned: boolean }>(sql`
    select p."idStatus", exists (select 1 from payments r where r."idRefundOf" = p."id" and r."idStatus" = ${DONE}
      and not r."deleted") as "isReturned"
    from request_keys k join payments p on p."id" = k."idResult" where k."key" = ${keyOf(of)}`)
  return found && { status: statuses[found.idStatus] ?? 'work', isReturned: found.isReturned }
}

/**
 * Takes a patient's payment through the terminal, once. No payment begins while the outcome of another is unknown.
 * @throws ValidationError, HttpError 409 `off`, `changed`, `busy`, `unknown`, `declined`, `key`; 429
 */
export async function payOnline(app: AppContext, asked: PayAsked): Promise<{ id: number; sum: number }> {
  // Concurrent clicks of a button share one payment and one response.
  const mark = `${keyOf(asked)} ${kopecks(asked.sum)}`
  const own = underway.get(app) ?? new Map<string, Promise<{ id: number; sum: number }>>()
  underway.set(app, own)
  const other = own.get(mark)
  if (other) return other
  const mine = paidOnce(app, asked).finally(() => own.delete(mark))
  own.set(mark, mine)
  return mine
}

/** Payments in progress on this server, by key and sum. */
const underway = new WeakMap<AppContext, Map<string, Promise<{ id: number; sum: number }>>>()

async function paidOnce(app: AppContext, asked: PayAsked): Promise<{ id: number; sum: number }> {
  const before = await paidBefore(app, asked)
  if (before) return before
  return begin(app, asked).catch(async (error: unknown) => {
    // Another process may have taken it meanwhile.
    const won = error instanceof HttpError && ['changed', 'busy'].includes(error.code ?? '')
    const paid = won ? await paidBefore(app, asked) : undefined
    if (paid) return paid
    throw error
  })
}

/** An earlier payment with this key. @throws HttpError 409 `key` if its sum differs */
async function paidBefore(app: AppContext, asked: PayAsked): Promise<{ id: number; sum: number } | undefined> {
  const before = await app.db.one<{ id: number; sum: number }>(sql`select p."id"::int as id, p."sum"::float8 as sum
    from request_keys k join payments p on p."id" = k."idResult" where k."key" = ${keyOf(asked)}`)
  if (!before) return undefined
  if (kopecks(before.sum) !== kopecks(asked.sum))
    throw new HttpError(409, 'Этот ключ уже использован для другой оплаты', { code: 'key' })
  const { id } = await completePayment(app, app.engine.for(systemActor), before.id, false)
  return { id, sum: before.sum }
}

/** A link for the same bill that still waits: a patient who comes back and pays again must not pay two. */
const openLinkFor = (
  db: Queryable,
  {
    idDesk,
    idCustomer,
    sum,
    lines,
    membership,
    about,
    contact,
  }: Pick<LinkAsked, 'idDesk' | 'idCustomer' | 'sum' | 'lines' | 'membership' | 'about' | 'contact'>,
): Promise<{ id: number } | undefined> =>
  db.one(sql`select "id"::int as id from payment_links where "idCustomer" = ${idCustomer} and "idDesk" = ${idDesk}
    and "status" = 'waiting' and not "deleted" and "dateTo" >= ${clinicToday} and "sum" = ${sum} and "about" is not distinct from ${about ?? null}
    and "membership" is not distinct from ${membership ? JSON.stringify(membership) : null}::jsonb
    and "lines" is not distinct from ${lines ? JSON.stringify(lines) : null}::jsonb
    and "contact" is not distinct from ${contact} order by "id" desc limit 1`)

/** Whether the payment with this key was begun by a link that still waits for the patient. */
export const waitsByLink = async (db: Queryable, of: Pick<PayAsked, 'idCustomer' | 'key'>): Promise<boolean> =>
  (await db.one(sql`select 1 from payment_link_states s join payment_links l on l."id" = s."idLink"
    where s."takeKey" = ${keyOf(of)} and l."status" = 'waiting'`)) !== undefined

async function begin(app: AppContext, asked: PayAsked): Promise<{ id: number; sum: number }> {
  const { idCustomer, sum, method } = asked
  const records = app.engine.for(systemActor)
  const key = keyOf(asked)
  const chosen = asked.lines ? await chosenOf(app, idCustomer, asked.lines, sum) : undefined
  const membership = asked.membership && (await offered(records, app.db, asked.membership, sum))
  const desk = await deskFor(
    app.db,
    chosen?.idOrganization ?? (asked.idFilial === undefined ? undefined : await organizationOf(app.db, asked.idFilial)),
  )
  const contact = asked.contact || (await contactOf(app.db, idCustomer))
  const isByLink = await app.db.one(sql`select 1 from cash_desks where "id" = ${desk} and "terminalMode" = 'yookassa'`)
  if (isByLink) {
    const about = asked.what ?? (membership && `Абонемент «${membership.terms.name}»`.slice(0, 128))
    const wanted = { idDesk: desk, idCustomer, sum, lines: chosen?.lines, membership, about, contact: contact ?? null }
    const { id } =
      (asked.what === undefined && (await openLinkFor(app.db, wanted))) ||
      (await makeLink(records, { ...wanted, key: `${key}-link`, takeKey: key, days: 1 }))
    const message = 'Оплата откроется на странице ЮKassa'
    throw new HttpError(409, message, {
      code: 'link',
      body: { name: 'Conflict', status: 409, message, code: 'link', url: await linkAddress(app, id) },
    })
  }
  await keepShiftOpen(app, records, desk).catch((error: unknown) => {
    // The desk sees the reason; the payment continues once the register replies.
    if (error instanceof HttpError)
      throw new HttpError(409, 'Онлайн-оплата сейчас занята: попробуйте через несколько минут', { code: 'wait' })
    throw error
  })
  const payment = await take(
    app,
    records,
    {
      key,
      idDesk: desk,
      idCustomer,
      parts: [{ method, sum }],
      ...(chosen && { lines: chosen.lines }),
      ...(asked.membership && { membership: asked.membership }),
      ...(contact && { contact }),
      comment: asked.what ?? 'Оплата пациента онлайн',
    },
    (tx) => mustBeAlone(tx, idCustomer),
  )
  return { id: payment.id, sum: payment.sum }
}

/** A membership as it is offered to patients now. @throws HttpError 409 `changed` when it is not, or has another price */
async function offered(
  records: Records,
  db: Queryable,
  { idType, users }: { idType: number; users: number[] },
  sum: number,
): Promise<{ users: number[]; terms: MembershipTerms }> {
  const changed = (message: string) => new HttpError(409, message, { code: 'changed' })
  const isOffered = await db.one(
    sql`select 1 from membership_types t where t."id" = ${idType} and ${isOfferedSql(sql`t`, 'portal')}`,
  )
  if (!isOffered) throw changed('Этот абонемент больше не продаётся: обновите страницу')
  const terms = await typeTerms(records, db, idType)
  if (kopecks(terms.price) !== kopecks(sum))
    throw changed(`Цена изменилась: теперь ${formatMoney(terms.price)}. Обновите страницу`)
  if (terms.whose === 'one' && users.length > 1)
    throw new ValidationError([{ field: 'membership.users', message: 'Этот абонемент — для одного человека' }])
  return { users, terms }
}

/** The chosen lines with their organization. */
async function chosenOf(app: AppContext, idCustomer: number, ids: readonly number[], sum: number) {
  if (new Set(ids).size !== ids.length)
    throw new ValidationError([{ field: 'lines', message: 'Услуга указана дважды' }])
  const found = await linesOf(app, idCustomer, ids)
  const changed = (message: string) => new HttpError(409, message, { code: 'changed' })
  if (found.length < ids.length) throw changed('Что-то из выбранного уже оплачено или отменено: обновите счёт')
  const organizations = new Set(found.map(({ idOrganization }) => idOrganization))
  if (organizations.size > 1)
    throw new ValidationError([
      { field: 'lines', message: 'Выбраны услуги разных организаций клиники: оплатите их по отдельности' },
    ])
  const total = found.reduce((all, { rest }) => all + kopecks(rest), 0)
  if (total !== kopecks(sum)) throw changed(`Сумма изменилась: теперь ${rubles(total)} ₽. Обновите счёт`)
  const [first] = found
  return {
    idOrganization: first?.idOrganization ?? undefined,
    lines: found.map(({ id, rest }) => ({ idCouponService: id, sum: rest })),
  }
}

async function deskFor(db: Queryable, idOrganization: number | undefined): Promise<number> {
  const found = await db.one<{ id: number }>(sql`select d."id"::int as id from cash_desks d where ${openDesk}
    and (${idOrganization ?? null}::bigint is null or d."idOrganization" = ${idOrganization ?? null}) order by d."id" limit 1`)
  if (!found) throw new HttpError(409, 'Онлайн-оплата сейчас недоступна: оплатите в клинике', { code: 'off' })
  return found.id
}

/** Allows one payment of a patient at a time, and limits their number. */
async function mustBeAlone(tx: Tx, idCustomer: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal pay ${idCustomer}`}, 0))`)
  const found = await tx.one<{ work: number; tries: number }>(sql`
    select count(*) filter (where p."idStatus" = ${IN_WORK})::int as work,
      count(*) filter (where p."dateCreate" > now() - interval '1 hour')::int as tries
    from payments p join cash_desks d on d."id" = p."idDesk" and d."isOnline"
    where p."idCustomer" = ${idCustomer} and p."kind" = 'payment' and p."idAuthor" is null
      and (p."idStatus" = ${IN_WORK} or p."dateCreate" > now() - interval '1 hour')`)
  if (found?.work)
    throw new HttpError(409, 'Прошлая оплата ещё проверяется: подождите, второй раз деньги не спишутся', {
      code: 'busy',
    })
  if ((found?.tries ?? 0) >= TRIES_AN_HOUR)
    throw new HttpError(429, 'Слишком много оплат подряд: подождите час или оплатите в клинике', {
      headers: { 'retry-after': '3600' },
    })
}

/**
 * Queries the bank about a patient's payment; takes no new money.
 * @throws HttpError 404 for another patient's payment, 409 `busy`, `unknown`
 */
export async function settleOnline(
  app: AppContext,
  { idCustomer, id }: { idCustomer: number; id: number },
): Promise<PortalPayment['status']> {
  const known = await app.db.one(sql`select 1 from payments where "id" = ${id} and "idCustomer" = ${idCustomer}`)
  if (!known) throw notFound('Такой оплаты в вашем кабинете нет')
  const records = app.engine.for(systemActor)
  try {
    await completePayment(app, records, id, false, { again: false })
  } catch (error) {
    if (!(error instanceof HttpError && error.code === 'declined')) throw error
  }
  const { idStatus } = await records.asSystem.row(Payment, id)
  return statuses[idStatus] ?? 'work'
}
