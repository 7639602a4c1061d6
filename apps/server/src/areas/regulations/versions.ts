import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { Regulation, RegulationAudience, RegulationReviewer } from '@ordinator/model/areas/regulations/regulation'
import { isOnItsWay, mayHaveNewVersion, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import type { Entity, Row } from '@ordinator/model/entity'
import { isStored, isWritable } from '@ordinator/model/fields/field'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { stepLists } from './save.ts'
import { lockVersion } from './transitions.ts'
import { viewOf, wholeRegulation } from './view.ts'

export const newVersion = operation(regulationCalls.newVersion, ({ records, query: { id } }) =>
  records.tx(async (inside, tx) => {
    const source = await lockVersion(inside, tx, id)
    if (!mayHaveNewVersion(source.status))
      throw new HttpError(409, `Новая версия делается из действующей или архивной`, { code: 'notInForce' })
    const idFirst = source.idFirst ?? source.id
    const family = await inside.rows(Regulation, {
      'filter[or][0][id]': idFirst,
      'filter[or][1][idFirst]': idFirst,
      limit: 500,
    })
    const next = family.find(({ status }) => isOnItsWay(status))
    if (next)
      throw new HttpError(
        409,
        `Уже есть версия ${next.version} (№ ${next.id}) в статусе «${regulationStatuses[next.status]}»`,
        { code: `version:${next.id}` },
      )
    const made = await copyRegulation(inside, source, {
      idFirst,
      idPrevious: source.id,
      // A deleted version keeps its number: it may be restored.
      version: 1 + Math.max(source.version, await lastVersion(inside, idFirst)),
    })
    return viewOf(inside, made)
  }),
)

/** The highest number of the versions, including deleted ones. */
async function lastVersion(records: Records, idFirst: number): Promise<number> {
  const trashed = { 'filter[idFirst]': idFirst, sort: '-version', limit: 1 }
  const found = [
    ...(await records.rows(Regulation, trashed)),
    ...(await records.rows(Regulation, { ...trashed, deleted: 1 })),
  ]
  return Math.max(0, ...found.map(({ version }) => version))
}

/** Creates a draft with the content of another version; its author is the actor. */
export async function copyRegulation(
  records: Records,
  source: Row<typeof Regulation>,
  more: Pick<Row<typeof Regulation>, 'idFirst' | 'idPrevious' | 'version'>,
): Promise<number> {
  const system = records.asSystem
  const { stages, reviewers, audience, ...whole } = await wholeRegulation(records, source.id)
  const { id: idRegulation } = await system.create(Regulation, {
    ...writableOf(Regulation, whole),
    // The effective date is not copied.
    dateEffective: null,
    ...more,
  } as Row<typeof Regulation>)
  for (const step of stages) {
    const { id: idStep } = await system.create(RegulationStep, {
      ...writableOf(RegulationStep, step),
      idRegulation,
      idOrigin: step.idOrigin ?? step.id,
    } as Row<typeof RegulationStep>)
    for (const [list, { entity }] of Object.entries(stepLists) as [keyof typeof stepLists, { entity: Entity }][])
      await copyAll(system, entity, step[list], { idStep })
  }
  await copyAll(system, RegulationReviewer, reviewers, { idRegulation })
  await copyAll(system, RegulationAudience, audience, { idRegulation })
  return idRegulation
}

async function copyAll(records: Records, entity: Entity, rows: readonly object[], to: object): Promise<void> {
  for (const row of rows) await records.create(entity, { ...writableOf(entity, row), ...to })
}

/** The client-writable fields of a record. */
const writableOf = (entity: Entity, row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      return field && isStored(field) && isWritable(field)
    }),
  )
