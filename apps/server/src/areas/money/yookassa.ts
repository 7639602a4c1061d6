/**
 * ЮKassa, version 3: payments on its page, refunds, receipts. Each POST has our own id (Idempotence-Key), under which it
 * is carried out once, but ЮKassa knows the key for 24 hours only: an attempt of unknown outcome is looked for in its
 * lists first. https://yookassa.ru/developers/using-api/interaction-format#idempotence
 * Notices are not signed: their content is queried by GET.
 */

import { subjectNames, vatName } from '@ordinator/model/areas/money/receiptNames'
import { type Receipt, receiptOf, rubles } from '@ordinator/model/areas/money/rules'
import { type Remote, RemoteFault } from '#platform/remote.ts'

export interface RemotePayment {
  id: string
  status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled'
  /** Kopecks; undefined if not in rubles. */
  sum: number | undefined
  url: string | undefined
  card: string | undefined
  method: 'card' | 'sbp'
  reason: string | undefined
  metadata: Record<string, unknown>
}

export interface RemoteRefund {
  id: string
  status: string
  sum: number | undefined
  reason: string | undefined
  /** The operation that asked for it; undefined: it was made elsewhere, or before the operation was written there. */
  operation: string | undefined
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
    items: items.map(({ name, quantity, amount, settlement, subject, tax, day: sold }) => ({
      description: name.slice(0, 128),
      quantity: String(quantity),
      amount: money(Math.round(amount / quantity)),
      vat_code: vatCodes[vatName(tax, settlement, sold ?? day)] ?? 1,
      payment_mode: settlements[settlement],
      payment_subject: subjectNames[subject] ?? 'service',
    })),
  }
}

/**
 * The receipt of money from afar, where the service itself gives it: of an advance for the services named by the link.
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

type JsonObject = Record<string, any>

export interface Yookassa {
  /** @throws RemoteFault; AnswerFault if it refuses */
  create(asked: AskedPayment): Promise<RemotePayment>
  payment(id: string): Promise<RemotePayment>
  /** Payments created in these times. */
  payments(from: Date, to: Date): Promise<RemotePayment[]>
  /**
   * @param operation names the refund, also in the list of the payment's refunds
   * @param receipt of a part, where the service gives receipts: of a whole payment it knows them itself
   */
  refund(operation: string, idPayment: string, kopecks: number, receipt?: object): Promise<RemoteRefund>
  refunds(idPayment: string): Promise<RemoteRefund[]>
  /**
   * Asks for the receipt of a settlement: of a prepayment by a payment, when its service is given.
   * https://yookassa.ru/developers/payment-acceptance/receipts/54fz/yoomoney/payments
   */
  settle(key: string, idPayment: string, receipt: object, kopecks: number): Promise<RemoteReceipt>
  receipt(id: string): Promise<RemoteReceipt>
  receipts(idPayment: string): Promise<RemoteReceipt[]>
  /** Checks the shop and its key. */
  check(): Promise<void>
}

export interface RemoteReceipt {
  id: string
  status: 'pending' | 'succeeded' | 'canceled'
  fd: number | undefined
  fn: string | undefined
  fpd: string | undefined
  /** Content key: equal for equal receipts of settlement. */
  content: string
}

/** Content key of a receipt of settlement: its items, and its sum in kopecks. */
export const contentOf = ({ type, items, settlements }: JsonObject): string =>
  JSON.stringify([
    type,
    settlements?.map((one: JsonObject) => [one.type, kopecksOf(one.amount)]),
    items?.map((one: JsonObject) => [
      String(one.description).replaceAll(/\s+/g, ' ').trim(),
      Number(one.quantity),
      kopecksOf(one.amount),
      one.payment_mode,
    ]),
  ])

/** Records of a page, and pages of a list that are read at most. */
const PAGE = 100
const MOST_PAGES = 20

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
  async function ask(method: 'GET' | 'POST', path: string, key?: string, body?: object): Promise<JsonObject> {
    const { status, bytes } = await remote
      .quietly({
        method,
        path,
        headers: { ...(key && { 'idempotence-key': key }), ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof RemoteFault) || error.why !== 'stranger') throw error
        throw new AnswerFault('ЮKassa не узнала магазин: проверьте shopId и секретный ключ', true)
      })
    let parsed: JsonObject
    try {
      parsed = JSON.parse(bytes.toString('utf8') || '{}') as JsonObject
    } catch {
      throw new RemoteFault('ЮKassa ответила непонятно', true)
    }
    if (status >= 400) throw new AnswerFault(`ЮKassa отказала: ${String(parsed.description ?? status).slice(0, 200)}`)
    return parsed
  }
  async function list(path: string, filter: Record<string, string>): Promise<JsonObject[]> {
    const items: JsonObject[] = []
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = new URLSearchParams({
        ...filter,
        limit: String(PAGE),
        ...(cursor ? { cursor: String(cursor) } : {}),
      })
      const answer = await ask('GET', `${path}?${query}`)
      if (!Array.isArray(answer.items)) throw new RemoteFault('ЮKassa ответила непонятно', true)
      items.push(...(answer.items as JsonObject[]))
      cursor = answer.next_cursor
      if (!cursor) return items
    }
    throw new RemoteFault('ЮKassa: записей слишком много, сверьте в её кабинете', true)
  }
  const read = (payment: JsonObject): RemotePayment => {
    const { id, status, amount, confirmation, payment_method: by, cancellation_details: why, metadata } = payment
    if (typeof id !== 'string' || typeof status !== 'string') throw new RemoteFault('ЮKassa ответила непонятно', true)
    return {
      id,
      status: status as RemotePayment['status'],
      sum: kopecksOf(amount),
      url: [confirmation?.confirmation_url, confirmation?.confirmation_data].find((at) => typeof at === 'string'),
      card: by?.card?.last4 ? `**** ${String(by.card.last4).slice(0, 4)}` : undefined,
      method: by?.type === 'sbp' ? 'sbp' : 'card',
      reason: why ? (reasons[why.reason] ?? 'Оплата не прошла') : undefined,
      metadata: metadata ?? {},
    }
  }
  const readRefund = ({ id, status, amount, cancellation_details: why, metadata }: JsonObject): RemoteRefund => ({
    id: String(id),
    status: String(status),
    sum: kopecksOf(amount),
    reason: reasons[why?.reason] ?? (why ? 'Возврат отклонён' : undefined),
    operation: typeof metadata?.operation === 'string' ? metadata.operation : undefined,
  })
  const readReceipt = (receipt: JsonObject): RemoteReceipt => {
    const { id, status, fiscal_document_number: fd, fiscal_storage_number: fn, fiscal_attribute: fpd } = receipt
    if (typeof id !== 'string' || typeof status !== 'string') throw new RemoteFault('ЮKassa ответила непонятно', true)
    return {
      id,
      status: status as RemoteReceipt['status'],
      fd: Number(fd) || undefined,
      fn: fn === undefined ? undefined : String(fn),
      fpd: fpd === undefined ? undefined : String(fpd),
      content: contentOf(receipt),
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
    payments: async (from, to) =>
      (await list('/payments', { 'created_at.gte': from.toISOString(), 'created_at.lte': to.toISOString() })).map(read),
    refund: async (operation, idPayment, kopecks, receipt) =>
      readRefund(
        await ask('POST', '/refunds', operation, {
          payment_id: idPayment,
          amount: money(kopecks),
          metadata: { operation },
          ...(receipt && { receipt }),
        }),
      ),
    refunds: async (idPayment) => (await list('/refunds', { payment_id: idPayment })).map(readRefund),
    settle: async (key, idPayment, receipt, kopecks) =>
      readReceipt(
        await ask('POST', '/receipts', key, {
          payment_id: idPayment,
          send: true,
          ...settlementOf(receipt, kopecks),
        }),
      ),
    receipts: async (idPayment) => (await list('/receipts', { payment_id: idPayment })).map(readReceipt),
    receipt: async (id) => readReceipt(await ask('GET', `/receipts/${encodeURIComponent(id)}`)),
    async check() {
      await ask('GET', '/payments?limit=1')
    },
  }
}

/** Request body of a receipt of settlement. */
export const settlementOf = (receipt: object, kopecks: number) => ({
  type: 'payment',
  ...receipt,
  settlements: [{ type: 'prepayment', amount: money(kopecks) }],
})
