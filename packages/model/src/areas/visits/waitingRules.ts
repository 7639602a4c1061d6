/** Order in which a freed time is offered to waiting patients, with the reasons. Pure, on both sides. */
import { counted } from '../../format.ts'
import { DAY_MINUTES, minutesOf } from './clock.ts'

export const urgencies = { 0: 'Обычная', 1: 'Скорее', 2: 'Срочно' } as const
export type Urgency = keyof typeof urgencies

export const waitingStatuses = {
  waiting: 'Ждёт',
  offered: 'Предложено',
  booked: 'Записан',
} as const
export type WaitingStatus = keyof typeof waitingStatuses

export const offerAnswers = {
  pending: 'Ждём ответа',
  accepted: 'Согласен',
  refused: 'Отказ',
  expired: 'Не ответил',
} as const

/** A free time, by the clock of its branch. */
export interface FreeTime {
  idUser: number
  /** `YYYY-MM-DD` */
  localDate: string
  localStart: string
  minutes: number
  /** Hours until it begins. */
  inHours: number
  /** Minutes of the doctor's shortest service: a shorter remainder is useless. */
  shortest: number
  /** The service of the group that has a place then; null: the time is entirely free. */
  idGroupService: number | null
}

/** The facts of a waiting patient that are compared with a time. */
export interface Waiting {
  id: number
  idService: number
  urgency: Urgency
  /** Minutes of their service with this doctor; undefined: the doctor does not perform it there. */
  minutes: number | undefined
  doctors: readonly number[]
  dateFrom: string | null
  dateTo: string | null
  clockFrom: string | null
  clockTo: string | null
  minNotice: number
  /** Days of waiting. */
  days: number
  /** No-shows within a year. */
  noShows: number
  /** They have declined this time, or let the offer expire. */
  refused: boolean
  /** Names of the required equipment that is busy then. */
  busy: string | null
}

export interface Ranked {
  id: number
  minutes: number
  /** Reasons for the rank, in Russian, the most important first. */
  reasons: string[]
}

const startOf = (clock: string): number => minutesOf(clock) as number

/** Reason why a time does not fit a waiting patient, in Russian; undefined: it fits. */
export function unfit(time: FreeTime, one: Waiting): string | undefined {
  const { localDate, localStart } = time
  if (one.minutes === undefined) return 'Врач не выполняет эту услугу'
  if (time.idGroupService !== null && time.idGroupService !== one.idService) return 'Место в группе другой услуги'
  if (one.doctors.length > 0 && !one.doctors.includes(time.idUser)) return 'Ждёт другого врача'
  if (one.minutes > time.minutes) return `Нужно ${one.minutes} мин`
  if ((one.dateFrom && localDate < one.dateFrom) || (one.dateTo && localDate > one.dateTo)) return 'Ждёт других дней'
  const start = startOf(localStart)
  const [from, to] = [one.clockFrom ? startOf(one.clockFrom) : 0, one.clockTo ? startOf(one.clockTo) : DAY_MINUTES]
  if (start < from || start + one.minutes > to) return 'Не может в это время'
  if (time.inHours < one.minNotice) return `Предупредить нужно за ${one.minNotice} ч`
  if (one.busy) return `Занято оборудование: ${one.busy}`
  if (one.refused) return 'Уже отказался от этого времени'
  return undefined
}

/**
 * Waiting patients whom the time fits, in the order of offers: urgent ones first, then those who leave no useless
 * remainder, then by days of waiting, then by fewest no-shows.
 */
export function rankWaiting(time: FreeTime, all: readonly Waiting[]): Ranked[] {
  const rest = ({ minutes }: Waiting) => time.minutes - (minutes as number)
  const wastes = (one: Waiting) => Number(rest(one) > 0 && rest(one) < time.shortest)
  return all
    .filter((one) => unfit(time, one) === undefined)
    .toSorted(
      (a, b) =>
        b.urgency - a.urgency || wastes(a) - wastes(b) || b.days - a.days || a.noShows - b.noShows || a.id - b.id,
    )
    .map((one) => ({
      id: one.id,
      minutes: one.minutes as number,
      reasons: [
        ...(one.urgency > 0 ? [urgencies[one.urgency].toLowerCase()] : []),
        rest(one) === 0
          ? 'займёт всё время'
          : wastes(one)
            ? `пропадут ${rest(one)} мин`
            : `останется ${rest(one)} мин для другого`,
        one.days < 1 ? 'ждёт с сегодняшнего дня' : `ждёт ${counted(Math.floor(one.days), ['день', 'дня', 'дней'])}`,
        ...(one.noShows > 0 ? [`не пришёл ${counted(one.noShows, ['раз', 'раза', 'раз'])} за год`] : []),
      ],
    }))
}
