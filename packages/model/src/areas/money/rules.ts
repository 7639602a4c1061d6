/** Pure rules of money. Everything here is in whole kopecks. */
import type { PaymentMethod } from './methods.ts'

/** Rubles with at most two digits, as they come over the wire, in kopecks and back. */
export const kopecks = (rubles: number): number => Math.round(rubles * 100)
export const rubles = (kopecks: number): number => kopecks / 100

/** Above zero on the account of a patient: what is owed to us; below: what was paid ahead. */
export const debtOf = (balance: number): number => Math.max(0, balance)
export const advanceOf = (balance: number): number => Math.max(0, -balance)

/** How a line of a receipt is settled: the names of tag 1214 as cash registers take them (ФФД, ATOL). */
export const settlements = {
  fullPrepayment: 1,
  prepayment: 2,
  advance: 3,
  fullPayment: 4,
  partialPayment: 5,
  credit: 6,
  creditPayment: 7,
} as const
export type Settlement = keyof typeof settlements

/** Means of a receipt: tags 1031, 1081, 1215, 1216. */
export type Means = 'cash' | 'electronically' | 'prepaid' | 'credit'

const meansOf: Readonly<Record<PaymentMethod, Means | undefined>> = {
  cash: 'cash',
  card: 'electronically',
  sbp: 'electronically',
  transfer: 'electronically',
  advance: 'prepaid',
  // It was paid for when it was sold.
  certificate: 'prepaid',
  // Between organizations, without a receipt.
  insurer: undefined,
}

export interface ReceiptItem {
  name: string
  /** Kopecks; with the quantity it makes the amount. */
  price: number
  quantity: number
  amount: number
  settlement: Settlement
  /** Tag 1212. */
  subject: number
  /** Name of the rate of VAT, as the service has it. */
  tax: string
  /** The line of a coupon that it is for, and what of the amount is settled: all but its credit. Ours, not the register's. */
  line?: number
  settled?: number
}

/** A task of the register, as ATOL's drivers take it, in kopecks. */
export interface Receipt {
  items: ReceiptItem[]
  payments: { type: Means; sum: number }[]
  total: number
  /** Where the register sends it; kept with the payment alone, and told to the register as it prints. */
  contact?: string
  correction?: Correction
}

/** Why a settlement is told of late: tags 1173, 1178 (its day), 1179 (the document), in the words of drivers. */
export interface Correction {
  type: 'self' | 'instruction'
  date: string
  number: string
  reason: string
}

/** A line that is paid. */
export interface PaidLine {
  id?: number
  name: string
  /** What the patient owes for it in all, less what no receipt tells of (an insurer's part, a write-off). */
  due: number
  /** Paid before, and of a line that is given: told by no receipt to be settled. */
  before: number
  /** Paid now. */
  now: number
  completed: boolean
  /** The receipt of the whole settlement was given before. */
  given: boolean
  subject?: number
  tax?: string
}

export interface Paid {
  lines: readonly PaidLine[]
  /** By each means: what comes now, and what of former advances goes into the lines. */
  parts: readonly { method: PaymentMethod; sum: number }[]
  /** Of what is not for a line: a debt that is paid, the rest is an advance. */
  debt: number
}

/** Tag 1212: a payment, a service. */
const PAYMENT = 10
const SERVICE = 4

/**
 * The receipt of a payment; undefined where nothing of it needs one. A line that is not performed yet is prepaid, one
 * that is gets the receipt of the whole settlement: what was paid before is its offset, what is still owed its credit.
 * A certificate is an advance that has its receipt: it settles what was given, and of what is still ahead it says nothing.
 */
export function receiptOf({ lines, parts, debt }: Paid): Receipt | undefined {
  const means = new Map<Means, number>()
  const add = (type: Means, sum: number) => sum > 0 && means.set(type, (means.get(type) ?? 0) + sum)
  const ofParts = (some: (method: PaymentMethod) => boolean) =>
    parts.reduce((all, { method, sum }) => all + (some(method) ? sum : 0), 0)
  const byCertificate = ofParts((method) => method === 'certificate')
  const settled = debt + lines.reduce((all, { completed, now }) => all + (completed ? now : 0), 0)
  let ahead = Math.max(0, byCertificate - settled)
  for (const { method, sum } of parts) {
    const type = meansOf[method]
    if (type && method !== 'certificate') add(type, sum)
  }
  add('prepaid', byCertificate - ahead)
  const paid = [...means.values()].reduce((a, b) => a + b, 0)
  // What the insurer settles of a line stands in no receipt.
  let room = paid
  const items: ReceiptItem[] = []
  const item = (
    name: string,
    amount: number,
    settlement: Settlement,
    { subject, tax = 'none', ...of }: Partial<ReceiptItem> & { subject: number },
  ) => amount > 0 && items.push({ name, price: amount, quantity: 1, amount, settlement, subject, tax, ...of })
  for (const { id, name, due, before, now: all, completed, given, subject = SERVICE, tax } of lines) {
    const of = { subject, ...(tax !== undefined && { tax }), ...(id !== undefined && { line: id }) }
    const settled = (sum: number) => (id === undefined ? of : { ...of, settled: sum })
    const unsaid = completed ? 0 : Math.min(all, ahead)
    ahead -= unsaid
    const now = Math.min(all - unsaid, room)
    if (now <= 0) continue
    room -= now
    if (!completed) item(name, now, before === 0 && now >= due ? 'fullPrepayment' : 'prepayment', of)
    else if (given) item(name, now, 'creditPayment', settled(now))
    else {
      const credit = Math.max(0, due - before - now)
      add('prepaid', before)
      add('credit', credit)
      item(name, before + now + credit, credit === 0 ? 'fullPayment' : 'partialPayment', settled(before + now))
    }
  }
  const owed = Math.min(debt, room)
  item('Оплата задолженности', owed, 'creditPayment', { subject: PAYMENT })
  item('Аванс', room - owed, 'advance', { subject: PAYMENT })
  if (items.length === 0) return undefined
  return {
    items,
    payments: [...means].map(([type, sum]) => ({ type, sum })),
    total: items.reduce((sum, { amount }) => sum + amount, 0),
  }
}

/** What of a payment is given back, and what receipts have called it: settled (`completed`) or paid ahead. */
export interface ReturnedLine {
  id?: number
  name: string
  sum: number
  completed: boolean
  subject?: number
  tax?: string
}

/**
 * The receipt of money that is given back: what it was for, by the means it was paid. By an advance it gives nothing out:
 * what was settled is paid ahead again.
 * @param debt of what is given back, what had paid a debt that is no line's
 */
export const refundReceipt = (
  lines: readonly ReturnedLine[],
  parts: readonly { method: PaymentMethod; sum: number }[],
  debt = 0,
): Receipt | undefined =>
  receiptOf({
    lines: lines.map(({ sum, ...line }) => ({ ...line, due: sum, before: 0, now: sum, given: false })),
    parts,
    debt,
  })

/** Of a debt that is no line's: what of the receipt has paid it, in kopecks. */
export const paidDebt = ({ items }: Receipt): number =>
  items.reduce(
    (sum, { subject, settlement, amount }) =>
      sum + (subject === PAYMENT && settlement === 'creditPayment' ? amount : 0),
    0,
  )

/** The receipt of correction of a sum that has no payment of ours. @param sum kopecks */
export const correctionOf = (means: 'cash' | 'electronically', sum: number, correction: Correction): Receipt => ({
  items: [
    {
      name: 'Медицинские услуги',
      price: sum,
      quantity: 1,
      amount: sum,
      settlement: 'fullPayment',
      subject: SERVICE,
      tax: 'none',
    },
  ],
  payments: [{ type: means, sum }],
  total: sum,
  correction,
})

/** Sums of a shift: of each kind of receipt (tag 1054: sell 1, sellReturn 2) by means, in kopecks. */
export type Totals = Record<'sell' | 'sellReturn', Record<'cash' | 'electronically', number>>
export const noTotals = (): Totals => ({
  sell: { cash: 0, electronically: 0 },
  sellReturn: { cash: 0, electronically: 0 },
})

/** Where our books and the register differ: CRM less Z, by kind and means; empty where they agree. */
export function differences(
  crm: Totals,
  kkt: Totals,
): { kind: keyof Totals; means: 'cash' | 'electronically'; sum: number }[] {
  return (['sell', 'sellReturn'] as const).flatMap((kind) =>
    (['cash', 'electronically'] as const).flatMap((means) => {
      const sum = crm[kind][means] - kkt[kind][means]
      return sum === 0 ? [] : [{ kind, means, sum }]
    }),
  )
}
