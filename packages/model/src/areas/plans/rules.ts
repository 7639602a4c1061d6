/** States and costs of a treatment plan. Pure, shared by client and server; sums in whole kopecks. */
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

/** Maximum quantity of a line. */
export const MAX_QTY = 1000
/** Limits: lines and stages of a plan, variants of a treatment. */
export const MAX_ITEMS = 200
export const MAX_STAGES = 30
export const MAX_VARIANTS = 6
/** Default validity of prices, in days. */
export const VALID_DAYS = 90

/** Money of a plan's line, in rubles as on the wire. */
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

/** Error if a line's discount exceeds the line. */
export const itemErrors = (item: ItemMoney): FieldError[] =>
  kopecks(item.discount) > gross(item) ? [{ field: 'discount', message: 'Скидка больше стоимости услуги' }] : []

/**
 * Part of a line's agreed sum for `qty` more services. However they are booked, cancelled and booked again, all parts
 * add up to the agreed sum, and none exceeds its price.
 * @param used booked and done so far: quantity and kopecks
 */
export function partOf(item: ItemMoney, qty: number, used: { qty: number; kopecks: bigint }): bigint {
  const total = itemKopecks(item)
  const upTo = half(total * BigInt(Math.min(item.qty, used.qty + qty)), BigInt(item.qty))
  const most = BigInt(qty) * kopecks(item.price ?? 0)
  const part = upTo - used.kopecks
  return part < 0n ? 0n : part > most ? most : part
}

/** Facts of a line's services. */
export interface ItemState {
  qty: number
  qtyDone: number
  qtyBooked: number
  cancelled: boolean
}

/** The server's SQL must stay equal to this. */
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

/** State of a plan by its dates and its items. The server's SQL must stay equal to this. */
export function planStatusOf({ dateOffered, dateAgreed, dateRefused }: PlanState, items: ItemState[]): PlanStatus {
  if (dateRefused !== null) return 'refused'
  if (dateAgreed === null) return dateOffered === null ? 'draft' : 'offered'
  const open = items.some((item) => ['planned', 'booked'].includes(itemStatusOf(item)))
  if (!open) return 'done'
  return items.some(({ qtyDone, qtyBooked }) => qtyDone + qtyBooked > 0) ? 'inWork' : 'agreed'
}

/** States in which services and prices can change. */
export const isOpen = (status: PlanStatus): boolean => status === 'draft' || status === 'offered'
/** States in which services can be booked at the plan's prices. */
export const isAgreed = (status: PlanStatus): boolean => status === 'agreed' || status === 'inWork'

export type PlanStep = 'offer' | 'draft' | 'agree' | 'refuse' | 'reopen'
/** Allowed source states of a step, and the error otherwise. */
export const planSteps: Readonly<Record<PlanStep, { from: readonly PlanStatus[]; else: string }>> = {
  offer: { from: ['draft'], else: 'Предлагают черновик' },
  draft: { from: ['offered'], else: 'В черновик возвращают предложенный план' },
  agree: { from: ['draft', 'offered'], else: 'Согласуют черновик или предложенный план' },
  refuse: { from: ['offered', 'agreed', 'inWork'], else: 'Отказываются от предложенного или согласованного плана' },
  reopen: { from: ['refused'], else: 'Возобновляют план, от которого отказались' },
}

/** Name of the next variant: «Вариант Б» after one. */
export const variantName = (at: number): string => `Вариант ${'АБВГДЕ'[at] ?? at + 1}`

const months = 'январь,февраль,март,апрель,май,июнь,июль,август,сентябрь,октябрь,ноябрь,декабрь'.split(',')
/** «март 2027» for a day YYYY-MM-DD. */
export const monthText = (day: string): string => `${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
