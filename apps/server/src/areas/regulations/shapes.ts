/** What the calls of regulations answer, for the document: packages/model/src/areas/regulations/wire.ts says the same in types. */
import {
  type Classification,
  classifications,
  decisions,
  reviewerKinds,
} from '@ordinator/model/areas/regulations/regulation'
import { violationLevels } from '@ordinator/model/areas/regulations/run'
import { regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { stepImportances, stepStatuses, stepTypes } from '@ordinator/model/areas/regulations/step'
import { z } from 'zod'

export const id = z.int().positive().max(Number.MAX_SAFE_INTEGER)
/** An id in an address. */
export const idQuery = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** The values of labels, as a choice. */
export const oneOf = <K extends string>(labels: Record<K, string>) => z.enum(Object.keys(labels) as [K, ...K[]])

export const person = z.object({
  id,
  fio: z.string(),
  shortFio: z.string(),
  avatar: z.string().nullable(),
})

const lineFields = {
  id,
  name: z.string(),
  description: z.string().nullable(),
  type: oneOf<Classification>(classifications),
  status: oneOf(regulationStatuses),
  role: z.string().nullable(),
  idResponsibleUser: id.nullable(),
  responsibleUser: person.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  stagesCount: z.int(),
  timeEstimate: z.int(),
  version: z.int(),
  idFirst: id.nullable(),
  dateEffective: z.string().nullable(),
  dateReview: z.string().nullable(),
  _version: z.int(),
}
export const regulationLine = z.object(lineFields)

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
  read: z
    .object({ dateDue: z.string().nullable(), dateRead: z.string().nullable(), score: z.int().nullable() })
    .nullable(),
  decision: decision.nullable(),
})

export const stageScript = z.object({ id, name: z.string(), active: z.boolean() })

const stageFields = {
  id,
  title: z.string(),
  description: z.string().nullable(),
  timeEstimate: z.int(),
  status: oneOf(stepStatuses),
  importance: oneOf(stepImportances),
  type: oneOf(stepTypes),
  responsible: z.string().nullable(),
  responsibles: z.array(id),
  users: z.array(person),
  images: z.array(z.object({ id, idFile: id, url: z.string(), description: z.string().nullable() })),
  scripts: z.array(id),
  scriptNames: z.array(stageScript),
  documents: z.array(
    z.object({ id, idFile: id, url: z.string(), name: z.string(), size: z.int(), extension: z.string() }),
  ),
  violations: z.array(
    z.object({ id, idUser: id, level: oneOf(violationLevels), description: z.string(), dateCreate: z.string() }),
  ),
}

export const test = z.object({
  questions: z.array(
    z.object({ text: z.string(), options: z.array(z.object({ text: z.string(), isRight: z.boolean() })) }),
  ),
})

export const regulationView = z.object({
  ...lineFields,
  rejectionReason: z.string().nullable(),
  dateApproved: z.string().nullable(),
  dateActive: z.string().nullable(),
  dateArchived: z.string().nullable(),
  reviewMonths: z.int(),
  readDays: z.int(),
  passScore: z.int(),
  hasTest: z.int(),
  test: test.nullish(),
  canEdit: z.boolean(),
  transitions: z.array(z.object({ to: oneOf(regulationStatuses), label: z.string(), needsReason: z.boolean() })),
  newVersion: z.boolean(),
  versions: z.array(z.object({ id, version: z.int(), status: oneOf(regulationStatuses), updated_at: z.string() })),
  reviewers: z.array(
    z.object({
      id,
      idUser: id,
      user: person,
      kind: oneOf(reviewerKinds),
      decision,
      dateDecision: z.string().nullable(),
      comment: z.string().nullable(),
    }),
  ),
  audience: z.array(
    z.object({
      id,
      idUser: id.nullable(),
      user: person.nullable(),
      idRole: id.nullable(),
      role: z.string().nullable(),
    }),
  ),
  stages: z.array(z.object(stageFields)),
})

const fieldChange = z.object({ field: z.string(), label: z.string(), from: z.unknown(), to: z.unknown() })
const numbered = z.object({ ...stageFields, n: z.int() }).optional()

export const regulationDifference = z.object({
  fields: z.array(fieldChange),
  stages: z.array(
    z.object({
      state: z.enum(['added', 'removed', 'changed', 'moved', 'same']),
      from: numbered,
      to: numbered,
      changes: z.array(fieldChange),
    }),
  ),
})
