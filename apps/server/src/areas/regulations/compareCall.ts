import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { compareVersions } from '@ordinator/model/areas/regulations/compare'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import { badRequest } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { viewOf } from './view.ts'

export const compare = operation(regulationCalls.compare, async ({ records, query }) => {
  const views = [await viewOf(records, query.id), await viewOf(records, query.with)] as const
  const [from, to] = views[0].version <= views[1].version ? views : [views[1], views[0]]
  if ((from.idFirst ?? from.id) !== (to.idFirst ?? to.id)) throw badRequest('Сравниваются версии одного регламента')
  const steps = await records.rows(RegulationStep, {
    'filter[idRegulation][in]': `${from.id},${to.id}`,
    fields: 'idOrigin',
    limit: 500,
  })
  const origins = new Map(steps.map(({ id, idOrigin }) => [id, idOrigin ?? id]))
  return compareVersions(from, to, (id) => origins.get(id) ?? id)
})
