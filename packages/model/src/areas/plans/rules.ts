/** What may become of a treatment plan, and what its parts cost. Pure, on both sides; sums in whole kopecks. */
import type { FieldError } from '../../check.ts'
import { half, kopecks } from '../../money.ts'

export const planStatuses = {
  draft: 'Черновик',
  offered: 'Предложен',
  agreed: 'Согласован',
  inWork: 'Выполняется',
  done: 'Завершён',
  refused: 'Отказ',
} as const
export type PlanStatus = keyof typeof planStatuses

export const itemStatuses = {
  planned: 'Запланирована',
  booked: 'Записан',
  done: 'Выполнена',
  cancelled: 'Отменена',
} as const
export type ItemStatus = keyof typeof itemStatuses

export const refuseReasons = {
  price: 'Дорого',
  later: 'Отложил лечение',
  elsewhere: 'Лечится в другой клинике',
  health: 'Изменилось состояние',
  variant: 'Выбран другой вариант',
  other: 'Другое',
} as const
export type RefuseReason = keyof typeof refuseReasons

/** Of one service in one line. */
export const MAX_QTY = 1000
/** Lines and stages of a plan, variants of a treatment. */
export const MAX_ITEMS = 200
export const MAX_STAGES = 30
export const MAX_VARIANTS = 6
/** Days that prices hold unless somebody says otherwise. */
export const VALID_DAYS = 90

/** A line of a plan as far as money goes, in rubles as it is on the wire. */
export interface ItemMoney {
  qty: number
  price: number | null
  discount: number
}

const gross = ({ qty, price }: ItemMoney): bigint => BigInt(qty) * kopecks(price ?? 0)

/** Kopecks of a line after its discount. */
export const itemKopecks = (item: ItemMoney): bigint => {
  const left = gross(item) - kopecks(item.discount)
  return left < 0n ? 0n : left
}

/** A line's discount is not above the line. */
export const itemErrors = (item: ItemMoney): FieldError[] =>
  kopecks(item.discount) > gross(item) ? [{ field: 'discount', message: 'Скидка больше стоимости услуги' }] : []

/**
 * What of a line's agreed sum stands for `qty` more of its services, so that however they are booked, cancelled and
 * booked again, all of them together cost exactly what was agreed, and none more than its price.
 * @param used what is booked and done already: pieces and kopecks
 */
export function partOf(item: ItemMoney, qty: number, used: { qty: number; kopecks: bigint }): bigint {
  const total = itemKopecks(item)
  const upTo = half(total * BigInt(Math.min(item.qty, used.qty + qty)), BigInt(item.qty))
  const most = BigInt(qty) * kopecks(item.price ?? 0)
  const part = upTo - used.kopecks
  return part < 0n ? 0n : part > most ? most : part
}

/** What is known of a line's services. */
export interface ItemState {
  qty: number
  qtyDone: number
  qtyBooked: number
  cancelled: boolean
}

/** The server's SQL says the same. */
export function itemStatusOf({ qty, qtyDone, qtyBooked, cancelled }: ItemState): ItemStatus {
  if (cancelled) return 'cancelled'
  if (qtyDone >= qty) return 'done'
  return qtyBooked > 0 ? 'booked' : 'planned'
}

export interface PlanState {
  dateOffered: string | null
  dateAgreed: string | null
  dateRefused: string | null
}

/** What has become of a plan, by what was said of it and by what its services are. The server's SQL says the same. */
export function planStatusOf({ dateOffered, dateAgreed, dateRefused }: PlanState, items: ItemState[]): PlanStatus {
  if (dateRefused !== null) return 'refused'
  if (dateAgreed === null) return dateOffered === null ? 'draft' : 'offered'
  const open = items.some((item) => ['planned', 'booked'].includes(itemStatusOf(item)))
  if (!open) return 'done'
  return items.some(({ qtyDone, qtyBooked }) => qtyDone + qtyBooked > 0) ? 'inWork' : 'agreed'
}

/** Its services and prices may still be changed. */
export const isOpen = (status: PlanStatus): boolean => status === 'draft' || status === 'offered'
/** Its services may be booked at its prices. */
export const isAgreed = (status: PlanStatus): boolean => status === 'agreed' || status === 'inWork'

export type PlanStep = 'offer' | 'draft' | 'agree' | 'refuse' | 'reopen'
/** From which states a step leads, and what is said otherwise. */
export const planSteps: Readonly<Record<PlanStep, { from: readonly PlanStatus[]; else: string }>> = {
  offer: { from: ['draft'], else: 'Предлагают черновик' },
  draft: { from: ['offered'], else: 'В черновик возвращают предложенный план' },
  agree: { from: ['draft', 'offered'], else: 'Согласуют черновик или предложенный план' },
  refuse: { from: ['offered', 'agreed', 'inWork'], else: 'Отказываются от предложенного или согласованного плана' },
  reopen: { from: ['refused'], else: 'Возобновляют план, от которого отказались' },
}

/** The name of the next variant of a treatment: «Вариант Б» after one. */
export const variantName = (at: number): string => `Вариант ${'АБВГДЕ'[at] ?? at + 1}`

const months = 'январь,февраль,март,апрель,май,июнь,июль,август,сентябрь,октябрь,ноябрь,декабрь'.split(',')
/** «март 2027» of a day of it, YYYY-MM-DD. */
export const monthText = (day: string): string => `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
