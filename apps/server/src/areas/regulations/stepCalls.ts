/** Calls for the scripts and the responsible people of one step (spec §7). */
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { saveList, under } from './save.ts'
import { personOf, type WholeStep } from './view.ts'

const scriptsOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).scripts.map(({ script: { id, name, active } }) => ({ id, name, active }))

const peopleOf = async (records: Records, idStep: number) =>
  (await wholeStep(records, idStep)).responsibles.map(({ user }) => personOf(user))

export const stepOperations = [
  operation(regulationCalls.stepScripts, ({ records, query }) => scriptsOf(records, query.stepId)),
  operation(regulationCalls.setStepScripts, ({ records, query: { stepId }, body }) =>
    records.tx(async (inside) => {
      await setList(inside, stepId, 'scripts', 'scriptIds', body.scriptIds)
      return scriptsOf(inside, stepId)
    }),
  ),
  operation(regulationCalls.stepResponsibles, ({ records, query }) => peopleOf(records, query.stepId)),
  operation(regulationCalls.setStepResponsibles, ({ records, query: { stepId }, body }) =>
    records.tx(async (inside) => {
      await setList(inside, stepId, 'responsibles', 'userIds', body.userIds)
      return peopleOf(inside, stepId)
    }),
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

/** @throws HttpError 404 when the step is outside the user's scope */
async function wholeStep(records: Records, idStep: number): Promise<Pick<WholeStep, 'scripts' | 'responsibles'>> {
  await records.view(RegulationStep, idStep, { fields: 'id' })
  const expand = 'scripts.script,responsibles.user'
  return JSON.parse(await records.asSystem.view(RegulationStep, idStep, { fields: 'id', expand }))
}
