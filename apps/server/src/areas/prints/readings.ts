/** Data of a record for a template, read with the printing user's rights. */
import { type Actor, can } from '@ordinator/model/access'
import { isOwnPicture } from '@ordinator/model/areas/examinations/form'
import type { RecordData } from '@ordinator/model/areas/prints/evaluate'
import type { Shown } from '@ordinator/model/areas/prints/formats'
import { type HeldRow, heldListsOf, withHeld } from '@ordinator/model/areas/prints/held'
import { readMarked } from '@ordinator/model/areas/prints/marked'
import { type Needs, neededBy } from '@ordinator/model/areas/prints/variables'
import { entityAt } from '@ordinator/model/entities'
import { type Entity, relationOf } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { badRequest, HttpError } from '#platform/errors.ts'
import { paperText } from '#records/fields/registry.ts'
import type { Records } from '#records/records.ts'

const at = withHeld(entityAt)

/** Maximum number of characters read for a document. */
const MAX_READ = 6_000_000

type Item = { id: number } & Record<string, unknown>

interface Found {
  /** Patients with data in it. */
  patients: Set<number>
  /** Cards with data in it. */
  cards: Map<number, Entity>
  /** Names of the clinic's own pictures under marks. */
  pictures: Set<string>
}

export interface Reading {
  data: RecordData
  /** Patients with data in it. */
  patients: Set<number>
  /** Branch of the record, if any. */
  idFilial: number | undefined
  /** Name of the record's patient. */
  patient: string
  /** Short name of the record's doctor; '' if none. */
  doctor: string
  /** Names of the contained pictures of the clinic. */
  pictures: ReadonlySet<string>
}

/** @throws HttpError 403, 404 for the record itself; invisible related records are omitted */
export async function readRecord(records: Records, entity: Entity, id: number, needs: Needs): Promise<Reading> {
  const own = withOwn(entity, neededBy(needs, entity, records.actor, at), records.actor)
  const item = await read(records, entity, id, own)
  const found: Found = { patients: new Set(), cards: new Map(), pictures: new Set() }
  const branch = branchField(entity)
  const patient = entity.personal === 'id' ? item : item[patientOf(entity)?.as ?? '']
  const data = dataOf(entity, item, own, records.actor.timeZone, found)
  await mustOpenAll(records, found.cards)
  return {
    data,
    patients: found.patients,
    idFilial: branch === undefined ? undefined : ((item[branch] as number | null) ?? undefined),
    patient: String((patient as Item | null | undefined)?.fio ?? ''),
    doctor: String((item[doctorOf(entity)?.as ?? ''] as Item | null | undefined)?.shortFio ?? ''),
    pictures: found.pictures,
  }
}

async function read(records: Records, entity: Entity, id: number, needs: Needs): Promise<Item> {
  const [fields, expand] = namesOf(entity, needs)
  const text = await records.view(entity, id, {
    fields: ['id', ...fields].join(','),
    ...(expand.length && { expand: expand.join(',') }),
  })
  if (text.length > MAX_READ) throw badRequest('Для одного документа слишком много данных: сузьте списки шаблона')
  return JSON.parse(text)
}

/** The name of a restricted card is shown in lists, but not printed. */
async function mustOpenAll(records: Records, cards: ReadonlyMap<number, Entity>): Promise<void> {
  for (const [id, entity] of cards) await records.mustOpen(entity, id, 'any')
}

/**
 * The same for a related record: the printing user, the branch. An invisible one is omitted.
 * @param patients extended by those with data in it
 * @param shown fields available in every document, whoever prints it
 */
export async function readAround(
  records: Records,
  entity: Entity,
  id: number | undefined,
  needs: Needs,
  patients: Set<number>,
  shown?: Needs,
): Promise<RecordData | undefined> {
  if (id === undefined) return undefined
  const isOfAll = shown !== undefined && !can(records.actor, 'view', entity)
  const own = isOfAll ? within(needs, shown) : neededBy(needs, entity, records.actor, at)
  const item = await read(isOfAll ? records.asSystem : records, entity, id, own).catch((error: unknown) => {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  })
  const found: Found = { patients, cards: new Map(), pictures: new Set() }
  const data = item && dataOf(entity, item, own, records.actor.timeZone, found)
  await mustOpenAll(records, found.cards)
  return data
}

/** Intersection of two sets of needs. */
function within(needs: Needs, shown: Needs): Needs {
  const relations = new Map<string, Needs>()
  for (const [name, inner] of needs.relations) {
    const known = shown.relations.get(name)
    if (known) relations.set(name, within(inner, known))
  }
  return { fields: new Set([...needs.fields].filter((name) => shown.fields.has(name))), relations }
}

/** Adds the fields needed for rights and signatures: patient, branch and doctor. */
function withOwn(entity: Entity, needs: Needs, actor: Actor): Needs {
  const fields = new Set(needs.fields)
  const relations = new Map([...needs.relations].map(([name, inner]) => [name, withPatient(entity, name, inner)]))
  const branch = branchField(entity)
  if (branch) fields.add(branch)
  if (entity.title && !relationOf(entity, entity.title)) fields.add(entity.title)
  const doctor = doctorOf(entity)
  if (doctor) {
    const inner = relations.get(doctor.as)
    relations.set(doctor.as, {
      fields: new Set([...(inner?.fields ?? []), 'shortFio']),
      relations: inner?.relations ?? new Map(),
    })
  }
  if (entity.personal === 'id') fields.add('fio')
  else if (entity.personal) {
    fields.add(entity.personal)
    const patient = patientOf(entity)
    const other = patient && entityAt(patient.to)
    if (other && can(actor, 'view', other)) {
      const inner = relations.get(patient.as)
      relations.set(patient.as, {
        fields: new Set([...(inner?.fields ?? []), 'fio']),
        relations: inner?.relations ?? new Map(),
      })
    }
  }
  return { fields, relations }
}

function withPatient(entity: Entity, name: string, needs: Needs): Needs {
  const other = entityAt(relationOf(entity, name)?.to ?? '')
  if (!other) return needs
  const fields = new Set(needs.fields)
  if (other.personal && other.personal !== 'id') fields.add(other.personal)
  return {
    fields,
    relations: new Map([...needs.relations].map(([inner, more]) => [inner, withPatient(other, inner, more)])),
  }
}

const branchField = (entity: Entity): string | undefined =>
  Object.entries(entity.fields).find(([, f]) => isRef(f) && f.to === 'filials')?.[0]

/** The reference to the doctor, by its label. */
function doctorOf(entity: Entity): { as: string } | undefined {
  for (const f of Object.values(entity.fields)) if (isRef(f) && f.to === 'users' && f.options.label === 'Врач') return f
  return undefined
}

/** The reference to the record's patient. */
function patientOf(entity: Entity): { as: string; to: string } | undefined {
  const f = entity.personal && entity.personal !== 'id' ? entity.fields[entity.personal] : undefined
  return f && isRef(f) && f.to === 'customers' ? f : undefined
}

/** As `fields` and `expand` of the engine. */
function namesOf(entity: Entity, needs: Needs, before = ''): [fields: string[], expand: string[]] {
  const fields = [...needs.fields].map((name) => before + name)
  const expand: string[] = []
  const held = heldListsOf(entity)
  for (const [name, inner] of needs.relations) {
    if (held[name]) {
      fields.push(...held[name].needs.map((one) => before + one))
      continue
    }
    const other = entityAt(relationOf(entity, name)?.to ?? '')
    if (!other) continue
    const keptIn = keptInOf(entity, name)
    if (keptIn) fields.push(before + keptIn)
    const [innerFields, innerExpand] = namesOf(other, inner, `${before}${name}.`)
    expand.push(before + name, ...innerExpand)
    // Without named fields all would be returned.
    fields.push(...(innerFields.length ? innerFields : [`${before}${name}.id`]))
  }
  return [fields, expand]
}

function dataOf(entity: Entity, item: Item, needs: Needs, timeZone: string, found: Found): RecordData {
  const patient = entity.personal === 'id' ? item.id : entity.personal && item[entity.personal]
  if (typeof patient === 'number') found.patients.add(patient)
  if (entity.personal === 'id') found.cards.set(item.id, entity)
  const of: Record<string, Shown | RecordData | RecordData[]> = {}
  for (const name of needs.fields) of[name] = shownValue(entity, name, item[name], timeZone)
  const held = heldListsOf(entity)
  for (const [name, inner] of needs.relations) {
    if (held[name]) {
      of[name] = held[name].rows(item).map((row) => heldData(row, found.pictures))
      continue
    }
    const other = entityAt(relationOf(entity, name)?.to ?? '')
    const value = item[name]
    if (!other || !value) continue
    of[name] = Array.isArray(value)
      ? value.map((one: Item) => dataOf(other, one, inner, timeZone, found))
      : dataOf(other, { ...(value as Item), ...keptOf(entity, name, item) }, inner, timeZone, found)
  }
  const title = entity.title === undefined ? undefined : of[entity.title]
  return { shown: title && 'shown' in title ? title.shown : '', of }
}

/** The field with what a record kept of another one. */
function keptInOf(entity: Entity, name: string): string | undefined {
  const f = entity.fields[relationOf(entity, name)?.by ?? '']
  const keptIn = f && isRef(f) && f.as === name ? f.options.keptIn : undefined
  return typeof keptIn === 'string' ? keptIn : undefined
}

const keptOf = (entity: Entity, name: string, item: Item): object => Object(item[keptInOf(entity, name) ?? ''])

function heldData({ shown, fields, drawings = {}, lists = {} }: HeldRow, pictures: Set<string>): RecordData {
  for (const drawing of Object.values(drawings)) {
    const name = readMarked(drawing)?.picture
    if (isOwnPicture(name)) pictures.add(name)
  }
  const shownField = (name: string, words: string): Shown => {
    const drawing = drawings[name]
    return { shown: words, ...(drawing && { drawing }) }
  }
  return {
    shown,
    of: {
      ...Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, shownField(name, words)])),
      ...Object.fromEntries(
        Object.entries(lists).map(([name, rows]) => [name, rows.map((row) => heldData(row, pictures))]),
      ),
    },
  }
}

function shownValue(entity: Entity, name: string, value: unknown, timeZone: string): Shown {
  const f = entity.all[name]
  if (!f) return { shown: '' }
  const raw = typeof value === 'object' ? null : (value as Shown['raw'])
  return { shown: paperText(f, value, timeZone), ...(raw !== undefined && { raw }) }
}
