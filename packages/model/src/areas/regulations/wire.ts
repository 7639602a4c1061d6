/** What the calls of regulations (spec §7 «Regulation calls») answer and take. Times are ISO 8601, dates `YYYY-MM-DD`. */
import type { Classification, Decision, ReviewerKind } from './regulation.ts'
import type { ViolationLevel } from './run.ts'
import type { RegulationStatus } from './status.ts'
import type { StepImportance, StepStatus, StepType } from './step.ts'
import type { RegulationTest } from './test.ts'

export interface RegulationPerson {
  id: number
  fio: string
  shortFio: string
  avatar: string | null
}

/** One row of the list: `GET /regulations/model/index`. */
export interface RegulationLine {
  id: number
  name: string
  description: string | null
  type: Classification
  status: RegulationStatus
  /** Name of the role that answers for it, a key of `GET /regulations/roles/index`. */
  role: string | null
  idResponsibleUser: number | null
  responsibleUser: RegulationPerson | null
  created_at: string
  updated_at: string
  stagesCount: number
  /** Sum of the steps' estimates, in minutes. */
  timeEstimate: number
  version: number
  /** The first version, which stands for all of them; null on itself. */
  idFirst: number | null
  dateEffective: string | null
  dateReview: string | null
  _version: number
}

/** What the asker must read, answers for or checks: `GET /regulations/model/get-user-regulations`. */
export interface UserRegulation extends RegulationLine {
  /** The asker's duty to read it. */
  read: { dateDue: string | null; dateRead: string | null; score: number | null } | null
  /** The asker's decision as a reviewer; null: is none. */
  decision: Decision | null
}

export interface StageImage {
  id: number
  idFile: number
  /** One of our own: `/files/{idFile}`. */
  url: string
  description: string | null
}

export interface StageDocument {
  id: number
  idFile: number
  url: string
  name: string
  /** Bytes. */
  size: number
  extension: string
}

export interface StageScript {
  id: number
  name: string
  active: boolean
}

export interface StageViolation {
  id: number
  idUser: number
  level: ViolationLevel
  description: string
  dateCreate: string
}

/** A step, as the specification calls it in bodies and answers. */
export interface Stage {
  id: number
  title: string
  /** Sanitised HTML. */
  description: string | null
  /** Minutes; 0: not estimated. */
  timeEstimate: number
  status: StepStatus
  importance: StepImportance
  type: StepType
  responsible: string | null
  responsibles: number[]
  users: RegulationPerson[]
  images: StageImage[]
  scripts: number[]
  scriptNames: StageScript[]
  documents: StageDocument[]
  /** Those that the asker may see. */
  violations: StageViolation[]
}

export interface RegulationTransition {
  to: RegulationStatus
  label: string
  needsReason: boolean
}

export interface RegulationVersion {
  id: number
  version: number
  status: RegulationStatus
  updated_at: string
}

export interface RegulationReviewerView {
  id: number
  idUser: number
  user: RegulationPerson
  kind: ReviewerKind
  decision: Decision
  dateDecision: string | null
  comment: string | null
}

/** A row names a person or a role. */
export interface RegulationAudienceView {
  id: number
  idUser: number | null
  user: RegulationPerson | null
  idRole: number | null
  /** Name of the role. */
  role: string | null
}

/** `GET /regulations/model/view`, and the answer of every call that writes one. */
export interface RegulationView extends RegulationLine {
  rejectionReason: string | null
  dateApproved: string | null
  dateActive: string | null
  dateArchived: string | null
  reviewMonths: number
  readDays: number
  passScore: number
  /** How many questions the test has. */
  hasTest: number
  /** With the right answers: only for those who may write it. */
  test?: RegulationTest | null
  /** The content may be changed by the asker now. */
  canEdit: boolean
  /** Those that the asker may make now. */
  transitions: RegulationTransition[]
  /** The asker may make a new version of it now. */
  newVersion: boolean
  /** Newest first. */
  versions: RegulationVersion[]
  reviewers: RegulationReviewerView[]
  audience: RegulationAudienceView[]
  stages: Stage[]
}

/** A step to be saved; without an id, or with a marker of the client's (`new-1`), it is a new one. */
export interface StageBody {
  id?: number | string | null
  title: string
  description?: string | null
  timeEstimate?: number
  status?: StepStatus
  importance?: StepImportance
  type?: StepType
  responsible?: string | null
  responsibles?: number[]
  images?: { idFile?: number; url?: string; description?: string | null }[]
  scripts?: number[]
  documents?: (number | { idFile?: number; url?: string })[]
}

/** `POST /regulations/model/create` and `…/update?id=`. The order of the stages is the order of the steps. */
export interface RegulationBody {
  name: string
  description?: string | null
  type?: Classification
  role?: string | null
  responsibleUser?: number | { id: number } | null
  idResponsibleUser?: number | null
  reviewMonths?: number
  readDays?: number
  dateEffective?: string | null
  passScore?: number
  test?: RegulationTest | null
  stages?: StageBody[]
  /** Stale: 409 with the regulation as it is now. */
  _version?: number
}

export interface FieldChange {
  field: string
  label: string
  from: unknown
  to: unknown
}

/** A step of one version beside the step that it became: `n` counts from 1. */
export interface StageDifference {
  state: 'added' | 'removed' | 'changed' | 'moved' | 'same'
  from?: Stage & { n: number }
  to?: Stage & { n: number }
  changes: FieldChange[]
}

/** `GET /regulations/model/compare?id=&with=`. */
export interface RegulationDifference {
  fields: FieldChange[]
  stages: StageDifference[]
}

/** `POST /regulations/model/import-docx`: what a document would make; nothing but the pictures is stored. */
export interface RegulationImport {
  name: string
  /** A plain text. */
  description: string
  stages: { title: string; description: string; images: { idFile: number; url: string }[] }[]
  /** What was not taken over, in words. */
  warnings: string[]
}
