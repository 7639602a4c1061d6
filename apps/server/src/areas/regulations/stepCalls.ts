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

const scriptsAnswer = z.array(stageScript)
const peopleAnswer = z.array(person)

const getScripts = operation({
  method: 'GET',
  path: `${base}/get-step-scripts`,
  summary: 'Скрипты шага по порядку',
  access: 'signed-in',
  query: ofStep,
  answer: scriptsAnswer,
  handler: ({ records, query }) => scriptsOf(records, query.stepId),
})

const setScripts = operation({
  method: 'POST',
  path: `${base}/set-step-scripts`,
  summary: 'Скрипты шага приводятся к списку scriptIds',
  access: 'editScripts',
  query: ofStep,
  body: z.strictObject({ scriptIds: ids }),
  answer: scriptsAnswer,
  handler: ({ records, query: { stepId }, body: { scriptIds } }) =>
    records.tx(async (inside) => {
      await setList(inside, stepId, 'scripts', 'scriptIds', scriptIds)
      return scriptsOf(inside, stepId)
    }),
})

const getResponsibles = operation({
  method: 'GET',
  path: `${base}/get-step-responsibles`,
  summary: 'Ответственные за шаг',
  access: 'signed-in',
  query: ofStep,
  answer: peopleAnswer,
  handler: ({ records, query }) => peopleOf(records, query.stepId),
})

const setResponsibles = operation({
  method: 'POST',
  path: `${base}/set-step-responsibles`,
  summary: 'Ответственные за шаг приводятся к списку userIds',
  access: 'editScripts',
  query: ofStep,
  body: z.strictObject({ userIds: ids }),
  answer: peopleAnswer,
  handler: ({ records, query: { stepId }, body: { userIds } }) =>
    records.tx(async (inside) => {
      await setList(inside, stepId, 'responsibles', 'userIds', userIds)
      return peopleOf(inside, stepId)
    }),
})

export const stepOperations = [getScripts, setScripts, getResponsibles, setResponsibles]

const scriptsOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).scripts.map(({ script: { id, name, active } }) => ({ id, name, active }))

const peopleOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).responsibles.map(({ user }) => personOf(user))

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
