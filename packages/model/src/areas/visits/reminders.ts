/** Times of visit reminders, and the meaning of patients' replies. Pure. Wall times are the branch's. */
import { plusDays } from '../../zone.ts'
import type { MessageEvent } from '../messages/events.ts'
import { clockOf, minutesOf } from './clock.ts'

export const reminderKinds = { day: 'За сутки', hours: 'За 2 часа', moved: 'О переносе' } as const
export type ReminderKind = keyof typeof reminderKinds

/** Message template of each reminder. */
export const reminderEvents = {
  day: 'reminder24h',
  hours: 'reminder2h',
  moved: 'reminder24h',
} as const satisfies Record<ReminderKind, MessageEvent>

/** Hours before the visit. */
export const reminderHours = { day: 24, hours: 2 } as const

export const replyMeanings = { confirm: 'Подтвердил', decline: 'Не придёт', other: 'Ответил' } as const
export type ReplyMeaning = keyof typeof replyMeanings

const DAY_MINUTES = 1_440

/**
 * So many hours before the visit by the wall clock, if patients may be messaged then, otherwise the last allowed moment
 * before it: 'YYYY-MM-DD HH:mm', so that moments compare as strings.
 */
export function remindAt(
  visit: { localDate: string; localStart: string },
  hours: number,
  allowed: { start: string; end: string },
): string {
  const wanted = (minutesOf(visit.localStart) as number) - hours * 60
  const back = Math.ceil(Math.max(0, -wanted) / DAY_MINUTES)
  const day = plusDays(visit.localDate, -back)
  const minute = wanted + back * DAY_MINUTES
  const [start, end] = [minutesOf(allowed.start) as number, minutesOf(allowed.end) as number]
  if (end <= start || (minute >= start && minute <= end)) return `${day} ${clockOf(minute)}`
  return minute > end ? `${day} ${clockOf(end)}` : `${plusDays(day, -1)} ${clockOf(end)}`
}

/** True when patients may be messaged at this time of the branch's clock. */
export const mayWrite = (clock: string, { start, end }: { start: string; end: string }): boolean =>
  end <= start || (clock >= start && clock <= end)

/** The meaning of a reply. Anything but a plain yes or no is left to an employee. */
export function meaningOf(text: string): ReplyMeaning {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
  if (['1', 'да'].includes(word)) return 'confirm'
  return ['0', '2', 'нет'].includes(word) ? 'decline' : 'other'
}
