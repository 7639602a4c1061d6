/** The body of a regulation (spec §5 «Regulation save»): validation, and conversion to stored fields. */

import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import type { RegulationValues, StageValues } from '@ordinator/model/areas/regulations/wire'
import { checkBody, type FieldError } from '@ordinator/model/check'
import type { Create, Update } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'

const NO_NAME = 'Название регламента обязательно для заполнения'
const noTitle = (n: number) => `Название шага ${n} обязательно для заполнения`

/** The regulation's own fields of a body. */
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

/** The fields of a step; its index in the list is its order. */
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

/** The id of an existing step; a client's temporary id means a new one. */
export function stepIdOf({ id: given }: StageValues): number | undefined {
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given
  return typeof id === 'number' && id > 0 ? id : undefined
}

/** @throws ValidationError with every error of the body, each under the client's field name */
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

/** Converts stored reference names to those of the body. */
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
