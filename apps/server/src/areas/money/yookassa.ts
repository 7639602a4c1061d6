/**
 * ЮKassa, version 3: payments on its page, refunds. Each POST has our own id (Idempotence-Key), under which it is
 * carried out once within a day. Notices are not signed: their content is queried by GET.
 */

import { subjectNames, vatName } from '@ordinator/model/areas/money/receiptNames'
import { type Receipt, receiptOf, rubles } from '@ordinator/model/areas/money/rules'
import { type Remote, RemoteFault } from '#platform/remote.ts'
import {
  byRepeat,
  DeviceError,
  type Kkt,
  type PrintedDocument,
  type PrintTask,
  type Terminal,
  type TerminalAnswer,
} from './devices.ts'

export interface RemotePayment {
  id: string
  status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'
  /** Kopecks; undefined if not in rubles. */
  sum: number | undefined
  url: string | undefined
  card: string | undefined
  method: 'card' | 'sbp'
  reason: string | undefined
}

export interface AskedPayment {
  key: string
  kopecks: number
  about: string
  returnUrl: string
  metadata: Record<string, string>
  /** СБП only: the reply is the content of a QR code for banking apps. */
  isSbp?: boolean
  /** Data of the receipt that the payment system issues; absent: the clinic issues its own. */
  receipt?: object
}

/** VAT codes of the service by the names of our receipts. */
const vatCodes: Readonly<Record<string, number>> = {
  none: 1,
  vat0: 2,
  vat10: 3,
  vat20: 4,
  vat110: 5,
  vat120: 6,
  vat5: 7,
  vat7: 8,
  vat105: 9,
  vat107: 10,
  vat22: 11,
  vat122: 12,
}
const settlements = {
  fullPrepayment: 'full_prepayment',
  prepayment: 'partial_prepayment',
  advance: 'advance',
  fullPayment: 'full_payment',
  partialPayment: 'partial_payment',
  credit: 'credit',
  creditPayment: 'credit_payment',
} as const
const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: 'Не хватает денег на карте',
  expired_on_confirmation: 'Не оплачено вовремя',
  card_expired: 'Срок карты истёк',
  fraud_suspected: 'Банк заподозрил мошенничество',
  general_decline: 'Банк отказал без причины',
  permission_revoked: 'Разрешение на списание отозвано',
  canceled_by_merchant: 'Отменено клиникой',
}

const money = (kopecks: number) => ({ value: rubles(kopecks).toFixed(2), currency: 'RUB' })
const kopecksOf = (amount: { value?: unknown; currency?: unknown } | undefined): number | undefined =>
  amount?.currency === 'RUB' && /^\d+\.\d\d$/.test(String(amount.value))
    ? Math.round(Number(amount.value) * 100)
    : undefined

/** The receipt in the service's format. */
export function yookassaReceipt({ items, contact }: Receipt, day: string): object {
  const customer = contact?.includes('@') ? { email: contact } : { phone: (contact ?? '').replace(/\D/g, '') }
  return {
    customer,
    items: items.map(({ name, quantity, amount, settlement, subject, tax }) => ({
      description: name.slice(0, 128),
      quantity: String(quantity),
      amount: money(Math.round(amount / quantity)),
      vat_code: vatCodes[vatName(tax, settlement, day)] ?? 1,
      payment_mode: settlements[settlement],
      payment_subject: subjectNames[subject] ?? 'service',
    })),
  }
}

/**
 * The receipt of money from afar, where the service itself gives it: of an advance for what the link names.
 * @param sum kopecks: the whole link, or the part of it that is given back
 */
export function linkReceipt(
  { about, contact }: { about: string; contact: string | null },
  sum: number,
  day: string,
): object | undefined {
  const receipt = receiptOf({
    lines: [{ name: about, due: sum, before: 0, now: sum, completed: false, given: false }],
    parts: [{ method: 'card', sum }],
    debt: 0,
  })
  return receipt && yookassaReceipt({ ...receipt, ...(contact && { contact }) }, day)
}

type Said = Record<string, any>

export interface Yookassa {
  /** @throws RemoteFault; AnswerFault if it refuses */
  create(asked: AskedPayment): Promise<RemotePayment>
  payment(id: string): Promise<RemotePayment>
  /** @param receipt of a part, where the service gives receipts: of a whole payment it knows them itself */
  refund(
    key: string,
    idPayment: string,
    kopecks: number,
    receipt?: object,
  ): Promise<{ id: string; status: string; sum: number | undefined; reason: string | undefined }>
  /**
   * Asks for the receipt of a settlement: of a prepayment by a payment, when its service is given.
   * https://yookassa.ru/developers/payment-acceptance/receipts/54fz/yoomoney/payments
   */
  settle(key: string, idPayment: string, receipt: object, kopecks: number): Promise<RemoteReceipt>
  receipt(id: string): Promise<RemoteReceipt>
  /** Checks the shop and its key. */
  check(): Promise<void>
}

export interface RemoteReceipt {
  id: string
  status: 'pending' | 'succeeded' | 'canceled'
  fd: number | undefined
  fn: string | undefined
  fpd: string | undefined
}

/** The service replied with a refusal. In Russian. */
export class AnswerFault extends Error {
  override name = 'AnswerFault'
  /** It refused the shop's key, and has not looked at the request: an earlier one may have been carried out. */
  readonly isOfKey: boolean
  constructor(message: string, isOfKey = false) {
    super(message)
    this.isOfKey = isOfKey
  }
}

export function yookassa(remote: Pick<Remote, 'quietly'>): Yookassa {
  async function ask(method: 'GET' | 'POST', path: string, key?: string, body?: object): Promise<Said> {
    const { status, bytes } = await remote.quietly({
      method,
      path,
      headers: { ...(key && { 'idempotence-key': key }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    let said: Said
    try {
      said = JSON.parse(bytes.toString('utf8') || '{}') as Said
    } catch {
      throw new RemoteFault('ЮKassa ответила непонятно', true)
    }
    if (status === 401) throw new AnswerFault('ЮKassa не узнала магазин: проверьте shopId и секретный ключ', true)
    if (status >= 400) throw new AnswerFault(`ЮKassa отказала: ${String(said.description ?? status).slice(0, 200)}`)
    return said
  }
  const read = (said: Said): RemotePayment => {
    const { id, status, amount, confirmation, payment_method: by, cancellation_details: why } = said
    if (typeof id !== 'string' || typeof status !== 'string') throw new RemoteFault('ЮKassa ответила непонятно', true)
    return {
      id,
      status: status as RemotePayment['status'],
      sum: kopecksOf(amount),
      url: [confirmation?.confirmation_url, confirmation?.confirmation_data].find((at) => typeof at === 'string'),
      card: by?.card?.last4 ? `**** ${String(by.card.last4).slice(0, 4)}` : undefined,
      method: by?.type === 'sbp' ? 'sbp' : 'card',
      reason: why ? (reasons[why.reason] ?? 'Оплата не прошла') : undefined,
    }
  }
  const readReceipt = (said: Said): RemoteReceipt => {
    const { id, status, fiscal_document_number: fd, fiscal_storage_number: fn, fiscal_attribute: fpd } = said
    if (typeof id !== 'string' || typeof status !== 'string') throw new RemoteFault('ЮKassa ответила непонятно', true)
    return {
      id,
      status: status as RemoteReceipt['status'],
      fd: Number(fd) || undefined,
      fn: fn === undefined ? undefined : String(fn),
      fpd: fpd === undefined ? undefined : String(fpd),
    }
  }
  return {
    create: async ({ key, kopecks, about, returnUrl, metadata, receipt, isSbp }) =>
      read(
        await ask('POST', '/payments', key, {
          amount: money(kopecks),
          capture: true,
          confirmation: isSbp ? { type: 'qr' } : { type: 'redirect', return_url: returnUrl },
          ...(isSbp && { payment_method_data: { type: 'sbp' } }),
          description: about.slice(0, 128),
          metadata,
          ...(receipt && { receipt }),
        }),
      ),
    payment: async (id) => read(await ask('GET', `/payments/${encodeURIComponent(id)}`)),
    async refund(key, idPayment, kopecks, receipt) {
      const said = await ask('POST', '/refunds', key, {
        payment_id: idPayment,
        amount: money(kopecks),
        ...(receipt && { receipt }),
      })
      return {
        id: String(said.id),
        status: String(said.status),
        sum: kopecksOf(said.amount),
        reason:
          reasons[said.cancellation_details?.reason] ?? (said.cancellation_details ? 'Возврат отклонён' : undefined),
      }
    },
    settle: async (key, idPayment, receipt, kopecks) =>
      readReceipt(
        await ask('POST', '/receipts', key, {
          type: 'payment',
          payment_id: idPayment,
          send: true,
          ...receipt,
          settlements: [{ type: 'prepayment', amount: money(kopecks) }],
        }),
      ),
    receipt: async (id) => readReceipt(await ask('GET', `/receipts/${encodeURIComponent(id)}`)),
    async check() {
      await ask('GET', '/payments?limit=1')
    },
  }
}

/** Milliseconds to wait for a receipt, and between queries; later it is asked for again under the same key. */
const RECEIPT_MS = 10_000
const POLL_MS = 500

/**
 * Receipts of settlement, which ЮKassa does not issue by itself. The return of a settlement without a refund does not
 * exist there: a person settles it.
 * @param paidBy the number of a payment at ЮKassa; undefined if it took another way
 */
export function yookassaKkt(shop: Yookassa, paidBy: (idPayment: number) => Promise<string | undefined>): Kkt {
  async function print({ key, request, kind, receipt, idPayment, day }: PrintTask): Promise<PrintedDocument> {
    const idRemote = idPayment === null ? undefined : await paidBy(idPayment)
    if (kind !== 'sell' || !receipt || !idRemote) throw new DeviceError(NOT_BY_SHOP, { isCertain: true })
    try {
      let made = await shop.settle(request, idRemote, yookassaReceipt(receipt, day), receipt.total)
      const until = Date.now() + RECEIPT_MS
      while (made.status === 'pending' && Date.now() < until) {
        await new Promise((next) => setTimeout(next, POLL_MS))
        made = await shop.receipt(made.id).catch((error) => {
          // It is accepted: after any later error it may still be registered.
          throw new DeviceError(`ЮKassa: ${(error as Error).message}`, { isCertain: false })
        })
      }
      if (made.status === 'canceled')
        throw new DeviceError('ЮKassa не зарегистрировала чек зачёта: проверьте кассу в её кабинете', {
          isCertain: true,
          isRefused: true,
        })
      if (made.status === 'pending' || !made.fd)
        throw new DeviceError('ЮKassa ещё регистрирует чек', { isCertain: false })
      return { fd: made.fd, fpd: made.fpd ?? '', key, ...(made.fn && { fn: made.fn }) }
    } catch (error) {
      if (error instanceof AnswerFault)
        throw new DeviceError(error.message, { isCertain: true, isRefused: !error.isOfKey })
      if (error instanceof RemoteFault)
        throw new DeviceError(`ЮKassa: ${error.message}`, { isCertain: !error.mayHaveArrived })
      throw error
    }
  }
  return {
    state: async () => ({ fn: '', lastFd: 0, isShiftOpen: true, isShiftLate: false }),
    print,
    document: byRepeat(print),
  }
}

export const NOT_BY_SHOP = 'ЮKassa такой чек не пробьёт: пробейте его на кассе клиники и снимите отсюда'

/**
 * What gives money back at a desk of links; it takes none by itself. A refund asked again by its number is the same.
 * @param receiptFor the receipt of a refund of so many kopecks, by the number of its payment, and what it takes back
 */
export function yookassaTerminal(
  shop: Yookassa,
  receiptFor: (idPayment: string, kopecks: number, settled?: Receipt) => Promise<object | undefined>,
): Terminal {
  async function giveBack(
    operation: string,
    kopecks: number,
    rrn: string | undefined,
    settled: Receipt | undefined,
  ): Promise<TerminalAnswer> {
    if (!rrn)
      throw new DeviceError('Неизвестно, каким платежом ЮKassa платили: верните в её кабинете', { isCertain: true })
    try {
      const refund = await shop.refund(operation, rrn, kopecks, await receiptFor(rrn, kopecks, settled))
      if (refund.status === 'succeeded' && refund.sum === kopecks) return { isApproved: true, rrn: refund.id }
      if (refund.status === 'canceled')
        return { isApproved: false, message: refund.reason ?? 'ЮKassa отклонила возврат' }
      throw new DeviceError('ЮKassa ещё не вернула деньги: спросим её снова', { isCertain: false })
    } catch (error) {
      if (error instanceof AnswerFault && !error.isOfKey) return { isApproved: false, message: error.message }
      if (error instanceof AnswerFault) throw new DeviceError(error.message, { isCertain: true })
      if (error instanceof RemoteFault)
        throw new DeviceError(`ЮKassa: ${error.message}`, { isCertain: !error.mayHaveArrived })
      throw error
    }
  }
  return {
    async pay() {
      return { isApproved: false, message: 'Эта касса принимает деньги по ссылке: создайте ссылку или QR' }
    },
    refund: (operation, kopecks, paid) => giveBack(operation, kopecks, paid?.rrn, paid?.receipt),
    ask: async (operation, of) =>
      of?.kind === 'refund' ? giveBack(operation, of.kopecks, of.rrn, of.receipt) : undefined,
    async total() {
      throw new DeviceError('ЮKassa итогов смены не говорит', { isCertain: true })
    },
  }
}
