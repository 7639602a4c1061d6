/** Sale and refund of memberships: parts of payments; and the revenue of a passed term. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import { Membership, MembershipUser } from '@ordinator/model/areas/memberships/membership'
import { type Cover, sharesOf } from '@ordinator/model/areas/memberships/rules'
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { MembershipItem, MembershipType } from '@ordinator/model/areas/memberships/type'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import type { PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DONE, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import type { RefundBody, TakeBody } from '@ordinator/model/areas/money/paymentCalls'
import { kopecks, type Receipt, receiptOf, refundReceipt, rubles } from '@ordinator/model/areas/money/rules'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import type { FieldError } from '@ordinator/model/check'
import type { Create, Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { queueReceipt } from './fiscal.ts'
import { dayOf, holds, post } from './ledger.ts'
import {
  isReturnedSql,
  isSoldSql,
  lockMemberships,
  membershipAccount,
  moved,
  refundQuote,
  unearnedOf,
} from './memberships.ts'
import { planTerms } from './planPackage.ts'

/** The terms of a type today. @throws ValidationError when it is not sold */
export async function typeTerms(records: Records, tx: Queryable, idType: number): Promise<MembershipTerms> {
  await assertVisible(records.asSystem, MembershipType, idType, 'membership.idType')
  await tx.query(sql`select 1 from membership_types where "id" = ${idType} for share`)
  const type = await records.asSystem.row(MembershipType, idType)
  const items = await records.asSystem.rows(MembershipItem, { 'filter[idType]': idType, sort: 'id' })
  const wrong = !type.active
    ? 'Этот вид абонемента больше не продаётся'
    : items.length === 0
      ? 'У вида абонемента не указаны услуги: добавьте их в «Видах абонементов»'
      : undefined
  if (wrong) throw new ValidationError([{ field: 'membership.idType', message: wrong }])
  const { nameType, price, visits, days } = type
  return {
    ...{ idType, idPlan: null, name: nameType, price, visits, days, freezeDays: type.freezeDays ?? 0 },
    ...{ whose: type.whose ?? 'one', startsAt: type.startsAt ?? 'sale', refundRule: type.refundRule ?? 'share' },
    covers: items.map(({ idService, idGroup, qty }) => ({ idService, idGroup, qty })),
  }
}

async function termsOf(
  records: Records,
  tx: Tx,
  { idType, idPlan }: NonNullable<TakeBody['membership']>,
): Promise<MembershipTerms> {
  const wrong = (field: string, message: string) => new ValidationError([{ field, message }])
  if (!idType === !idPlan) throw wrong('membership.idType', 'Выберите вид абонемента или план лечения')
  if (idType) return typeTerms(records, tx, idType)
  await assertVisible(records, TreatmentPlan, idPlan as number, 'membership.idPlan')
  const found = await planTerms(tx, idPlan as number)
  if (typeof found === 'string') throw wrong('membership.idPlan', found)
  return found
}

/**
 * Creates the membership that is sold with its visits: its payment fills it.
 * @param agreed the terms on which the money was asked for; absent: those of today
 * @returns its id
 */
export async function sellMembership(
  records: Records,
  tx: Tx,
  body: TakeBody,
  { desk, localDate, agreed }: { desk: Row<typeof CashDesk>; localDate: string; agreed?: MembershipTerms | undefined },
): Promise<number> {
  const asked = body.membership as NonNullable<TakeBody['membership']>
  const { visits, ...terms } = agreed ?? (await termsOf(records, tx, asked))
  const patient = terms.idPlan && (await records.asSystem.row(TreatmentPlan, terms.idPlan)).idCustomer
  const users = patient ? [patient] : (asked.users ?? [])
  for (const [at, id] of users.entries()) await assertVisible(records.asSystem, Customer, id, `membership.users.${at}`)
  const { covers, price, days, whose } = terms
  const sum = body.parts.reduce((all, part) => all + kopecks(part.sum), 0)
  const errors: FieldError[] = []
  const wrong = (field: string, message: string) => errors.push({ field, message })
  if (sum !== kopecks(price)) wrong('parts', `Абонемент стоит ${formatMoney(price)}: оплатите его целиком`)
  if (whose === 'one' && users.length > 1) wrong('membership.users', 'Этот абонемент — для одного клиента')
  if (errors.length) throw new ValidationError(errors)
  const begins = terms.startsAt === 'sale'
  const { id: idMembership } = await records.asSystem.create(Membership, {
    ...terms,
    idOrganization: desk.idOrganization,
    idBuyer: body.idCustomer,
    dateFrom: begins ? localDate : null,
    dateTo: begins && days !== null ? plusDays(localDate, days - 1) : null,
  } as Create<typeof Membership>)
  for (const idCustomer of users.length ? [...new Set(users)] : [body.idCustomer])
    await records.asSystem.create(MembershipUser, { idMembership, idCustomer } as Create<typeof MembershipUser>)
  await makeUnits(tx, idMembership, { visits, covers, sum, desk, localDate })
  await moved(records, { idMembership, kind: 'sale', localDate, sum })
  return idMembership
}

/** The visits of a membership with their shares of the price: by list prices where balances are separate, else equal. */
async function makeUnits(
  tx: Tx,
  idMembership: number,
  of: {
    visits: number | null
    covers: readonly Cover[]
    sum: number
    desk: Row<typeof CashDesk>
    localDate: string
  },
): Promise<void> {
  const { visits, covers, sum, desk, localDate } = of
  const at = { day: sql`${localDate}::date`, idFilial: sql`${desk.idFilial}::bigint` }
  const prices = await tx.query<{ id: number; price: number | null }>(sql`
    select s."id", (${priceSql(raw('s'), raw('s."id"'), at)})::float8 as price from services s
    where s."id" = any (${covers.flatMap(({ idService }) => idService ?? [])}::bigint[])`)
  const listed = new Map(prices.map(({ id, price }) => [id, kopecks(price ?? 0)]))
  const own = covers.flatMap(({ qty, idService, sums }, item) =>
    (sums ?? Array<number>(qty ?? 0).fill(listed.get(idService ?? 0) ?? 0)).map((weight) => ({ item, weight })),
  )
  const shared = Array.from({ length: visits ?? 0 }, () => ({ item: null as number | null, weight: 0 }))
  const units: { item: number | null; weight: number }[] = [...own, ...shared]
  if (units.length === 0) return
  const isPriced = covers.some(({ sums }) => sums !== undefined) || units.every(({ weight }) => weight > 0)
  const shares = sharesOf(
    sum,
    units.map(({ weight }) => (isPriced ? weight : 1)),
  )
  const rows = units.map(({ item }, no) => ({ no, item, sum: shares[no] }))
  await tx.query(sql`insert into membership_units ("idMembership", "no", "item", "sum")
    select ${idMembership}, r.no, r.item, r.sum
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(no int, item int, sum bigint)`)
}

const nameOf = ({ name }: Pick<Row<typeof Membership>, 'name'>): string => `Абонемент «${name}»`

/** The receipt of a sale (tag 1214: prepayment of 100 %), or of a return. */
export async function membershipReceipt(
  records: Records,
  { kind, idMembership, sum }: Row<typeof Payment>,
  parts: readonly { method: PaymentMethod; sum: number }[],
): Promise<Receipt | undefined> {
  const name = nameOf(await records.asSystem.row(Membership, idMembership as number))
  const amount = kopecks(sum)
  const line = { name, completed: false }
  return kind === 'refund'
    ? refundReceipt([{ ...line, sum: amount }], parts)
    : receiptOf({ lines: [{ ...line, due: amount, before: 0, now: amount, given: false }], parts, debt: 0 })
}

/** After a refund is posted: what the formula keeps becomes revenue. */
export async function membershipPaid(
  app: AppContext,
  records: Records,
  tx: Tx,
  payment: Row<typeof Payment>,
  desk: Row<typeof CashDesk>,
): Promise<void> {
  const { id, kind, idMembership, idShift, localDate } = payment
  if (kind !== 'refund' || idMembership === null) return
  await moved(records, { idMembership, kind: 'refund', localDate, sum: kopecks(payment.sum) })
  const row = await records.asSystem.row(Membership, idMembership)
  const given = await tx.one<{ sum: number }>(sql`select coalesce(sum("sum"), 0)::float8 as sum
    from membership_units where "idMembership" = ${idMembership} and "idRefund" = ${id}`)
  const held = -(await holds(tx, membershipAccount(idMembership, row.idOrganization)))
  const kept = row.total === null ? held : Math.min(held, (given?.sum ?? 0) - kopecks(payment.sum))
  await earn(app, records, tx, row, { sum: kept, key: `membership-kept:${id}`, localDate, desk, idShift })
}

/** Posts a part of a membership as revenue, with its receipt of settlement. */
async function earn(
  app: AppContext,
  records: Records,
  tx: Tx,
  membership: Row<typeof Membership>,
  of: { sum: number; key: string; localDate: string; desk: Row<typeof CashDesk>; idShift: number | null },
): Promise<void> {
  const { sum, key, localDate, desk, idShift } = of
  if (sum <= 0) return
  const { id, idOrganization } = membership
  const sale = await tx.one<{ id: number }>(
    sql`select "id" from payments where "idMembership" = ${id} and "kind" = 'payment' order by "id" limit 1`,
  )
  const idTx = await post(records, tx, {
    ...{ key, kind: 'membershipEarned', localDate, idShift, comment: nameOf(membership) },
    entries: [
      { account: membershipAccount(id, idOrganization), amount: sum },
      { account: { kind: 'revenue', idOrganization }, amount: -sum },
    ],
  })
  if (idTx === undefined) return
  const line = { name: nameOf(membership), due: sum, before: 0, now: sum, completed: true, given: false }
  const task = receiptOf({ lines: [line], parts: [{ method: 'advance', sum }], debt: 0 })
  if (task)
    await queueReceipt(app, records, tx, desk, { key, kind: 'sell', idShift, idPayment: sale?.id ?? null, task })
}

/** Errors of a refund: the whole rest by the formula, nothing else. The membership is locked. */
export async function checkMembershipRefund(
  records: Records,
  tx: Tx,
  idMembership: number,
  sum: number,
  { lines }: RefundBody,
): Promise<FieldError[]> {
  await lockMemberships(tx, [idMembership])
  const membership = await records.asSystem.row(Membership, idMembership)
  const quote = await refundQuote(tx, membership, await dayOf(tx, null))
  const errors: FieldError[] = []
  if (lines?.length) errors.push({ field: 'lines', message: 'Этой оплатой за услуги не платили' })
  if (quote.why) errors.push({ field: 'parts', message: quote.why })
  else if (sum !== quote.sum)
    errors.push({ field: 'parts', message: `Вернуть можно ${formatMoney(rubles(quote.sum))}: ${quote.formula}` })
  return errors
}

/** Each hour: revenue of memberships without a number of visits for the passed part of their term. */
export function startTerms(app: AppContext): void {
  app.jobs.register('memberships.terms', { cron: '17 * * * *', handler: () => earnTerms(app) })
}

/** @returns how many memberships have earned something */
export async function earnTerms(app: AppContext): Promise<number> {
  const open = await app.db.query<{ id: number; idDesk: number; idShift: number | null }>(sql`
    select m."id", z."idDesk", h."id" as "idShift" from memberships m
      join payments z on z."idMembership" = m."id" and z."kind" = 'payment'
      join cash_desks k on k."id" = z."idDesk"
      left join cash_shifts h on h."idDesk" = z."idDesk" and h."dateClosed" is null
    where not m."deleted" and m."days" is not null and m."dateFrom" is not null and (h."id" is not null or k."kktMode" = 'outside')
      and ${isSoldSql(sql`m`)} and not ${isReturnedSql(sql`m`)}
      and not exists (select 1 from membership_units u where u."idMembership" = m."id") order by m."id" limit 1000`)
  let earned = 0
  for (const { id, idDesk, idShift } of open)
    await app.engine.for(systemActor).tx(async (records, tx) => {
      await lockMemberships(tx, [id])
      const row = await records.asSystem.row(Membership, id)
      const desk = await records.asSystem.row(CashDesk, idDesk)
      const localDate = await dayOf(tx, desk.idFilial)
      const held = -(await holds(tx, membershipAccount(id, row.idOrganization)))
      const { sum, elapsed } = unearnedOf(row, held, localDate)
      if (sum <= 0) return
      await earn(app, records, tx, row, { sum, key: `membership-term:${id}:${elapsed}`, localDate, desk, idShift })
      await moved(records, { idMembership: id, kind: 'term', localDate, sum })
      earned += 1
    })
  return earned
}

/** A sale of the demo clinic: paid and posted, its receipt is not printed. */
export async function sellForDemo(records: Records, tx: Tx, body: TakeBody, desk: Row<typeof CashDesk>): Promise<void> {
  const localDate = await dayOf(tx, desk.idFilial)
  const idMembership = await sellMembership(records, tx, body, { desk, localDate })
  const { idCustomer, parts } = body
  const { id: idDesk, idOrganization } = desk
  const sum = parts.reduce((all, part) => all + kopecks(part.sum), 0)
  const payment = await records.asSystem.create(Payment, {
    ...{ kind: 'payment', idStatus: DONE, idCustomer, idOrganization, idDesk, localDate, idMembership },
    sum: rubles(sum),
  } as Create<typeof Payment>)
  for (const { method, sum: part } of parts)
    await records.asSystem.create(PaymentPart, { idPayment: payment.id, method, sum: part } as Create<
      typeof PaymentPart
    >)
  await post(records, tx, {
    ...{ key: `payment:${payment.id}`, kind: 'payment', localDate, idPayment: payment.id },
    entries: [
      ...parts.map((part) => ({
        account: { kind: 'desk' as const, idDesk, idOrganization, method: part.method },
        amount: kopecks(part.sum),
      })),
      { account: membershipAccount(idMembership, idOrganization), amount: -sum },
    ],
  })
}
