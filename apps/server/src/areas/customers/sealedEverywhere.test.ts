/**
 * A restricted card, over all entities and all declared calls: without a reason no role reads a word of it or of a record
 * that names it, by list, view, expansion, count, group, export, history, search, event, report, its drill-down and file,
 * print, or any other call that reads.
 */
import { everyCall } from '@ordinator/model/calls'
import type { Entity } from '@ordinator/model/entity'
import { isReadable, isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { groupingsOf } from '@ordinator/model/report'
import { reports } from '@ordinator/model/reports'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { actorOfUser } from '#auth/index.ts'
import { groupOf } from '#records/grouped.ts'
import { sealedReferences, sealedThrough } from '#records/sealed.ts'
import { createVisibility } from '#records/visibility.ts'
import { bodiesIn } from '#testing/bodies.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

/** Stands in every text of the card and of the records that name it. */
const MARK = 'Тайна77'
const PHONE = '79160000777'
const BIRTHDAY = '1977-07-17'
const TABOO = [MARK, PHONE, BIRTHDAY, '17.07.1977']
/** Its name, shown by the list of cards, references to it and the search only. */
const SURNAME = 'Закрытов'
const NAMED = [...TABOO, SURNAME]

let clinic: Clinic
/** Holds every right, and so reaches every exit; the other roles reach fewer. */
let admin: Caller
/** Employees, one of each role. */
let people: { id: number; login: string }[]
/** Roles of this run: one by chance, all in a long one. */
let some: string[]
let vip: number
/** Ids of the records that name the card, by path. */
const named = new Map<string, number[]>()
const registry = () => clinic.context.registry
const definitions = () => registry().definitions
const naming = () => definitions().filter((d) => sealedReferences(registry(), d).length > 0)

beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
  const { db } = clinic
  const [rich] = await db.query<{ id: number }>({
    text: `select o."idCustomer"::int as id from laboratory_orders o join laboratory_results r on r."idCustomer" = o."idCustomer"
      where r."status" in ('medical', 'corrected') and exists (select from payments p where p."idCustomer" = o."idCustomer")
      group by 1 order by count(*) desc limit 1`,
  })
  vip = rich?.id as number
  people = await db.query({
    text: `select distinct on (r."idRole") u."id"::int as id, u."login" from user_roles r join users u on u."id" = r."idUser"
      where u."login" <> 'admin' and not u."deleted" and not u."isBlocked" order by r."idRole", u."id"`,
  })
  some = people.map(({ login }) => login).toSorted(() => Math.random() - 0.5)
  some = some.slice(0, runs(1, some.length))
  const { made } = bodiesIn(clinic, admin)
  for (const d of naming()) {
    const [{ by } = { by: 'idCustomer' }] = sealedReferences(registry(), d)
    const { table, path } = d.entity
    const ids = async () =>
      (
        await db.query<{ id: number }>({
          text: `select "id"::int as id from "${table}" where "${by}" = $1 order by "id" limit 20`,
          values: [vip],
        })
      ).map(({ id }) => id)
    let found = await ids()
    if (found.length === 0) {
      await made(path, { [by]: vip }).catch(() => undefined)
      found = await ids()
    }
    named.set(path, found)
    await mark(d.entity, `"${by}" = ${vip}`)
  }
  // Records within them.
  for (let grew = true; grew; ) {
    grew = false
    for (const { entity } of definitions()) {
      const parent = entity.within && entity.fields[entity.within]
      if (!parent || !isRef(parent) || named.has(entity.path)) continue
      const above = named.get(parent.to)
      if (!above?.length) continue
      const where = `"${entity.within}" in (${above.join()})`
      const ids = async () =>
        (
          await db.query<{ id: number }>({
            text: `select "id"::int as id from "${entity.table}" where ${where} limit 20`,
          })
        ).map(({ id }) => id)
      named.set(entity.path, await ids())
      await mark(entity, where)
      grew = true
    }
  }
  await db.query({
    text: `update customers set "surname" = '${SURNAME}', "phone" = '+${PHONE}', "email" = '${MARK}@example.ru',
      "birthday" = '${BIRTHDAY}', "allergies" = '${MARK}', "secretLevel" = 'vip' where "id" = $1`,
    values: [vip],
  })
}, 300_000)
afterAll(() => clinic?.close())

/** Writes the mark into every text column; one by one where some are unique or checked. */
async function mark(entity: Entity, where: string): Promise<void> {
  const fields = Object.entries(entity.fields).flatMap(([field, f]) =>
    f.kind === 'text' && isStored(f) && isReadable(f) && f.options.hidden === undefined ? [field] : [],
  )
  const write = (some: readonly string[]) =>
    clinic.db.query({
      text: `update "${entity.table}" set ${some.map((field) => `"${field}" = '${MARK}'`).join()} where ${where}`,
    })
  if (fields.length === 0) return
  await write(fields).catch(async () => {
    for (const field of fields) await write([field]).catch(() => undefined)
  })
}

/** What an answer says that it may not, with its surroundings. */
function told(text: string, words: readonly string[]): string | undefined {
  const word = words.find((one) => text.includes(one))
  if (word === undefined) return undefined
  const at = text.indexOf(word)
  return `${word}: …${text.slice(Math.max(0, at - 100), at + 60)}`
}

it('finds the entities that name a card by their declarations, each with a record', () => {
  expect(naming().length).toBeGreaterThan(30)
  const without = [...named].filter(([, ids]) => ids.length === 0).map(([path]) => path)
  expect(without.length, without.join()).toBeLessThan(20)
})

/** Relations of an entity that lead to records that name the card, or to cards. */
function leading({ fields, many }: Entity): string[] {
  return [
    ...Object.entries(many).flatMap(([as, { to }]) => (named.has(to) ? [as] : [])),
    ...Object.values(fields).flatMap((f) =>
      isRef(f) && isReadable(f) && (named.has(f.to) || f.to === 'customers') ? [f.as] : [],
    ),
  ].slice(0, 12)
}

it('shows no record that names it by any exit of an entity', async () => {
  const leaks: string[] = []
  for (const login of ['admin', ...some]) {
    const caller = clinic.as(login)
    for (const d of definitions()) {
      const { path } = d.entity
      const look = (
        what: string,
        { status, text }: { status: number; text: string },
        words: readonly string[] = TABOO,
      ) => {
        const found = status < 300 && told(text, words)
        if (found) leaks.push(`${login} ${what}: ${found}`)
        return status < 300
      }
      const relations = leading(d.entity)
      const expand = relations.length ? `&expand=${relations.join()}` : ''
      const ids = named.get(path)
      if (!expand && !ids?.length && path !== 'customers') continue
      if (!look(`GET ${path}`, await caller.get(`/${path}?limit=100&sort=-id${expand}`))) continue
      if (!ids?.length) continue
      const [reference] = sealedReferences(registry(), d)
      const asked = reference ? `filter[${reference.by}]=${vip}` : `filter[id][in]=${ids.join()}`
      const list = await caller.get(`/${path}?${asked}&count=exact&limit=1`)
      if (list.status === 200 && (list.body.items.length || list.body._meta.totalCount))
        leaks.push(`${login} GET ${path}?${asked}: ${list.body._meta.totalCount} counted`)
      const [id] = ids
      const view = await caller.get(`/${path}/${id}${expand.replace('&', '?')}`)
      if (![403, 404].includes(view.status)) leaks.push(`${login} GET ${path}/${id}: ${view.status}`)
      if (login !== 'admin') continue
      const history = await caller.get(`/${path}/${id}/history`)
      if (history.status === 200) leaks.push(`GET ${path}/${id}/history`)
      if (groupOf(d.entity)) look(`GET ${path}/grouped`, await caller.get(`/${path}/grouped?limit=50`))
      look(`GET ${path}/export`, await caller.get(`/${path}/export?format=csv`), NAMED)
    }
  }
  expect(leaks).toEqual([])
}, 300_000)

it('sends no event of it, finds nothing of it', async () => {
  const leaks: string[] = []
  const { db } = clinic
  const visibility = createVisibility(db, registry())
  const viewers = await Promise.all(
    people.map(async ({ id }) => {
      const actor = await actorOfUser(db, id)
      if (!actor) throw new Error(`No actor ${id}`)
      return { id, actor }
    }),
  )
  expect(viewers.length).toBeGreaterThan(7)
  for (const [path, ids] of named) {
    if (!sealedThrough(registry(), registry().at(path)) || ids.length === 0) continue
    const seen = await visibility.checkVisibility(path, ids, viewers)
    for (const { id, login } of people) if (seen.get(id)?.size) leaks.push(`${login}: event of ${path}`)
  }
  for (const login of ['admin', ...some])
    for (const q of [MARK, PHONE, '17.07.1977', '+7 916 000-07-77']) {
      const { body } = await clinic.as(login).get(`/search?q=${encodeURIComponent(q)}`)
      const found = told(JSON.stringify(body.groups), TABOO)
      if (found) leaks.push(`${login} search ${q}: ${found}`)
    }
  expect(leaks).toEqual([])
}, 300_000)

/** Calls that answer the names of cards: nothing but a name, as lists and references do. */
const NAMES = new Set(['/search', '/customers/similar', '/customers/duplicates'])

it('is told by no call that reads, no report, drill-down or paper', async () => {
  const leaks: string[] = []
  let answered = 0
  const reading = everyCall.filter((call) => call.method === 'GET' && call.access !== 'public')
  for (const login of ['admin', ...some]) {
    const caller = clinic.as(login)
    for (const call of reading) {
      const own = [...named]
        .filter(([path]) => call.path.startsWith(`/${path}/`))
        .toSorted(([a], [b]) => b.length - a.length)[0]
      const isOne = call.path.includes('/:')
      for (const id of isOne ? [...new Set([vip, ...(own?.[1].slice(0, 1) ?? [])])] : [vip]) {
        const url = `${call.path.replace(/:\w+/g, String(id))}?${queryOf(call.path, call.query)}`
        const answer = await caller.get(url)
        if (answer.status >= 300) continue
        answered++
        const found = told(answer.text, NAMES.has(call.path) ? TABOO : NAMED)
        if (found) leaks.push(`${login} GET ${call.path}: ${found}`)
        // A drawn paper has no readable text: of a record that names the card there is none.
        if (call.file && isOne && own?.[1].includes(id)) leaks.push(`${login} GET ${url}: drawn`)
      }
    }
  }
  for (const { id, entity } of await clinic.db.query<{ id: number; entity: string }>({
    text: 'select distinct on ("entity") "id"::int as id, "entity" from print_templates order by 2, 1',
  })) {
    const record = entity === 'customers' ? vip : named.get(entity)?.[0]
    if (record === undefined) continue
    const printed = await admin.get(`/print-templates/${id}/pdf?record=${record}`)
    const seen = await admin.post('/print-templates/preview', { entity, record, body: '', header: '', footer: '' })
    if (printed.status < 300 || seen.status < 300) leaks.push(`print of ${entity}: ${printed.status}, ${seen.status}`)
  }
  expect(answered).toBeGreaterThan(150)
  expect(leaks).toEqual([])
}, 300_000)

interface Shape {
  properties?: Record<
    string,
    { type?: string; enum?: unknown[]; anyOf?: Shape[]; minimum?: number; pattern?: string; format?: string }
  >
  required?: string[]
}

/** Required parameters, the patient wherever one is asked for, and of a report the grouping by patients. */
function queryOf(path: string, schema: z.ZodType | undefined): string {
  if (!schema) return ''
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const today = dayIn('Europe/Moscow', Date.now())
  const report = reports.find(({ key }) => path === `/reports/${key}` || path.startsWith(`/reports/${key}/`))
  const persons =
    report && Object.entries(report.fields).flatMap(([name, { of }]) => (of === 'customers' ? [name] : []))
  const by = report && persons?.filter((name) => Object.hasOwn(groupingsOf(report), name)).slice(0, 2)
  const value = (name: string): string => {
    if (report && name === 'by') return by?.join() ?? ''
    if (report && name === 'is') return `${persons?.[0]}:${vip}`
    if (report && name === 'what') return by?.length ? 'figures' : 'rows'
    if (report && name === 'format') return 'csv'
    if (report && name === 'limit') return '200'
    if (/customer|patient/i.test(name)) return String(vip)
    if (/^(from|dateFrom|start)$/.test(name)) return '2025-06-01'
    if (/^(to|until|dateTo|end|day|date|on)$/.test(name)) return today
    if (/month/i.test(name)) return today.slice(0, 7)
    if (/^q$|search|text|phone/i.test(name)) return encodeURIComponent(/phone/i.test(name) ? `+${PHONE}` : MARK)
    const of = properties[name]
    if (of?.enum) return String(of.enum[0])
    if (name === 'idAnalyte') return String(named.get('laboratory/results')?.[0] ?? 1)
    return '1'
  }
  const more = report
    ? [
        'from',
        'until',
        'by',
        'what',
        'format',
        'limit',
        ...(persons?.length && !path.endsWith(report.key) ? ['is'] : []),
      ]
    : []
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || more.includes(name) || /customer|patient/i.test(name),
  )
  return names.map((name) => `${name}=${value(name)}`).join('&')
}
