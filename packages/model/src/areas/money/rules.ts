/** Pure rules of money, in whole kopecks. */
import type { PaymentMethod } from './methods.ts'

/** Rubles with at most two decimals, as on the wire, to kopecks and back. */
export const kopecks = (rubles: number): number => Math.round(rubles * 100)
export const rubles = (kopecks: number): number => kopecks / 100

/** Balance of a patient's account: positive is a debt, negative an advance. */
export const debtOf = (balance: number): number => Math.max(0, balance)
export const advanceOf = (balance: number): number => Math.max(0, -balance)

/** Settlement of a receipt line: names of tag 1214 for cash registers (ФФД, ATOL). */
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
  // Paid when it was sold.
  certificate: 'prepaid',
  // Between organizations, without a receipt.
  insurer: undefined,
}

export interface ReceiptItem {
  name: string
  /** Kopecks per unit; times the quantity it gives the amount. */
  price: number
  quantity: number
  amount: number
  settlement: Settlement
  /** Tag 1212. */
  subject: number
  /** VAT rate by its name in the service. */
  tax: string
  /** Day of the sale, whose rate applies (`YYYY-MM-DD`), also to a return and a correction; absent: the day of printing. */
  day?: string
  /** The coupon line, and the settled part of the amount (without credit). Internal, not sent to the register. */
  line?: number
  settled?: number
}

/** A receipt for the register in the form of ATOL's drivers, in kopecks. */
export interface Receipt {
  items: ReceiptItem[]
  payments: { type: Means; sum: number }[]
  total: number
  /** Recipient of the electronic receipt; stored only with the payment, and added when printing. */
  contact?: string
  correction?: Correction
}

/** Reason of a late settlement: tags 1173, 1178 (its day), 1179 (the document), by the drivers' names. */
export interface Correction {
  type: 'self' | 'instruction'
  date: string
  number: string
  reason: string
}

/** A line to pay. */
export interface PaidLine {
  id?: number
  name: string
  /** The patient's total for the line, without amounts that need no receipt (an insurer's part, a write-off). */
  due: number
  /** Paid before; for a provided line: not yet on a receipt of settlement. */
  before: number
  /** Paid now. */
  now: number
  completed: boolean
  /** The receipt of full settlement was printed before. */
  given: boolean
  subject?: number
  tax?: string
  day?: string | null
}

export interface Paid {
  lines: readonly PaidLine[]
  /** Means: new money by method, and used advances. */
  parts: readonly { method: PaymentMethod; sum: number }[]
  /** Part without a line: a paid debt; the rest is an advance. */
  debt: number
}

/** Tag 1212: payment, service. */
const PAYMENT = 10
const SERVICE = 4

/**
 * Receipt of a payment; undefined if none is needed. A line not performed yet is prepaid; a performed one gets the full
 * settlement: earlier payments are its offset, the unpaid part its credit. A certificate is an advance that already has
 * a receipt: it settles provided services, and does not appear for services still to come.
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
  // The insurer's part is on no receipt.
  let room = paid
  const items: ReceiptItem[] = []
  const item = (
    name: string,
    amount: number,
    settlement: Settlement,
    { subject, tax = 'none', ...of }: Partial<ReceiptItem> & { subject: number },
  ) => amount > 0 && items.push({ name, price: amount, quantity: 1, amount, settlement, subject, tax, ...of })
  for (const { id, name, due, before, now: all, completed, given, subject = SERVICE, tax, day } of lines) {
    const of = {
      subject,
      ...(tax !== undefined && { tax }),
      ...(day && { day }),
      ...(id !== undefined && { line: id }),
    }
    const settled = (sum: number) => (id === undefined ? of : { ...of, settled: sum })
    const unsettled = completed ? 0 : Math.min(all, ahead)
    ahead -= unsettled
    const now = Math.min(all - unsettled, room)
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

/** A refunded part of a payment: settled by receipts (`completed`), or prepaid. */
export interface ReturnedLine {
  id?: number
  name: string
  sum: number
  completed: boolean
  subject?: number
  tax?: string
  day?: string | null
}

/**
 * Receipt of a refund: the refunded lines, by the means of the payment. For an advance nothing is paid out: a settled
 * amount becomes prepaid again.
 * @param debt refunded part that had paid a debt without a line
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

/** Part of a receipt that paid a debt without a line, in kopecks. */
export const paidDebt = ({ items }: Receipt): number =>
  items.reduce(
    (sum, { subject, settlement, amount }) =>
      sum + (subject === PAYMENT && settlement === 'creditPayment' ? amount : 0),
    0,
  )

/** Correction receipt for a sum without a payment here. @param sum kopecks */
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

/** Sums of a shift: by kind of receipt (tag 1054: sell 1, sellReturn 2) and means, in kopecks. */
export type Totals = Record<'sell' | 'sellReturn', Record<'cash' | 'electronically', number>>
export const noTotals = (): Totals => ({
  sell: { cash: 0, electronically: 0 },
  sellReturn: { cash: 0, electronically: 0 },
})

/** Differences between ledger and register: CRM minus Z, by kind and means; empty if equal. */
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
