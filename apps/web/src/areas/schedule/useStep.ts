import { usePreference } from '../../base/preferences.ts'
import type { Step } from '../../kit/dayGrid/scale.ts'

export const steps: readonly Step[] = [5, 10, 15]

/** Minutes of a step of the grid; this computer's own choice. */
export function useStep(): [Step, (step: Step) => void] {
  const [{ step }, set] = usePreference('calendar-step', read, 'device')
  return [step, (next) => set({ step: next })]
}

function read(stored: unknown): { step: Step } {
  const { step } = (stored ?? {}) as { step?: Step }
  return { step: step && steps.includes(step) ? step : 15 }
}
