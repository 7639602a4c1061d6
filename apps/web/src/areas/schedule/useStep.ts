import { usePreference } from '#base/preferences.ts'
import type { Step } from '#kit/dayGrid/scale.ts'

export const steps: readonly Step[] = [5, 10, 15]

export interface GridStep {
  step: Step
  /** Fits the day into the window. */
  whole: boolean
}

/** Minutes per step of the grid, and fit to window; stored on this device. */
export const useStep = (): [GridStep, (step: GridStep) => void] => usePreference('calendar-step', read, 'device')

function read(stored: unknown): GridStep {
  const { step, whole } = (stored ?? {}) as Partial<GridStep>
  return { step: step && steps.includes(step) ? step : 15, whole: whole === true }
}
