/** What the calls of regulations (spec §7 «Regulation calls») answer and take. Times are ISO 8601, dates `YYYY-MM-DD`. */
import { z } from 'zod'
import { id, oneOf } from '../../call.ts'
import { type Classification, classifications, decisions, reviewerKinds } from './regulation.ts'
import { violationLevels } from './run.ts'
import { regulationStatuses } from './status.ts'
import { stepImportances, stepStatuses, stepTypes } from './step.ts'

export const person = z.object({
  id,
  fio: z.string(),
  shortFio: z.string(),
  avatar: z.string().nullable(),
})
export type RegulationPerson = z.output<typeof person>

const lineFields = {
  id,
  name: z.string(),
  description: z.string().nullable(),
  type: oneOf<Classification>(classifications),
  status: oneOf(regulationStatuses),
  /** Name of the role that answers for it, a key of `GET /regulations/roles/index`. */
  role: z.string().nullable(),
  idResponsibleUser: id.nullable(),
  responsibleUser: person.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  stagesCount: z.int(),
  /** Sum of the steps' estimates, in minutes. */
  timeEstimate: z.int(),
  version: z.int(),
  /** The first version, which stands for all of them; null on itself. */
  idFirst: id.nullable(),
  dateEffective: z.string().nullable(),
  dateReview: z.string().nullable(),
  _version: z.int(),
}
/** One row of the list: `GET /regulations/model/index`. */
export const regulationLine = z.object(lineFields)
export type RegulationLine = z.output<typeof regulationLine>

export const listMeta = z.object({
  currentPage: z.int(),
  perPage: z.int(),
  hasMore: z.boolean(),
  totalCount: z.int(),
  pageCount: z.int(),
})

const decision = oneOf(decisions)

export const userRegulation = z.object({
  ...lineFields,
  /** The asker's duty to read it. */
  read: z
    .object({ dateDue: z.string().nullable(), dateRead: z.string().nullable(), score: z.int().nullable() })
    .nullable(),
  /** The asker's decision as a reviewer; null: is none. */
  decision: decision.nullable(),
})
/** What the asker must read, answers for or checks: `GET /regulations/model/get-user-regulations`. */
export type UserRegulation = z.output<typeof userRegulation>

export const stageScript = z.object({ id, name: z.string(), active: z.boolean() })
export type StageScript = z.output<typeof stageScript>

/** `url` is one of our own: `/files/{idFile}`. */
const stageImage = z.object({ id, idFile: id, url: z.string(), description: z.string().nullable() })
export type StageImage = z.output<typeof stageImage>

const stageDocument = z.object({
  id,
  idFile: id,
  url: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  extension: z.string(),
})
export type StageDocument = z.output<typeof stageDocument>

const stageFields = {
  id,
  title: z.string(),
  /** Sanitised HTML. */
  description: z.string().nullable(),
  /** Minutes; 0: not estimated. */
  timeEstimate: z.int(),
  status: oneOf(stepStatuses),
  importance: oneOf(stepImportances),
  type: oneOf(stepTypes),
  responsible: z.string().nullable(),
  responsibles: z.array(id),
  users: z.array(person),
  images: z.array(stageImage),
  scripts: z.array(id),
  scriptNames: z.array(stageScript),
  documents: z.array(stageDocument),
  /** Those that the asker may see. */
  violations: z.array(
    z.object({ id, idUser: id, level: oneOf(violationLevels), description: z.string(), dateCreate: z.string() }),
  ),
}
const stage = z.object(stageFields)
/** A step, as the specification calls it in bodies and answers. */
export type Stage = z.output<typeof stage>
export type StageViolation = Stage['violations'][number]

const test = z.object({
  questions: z.array(
    z.object({ text: z.string(), options: z.array(z.object({ text: z.string(), isRight: z.boolean() })) }),
  ),
})

const transition = z.object({ to: oneOf(regulationStatuses), label: z.string(), needsReason: z.boolean() })
export type RegulationTransition = z.output<typeof transition>

const version = z.object({ id, version: z.int(), status: oneOf(regulationStatuses), updated_at: z.string() })
export type RegulationVersion = z.output<typeof version>

const reviewer = z.object({
  id,
  idUser: id,
  user: person,
  kind: oneOf(reviewerKinds),
  decision,
  dateDecision: z.string().nullable(),
  comment: z.string().nullable(),
})
export type RegulationReviewerView = z.output<typeof reviewer>

/** A row names a person or a role; `role` is its name. */
const audience = z.object({
  id,
  idUser: id.nullable(),
  user: person.nullable(),
  idRole: id.nullable(),
  role: z.string().nullable(),
})
export type RegulationAudienceView = z.output<typeof audience>

export const regulationView = z.object({
  ...lineFields,
  rejectionReason: z.string().nullable(),
  dateApproved: z.string().nullable(),
  dateActive: z.string().nullable(),
  dateArchived: z.string().nullable(),
  reviewMonths: z.int(),
  readDays: z.int(),
  passScore: z.int(),
  /** How many questions the test has. */
  hasTest: z.int(),
  /** With the right answers: only for those who may write it. */
  test: test.nullish(),
  /** The content may be changed by the asker now. */
  canEdit: z.boolean(),
  /** Those that the asker may make now. */
  transitions: z.array(transition),
  /** The asker may make a new version of it now. */
  newVersion: z.boolean(),
  /** Newest first. */
  versions: z.array(version),
  reviewers: z.array(reviewer),
  audience: z.array(audience),
  stages: z.array(stage),
})
/** `GET /regulations/model/view`, and the answer of every call that writes one. */
export type RegulationView = z.output<typeof regulationView>

const fieldChange = z.object({ field: z.string(), label: z.string(), from: z.unknown(), to: z.unknown() })
export type FieldChange = z.output<typeof fieldChange>

const numbered = z.object({ ...stageFields, n: z.int() }).optional()
const stageDifference = z.object({
  state: z.enum(['added', 'removed', 'changed', 'moved', 'same']),
  from: numbered,
  to: numbered,
  changes: z.array(fieldChange),
})
/** A step of one version beside the step that it became: `n` counts from 1. */
export type StageDifference = z.output<typeof stageDifference>

export const regulationDifference = z.object({ fields: z.array(fieldChange), stages: z.array(stageDifference) })
/** `GET /regulations/model/compare?id=&with=`. */
export type RegulationDifference = z.output<typeof regulationDifference>

export const regulationImport = z.object({
  name: z.string(),
  /** A plain text. */
  description: z.string(),
  stages: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      images: z.array(z.object({ idFile: id, url: z.string() })),
    }),
  ),
  /** What was not taken over, in words. */
  warnings: z.array(z.string()),
})
/** `POST /regulations/model/import-docx`: what a document would make; nothing but the pictures is stored. */
export type RegulationImport = z.output<typeof regulationImport>

export const MAX_STAGES = 200
/** Pictures, documents, scripts or people of one step. */
export const MAX_PARTS = 50

const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .max(MAX_PARTS)
    .nullish()
    .transform((list) => list ?? [])
const fileNamed = { idFile: id.optional(), url: z.string().max(2000).optional() }

const stageBody = z.object({
  id: z.union([z.int(), z.string()]).nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  timeEstimate: z.int().optional(),
  status: oneOf(stepStatuses).optional(),
  importance: oneOf(stepImportances).optional(),
  type: oneOf(stepTypes).optional(),
  responsible: z.string().nullish(),
  responsibles: listOf(id),
  images: listOf(z.object({ ...fileNamed, description: z.string().nullish() })),
  scripts: listOf(id),
  documents: listOf(z.union([id, z.object(fileNamed)])),
})

/** A step to be saved; without an id, or with a marker of the client's (`new-1`), it is a new one. */
export type StageBody = z.input<typeof stageBody>
export type StageValues = z.output<typeof stageBody>

/** Unknown and temporary keys are dropped. */
export const regulationBody = z.object({
  name: z.string().nullish(),
  description: z.string().nullish(),
  type: oneOf(classifications).optional(),
  /** Name of the role. */
  role: z.string().nullish(),
  responsibleUser: z.union([id, z.object({ id })]).nullish(),
  idResponsibleUser: id.nullish(),
  reviewMonths: z.int().optional(),
  readDays: z.int().optional(),
  dateEffective: z.string().nullish(),
  passScore: z.int().optional(),
  test: test.nullish(),
  /** On an update: absent, the steps stay as they are. */
  stages: z.array(stageBody).max(MAX_STAGES).nullish(),
  _version: z.int().optional(),
})
/** `POST /regulations/model/create` and `…/update?id=`. The order of the stages is the order of the steps. */
export type RegulationBody = z.input<typeof regulationBody>
export type RegulationValues = z.output<typeof regulationBody>
