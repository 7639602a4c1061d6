/** Payments and refunds: validated, carried out at the terminal if needed, and posted; each once. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import type { RefundBody, TakeBody } from '@ordinator/model/areas/money/calls'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { Certificate } from '@ordinator/model/areas/money/certificate'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import {
  byTerminal,
  isReturned,
  moneyMethods,
  type PaymentMethod,
  paymentMethods,
} from '@ordinator/model/areas/money/methods'
import {
  AWAITING,
  DECLINED,
  DONE,
  GuaranteeLetter,
  IN_WORK,
  Payment,
  PaymentPart,
} from '@ordinator/model/areas/money/payment'
import { advanceOf, debtOf, kopecks, receiptOf, rubles } from '@ordinator/model/areas/money/rules'
import type { FieldError } from '@ordinator/model/check'
import type { Create, Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { payByBonuses, releaseBonuses, returnBonuses } from './bonusCalls.ts'
import { certificateAccount, certificateRoom, lockRest } from './certificates.ts'
import { earn } from './earning.ts'
import { queueReceipt } from './fiscal.ts'
import {
  balanceOf,
  dayOf,
  type Entry,
  findByIdempotencyKey,
  holds,
  lockCustomers,
  post,
  rememberResult,
} from './ledger.ts'
import { letterRoom } from './letters.ts'
import { aheadOf, allot, checkChosen, settle, takeAdvance, takeOut } from './lines.ts'
import { backOf, queueOffsets, tell, unsay } from './receiptCoverage.ts'
import { paymentScope } from './scope.ts'
import { openShiftOf, workingDesk } from './shifts.ts'
import { carryOut, releaseOperations, startOperation, takeInHand } from './terminal.ts'

type PaymentRow = Row<typeof Payment>
type Part = Row<typeof PaymentPart>

export const payments = records(Payment, {
  scope: paymentScope,
  computed: {
    methods: ({ row }) =>
      sql`(select coalesce(array_agg("method" order by "id"), '{}') from payments_parts where "idPayment" = ${row}."id")`,
    refunded: ({ row }) =>
      sql`(select coalesce(sum("sum"), 0) from payments where "idRefundOf" = ${row}."id" and "idStatus" = ${raw(String(DONE))})`,
    paidFor: ({
      row,
    }) => sql`(select coalesce(json_agg(json_build_object('name', x.name, 'sum', x.sum) order by x.at), '[]') from (
      select coalesce(v."shortNameService", v."nameService") as name, p.sum, p.id as at from (
          select l."id", l."idService", sum(g."sum")::float8 / 100 as sum from ledger_txs t
            join ledger_allocations g on g."idTx" = t."id" join coupon_services l on l."id" = g."idLine"
          where t."idPayment" = coalesce(${row}."idRefundOf", ${row}."id") and ${row}."kind" = 'payment' group by 1, 2
          union all
          select l."id", l."idService", (c->>'sum')::float8 from jsonb_array_elements(coalesce(${row}."lines", '[]')) c
            join coupon_services l on l."id" = (c->>'idCouponService')::bigint
          where not exists (select 1 from ledger_txs t join ledger_allocations g on g."idTx" = t."id"
            where t."idPayment" = ${row}."id" and g."idLine" = l."id")
        ) p join services v on v."id" = p."idService"
      union all
      select case when ${row}."kind" = 'refund' then 'Возврат' when ${row}."idCertificate" is not null then 'Подарочный сертификат' else 'Аванс' end,
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

const money = (kopecks: number): string => formatMoney(rubles(kopecks))
const isMoney = (method: PaymentMethod): boolean => (moneyMethods as readonly string[]).includes(method)
const total = (parts: readonly { sum: number }[]): number => parts.reduce((sum, part) => sum + kopecks(part.sum), 0)

export const takePayment = operation(moneyCalls.take, ({ app, records, body }) => take(app, records, body))

/**
 * Takes a payment, once: a repeated key only returns the outcome.
 * @param guard runs once the key is locked
 * @param paid the payment system has the money already: no terminal is used
 * @throws ValidationError, HttpError 409 `declined`, `unknown`, `busy`, `shift`, `desk`, `key`
 */
export async function take(
  app: AppContext,
  records: Records,
  body: TakeBody,
  guard?: (tx: Tx) => Promise<void>,
  paid?: { rrn: string; card?: string },
): Promise<PaymentRow> {
  const { id, isNew } = await records.tx(async (inside, tx) => {
    const before = await findByIdempotencyKey(tx, body.key, body)
    if (before?.idResult) return { id: before.idResult, isNew: false }
    await guard?.(tx)
    const desk = await workingDesk(() => inside.row(CashDesk, body.idDesk))
    const shift = await openShiftOf(tx, desk.id)
    await assertVisible(inside.asSystem, Customer, body.idCustomer, 'idCustomer')
    if (body.idPayer) await assertVisible(inside.asSystem, Customer, body.idPayer, 'idPayer')
    await lockCustomers(tx, [body.idCustomer, body.idPayer])
    const localDate = await dayOf(tx, desk.idFilial)
    const sum = total(body.parts)
    const plain = body.bonus === undefined && (await checked(tx, body, desk, localDate))
    const cash = body.parts.find(({ method }) => method === 'cash')
    const idCertificate = body.sells ? await sell(inside, tx, body, desk) : null
    const payment = await inside.asSystem.create(Payment, {
      kind: 'payment',
      idCertificate,
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
    await rememberResult(tx, body.key, payment.id)
    const certificates = plain || (await payBesideBonuses(inside, tx, body, desk, payment))
    const parts = body.parts.map((part, at) => ({ ...part, idCertificate: certificates.get(at) }))
    await split(app, inside, tx, payment, desk, parts, { paid })
    if (paid || !waitsForTerminal(desk, body.parts))
      await finish(app, inside, tx, await inside.asSystem.row(Payment, payment.id))
    return { id: payment.id, isNew: true }
  })
  return carryThrough(app, records, id, isNew)
}

/** Runs `check` and validates the chosen lines. */
async function checked(tx: Tx, body: TakeBody, desk: Row<typeof CashDesk>, today: string) {
  const certificates = await check(tx, body, desk, today)
  const { idCustomer, lines = [], parts } = body
  await checkChosen(tx, lines, { idCustomer, idOrganization: desk.idOrganization, sum: total(parts) })
  return certificates
}

/** Applies bonuses first; the money is validated against the rest. */
async function payBesideBonuses(
  records: Records,
  tx: Tx,
  body: TakeBody,
  desk: Row<typeof CashDesk>,
  { id, localDate }: PaymentRow,
): Promise<ReadonlyMap<number, number>> {
  if (body.sells) throw new ValidationError([{ field: 'bonus', message: 'За сертификат бонусами не платят' }])
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

/**
 * Validates a payment; errors are at its fields.
 * @returns the certificates that pay, by the index of their part
 */
async function check(
  tx: Tx,
  body: TakeBody,
  desk: Row<typeof CashDesk>,
  today: string,
): Promise<ReadonlyMap<number, number>> {
  const errors: FieldError[] = []
  const certificates = new Map<number, number>()
  const wrong = (field: string, message: string) => errors.push({ field, message })
  const cash = body.parts.find(({ method }) => method === 'cash')
  if (body.received != null) {
    if (!cash) wrong('received', 'Наличными не платят: сдачи не будет')
    else if (kopecks(body.received) < kopecks(cash.sum))
      wrong(
        'received',
        `Получено меньше, чем платят наличными: не хватает ${money(kopecks(cash.sum) - kopecks(body.received))}`,
      )
  }
  if (body.idPayer === body.idCustomer) wrong('idPayer', 'Это сам клиент: другого плательщика не нужно')
  if (body.parts.length === 0 && body.bonus === undefined) wrong('parts', 'Укажите, чем платят')
  const seen = new Set<string>()
  const { idOrganization } = desk
  const isWaiting = waitsForTerminal(desk, body.parts)
  const owed = debtOf(await balanceOf(tx, body.idCustomer, idOrganization))
  const { idCustomer, sells } = body
  if (sells) {
    if (body.lines?.length) wrong('lines', 'Сертификат продают отдельной оплатой')
    if (body.idPayer) wrong('idPayer', 'Сертификат покупает тот, кто платит')
    if (sells.dateTo < today) wrong('sells.dateTo', 'Этот день уже прошёл')
  }
  let ofOthers = 0
  for (const [at, { method, sum, idGuarantee, certificate }] of body.parts.entries()) {
    const mark = `${method}${idGuarantee ?? ''}`
    if (seen.has(mark) && method === 'certificate')
      wrong(`parts.${at}.certificate`, 'За раз платят одним сертификатом: другой проведите отдельной оплатой')
    if (seen.has(mark)) wrong(`parts.${at}.method`, `«${paymentMethods[method]}» уже есть: сложите суммы`)
    seen.add(mark)
    if (method !== 'insurer' && idGuarantee) wrong(`parts.${at}.idGuarantee`, 'Письмо бывает только у оплаты страховой')
    if (method !== 'certificate' && certificate)
      wrong(`parts.${at}.certificate`, 'Номер бывает только у оплаты сертификатом')
    if (isMoney(method)) continue
    if (sells) wrong(`parts.${at}.method`, 'За сертификат платят деньгами')
    ofOthers += kopecks(sum)
    if (method === 'certificate') {
      const found = await certificateRoom(tx, { number: certificate, idCustomer, idOrganization, day: today })
      if (typeof found === 'string') wrong(`parts.${at}.certificate`, found)
      else {
        certificates.set(at, found.id)
        const wanted = owed + (await aheadOf(tx, body.lines ?? []))
        if (kopecks(sum) > found.room) wrong(`parts.${at}.sum`, `На сертификате осталось ${money(found.room)}`)
        else if (ofOthers > wanted)
          wrong(`parts.${at}.sum`, `Сертификатом платят за услуги: сейчас к оплате ${money(wanted)}`)
      }
      continue
    }
    if (isWaiting) wrong(`parts.${at}.method`, 'Эту часть и оплату через терминал проведите отдельно')
    if (ofOthers > owed) wrong(`parts.${at}.sum`, `Так можно закрыть только долг: сейчас он ${money(owed)}`)
    if (method === 'insurer') {
      const room = await letterRoom(tx, idGuarantee, body.idCustomer, today)
      if (typeof room === 'string') wrong(`parts.${at}.idGuarantee`, room)
      else if (kopecks(sum) > room) wrong(`parts.${at}.sum`, `По письму осталось ${money(room)}`)
    } else if (!body.idPayer)
      wrong(`parts.${at}.method`, 'Аванс клиента и так уменьшает его долг: выберите, чьим авансом платят')
    else {
      const ahead = advanceOf(await balanceOf(tx, body.idPayer, desk.idOrganization))
      if (kopecks(sum) > ahead) wrong(`parts.${at}.sum`, `Аванс плательщика — ${money(ahead)}`)
    }
  }
  if (errors.length) throw new ValidationError(errors)
  return certificates
}

const waitsForTerminal = (
  { terminalMode }: Pick<Row<typeof CashDesk>, 'terminalMode'>,
  parts: readonly { method: PaymentMethod }[],
): boolean => terminalMode !== 'none' && parts.some(({ method }) => byTerminal(method))

async function split(
  app: AppContext,
  records: Records,
  tx: Tx,
  { id }: PaymentRow,
  desk: Row<typeof CashDesk>,
  parts: readonly {
    method: PaymentMethod
    sum: number
    idGuarantee?: number | undefined
    idCertificate?: number | undefined
  }[],
  { isAwaiting = false, paid }: { isAwaiting?: boolean; paid?: { rrn: string; card?: string } | undefined } = {},
): Promise<void> {
  let hasBegun = isAwaiting
  for (const { method, sum, idGuarantee, idCertificate } of parts) {
    const isWaiting = byTerminal(method) && desk.terminalMode !== 'none'
    const part = await records.asSystem.create(PaymentPart, {
      idPayment: id,
      method,
      sum,
      idGuarantee: idGuarantee ?? null,
      idCertificate: idCertificate ?? null,
      terminalState: byTerminal(method) && paid ? 'approved' : isWaiting ? 'sending' : null,
      ...(byTerminal(method) && paid && { terminal: paid }),
    } as Create<typeof PaymentPart>)
    // The terminal carries out one operation at a time.
    if (!isWaiting || hasBegun || paid) continue
    await startOperation(app, tx, part.id)
    hasBegun = true
  }
}

/** Carries out the pending parts of a payment at the terminal, one by one, then posts or refuses the payment. */
export async function carryThrough(
  app: AppContext,
  records: Records,
  id: number,
  isNew: boolean,
  { again = true }: { again?: boolean } = {},
): Promise<PaymentRow> {
  const found = await records.asSystem.row(Payment, id)
  let goesOn = found.idStatus === IN_WORK
  for (let isBegun = isNew; goesOn; isBegun = true) {
    const answer = await carryOut(app, id, isBegun, { again })
    // Another process has settled the last part meanwhile.
    if (!answer) break
    goesOn = await app.engine.for(records.actor).tx((inside, tx) => settleBy(app, inside, tx, id, answer))
  }
  const payment = await records.asSystem.row(Payment, id)
  if (payment.idStatus === DECLINED && payment.kind === 'payment')
    throw new HttpError(409, `Оплата не прошла: ${payment.refusal}`, { code: 'declined' })
  return { ...payment, contact: null }
}

type Answer = NonNullable<Awaited<ReturnType<typeof carryOut>>>

/**
 * Stores the terminal's reply to a part. After the last part the payment is posted; a refusal ends it, and only the
 * parts carried out before are posted.
 * @param isLast no further part is carried out: no one is at the terminal
 * @returns whether the operation of another part was started, for the caller to carry out
 */
async function settleBy(
  app: AppContext,
  inside: Records,
  tx: Tx,
  id: number,
  { part, answer }: Answer,
  { isLast = false }: { isLast?: boolean } = {},
): Promise<boolean> {
  await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
  const payment = await inside.asSystem.row(Payment, id)
  const parts = await partsOf(inside, id)
  if (payment.idStatus !== IN_WORK || !parts.some((one) => one.id === part && isOpen(one))) return false
  const { isApproved, ...terminal } = answer
  await inside.asSystem.update(PaymentPart, part, {
    terminalState: isApproved ? 'approved' : 'declined',
    terminal,
  })
  const rest = parts.filter((one) => one.id !== part && isOpen(one))
  const [next] = rest
  if (isApproved && next && !isLast) {
    await startOperation(app, tx, next.id)
    return true
  }
  for (const one of rest)
    await inside.asSystem.update(PaymentPart, one.id, { terminalState: 'declined', terminal: { message: NOT_BEGUN } })
  const declined = parts.filter((one) => rest.includes(one) || (one.id === part && !isApproved))
  const refusal = isApproved ? NOT_BEGUN : (answer.message ?? 'Терминал отклонил операцию')
  if (declined.length === 0) await finish(app, inside, tx, payment)
  else if (isApproved || parts.some(({ terminalState }) => terminalState === 'approved'))
    await finish(app, inside, tx, await setAside(inside, payment, declined, refusal))
  else {
    await inside.asSystem.update(Payment, id, { idStatus: DECLINED, refusal })
    // The certificate was never paid: its number is free again.
    if (payment.kind === 'payment') await releaseBonuses(inside, tx, payment)
    if (payment.idCertificate && payment.kind === 'payment')
      await inside.asSystem.deleteWhere(Certificate, ({ row }) => sql`${row}."id" = ${payment.idCertificate}`)
  }
  return false
}

const NOT_BEGUN = 'Операция не дошла до терминала'
/** Whether the outcome at the terminal is still unknown. */
const isOpen = ({ terminalState }: Part): boolean => terminalState === 'sending' || terminalState === 'unknown'

/**
 * Moves the refused parts out of a payment whose other part was carried out, into a declined payment of their own.
 * @returns the payment, reduced by their sum
 */
async function setAside(
  records: Records,
  payment: PaymentRow,
  declined: readonly Part[],
  refusal: string,
): Promise<PaymentRow> {
  const { kind, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, idRefundOf, comment } = payment
  const less = total(declined)
  const aside = await records.asSystem.create(Payment, {
    ...{ kind, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, idRefundOf, comment, refusal },
    idStatus: DECLINED,
    sum: rubles(less),
  } as Create<typeof Payment>)
  for (const { id } of declined) await records.asSystem.update(PaymentPart, id, { idPayment: aside.id })
  const sum = kopecks(payment.sum) - less
  if (payment.idCertificate && kind === 'payment')
    await records.asSystem.update(Certificate, payment.idCertificate, { sum: rubles(sum) })
  const words = declined.map((part) => `${paymentMethods[part.method]} ${money(kopecks(part.sum))}`).join(', ')
  return records.asSystem.update(Payment, payment.id, {
    sum: rubles(sum),
    lines: payment.lines && upTo(payment.lines, sum),
    refusal: `Не прошло: ${words}. ${refusal}`.slice(0, 500),
  })
}

/** Chosen lines up to the sum, in order. @param sum kopecks */
function upTo(lines: NonNullable<PaymentRow['lines']>, sum: number): PaymentRow['lines'] {
  let left = sum
  const kept = lines.flatMap((line) => {
    const part = Math.min(left, kopecks(line.sum))
    left -= part
    return part > 0 ? [{ ...line, sum: rubles(part) }] : []
  })
  return kept.length ? kept : null
}

/** Posts a payment or a refund, and queues its receipt. */
async function finish(app: AppContext, records: Records, tx: Tx, payment: PaymentRow): Promise<void> {
  const { id, idCustomer, idPayer, idOrganization, idDesk, idShift, localDate, kind, idCertificate } = payment
  const chosen = payment.lines ?? []
  await lockCustomers(tx, [idCustomer, idPayer])
  const desk = await records.asSystem.row(CashDesk, idDesk)
  const parts = await partsOf(records, id)
  const whose = idCertificate
    ? certificateAccount(idCertificate, idOrganization)
    : { kind: 'patient' as const, idCustomer, idOrganization }
  const owed = debtOf(await balanceOf(tx, idCustomer, idOrganization))
  const sign = kind === 'payment' ? 1 : -1
  const entries: Entry[] = []
  for (const part of parts) {
    const amount = sign * kopecks(part.sum)
    entries.push({ account: await sourceOf(records, payment, part), amount })
    entries.push({ account: whose, amount: -amount })
  }
  const taken: number[] = []
  for (const { method, sum } of kind === 'payment' && idPayer ? parts : [])
    if (method === 'advance') taken.push(...(await takeAdvance(tx, idPayer as number, idOrganization, kopecks(sum))))
  const idTx = await post(records, tx, { key: `${kind}:${id}`, kind, localDate, idPayment: id, idShift, entries })
  if (parts.length === 0) {
    // Bonuses have paid the whole sum.
    await records.asSystem.update(Payment, id, { idStatus: DONE })
    await queueOffsets(app, records, tx, { idCustomer })
    return
  }
  const paid = parts.map(({ method, sum }) => ({ method, sum: kopecks(sum) }))
  const refundOf = payment.idRefundOf
  const out = refundOf && !idCertificate ? await takeOut(tx, refundOf, kopecks(payment.sum), chosen) : []
  const receipt = idCertificate
    ? receiptOf({ lines: [], debt: 0, parts: paid })
    : refundOf
      ? await backOf(tx, refundOf, paid, out)
      : receiptOf({
          ...(await allot(records, tx, { idTx: idTx as number, idCustomer, idOrganization, chosen, owed })),
          parts: paid,
        })
  if (refundOf) await settle(tx, idCustomer, idOrganization)
  // The receipt of the payment system calls the whole sum prepaid, whatever was given before.
  else if (desk.kktMode !== 'outside') taken.push(...(await tell(tx, idTx as number, receipt)))
  await unsay(app, records, tx, taken, { desk, idShift })
  if (receipt)
    await queueReceipt(app, records, tx, desk, {
      key: `${kind}-${id}`,
      kind: kind === 'payment' ? 'sell' : 'sellReturn',
      idShift,
      idPayment: id,
      task: receipt,
    })
  await records.asSystem.update(Payment, id, { idStatus: DONE })
  if (refundOf) await returnBonuses(records, tx, refundOf, out)
  await queueOffsets(app, records, tx, { idCustomer })
  await earn(records, tx, idCustomer)
}

const partsOf = (records: Records, idPayment: number): Promise<Part[]> =>
  records.asSystem.rows(PaymentPart, { 'filter[idPayment]': idPayment, sort: 'id' })

/** The account that the money of a part comes from, or goes back to. */
async function sourceOf(
  records: Records,
  { idOrganization, idDesk, idPayer }: PaymentRow,
  { method, idGuarantee, idCertificate }: Part,
): Promise<Entry['account']> {
  if (method === 'certificate') return certificateAccount(idCertificate as number, idOrganization)
  if (method === 'advance') return { kind: 'patient', idCustomer: idPayer, idOrganization }
  if (method !== 'insurer') return { kind: 'desk', idDesk, idOrganization, method }
  const { idInsurer } = await records.asSystem.row(GuaranteeLetter, idGuarantee as number)
  return { kind: 'insurer', idInsurer, idOrganization }
}

export const refundPayment = operation(moneyCalls.refund, ({ app, records, params, body }) =>
  refund(app, records, params.id, body),
)

/** Refunds money of a payment, once by the key. @throws HttpError 409 `state`, `unknown`; ValidationError */
export async function refund(
  app: AppContext,
  records: Records,
  idPayment: number,
  body: RefundBody,
): Promise<PaymentRow> {
  const { id, isNew } = await records.tx(async (inside, tx) => {
    const before = await findByIdempotencyKey(tx, body.key, { id: idPayment, ...body })
    if (before?.idResult) return { id: before.idResult, isNew: false }
    await tx.query(sql`select 1 from payments where "id" = ${idPayment} for update`)
    const original = await inside.row(Payment, idPayment)
    if (original.kind !== 'payment' || original.idStatus !== DONE)
      throw new HttpError(409, 'Вернуть можно только проведённую оплату', { code: 'state' })
    const desk = await workingDesk(() => inside.row(CashDesk, body.idDesk ?? original.idDesk))
    const shift = await openShiftOf(tx, desk.id)
    await lockCustomers(tx, [original.idCustomer])
    const own = await checkRefund(tx, body, original, desk)
    const sum = total(body.parts)
    const { idCustomer, idOrganization } = original
    await checkChosen(tx, body.lines ?? [], { idCustomer, idOrganization, sum, idRefundOf: original.id })
    const isAwaiting = sum > kopecks(desk.refundLimit ?? 0)
    const made = await inside.asSystem.create(Payment, {
      kind: 'refund',
      idStatus: isAwaiting ? AWAITING : IN_WORK,
      idCustomer: original.idCustomer,
      idPayer: original.idPayer,
      idOrganization: original.idOrganization,
      idDesk: desk.id,
      idShift: isAwaiting ? null : shift.id,
      localDate: await dayOf(tx, desk.idFilial),
      sum: rubles(sum),
      // Hidden from staff.
      contact: (await inside.asSystem.row(Payment, original.id)).contact,
      comment: body.reason,
      idRefundOf: original.id,
      idCertificate: original.idCertificate,
      lines: body.lines?.length ? body.lines : null,
    } as Create<typeof Payment>)
    await rememberResult(tx, body.key, made.id)
    const parts = body.parts.map((part) => ({ ...part, ...(part.method === 'certificate' && own) }))
    await split(app, inside, tx, made, desk, parts, { isAwaiting })
    if (!isAwaiting && !waitsForTerminal(desk, body.parts)) await finish(app, inside, tx, made)
    return { id: made.id, isNew: true }
  })
  return carryThrough(app, records, id, isNew)
}

/** @returns the certificate that paid */
async function checkRefund(
  tx: Tx,
  body: RefundBody,
  original: PaymentRow,
  desk: Row<typeof CashDesk>,
): Promise<{ idCertificate?: number }> {
  const errors: FieldError[] = []
  if (original.idCertificate) {
    const rest = await lockRest(tx, original.idCertificate)
    if (body.lines?.length) errors.push({ field: 'lines', message: 'Этой оплатой за услуги не платили' })
    if (total(body.parts) > rest)
      errors.push({ field: 'parts', message: `На сертификате осталось ${money(rest)}: больше не вернуть` })
  }
  if (desk.idOrganization !== original.idOrganization)
    errors.push({ field: 'idDesk', message: 'Деньги возвращает касса той же организации' })
  const left = await tx.query<{ method: PaymentMethod; left: string }>(sql`
    select t."method", sum(case p."kind" when 'payment' then t."sum" else -t."sum" end)::text as left
    from payments p join payments_parts t on t."idPayment" = p."id"
    where p."id" = ${original.id} or (p."idRefundOf" = ${original.id} and p."idStatus" <> ${DECLINED})
    group by t."method"`)
  const seen = new Set<string>()
  for (const [at, { method, sum }] of body.parts.entries()) {
    const paid = left.find((one) => one.method === method)
    const rest = kopecks(Number(paid?.left ?? 0))
    if (seen.has(method))
      errors.push({ field: `parts.${at}.method`, message: `«${paymentMethods[method]}» уже есть: сложите суммы` })
    else if (!isReturned(method) || !paid)
      errors.push({ field: `parts.${at}.method`, message: 'Деньги возвращают тем же способом, которым платили' })
    else if (kopecks(sum) > rest)
      errors.push({ field: `parts.${at}.sum`, message: `Больше, чем было оплачено: можно вернуть ${money(rest)}` })
    else if (method === 'cash') {
      await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
      const drawer = await holds(tx, { kind: 'desk', idDesk: desk.id, idOrganization: desk.idOrganization, method })
      if (kopecks(sum) > drawer) errors.push({ field: `parts.${at}.sum`, message: `В кассе только ${money(drawer)}` })
    }
    seen.add(method)
  }
  if (errors.length) throw new ValidationError(errors)
  const by = await tx.one<{ idCertificate: number }>(
    sql`select "idCertificate" from payments_parts where "idPayment" = ${original.id} and "idCertificate" is not null`,
  )
  return by ?? {}
}

export const decideRefund = operation(moneyCalls.decide, async ({ app, records, actor, params: { id }, body }) => {
  const isNew = await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
    const refund = await inside.row(Payment, id)
    if (refund.idStatus !== AWAITING) throw new HttpError(409, 'Этот возврат не ждёт одобрения', { code: 'state' })
    if (refund.idAuthor === actor.id)
      throw new HttpError(403, 'Возврат больше предела одобряет другой сотрудник', { code: 'ownApproval' })
    if (!body.approve) {
      await inside.asSystem.update(Payment, id, {
        idStatus: DECLINED,
        idApprover: actor.id,
        refusal: 'Возврат не одобрен',
      })
      return false
    }
    const desk = await workingDesk(() => inside.row(CashDesk, refund.idDesk))
    const shift = await openShiftOf(tx, desk.id)
    const parts = await partsOf(inside, id)
    const approved = await inside.asSystem.update(Payment, id, {
      idStatus: IN_WORK,
      idApprover: actor.id,
      idShift: shift.id,
      localDate: await dayOf(tx, desk.idFilial),
    })
    const first = parts.find(({ terminalState }) => terminalState)
    if (first) await startOperation(app, tx, first.id)
    if (!waitsForTerminal(desk, parts)) await finish(app, inside, tx, approved)
    return true
  })
  return body.approve ? carryThrough(app, records, id, isNew) : records.row(Payment, id)
})

export const settlePayment = operation(moneyCalls.settle, async ({ app, records, params: { id } }) => {
  await records.row(Payment, id)
  return carryThrough(app, records, id, false)
})

/** Confirms by hand the outcome of an operation that the terminal cannot be queried about. */
export const settleByHand = operation(
  moneyCalls.settleByHand,
  async ({ app, records, actor, params: { id }, body }) => {
    await records.row(Payment, id)
    const goesOn = await records.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from payments where "id" = ${id} for update`)
      const payment = await inside.row(Payment, id)
      if (payment.idStatus !== IN_WORK) return false
      const { terminalMode } = await inside.asSystem.row(CashDesk, payment.idDesk)
      const part = await takeInHand(tx, id, terminalMode === 'manual')
      return settleBy(app, inside, tx, id, {
        part,
        answer: {
          isApproved: body.isApproved,
          message: `${body.isApproved ? 'Подтвердил' : 'Отклонил'} сотрудник № ${actor.id}`,
          ...(body.rrn && { rrn: body.rrn }),
          ...(body.card && { card: body.card }),
        },
      })
    })
    return goesOn ? carryThrough(app, records, id, true) : records.row(Payment, id)
  },
)

/** Registers the job that settles abandoned payments by the terminal's state. */
export function startSettling(app: AppContext): void {
  app.life.onDeath((life) => releaseOperations(app, life))
  app.jobs.register('money.settle', {
    cron: '* * * * *',
    async handler() {
      const left = await app.db.query<{ id: number }>(sql`select p."id" from payments p
        join payments_parts t on t."idPayment" = p."id" join terminal_operations o on o."idPart" = t."id"
        where p."idStatus" = ${raw(String(IN_WORK))} and t."terminalState" in ('sending', 'unknown')
          and o."claimedUntil" < now() - interval '2 minutes' order by p."id"`)
      const system = app.engine.for(systemActor)
      await oneByOne(app, 'money.settle', left, async ({ id }) => {
        const answer = await carryOut(app, id, false, { again: false }).catch((error) => {
          if (!(error instanceof HttpError)) throw error
        })
        if (answer) await system.tx((inside, tx) => settleBy(app, inside, tx, id, answer, { isLast: true }))
      })
    },
  })
}
