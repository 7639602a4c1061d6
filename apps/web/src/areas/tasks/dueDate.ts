import { formatHuman } from '#kit/clock.ts'

const SOON_MS = 24 * 3600_000

export type DueState = 'overdue' | 'soon' | 'later' | 'done'

/** State of a due date now; undefined without one. */
export function dueOf(
  task: { dateEnd: string | null; isCompleted: boolean },
  now = new Date(),
): { state: DueState; text: string } | undefined {
  if (!task.dateEnd) return undefined
  const left = Date.parse(task.dateEnd) - now.getTime()
  const state = task.isCompleted ? 'done' : left < 0 ? 'overdue' : left < SOON_MS ? 'soon' : 'later'
  return { state, text: formatHuman(task.dateEnd, now) }
}
