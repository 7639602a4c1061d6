/**
 * Requests and responses of the regulation calls (spec §7 «Regulation calls»). Times are ISO 8601, dates `YYYY-MM-DD`.
 */
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
  /** Responsible role, a key of `GET /regulations/roles/index`. */
  role: z.string().nullable(),
  idResponsibleUser: id.nullable(),
  responsibleUser: person.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  stagesCount: z.int(),
  /** Sum of the steps' estimates, in minutes. */
  timeEstimate: z.int(),
  version: z.int(),
  /** The first version, which identifies the regulation; null on itself. */
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
  /** The user's reading assignment. */
  read: z
    .object({ dateDue: z.string().nullable(), dateRead: z.string().nullable(), score: z.int().nullable() })
    .nullable(),
  /** The user's decision as a reviewer; null: not a reviewer. */
  decision: decision.nullable(),
})
/**
 * Regulations that the user must read, is responsible for, or reviews: `GET /regulations/model/get-user-regulations`.
 */
export type UserRegulation = z.output<typeof userRegulation>

export const stageScript = z.object({ id, name: z.string(), active: z.boolean() })
export type StageScript = z.output<typeof stageScript>

/** `url` is internal: `/files/{idFile}`. */
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
  /** Minutes; 0: no estimate. */
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
  /** Violations that the user may see. */
  violations: z.array(
    z.object({ id, idUser: id, level: oneOf(violationLevels), description: z.string(), dateCreate: z.string() }),
  ),
}
const stage = z.object(stageFields)
/** A step; «stage» in the specification's requests and responses. */
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

/** A row has a person or a role, by name. */
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
  /** Number of questions in the test. */
  hasTest: z.int(),
  /** With the right answers: only for editors. */
  test: test.nullish(),
  /** The user can edit the content now. */
  canEdit: z.boolean(),
  /** Transitions that the user can make now. */
  transitions: z.array(transition),
  /** The user can make a new version now. */
  newVersion: z.boolean(),
  /** Newest first. */
  versions: z.array(version),
  reviewers: z.array(reviewer),
  audience: z.array(audience),
  stages: z.array(stage),
})
/** `GET /regulations/model/view`, and the response of every write. */
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
/** A step in both versions: `n` counts from 1. */
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
  /** Parts that were not imported, in Russian. */
  warnings: z.array(z.string()),
})
/** `POST /regulations/model/import-docx`: preview of an imported document; only pictures are stored. */
export type RegulationImport = z.output<typeof regulationImport>

export const MAX_STAGES = 200
/** Maximum pictures, documents, scripts or people of a step. */
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

/** A step to save; new if without an id or with a client's temporary id (`new-1`). */
export type StageBody = z.input<typeof stageBody>
export type StageValues = z.output<typeof stageBody>

/** Drops unknown and temporary keys. */
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
  /** On an update: absent keeps the steps. */
  stages: z.array(stageBody).max(MAX_STAGES).nullish(),
  _version: z.int().optional(),
})
/** `POST /regulations/model/create` and `…/update?id=`. The array order is the order of the steps. */
export type RegulationBody = z.input<typeof regulationBody>
export type RegulationValues = z.output<typeof regulationBody>
