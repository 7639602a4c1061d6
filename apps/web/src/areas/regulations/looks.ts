/** Colours of statuses and labels (spec §4). */
import type { Decision } from '@ordinator/model/areas/regulations/regulation'
import { type ViolationLevel, violationLevels } from '@ordinator/model/areas/regulations/run'
import type { RegulationStatus } from '@ordinator/model/areas/regulations/status'
import type { StepImportance, StepStatus, StepType } from '@ordinator/model/areas/regulations/step'

/** Colour names of the kit. */
export type Color = 'gray' | 'blue' | 'teal' | 'green' | 'yellow' | 'orange' | 'red' | 'violet'

export const statusColors: Readonly<Record<RegulationStatus, Color>> = {
  template: 'gray',
  review: 'yellow',
  approved: 'blue',
  active: 'green',
  archived: 'gray',
}

/** Positive, warning, negative and grey. */
export const stepStatusColors: Readonly<Record<StepStatus, Color>> = {
  active: 'green',
  attention: 'yellow',
  critical: 'red',
  optional: 'gray',
}

export const importanceColors: Readonly<Record<StepImportance, Color>> = { high: 'red', normal: 'blue', low: 'gray' }

export const stepTypeColors: Readonly<Record<StepType, Color>> = {
  internal: 'gray',
  external: 'blue',
  technical: 'violet',
  security: 'red',
  quality: 'teal',
}

export const decisionColors: Readonly<Record<Decision, Color>> = { none: 'gray', approved: 'green', rejected: 'red' }

/** Critical red, high orange, otherwise yellow. */
export const violationColors: Readonly<Record<ViolationLevel, Color>> = {
  critical: 'red',
  high: 'orange',
  medium: 'yellow',
}

/** Most severe first. */
const levels = Object.keys(violationLevels) as ViolationLevel[]

/** Level that colours a step: of its most severe violation. */
export function worstLevel(violations: readonly { level: ViolationLevel }[]): ViolationLevel | undefined {
  return levels.find((level) => violations.some((one) => one.level === level))
}
