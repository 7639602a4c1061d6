/** Colours of runs and violations. */
import type { RunState, RunStepState, ViolationState } from '@ordinator/model/areas/regulations/run'
import type { Color } from '../looks.ts'

export const runColors: Readonly<Record<RunState, Color>> = { going: 'blue', finished: 'green', cancelled: 'gray' }

export const markColors: Readonly<Record<RunStepState, Color>> = {
  waiting: 'gray',
  done: 'green',
  skipped: 'orange',
  failed: 'red',
}

export const violationStateColors: Readonly<Record<ViolationState, Color>> = {
  new: 'yellow',
  explained: 'blue',
  confirmed: 'red',
  rejected: 'gray',
  fixed: 'green',
}
