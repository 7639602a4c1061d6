/** The scripts and the responsible people of one step (spec §7). */
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import { z } from 'zod'
import { operation } from '../../records/operation.ts'
import type { Records } from '../../records/records.ts'
import { MAX_PARTS } from './body.ts'
import { saveList, under } from './save.ts'
import { id, idQuery, person, stageScript } from './shapes.ts'
import { personOf, type WholeStep } from './view.ts'

const base = '/regulations/model'
const ofStep = z.strictObject({ stepId: idQuery })
const ids = z.array(id).max(MAX_PARTS)

/** The list of a step as it is, and the call that makes it what is asked for. */
const callsOf = <const F extends string>(
  list: 'scripts' | 'responsibles',
  field: F,
  told: { get: string; set: string; answer: z.ZodType },
  read: (records: Records, idStep: number) => Promise<unknown>,
) => [
  operation({
    method: 'GET',
    path: `${base}/get-step-${list}`,
    summary: told.get,
    access: 'signed-in',
    query: ofStep,
    answer: told.answer,
    handler: ({ records, query }) => read(records, query.stepId),
  }),
  operation({
    method: 'POST',
    path: `${base}/set-step-${list}`,
    summary: told.set,
    access: 'editScripts',
    query: ofStep,
    body: z.strictObject({ [field]: ids } as Record<F, typeof ids>),
    answer: told.answer,
    handler: ({ records, query: { stepId }, body }) =>
      records.tx(async (inside) => {
        await setList(inside, stepId, list, field, (body as Record<F, number[]>)[field])
        return read(inside, stepId)
      }),
  }),
]

const scriptsOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).scripts.map(({ script: { id, name, active } }) => ({ id, name, active }))

const peopleOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).responsibles.map(({ user }) => personOf(user))

export const stepOperations = [
  ...callsOf(
    'scripts',
    'scriptIds',
    { get: 'Скрипты шага по порядку', set: 'Скрипты шага приводятся к списку scriptIds', answer: z.array(stageScript) },
    scriptsOf,
  ),
  ...callsOf(
    'responsibles',
    'userIds',
    { get: 'Ответственные за шаг', set: 'Ответственные за шаг приводятся к списку userIds', answer: z.array(person) },
    peopleOf,
  ),
]

async function setList(
  records: Records,
  idStep: number,
  list: 'scripts' | 'responsibles',
  field: string,
  wanted: readonly number[],
): Promise<void> {
  const step = await wholeStep(records, idStep)
  const listed = wanted.map((one) => ({ id: one }))
  await under(`${field}.`, () => saveList(records, list, idStep, step[list], listed))
}

/** @throws HttpError 404 when the asker does not see the step */
async function wholeStep(records: Records, idStep: number): Promise<Pick<WholeStep, 'scripts' | 'responsibles'>> {
  await records.view(RegulationStep, idStep, { fields: 'id' })
  const expand = 'scripts.script,responsibles.user'
  return JSON.parse(await records.asSystem.view(RegulationStep, idStep, { fields: 'id', expand }))
}
