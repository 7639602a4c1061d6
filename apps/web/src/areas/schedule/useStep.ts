import { usePreference } from '#base/preferences.ts'
import type { Step } from '#kit/dayGrid/scale.ts'

export const steps: readonly Step[] = [5, 10, 15]

export interface GridStep {
  step: Step
  /** The day is fitted into the window. */
  whole: boolean
}

/** Minutes of a step of the grid, and whether all of the day is shown at once; this computer's own choice. */
export const useStep = (): [GridStep, (step: GridStep) => void] => usePreference('calendar-step', read, 'device')

function read(stored: unknown): GridStep {
  const { step, whole } = (stored ?? {}) as Partial<GridStep>
  return { step: step && steps.includes(step) ? step : 15, whole: whole === true }
}
