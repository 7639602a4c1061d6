/** The body of a regulation (spec §5 «Regulation save»): what it may hold, and what is stored of it. */

import { classifications, Regulation } from '@ordinator/model/areas/regulations/regulation'
import { RegulationStep, stepImportances, stepStatuses, stepTypes } from '@ordinator/model/areas/regulations/step'
import { checkBody, type FieldError } from '@ordinator/model/check'
import type { Create, Update } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import { z } from 'zod'
import { ValidationError } from '../../platform/errors.ts'
import type { ServerActor } from '../../records/actor.ts'
import { id, oneOf, test } from './shapes.ts'

export const MAX_STAGES = 200
/** Pictures, documents, scripts or people of one step. */
export const MAX_PARTS = 50

const NO_NAME = 'Название регламента обязательно для заполнения'
const noTitle = (n: number) => `Название шага ${n} обязательно для заполнения`

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
export type RegulationValues = z.output<typeof regulationBody>
export type StageValues = z.output<typeof stageBody>

/** The fields of the regulation itself that a body gives. */
export function fieldsOf(body: RegulationValues, idRole: number | null | undefined): Update<typeof Regulation> {
  const { name, description, type, reviewMonths, readDays, dateEffective, passScore, test } = body
  return withoutAbsent({
    name: name ?? '',
    description,
    type,
    reviewMonths,
    readDays,
    dateEffective,
    passScore,
    test,
    idRole,
    idResponsibleUser: responsibleOf(body),
  })
}

/** The fields of a step; its place in the list is its order. */
export function stepFieldsOf(stage: StageValues, place: number): Omit<Create<typeof RegulationStep>, 'idRegulation'> {
  const { title, description, timeEstimate, status, importance, type, responsible } = stage
  return {
    title: title ?? '',
    description: description ?? null,
    timeEstimate: timeEstimate ?? 0,
    status: status ?? 'active',
    importance: importance ?? 'normal',
    type: type ?? 'internal',
    responsible: responsible ?? null,
    order: place + 1,
  }
}

/** The id of a step that is there already; a marker of the client's means a new one. */
export function stepIdOf({ id: given }: StageValues): number | undefined {
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given
  return typeof id === 'number' && id > 0 ? id : undefined
}

/** @throws ValidationError with every error of the body, each under the name that its client knows it by */
export function checkRegulation(body: RegulationValues, values: Update<typeof Regulation>, actor: ServerActor): void {
  const errors: FieldError[] = []
  for (const error of checkBody(Regulation, values, 'create', actor).errors ?? [])
    errors.push(error.field === 'name' && isEmpty(error) ? { ...error, message: NO_NAME } : renamed(error))
  for (const [place, stage] of (body.stages ?? []).entries()) {
    const step = { ...stepFieldsOf(stage, place), idRegulation: 1 }
    for (const error of checkBody(RegulationStep, step, 'create', actor).errors ?? [])
      errors.push({
        field: `stages.${place}.${error.field}`,
        message: error.field === 'title' && isEmpty(error) ? noTitle(place + 1) : error.message,
      })
  }
  if (errors.length) throw new ValidationError(errors)
}

/** The body's own names of references. */
export function renamed({ field, message }: FieldError): FieldError {
  return { field: bodyNames[field] ?? field, message }
}
const bodyNames: Record<string, string> = { idRole: 'role', idResponsibleUser: 'responsibleUser' }

const isEmpty = ({ message }: FieldError) => message === messages.required

function responsibleOf({ responsibleUser, idResponsibleUser }: RegulationValues): number | null | undefined {
  if (responsibleUser === undefined) return idResponsibleUser
  return typeof responsibleUser === 'object' ? (responsibleUser?.id ?? null) : responsibleUser
}

const withoutAbsent = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Update<typeof Regulation>
