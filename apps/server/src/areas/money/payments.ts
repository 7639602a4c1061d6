/** Payments and refunds: validated, carried out at the terminal if needed, and posted; each once. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import { DONE, IN_WORK, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import type { TakeBody } from '@ordinator/model/areas/money/paymentCalls'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { labelSql, moneyText } from '#records/labels.ts'
import { once } from '#records/once.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { payByBonuses } from './bonusCalls.ts'
import { dayOf, lockCustomers } from './ledger.ts'
import { sellMembership } from './membershipSale.ts'
import { checked } from './paymentChecks.ts'
import { enterParts, type PaymentRow, total } from './paymentParts.ts'
import { paymentScope } from './scope.ts'
import { completePayment } from './settling.ts'
import { openShiftOf, workingDesk } from './shifts.ts'
import { soldFieldSql, soldServiceSql } from './sold.ts'
import { refreshPrices } from './visitPrices.ts'

/** «долг 500 ₽», «аванс 100 ₽», «долг 0»: what the patient's account had after the payment was entered; null: not yet. */
const afterSql = (row: Sql): Sql => sql`(select case when b.sum > 0 then 'долг ' || ${moneyText(sql`b.sum / 100.0`)}
    when b.sum < 0 then 'аванс ' || ${moneyText(sql`-b.sum / 100.0`)} when b.sum = 0 then 'долг 0' end
  from (select sum(e."amount") as sum from ledger_accounts a join ledger_entries e on e."idAccount" = a."id" and e."unit" = 'RUB'
    where a."kind" = 'patient' and a."idCustomer" = ${row}."idCustomer" and a."idOrganization" = ${row}."idOrganization"
      and e."idTx" <= (select max(t."id") from ledger_txs t where t."idPayment" = ${row}."id")) b)`

export const payments = records(Payment, {
  scope: paymentScope,
  thread: {
    of: 'customers',
    kind: 'payments',
    name: 'Оплаты',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id} and ${row}."idStatus" = ${raw(String(DONE))}`,
    title: ({ row }) => sql`concat_ws(', ', case ${row}."kind" when 'refund' then 'Возвращено ' else 'Оплачено ' end
        || ${moneyText(sql`${row}."sum"`)},
      (select string_agg(lower(${labelSql(sql`m."method"`, paymentMethods)}), ' и ' order by m."id") from payments_parts m
        where m."idPayment" = ${row}."id"),
      ${afterSql(row)})`,
    hint: ({ row }) => sql`(select k."name" from cash_desks k where k."id" = ${row}."idDesk")`,
    opens: ({ row }) => sql`'/customers/edit?id=' || ${row}."idCustomer" || '&tab=account'`,
    author: ({ row }) => sql`${row}."idAuthor"`,
  },
  computed: {
    methods: ({ row }) =>
      sql`(select coalesce(array_agg("method" order by "id"), '{}') from payments_parts where "idPayment" = ${row}."id")`,
    refunded: ({ row }) =>
      sql`(select coalesce(sum("sum"), 0) from payments where "idRefundOf" = ${row}."id" and "idStatus" = ${raw(String(DONE))})`,
    paidFor: ({
      row,
    }) => sql`(select coalesce(json_agg(json_build_object('name', x.name, 'sum', x.sum) order by x.at), '[]') from (
      select coalesce(${soldServiceSql(sql`p`)}->>'shortNameService', ${soldFieldSql(sql`p`, sql`v`, 'nameService')}) as name, p.sum, p.id as at from (
          select l."id", l."idService", l."price", sum(g."sum")::float8 / 100 as sum from ledger_txs t
            join ledger_allocations g on g."idTx" = t."id" join coupon_services l on l."id" = g."idLine"
          where t."idPayment" = coalesce(${row}."idRefundOf", ${row}."id") and ${row}."kind" = 'payment' group by 1, 2, 3
          union all
          select l."id", l."idService", l."price", (c->>'sum')::float8 from jsonb_array_elements(coalesce(${row}."lines", '[]')) c
            join coupon_services l on l."id" = (c->>'idCouponService')::bigint
          where not exists (select 1 from ledger_txs t join ledger_allocations g on g."idTx" = t."id"
            where t."idPayment" = ${row}."id" and g."idLine" = l."id")
        ) p join services v on v."id" = p."idService"
      union all
      select case when ${row}."kind" = 'refund' then 'Возврат' when ${row}."idCertificate" is not null then 'Подарочный сертификат'
        when ${row}."idMembership" is not null then 'Абонемент' else 'Аванс' end,
        r.rest, 9e18 from (select ${row}."sum"::float8 - coalesce((select sum(g."sum")::float8 / 100 from ledger_txs t
            join ledger_allocations g on g."idTx" = t."id" where t."idPayment" = ${row}."id"), 0)
          - coalesce((select sum((c->>'sum')::float8) from jsonb_array_elements(coalesce(${row}."lines", '[]')) c
              where not exists (select 1 from ledger_txs t join ledger_allocations g on g."idTx" = t."id"
                where t."idPayment" = ${row}."id" and g."idLine" = (c->>'idCouponService')::bigint)), 0) as rest) r
        where r.rest >= 0.01) x)`,
    receipt: ({ row }) =>
      sql`coalesce((select "status" from fiscal_tasks where "idPayment" = ${row}."id"
        order by "status" in ('failed', 'conflict') desc, "id" desc limit 1), 'none')`,
  },
})

export const paymentParts = records(PaymentPart)

export const takePayment = operation(moneyCalls.take, {
  once: ({ app, records, tx, body }) => enterPayment(app, records, tx, body),
  answer: ({ app, records, id, isNew }) => completePayment(app, records, id as number, isNew),
})

/** Money that the payment system has already. */
interface Arrived {
  rrn: string
  card?: string
  /** Of the membership that it buys, when it was asked for. */
  terms?: MembershipTerms
}

/**
 * Takes a payment for another part of the server, once: a repeated key only returns the outcome.
 * @param guard runs once the key is locked
 * @param paid the payment system has the money already: no terminal is used
 * @throws ValidationError, HttpError 409 `declined`, `unknown`, `busy`, `shift`, `desk`, `key`
 */
export async function take(
  app: AppContext,
  records: Records,
  body: TakeBody,
  guard?: (tx: Tx) => Promise<void>,
  paid?: Arrived,
): Promise<PaymentRow> {
  const keyed = { call: moneyCalls.take, key: body.key, asked: body }
  const { id, isNew } = await once(records, keyed, async (inside, tx) => {
    await guard?.(tx)
    return enterPayment(app, inside, tx, body, paid)
  })
  return completePayment(app, records, id as number, isNew)
}

/** Creates a payment and posts it, unless a terminal carries it out first. @returns its id */
async function enterPayment(app: AppContext, inside: Records, tx: Tx, body: TakeBody, paid?: Arrived): Promise<number> {
  const desk = await workingDesk(() => inside.row(CashDesk, body.idDesk))
  const shift = await openShiftOf(tx, desk.id)
  await assertVisible(inside.asSystem, Customer, body.idCustomer, 'idCustomer')
  if (body.idPayer) await assertVisible(inside.asSystem, Customer, body.idPayer, 'idPayer')
  await lockCustomers(tx, [body.idCustomer, body.idPayer])
  await refreshPrices(inside, tx, body.lines)
  const localDate = await dayOf(tx, desk.idFilial)
  const sum = total(body.parts)
  const plain = body.bonus === undefined && (await checked(tx, body, desk, localDate, paid !== undefined))
  const cash = body.parts.find(({ method }) => method === 'cash')
  const idCertificate = body.sells ? await sell(inside, tx, body, desk) : null
  const idMembership = body.membership
    ? await sellMembership(inside, tx, body, { desk, localDate, agreed: paid?.terms })
    : null
  const payment = await inside.asSystem.create(Payment, {
    kind: 'payment',
    idCertificate,
    idMembership,
    idStatus: IN_WORK,
    idCustomer: body.idCustomer,
    idPayer: body.idPayer ?? null,
    idOrganization: desk.idOrganization,
    idDesk: desk.id,
    idShift: shift.id,
    localDate,
    sum: rubles(sum),
    bonus: body.bonus ?? 0,
    received: cash && body.received ? body.received : null,
    change: cash && body.received ? rubles(kopecks(body.received) - kopecks(cash.sum)) : null,
    contact: body.contact || null,
    comment: body.comment || null,
    lines: body.lines?.length ? body.lines : null,
  } as Create<typeof Payment>)
  const certificates = plain || (await payBesideBonuses(inside, tx, body, desk, payment))
  const parts = body.parts.map((part, at) => ({ ...part, idCertificate: certificates.get(at) }))
  await enterParts(app, inside, tx, payment, desk, parts, { paid })
  return payment.id
}

/** Applies bonuses first; the money is validated against the rest. */
async function payBesideBonuses(
  records: Records,
  tx: Tx,
  body: TakeBody,
  desk: Row<typeof CashDesk>,
  { id, localDate }: PaymentRow,
): Promise<ReadonlyMap<number, number>> {
  if (body.sells || body.membership)
    throw new ValidationError([{ field: 'bonus', message: 'За сертификаты и абонементы бонусами не платят' }])
  const lines = [...(await payByBonuses(records, tx, body, id))]
  await records.asSystem.update(Payment, id, { lines: lines.length ? lines : null })
  return checked(tx, { ...body, lines }, desk, localDate)
}

/** Creates the certificate that is sold: its payment fills it. */
async function sell(records: Records, tx: Tx, body: TakeBody, desk: Row<typeof CashDesk>): Promise<number> {
  const { number, dateTo, idCustomer = null } = body.sells as NonNullable<TakeBody['sells']>
  if (idCustomer) await assertVisible(records.asSystem, Customer, idCustomer, 'sells.idCustomer')
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`certificate ${number.toLowerCase()}`}, 0))`)
  if (await tx.one(sql`select 1 from certificates where lower("number") = lower(${number}) and not "deleted"`))
    throw new ValidationError([{ field: 'sells.number', message: 'Сертификат с таким номером уже есть' }])
  const made = await records.asSystem.create(Certificate, {
    number,
    dateTo,
    idCustomer,
    idOrganization: desk.idOrganization,
    idBuyer: body.idCustomer,
    sum: rubles(total(body.parts)),
  } as Create<typeof Certificate>)
  return made.id
}
