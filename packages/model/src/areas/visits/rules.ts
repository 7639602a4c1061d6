/** Status transitions of a visit, and the cost of its lines. Pure, on both sides. */
import { counted } from '../../format.ts'

export const visitStatuses = {
  booked: 'Записан',
  confirmed: 'Подтверждён',
  arrived: 'Пришёл',
  inProgress: 'На приёме',
  completed: 'Завершён',
  noShow: 'Не пришёл',
  cancelled: 'Отменён',
  moved: 'Перенесён',
} as const
export type VisitStatus = keyof typeof visitStatuses

/** True for statuses in which a visit may be rescheduled. */
export const movable = (status: VisitStatus): boolean =>
  status === 'booked' || status === 'confirmed' || status === 'arrived'

/** Statuses that occupy no time. */
export const freeStatuses = ['noShow', 'cancelled', 'moved'] as const satisfies readonly VisitStatus[]
export const takesTime = (status: VisitStatus): boolean => !(freeStatuses as readonly string[]).includes(status)

/** Required role of a transition: the registry (`editAppointments`), the performer of the visit, `reopenVisit`. */
export type TransitionBy = 'registry' | 'performer' | 'reopen'

export interface Transition {
  by: readonly TransitionBy[]
  /** Only on the day of the visit, by the branch's clock. */
  today?: true
}

const registry: Transition = { by: ['registry'] }
const cancel = registry

/** Allowed transitions; all others are refused. */
export const transitions: { readonly [From in VisitStatus]: { readonly [To in VisitStatus]?: Transition } } = {
  booked: {
    confirmed: registry,
    arrived: { by: ['registry'], today: true },
    inProgress: { by: ['performer', 'registry'], today: true },
    noShow: registry,
    cancelled: cancel,
  },
  confirmed: {
    booked: registry,
    arrived: { by: ['registry'], today: true },
    inProgress: { by: ['performer', 'registry'], today: true },
    noShow: registry,
    cancelled: cancel,
  },
  arrived: {
    booked: registry,
    inProgress: { by: ['performer', 'registry'] },
    cancelled: cancel,
  },
  inProgress: { completed: { by: ['performer', 'registry'] }, arrived: { by: ['performer', 'registry'] } },
  completed: { inProgress: { by: ['reopen'] } },
  noShow: { arrived: { by: ['registry'], today: true }, booked: registry },
  cancelled: { booked: registry },
  moved: {},
}

/** Error that prevents a status, in Russian; undefined: allowed. Days are `YYYY-MM-DD` of the branch. */
export function wrongTransition(
  from: VisitStatus,
  to: VisitStatus,
  { day, today, can }: { day: string; today: string; can: readonly TransitionBy[] },
): string | undefined {
  const way = transitions[from][to]
  if (!way) return `Из состояния «${visitStatuses[from]}» нельзя перейти в «${visitStatuses[to]}»`
  if (!way.by.some((one) => can.includes(one))) return 'Вам не разрешено выполнять данное действие'
  if (way.today && day !== today) return 'Это можно отметить только в день визита'
  // A no-show is possible only from the day of the visit on.
  if (to === 'noShow' && day > today) return 'День визита ещё не наступил'
  return undefined
}

export const cancelReasons = {
  ill: 'Заболел',
  time: 'Не подошло время',
  price: 'Цена',
  other: 'Другая клиника',
  double: 'Дубль',
  clinic: 'Отмена клиникой',
  unpaid: 'Предоплата не внесена',
} as const

export const couponStatuses = {
  cancelled: 'Отменён',
  paid: 'Оплачен',
  partlyPaid: 'Оплачен частично',
  completed: 'Оказан',
  planned: 'Запланирован',
} as const

/** Overlapping visits a doctor may have beyond the first, with the right to overbook. */
export const OVERBOOK = 1

/** Numbers of no-shows within a year from which a call or a prepayment is advised; 0: never. */
export interface NoShowPolicy {
  noShowCall: number
  noShowPrepay: number
}

/** Advice for booking a patient with no-shows within a year: a note, a call, a prepayment. Never a fine. */
export function noShowAdvice(count: number, { noShowCall, noShowPrepay }: NoShowPolicy): string | undefined {
  if (count === 0) return undefined
  const count2 = `За год не пришёл ${counted(count, ['раз', 'раза', 'раз'])}`
  if (noShowPrepay > 0 && count >= noShowPrepay) return `${count2}: попросите предоплату`
  return noShowCall > 0 && count >= noShowCall ? `${count2}: позвоните накануне` : count2
}

/** Reason to require a prepayment because of no-shows within a year; undefined: none. */
export function prepayDemand(count: number, { noShowDemand }: { noShowDemand: number }): string | undefined {
  if (noShowDemand === 0 || count < noShowDemand) return undefined
  return `За год не пришёл ${counted(count, ['раз', 'раза', 'раз'])}: запись только с предоплатой`
}

const kopecks = (rubles: number): number => Math.round(rubles * 100)

/** Rubles of a line after discounts: price × quantity, rounded half up to a kopeck, minus the discount; at least 0. */
export function lineCost({ price, qty, discount }: { price: number; qty: number; discount: number }): number {
  const gross = Math.floor((kopecks(price) * Math.round(qty * 1000) + 500) / 1000)
  return Math.max(0, gross - kopecks(discount)) / 100
}

/** Occupied time of a resource: `from` and `to` in milliseconds, end exclusive. */
export interface Taken {
  id: number
  lane: number
  from: number
  to: number
}

const meets = (a: Pick<Taken, 'from' | 'to'>, b: Pick<Taken, 'from' | 'to'>): boolean => a.from < b.to && b.from < a.to

/**
 * The lane for a new time: the lowest free one of `capacity`. When each lane is partly taken, though never all at once
 * (cancellations leave gaps), the existing times are reassigned by their start: `moves` holds their new lanes. Undefined:
 * no room.
 */
export function laneFor(
  taken: readonly Taken[],
  wanted: Pick<Taken, 'from' | 'to'>,
  capacity: number,
): { lane: number; moves: Map<number, number> } | undefined {
  const none = new Map<number, number>()
  for (let lane = 0; lane < capacity; lane++)
    if (!taken.some((one) => one.lane === lane && meets(one, wanted))) return { lane, moves: none }
  // Times beyond the capacity were overbooked on purpose and stay there.
  const own = taken.filter(({ lane }) => lane < capacity)
  const all = [...own, { id: 0, lane: -1, ...wanted }].toSorted((a, b) => a.from - b.from || a.id - b.id)
  const ends: number[] = []
  const lanes = new Map<number, number>()
  for (const one of all) {
    const lane = Array.from({ length: capacity }, (_, at) => at).find((at) => (ends[at] ?? -Infinity) <= one.from)
    if (lane === undefined) return undefined
    ends[lane] = one.to
    lanes.set(one.id, lane)
  }
  const moves = new Map(own.flatMap(({ id, lane }) => (lanes.get(id) === lane ? [] : [[id, lanes.get(id) as number]])))
  return { lane: lanes.get(0) as number, moves }
}
