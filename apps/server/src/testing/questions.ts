/**
 * Questions about some records by every exit, found by declarations: for tests of what may not be revealed. Each is asked where
 * it must be answered, and where it must not.
 */
import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isReadable, isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { runs } from '@ordinator/model/testing/runs'
import { z } from 'zod'
import type { Definition } from '#records/define.ts'
import { groupOf } from '#records/grouped.ts'
import type { Answer, Caller, Clinic } from './harness.ts'

/** A question; `leakIn` returns the part of its answer that reveals the card or its records. */
export interface Ask {
  kind: string
  what: string
  send: (caller: Caller) => Promise<Answer>
  leakIn: (answer: Answer) => string | undefined
}
/** The forbidden text of an answer, with its surroundings. */
export function excerptOf(text: string, words: readonly string[]): string | undefined {
  const word = words.find((one) => text.includes(one))
  if (word === undefined) return undefined
  const at = text.indexOf(word)
  return `${word}: …${text.slice(Math.max(0, at - 100), at + 60)}`
}
export const words =
  (some: readonly string[]) =>
  ({ status, text }: Answer) =>
    status < 300 ? excerptOf(text, some) : undefined
export const answered = ({ status }: Answer) => (status < 300 ? `${status}` : undefined)
export const rows = ({ status, body }: Answer) => {
  const count = status === 200 ? body.items.length || body._meta.totalCount : 0
  return count ? `${count} rows` : undefined
}
export const groups = ({ status, body }: Answer) => {
  const found = status === 200 && body.groups.some(({ items }: { items: unknown[] }) => items.length > 0)
  return found ? 'rows' : undefined
}
export const asked = (kind: string, url: string, leakIn: Ask['leakIn']): Ask => ({
  ...{ kind, what: url, leakIn },
  send: (caller) => caller.get(url),
})

/** Some of all in a usual run, others on another day; all in a long one. */
export function someOf<T>(all: readonly T[], few: number): T[] {
  const day = Math.floor(Date.now() / 86_400_000)
  const most = Math.min(runs(few, all.length), all.length)
  return Array.from({ length: most }, (_, at) => all[(day * few + at) % all.length] as T)
}

export type Named = ReadonlyMap<string, readonly number[]>

export interface Subject {
  /** Ids of the records that may not be revealed, by path. */
  named: Named
  /** Records that hold some of these among others, or that only show a name of one. */
  around: Named
  /** Words that no answer may have; of an export and of `near` also the names. */
  taboo: readonly string[]
  names: readonly string[]
  /** The field and value by which a filter finds the records of an entity. */
  foundBy(d: Definition): { by: string; value: number } | undefined
  /** The entity whose list shows a name of each record. */
  listed?: string
}

/** Lists, views, expansions, counts, groups, histories and exports of all entities. */
export async function asksOfRecords(clinic: Clinic, subject: Subject): Promise<Ask[]> {
  const { registry } = clinic.context
  const { named, around, taboo, names, foundBy, listed } = subject
  const all: Ask[] = []
  for (const { entity } of registry.definitions) {
    const { path } = entity
    const ids = named.get(path)
    const own = ids?.length ? `filter[id][in]=${ids.join()}` : undefined
    for (const { as, filter } of await leading(clinic, named, entity))
      all.push(asked('expand', `/${path}?${own ?? filter}&limit=30&expand=${as}`, words(taboo)))
    for (const f of Object.values(entity.fields)) {
      // A filter through a reference counts what it finds.
      const through = isRef(f) && !own ? foundBy(registry.at(f.to)) : undefined
      if (isRef(f) && through && isReadable(f))
        all.push(asked('through', `/${path}?filter[${f.as}.${through.by}]=${through.value}&count=exact&limit=1`, rows))
    }
    const [id] = ids ?? []
    const near = entity.nameOnly && around.get(path)
    if (near?.length) all.push(asked('near', `/${path}?filter[id][in]=${near.join()}&limit=30`, words(names)))
    if (!own || id === undefined) continue
    const found = foundBy(registry.at(path))
    const by = found ? `filter[${found.by}]=${found.value}` : own
    const isListed = path === listed
    all.push(
      asked('list', `/${path}?${own}&limit=30`, isListed ? words(taboo) : rows),
      ...(isListed ? [] : [asked('count', `/${path}?${by}&count=exact&limit=1`, rows)]),
      ...(groupOf(entity) ? [asked('group', `/${path}/grouped?${own}&limit=10`, groups)] : []),
      asked('view', `/${path}/${id}`, answered),
      asked('history', `/${path}/${id}/history`, answered),
      asked('export', `/${path}/export?format=csv&${own}`, words(names)),
    )
  }
  return all
}

/** Relations of an entity to the records, with a filter of the rows that have them. */
async function leading(
  clinic: Clinic,
  named: Named,
  { fields, many, table }: Entity,
): Promise<{ as: string; filter: string }[]> {
  const { registry } = clinic.context
  const found: { as: string; filter: string }[] = []
  for (const [as, { to, by, through }] of Object.entries(many)) {
    const ids = named.get(to)
    if (!ids?.length || through) continue
    const rows = await clinic.db.query<{ id: number }>({
      text: `select distinct "${by}"::int as id from "${registry.at(to).entity.table}" where "id" in (${ids.join()}) and "${by}" is not null limit 5`,
    })
    if (rows.length) found.push({ as, filter: `filter[id][in]=${rows.map(({ id }) => id).join()}` })
  }
  for (const [by, f] of Object.entries(fields)) {
    if (!isRef(f) || !isReadable(f) || !isStored(f)) continue
    const ids = named.get(f.to)
    if (!ids?.length) continue
    const rows = await idsIn(clinic, table, `"${by}" in (${ids.join()})`)
    if (rows.length) found.push({ as: f.as, filter: `filter[id][in]=${rows.join()}` })
  }
  return found
}

/** The first ids of a table. */
export const idsIn = async (clinic: Clinic, table: string, where: string): Promise<number[]> =>
  (
    await clinic.db.query<{ id: number }>({
      text: `select "id"::int as id from "${table}" where ${where} order by "id" limit 20`,
    })
  ).map(({ id }) => id)

/**
 * Writes a mark into every text column; one by one where some are unique or checked.
 * @param value SQL @param isMarked fields to mark; absent: all
 */
export async function markTexts(
  { db }: Clinic,
  entity: Entity,
  where: string,
  value: string,
  isMarked: (f: AnyField) => boolean = () => true,
): Promise<void> {
  const fields = Object.entries(entity.fields).flatMap(([field, f]) =>
    f.kind === 'text' && isStored(f) && isReadable(f) && f.options.hidden === undefined && isMarked(f) ? [field] : [],
  )
  const write = (some: readonly string[]) =>
    db.query({
      text: `update "${entity.table}" set ${some.map((field) => `"${field}" = ${value}`).join()} where ${where}`,
    })
  if (fields.length === 0) return
  await write(fields).catch(async () => {
    for (const field of fields) await write([field]).catch(() => undefined)
  })
}

/** Files of reports in a usual run. */
const FILES = 3

/**
 * All declared calls that read, reports and files among them. What is about one of the records is refused as a whole.
 * @param leakOf what an answer about other records may not reveal
 */
export function asksOfCalls(
  { named, around }: Pick<Subject, 'named' | 'around'>,
  queryOf: (call: Call) => string,
  leakOf: (call: Call) => Ask['leakIn'],
): Ask[] {
  /** The entity that a call is about, with ids of its records that may not be revealed, or lie around one of them. */
  const ownOf = (path: string): [string, readonly number[]] | undefined =>
    [...named, ...around]
      .filter(([own, ids]) => path.startsWith(`/${own}/`) && ids.length > 0)
      .toSorted(([a], [b]) => b.length - a.length)[0]
  const all = everyCall.filter((call) => call.method === 'GET' && call.access !== 'public')
  // Files of reports are slow.
  const files = all.filter((call) => call.file && call.path.startsWith('/reports/'))
  const reading = [...all.filter((call) => !files.includes(call)), ...someOf(files, FILES)]
  return reading.flatMap((call) => {
    const [path = '', [id] = []] = ownOf(call.path) ?? []
    const isOne = call.path.includes('/:')
    if (isOne && id === undefined) return []
    const url = `${call.path.replace(/:\w+/g, String(id))}?${queryOf(call)}`
    const kind = !call.path.startsWith('/reports/') ? 'call' : call.path.endsWith('/rows') ? 'drill' : 'report'
    return [asked(call.file ? `file of ${kind}` : kind, url, isOne && named.has(path) ? answered : leakOf(call))]
  })
}

export async function asksOfPrints(clinic: Clinic, named: Named): Promise<Ask[]> {
  const templates = await clinic.db.query<{ id: number; entity: string }>({
    text: 'select distinct on ("entity") "id"::int as id, "entity" from print_templates order by 2, 1',
  })
  return templates.flatMap(({ id, entity }): Ask[] => {
    const [record] = named.get(entity) ?? []
    if (record === undefined) return []
    const preview = { entity, record, body: '', header: '', footer: '' }
    return [
      asked('print', `/print-templates/${id}/pdf?record=${record}`, answered),
      {
        ...{ kind: 'print', what: `preview of ${entity}`, leakIn: answered },
        send: (caller) => caller.post('/print-templates/preview', preview),
      },
    ]
  })
}

/** A JSON schema of a call, as far as questions need it. */
export interface Shape {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  minimum?: number
  pattern?: string
  format?: string
  properties?: Record<string, Shape>
  required?: string[]
}

/**
 * Answers to calls that write, or read by a body, about the records: each must be refused.
 * @param idCustomer wherever a body names a patient @param except paths of calls that are left out
 */
export async function answersToWrites(
  caller: Caller,
  named: Named,
  idCustomer: number,
  except: readonly string[],
): Promise<{ what: string; answer: Answer }[]> {
  const found: { what: string; answer: Answer }[] = []
  const paths = [...named.keys()].toSorted((a, b) => b.length - a.length)
  for (const call of everyCall) {
    if (call.method === 'GET' || call.access === 'public' || except.includes(call.path)) continue
    if (!call.path.includes('/:') || call.bodyType === 'multipart') continue
    const own = named.get(paths.find((path) => call.path.startsWith(`/${path}/:id`)) ?? '')?.[0]
    if (own === undefined) continue
    const url = call.path.replace(/:\w+/g, String(own))
    const answer = await caller.call(call.method, url, call.body && bodyFor(call.body, idCustomer))
    found.push({ what: `${call.method} ${url}`, answer })
  }
  return found
}

/** A body of required parts, with the card wherever a patient is named. */
function bodyFor(schema: z.ZodType, idCustomer: number): unknown {
  const value = (name: string, { anyOf, ...shape }: Shape): unknown => {
    const { type, properties = {}, required = [], items, enum: words } = { ...anyOf?.[0], ...shape }
    if ('const' in shape) return shape.const
    if (words) return words[0]
    if (type === 'array') return [value(name, items ?? {})]
    if (type === 'boolean') return true
    if (type === 'integer' || type === 'number') return /customer|patient/i.test(name) ? idCustomer : 1
    if (type === 'object')
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([key]) => required.includes(key))
          .map(([key, inner]) => [key, value(key, inner)]),
      )
    if (/day|date/i.test(name)) return '2026-11-20'
    return 'Проверка записи'
  }
  return value('', z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
}
