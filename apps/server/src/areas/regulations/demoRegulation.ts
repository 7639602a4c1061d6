import type { Classification } from '@ordinator/model/areas/regulations/regulation'
import type { ViolationLevel, ViolationState } from '@ordinator/model/areas/regulations/run'
import type { StepImportance, StepStatus, StepType } from '@ordinator/model/areas/regulations/step'
import type { RegulationTest } from '@ordinator/model/areas/regulations/test'

export interface DemoStep {
  title: string
  /** HTML. */
  text: string
  minutes?: number
  status?: StepStatus
  importance?: StepImportance
  type?: StepType
  by?: string
  /** Names of the demo's scripts. */
  scripts?: readonly string[]
  /** Logins. */
  people?: readonly string[]
}

export interface DemoViolation {
  /** From 0. */
  step: number
  login: string
  level: ViolationLevel
  text: string
  /** Days since it was found. */
  days: number
  /** Its outcome; new by default. */
  state?: ViolationState
  explanation?: string
  /** Rubles. */
  deduction?: number
}

export interface DemoRegulation {
  name: string
  description: string
  type: Classification
  /** Name of a standard role. */
  role: string
  /** Login. */
  responsible: string
  status: 'template' | 'review' | 'approved' | 'active' | 'archived'
  /** Days since it came into force, or since it was written. */
  days: number
  reviewMonths?: number
  /** Names of roles. */
  audience?: readonly string[]
  reviewers?: readonly { login: string; kind: 'reviewer' | 'approver' }[]
  rejectionReason?: string
  /** Days until it comes into force. */
  effectiveIn?: number
  /** Adds an archived version before it and a draft of the next one. */
  hasVersions?: boolean
  test?: RegulationTest
  violations?: readonly DemoViolation[]
  steps: readonly DemoStep[]
}
