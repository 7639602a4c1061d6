/** A patient's account in the portal, and online payments through the terminal of a desk open to patients. */
import { membershipMoves } from '@ordinator/model/areas/memberships/membership'
import { type MembershipState, membershipStates, restWords } from '@ordinator/model/areas/memberships/rules'
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import {
  AWAITING,
  DECLINED,
  DONE,
  IN_WORK,
  Payment,
  paymentKinds,
  paymentStatuses,
} from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type {
  PortalBillLine,
  PortalBills,
  PortalMembership,
  PortalPayment,
} from '@ordinator/model/areas/portal/billCalls'
import { formatDay, formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { labelSql } from '#records/labels.ts'
import type { Records } from '#records/records.ts'
import { balances, sumsOf } from './account.ts'
import { lineDueSql, linePaidSql } from './lines.ts'
import { contactOf, type LinkAsked, linkAddress, makeLink } from './links/link.ts'
import { typeTerms } from './membershipSale.ts'
import { isOfferedSql, membershipRestSql, membershipStateSql } from './memberships.ts'
import { organizationOf } from './organization.ts'
import { take } from './payments.ts'
import { carryThrough } from './settling.ts'
import { keepShiftOpen } from './shifts.ts'
import { discountsNow, dueNow, type StoredPrice, storedPriceSql } from './visitPrices.ts'

const MOST_LINES = 100
const MOST_PAYMENTS = 50
/** Maximum number of payments that a patient begins per hour, whatever their outcome. */
const TRIES_AN_HOUR = 10

const statuses: Readonly<Record<number, PortalPayment['status']>> = {
  [IN_WORK]: 'work',
  [DONE]: 'done',
  [DECLINED]: 'declined',
  [AWAITING]: 'waits',
}

/** SQL of the organization that sells the line `l` of the coupon `c`, whose ledger line is `p`. */
const organizationSql = sql`coalesce((select o."idOrganization" from ledger_accounts o where o."id" = p."idAccount"),
  (select o."id" from organizations o left join cash_desks d on d."idOrganization" = o."id" and d."idFilial" = c."idFilial"
      and d."active" and not d."deleted"
    where o."kind" = 'own' and not o."deleted" order by d."id" nulls last, o."id" limit 1))`

/** SQL condition: the desk `d` takes payments of patients. */
const openDesk = sql`d."isOnline" and d."active" and not d."deleted" and (d."terminalMode" = 'simulator'
  or (d."terminalMode" = 'yookassa' and d."datePaySecret" is not null))`

interface Line extends PortalBillLine {
  idOrganization: number | null
}

/** Unpaid rest of a patient's visits, given and upcoming, with the discounts of now. */
async function linesOf(app: AppContext, idCustomer: number, ids?: readonly number[]): Promise<Line[]> {
  const stored = await app.db.query<Omit<Line, 'rest'> & StoredPrice & { paid: number }>(sql`
    with own as (
      select p."idLine" from ledger_lines p join ledger_accounts o on o."id" = p."idAccount"
        and o."kind" = 'patient' and o."idCustomer" = ${idCustomer} where p."charged" > p."allocated"
      union
      select l."id" from appointments a join coupons c on c."idAppointment" = a."id" and not c."deleted" and not c."cancelled"
        join coupon_services l on l."idCoupon" = c."id" and not l."deleted" and not l."cancelled"
        where a."idCustomer" = ${idCustomer} and not a."deleted" and a."visitStatus" in ('booked', 'confirmed', 'arrived', 'inProgress')
          and a."dateFrom" > now() - interval '1 day')
    select l."id"::int as id, c."idAppointment"::int as "idVisit", c."localDate"::text as "localDate",
      s."nameService" as service, ${shortFioSql(raw('u'))} as doctor,
      ${storedPriceSql(raw('l'))}, ${linePaidSql(raw('l'))}::float8 as paid, coalesce(p."charged", 0) > 0 as "isGiven",
      ${organizationSql}::int as "idOrganization",
      exists (select 1 from cash_desks d where ${openDesk} and d."idOrganization" = ${organizationSql}) as "mayPay"
    from own join coupon_services l on l."id" = own."idLine" join coupons c on c."id" = l."idCoupon"
      join services s on s."id" = l."idService" join users u on u."id" = c."idUser"
      left join ledger_lines p on p."idLine" = l."id"
    where (${lineDueSql(raw('l'))} > ${linePaidSql(raw('l'))} or coalesce(p."charged", 0) = 0)
      and (${ids ?? null}::bigint[] is null or l."id" = any (${ids ?? null}::bigint[]))
    order by coalesce(p."charged", 0) > 0 desc, c."dateFrom", l."id" limit ${MOST_LINES}`)
  const ahead = new Set(stored.flatMap(({ isGiven, idVisit }) => (isGiven ? [] : [idVisit])))
  const records = app.engine.for(systemActor)
  const now = new Map<number, number>()
  for (const id of ahead) for (const [line, off] of await discountsNow(records, app.db, id)) now.set(line, off)
  return stored.flatMap(({ cost, discount, others, paid, ...line }) => {
    const due = dueNow({ cost, discount, others }, line.isGiven ? discount : now.get(line.id))
    const rest = rubles(kopecks(due) - kopecks(paid))
    return rest > 0 ? [{ ...line, rest }] : []
  })
}

/** A patient's account as shown in the portal. */
export async function billOf(app: AppContext, idCustomer: number): Promise<PortalBills> {
  const { db } = app
  const { debt, advance } = sumsOf(await balances(db, idCustomer))
  const lines = await linesOf(app, idCustomer)
  const rows = await db.query<
    Omit<PortalPayment, 'status' | 'methods'> & { idStatus: number; methods: PaymentMethod[] }
  >(sql`
    select p."id"::int as id, p."localDate"::text as "localDate", p."kind", ${labelSql(raw('p."kind"'), paymentKinds)} as "kindName",
      p."sum"::float8 as sum, p."idStatus", ${labelSql(raw('p."idStatus"::text'), paymentStatuses)} as "statusName",
      case when p."idStatus" = ${DECLINED} then p."refusal" end as refusal,
      coalesce((select json_agg(t."method" order by t."id") from payments_parts t where t."idPayment" = p."id"), '[]') as methods,
      (select json_build_object('fd', f."fd", 'fpd', f."fpd", 'fn', f."fn", 'date', f."dateDone") from fiscal_tasks f
        where f."idPayment" = p."id" and f."status" = 'done' and f."kind" in ('sell', 'sellReturn') order by f."id" limit 1) as receipt
    from payments p where p."idCustomer" = ${idCustomer} and not p."deleted" order by p."id" desc limit ${MOST_PAYMENTS}`)
  return {
    debt,
    advance,
    lines: lines.map(({ idOrganization: _, ...line }) => line),
    payments: rows.map(({ idStatus, methods, ...one }) => ({
      ...one,
      status: statuses[idStatus] ?? 'work',
      methods: methods.map((method) => paymentMethods[method]).join(', '),
    })),
    memberships: await membershipsOf(db, idCustomer),
    pay: await onlineWay(db),
  }
}

const MOST_MOVES = 10

/** Memberships of a patient for the patient: state, rest, frozen days and the last moves. */
async function membershipsOf(db: Queryable, idCustomer: number): Promise<PortalMembership[]> {
  const rows = await db.query<{
    id: number
    name: string
    state: MembershipState
    total: number | null
    rest: number | null
    dateTo: string | null
    frozenTo: string | null
    moves: { id: number; localDate: string; kind: keyof typeof membershipMoves }[]
  }>(sql`select m."id"::int as id, m."name", ${membershipStateSql(sql`m`)} as state, m."dateTo"::text as "dateTo",
      m."frozenTo"::text as "frozenTo", nullif((select count(*)::int from membership_units u where u."idMembership" = m."id"), 0) as total,
      ${membershipRestSql(sql`m`)} as rest,
      coalesce((select json_agg(json_build_object('id', v."id", 'localDate', v."localDate", 'kind', v."kind") order by v."id" desc) from (
        select * from memberships_moves w where w."idMembership" = m."id" order by w."id" desc limit ${MOST_MOVES}) v), '[]') as moves
    from memberships m where not m."deleted" and exists (select 1 from memberships_users u
      where u."idMembership" = m."id" and u."idCustomer" = ${idCustomer} and not u."deleted") order by m."id" desc limit 20`)
  return rows.map(({ id, name, state, frozenTo, moves, ...of }) => ({
    id,
    name,
    state: [
      membershipStates[state],
      ...(state === 'frozen' && frozenTo ? [`до ${formatDay(frozenTo)}`] : []),
      restWords(of),
    ].join(', '),
    moves: moves.map(({ id: idMove, localDate, kind }) => ({ id: idMove, localDate, what: membershipMoves[kind] })),
  }))
}

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

/** How patients pay online now. */
export async function onlineWay(db: Queryable): Promise<PortalBills['pay']> {
  const desk = await db.one<{ isSimulated: boolean }>(
    sql`select bool_or(d."terminalMode" = 'simulator') as "isSimulated" from cash_desks d where ${openDesk} having count(*) > 0`,
  )
  return { isOn: desk !== undefined, isSimulated: desk?.isSimulated ?? false }
}

/** Whether patients can pay online now. */
export const takesOnline = async (db: Queryable): Promise<boolean> =>
  (await db.one(sql`select 1 from cash_desks d where ${openDesk} limit 1`)) !== undefined

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
  const { id } = await carryThrough(app, app.engine.for(systemActor), before.id, false)
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
    await carryThrough(app, records, id, false, { again: false })
  } catch (error) {
    if (!(error instanceof HttpError && error.code === 'declined')) throw error
  }
  const { idStatus } = await records.asSystem.row(Payment, id)
  return statuses[idStatus] ?? 'work'
}
