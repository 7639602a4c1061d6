import { formatHuman } from '@ordinator/model/format'

const SOON_MS = 24 * 3600_000

export type DueState = 'overdue' | 'soon' | 'later' | 'done'

/** How a due date is to be read now; undefined when there is none. */
export function dueOf(
  task: { dateEnd: string | null; isCompleted: boolean },
  now = new Date(),
): { state: DueState; text: string } | undefined {
  if (!task.dateEnd) return undefined
  const left = Date.parse(task.dateEnd) - now.getTime()
  const state = task.isCompleted ? 'done' : left < 0 ? 'overdue' : left < SOON_MS ? 'soon' : 'later'
  return { state, text: formatHuman(task.dateEnd, now) }
}

/** The beginning of a day of the person's own clock, so many days later. */
export const midnight = (day: Date, later = 0): string =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).toISOString()

/** A day `YYYY-MM-DD` at the person's midnight. */
export function dayOf(text: string): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date)
}
