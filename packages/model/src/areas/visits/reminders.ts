/** When patients are reminded of a visit, and what their answers mean. Pure. Wall times are the branch's. */
import { plusDays } from '../../zone.ts'
import type { MessageEvent } from '../messages/events.ts'
import { clockOf, minutesOf } from './clock.ts'

export const reminderKinds = { day: 'За сутки', hours: 'За 2 часа', moved: 'О переносе' } as const
export type ReminderKind = keyof typeof reminderKinds

/** Whose words a reminder takes. */
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
 * So many hours before the visit by the wall clock, if patients may be written to then, else the last moment before
 * at which they may: 'YYYY-MM-DD HH:mm', so that moments compare as words.
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

/** Whether patients may be written to at this time of the branch's clock. */
export const mayWrite = (clock: string, { start, end }: { start: string; end: string }): boolean =>
  end <= start || (clock >= start && clock <= end)

/** What is written in answer. Anything that is no plain yes or no is for a person to read. */
export function meaningOf(text: string): ReplyMeaning {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
  if (['1', 'да'].includes(word)) return 'confirm'
  return ['0', '2', 'нет'].includes(word) ? 'decline' : 'other'
}
