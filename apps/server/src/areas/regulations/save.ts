/** Saving of a regulation as a whole: its fields, its steps in order, and the parts of the steps. */
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import {
  RegulationFile,
  RegulationStep,
  StepDocument,
  StepImage,
  StepResponsible,
  StepScript,
} from '@ordinator/model/areas/regulations/step'
import type { RegulationValues, StageValues } from '@ordinator/model/areas/regulations/wire'
import { Role } from '@ordinator/model/areas/staff/role'
import type { FieldError } from '@ordinator/model/check'
import type { Entity } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { conflict, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { missing } from '#records/reference.ts'
import { checkRegulation, fieldsOf, renamed, stepFieldsOf, stepIdOf } from './body.ts'
import { viewOf, type WholeStep, wholeRegulation } from './view.ts'

const view = operation(regulationCalls.view, ({ records, query: { id } }) => viewOf(records, id))

const create = operation(regulationCalls.create, ({ records, body }) =>
  records.tx(async (inside) => {
    const values = fieldsOf(body, await idOfRole(inside, body))
    checkRegulation(body, values, inside.actor)
    const { id } = await under('', () => inside.create(Regulation, values as typeof values & { name: string }))
    await saveStages(inside, id, [], body.stages ?? [])
    return viewOf(inside, id)
  }),
)

const update = operation(regulationCalls.update, ({ records, query: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await hold(tx, id)
    const before = await inside.row(Regulation, id)
    if (body._version !== undefined && body._version !== before._version) throw conflict(await viewOf(inside, id))
    const values = fieldsOf(body, await idOfRole(inside, body))
    checkRegulation(body, values, inside.actor)
    await under('', () => inside.update(Regulation, id, values))
    if (body.stages !== undefined)
      await saveStages(inside, id, (await wholeRegulation(inside, id)).stages, body.stages ?? [])
    return viewOf(inside, id)
  }),
)

const remove = operation(regulationCalls.remove, ({ records, query: { id } }) => records.remove(Regulation, id))

export const saveOperations = [view, create, update, remove]

/** Lists of a step: the entity and the reference field of each, in the list's order. */
export const stepLists = {
  images: { entity: StepImage, by: 'idFile' },
  documents: { entity: StepDocument, by: 'idFile' },
  scripts: { entity: StepScript, by: 'idScript' },
  responsibles: { entity: StepResponsible, by: 'idUser' },
} as const
type StepList = keyof typeof stepLists

/** An item of such a list: the referenced record, with the fields of the line itself. */
export interface Listed {
  id: number
  fields?: Record<string, unknown>
}

/**
 * Updates one list of a step to the wanted items, in order: missing ones are deleted, new ones added, duplicates
 * dropped.
 * @param there the current list
 * @throws ValidationError whose fields are indexes in the list: `2`
 */
export async function saveList(
  records: Records,
  list: StepList,
  idStep: number,
  there: readonly object[],
  wanted: readonly Listed[],
): Promise<void> {
  const { by } = stepLists[list]
  const entity: Entity = stepLists[list].entity
  const isOrdered = Object.hasOwn(entity.fields, 'order')
  const rows = there as (Record<string, unknown> & { id: number })[]
  const rest = new Map(rows.map((row) => [row[by], row.id]))
  const named = new Set<number>()
  for (const [place, { id, fields }] of wanted.entries()) {
    if (named.has(id)) continue
    named.add(id)
    const values = { ...fields, ...(isOrdered && { order: named.size }) }
    const idRow = rest.get(id)
    rest.delete(id)
    await under(`${place}`, async () => {
      if (idRow === undefined) {
        if (list === 'images') await mustBePicture(records, id)
        await records.create(entity, { idStep, [by]: id, ...values })
      } else if (Object.keys(values).length) await records.update(entity, idRow, values)
    })
  }
  for (const idRow of rest.values()) await records.remove(entity, idRow)
}

async function saveStages(
  records: Records,
  idRegulation: number,
  there: readonly WholeStep[],
  stages: readonly StageValues[],
): Promise<void> {
  const rest = new Map(there.map((step) => [step.id, step]))
  const kept = stages.map((stage, place) => {
    const id = stepIdOf(stage)
    if (id === undefined) return undefined
    const step = rest.get(id)
    // A step of another regulation, a deleted one, or a duplicate.
    if (!step) throw missing(`stages.${place}.id`)
    rest.delete(id)
    return step
  })
  for (const { id } of rest.values()) await records.remove(RegulationStep, id)
  for (const [place, stage] of stages.entries()) {
    const values = stepFieldsOf(stage, place)
    const before = kept[place]
    await under(`stages.${place}.`, async () => {
      const { id } = before
        ? await records.update(RegulationStep, before.id, values)
        : await records.create(RegulationStep, { ...values, idRegulation })
      for (const [list, wanted] of Object.entries(listsOf(stage)) as [StepList, Listed[]][])
        await under(`${list}.`, () => saveList(records, list, id, before?.[list] ?? [], wanted))
    })
  }
}

/** @throws ValidationError for a file with a foreign URL */
const listsOf = ({ images, documents, scripts, responsibles }: StageValues): Record<StepList, Listed[]> => ({
  images: images.map((image, place) => ({
    id: fileOf(image, `images.${place}`),
    fields: { description: image.description ?? null },
  })),
  documents: documents.map((one, place) => ({
    id: typeof one === 'number' ? one : fileOf(one, `documents.${place}`),
  })),
  scripts: scripts.map((id) => ({ id })),
  responsibles: responsibles.map((id) => ({ id })),
})

function fileOf({ idFile, url }: { idFile?: number | undefined; url?: string | undefined }, at: string): number {
  if (idFile !== undefined) return idFile
  const own = /^\/files\/(\d{1,15})(?:\/(?:small|medium|large))?$/.exec(url ?? '')?.[1]
  if (own) return Number(own)
  throw new ValidationError([{ field: `${at}.url`, message: 'Нужен адрес загруженного файла: /files/…' }])
}

async function mustBePicture(records: Records, idFile: number): Promise<void> {
  const [file] = await records.rows(RegulationFile, { 'filter[id]': idFile })
  if (!file) throw missing('idFile')
  if (file.meta.category !== 'image') throw new ValidationError([{ field: 'idFile', message: 'Нужна картинка' }])
}

async function idOfRole(records: Records, { role }: RegulationValues): Promise<number | null | undefined> {
  if (role === undefined || role === null || role.trim() === '') return role === undefined ? undefined : null
  const [found] = await records.asSystem.rows(Role, { 'filter[name]': role.trim(), fields: 'id' })
  if (!found) throw missing('role')
  return found.id
}

/** Locks the regulation against writes until the transaction ends. */
const hold = (tx: Tx, id: number) => tx.query(sql`select 1 from regulations where "id" = ${id} for no key update`)

/** Prefixes the field names of errors. A prefix without a dot is the field itself. */
export async function under<T>(prefix: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.items.map((item: FieldError) => {
        const { field, message } = renamed(item)
        return { field: prefix === '' || prefix.endsWith('.') ? `${prefix}${field}` : prefix, message }
      }),
    )
  }
}
