import type { ScriptStep } from '@ordinator/model/areas/scripts/script'
import type { SortPlace } from '#kit/useSortable.ts'

export type Answer = ScriptStep['answers'][number]

/** A step with a unique key. */
export const newStep = (title: string): ScriptStep => ({
  key: crypto.randomUUID().slice(0, 8),
  title,
  text: '',
  answers: [],
})

export const changed = (steps: readonly ScriptStep[], key: string, patch: Partial<ScriptStep>): ScriptStep[] =>
  steps.map((step) => (step.key === key ? { ...step, ...patch } : step))

/** Steps without one; answers to it end the talk. */
export const without = (steps: readonly ScriptStep[], key: string): ScriptStep[] =>
  steps
    .filter((step) => step.key !== key)
    .map((step) =>
      step.answers.some(({ next }) => next === key)
        ? { ...step, answers: step.answers.map((answer) => (answer.next === key ? { ...answer, next: null } : answer)) }
        : step,
    )

/** Rows with one moved. Ids are positions from 1, as `useSortable` needs numbers. */
export function replaced<R>(rows: readonly R[], id: number, place: SortPlace): R[] {
  const moved = rows[id - 1]
  const beside = rows[(place.before ?? place.after ?? 0) - 1]
  if (moved === undefined || beside === undefined || moved === beside) return [...rows]
  const rest = rows.filter((row) => row !== moved)
  const at = rest.indexOf(beside) + (place.after === undefined ? 0 : 1)
  return rest.toSpliced(at, 0, moved)
}
