/**
 * A restricted card, over all entities and all declared calls: nobody without a reason reads a word of it or of a record
 * that names it, by list, view, expansion, count, group, export, history, search, event, or any call of an area.
 */
import { everyCall } from '@ordinator/model/calls'
import type { Entity } from '@ordinator/model/entity'
import { isReadable, isStored } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
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

let clinic: Clinic
/** Holds every right. */
let admin: Caller
let doctor: Caller
let vip: number
/** Ids of the records that name the card, by path. */
const named = new Map<string, number[]>()
const definitions = () => clinic.context.registry.definitions
const naming = () => definitions().filter((d) => sealedReferences(clinic.context.registry, d).length > 0)

beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
  doctor = clinic.as('doctor')
  const { db } = clinic
  const [rich] = await db.query<{ id: number }>({
    text: `select o."idCustomer"::int as id from laboratory_orders o join laboratory_results r on r."idCustomer" = o."idCustomer"
      where r."status" in ('medical', 'corrected') and exists (select from payments p where p."idCustomer" = o."idCustomer")
      group by 1 order by count(*) desc limit 1`,
  })
  vip = rich?.id as number
  const { made } = bodiesIn(clinic, admin)
  for (const d of naming()) {
    const [{ by } = { by: 'idCustomer' }] = sealedReferences(clinic.context.registry, d)
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
  // What is within them.
  for (let grew = true; grew; ) {
    grew = false
    for (const { entity } of definitions()) {
      const parent = entity.within && entity.fields[entity.within]
      if (!parent || !isRef(parent) || named.has(entity.path)) continue
      const above = named.get(parent.to)
      if (!above?.length) continue
      const where = `"${entity.within}" in (${above.join()})`
      const rows = await db.query<{ id: number }>({
        text: `select "id"::int as id from "${entity.table}" where ${where} limit 20`,
      })
      named.set(
        entity.path,
        rows.map(({ id }) => id),
      )
      await mark(entity, where)
      grew = true
    }
  }
  await db.query({
    text: `update customers set "phone" = '+${PHONE}', "email" = '${MARK}@example.ru', "birthday" = '${BIRTHDAY}', "allergies" = '${MARK}',
      "secretLevel" = 'vip' where "id" = $1`,
    values: [vip],
  })
}, 180_000)
afterAll(() => clinic?.close())

/** Writes the mark into every text column, one by one: some are unique, some bound. */
async function mark(entity: Entity, where: string): Promise<void> {
  for (const [field, f] of Object.entries(entity.fields))
    if (f.kind === 'text' && isStored(f) && isReadable(f) && f.options.hidden === undefined)
      await clinic.db
        .query({ text: `update "${entity.table}" set "${field}" = '${MARK}' where ${where}` })
        .catch(() => undefined)
}

const told = (text: string): string[] => TABOO.filter((word) => text.includes(word))

it('names who names a card: each such entity is found by its declaration', () => {
  expect(naming().length).toBeGreaterThan(30)
  const without = [...named].filter(([, ids]) => ids.length === 0).map(([path]) => path)
  console.info(`Entities with records of the card: ${named.size - without.length}; without: ${without.join(', ')}`)
  expect(without.length).toBeLessThan(12)
})

it('no entity shows a record that names it', async () => {
  const leaks: string[] = []
  const look = (what: string, { status, text }: { status: number; text: string }) => {
    const words = told(text)
    if (words.length)
      leaks.push(
        `${what}: ${status} ${words.join()} …${text.slice(Math.max(0, text.indexOf(words[0] ?? '') - 120), text.indexOf(words[0] ?? '') + 40)}`,
      )
  }
  for (const caller of [admin, doctor])
    for (const { entity } of definitions()) {
      const { path } = entity
      const relations = [
        ...Object.keys(entity.many),
        ...Object.values(entity.fields).flatMap((f) => (isRef(f) && isReadable(f) ? [f.as] : [])),
      ]
      const expand = relations.length ? `&expand=${relations.slice(0, 12).join()}` : ''
      look(`GET ${path}`, await caller.get(`/${path}?limit=500&count=1&sort=-id${expand}`))
      const ids = named.get(path)
      if (!ids?.length) continue
      const [{ by } = { by: undefined }] = sealedReferences(clinic.context.registry, clinic.context.registry.at(path))
      if (by) {
        const list = await caller.get(`/${path}?filter[${by}]=${vip}&count=exact&limit=1`)
        if (list.status === 200 && (list.body.items.length || list.body._meta.totalCount))
          leaks.push(`GET ${path}?filter[${by}]: ${list.body._meta.totalCount} are counted`)
      }
      for (const id of ids.slice(0, 2)) {
        const view = await caller.get(`/${path}/${id}${expand.replace('&', '?')}`)
        if (![403, 404].includes(view.status)) leaks.push(`GET ${path}/${id}: ${view.status}`)
        look(`GET ${path}/:id`, view)
        const history = await caller.get(`/${path}/${id}/history`)
        if (history.status === 200) leaks.push(`GET ${path}/${id}/history`)
      }
      if (groupOf(entity)) look(`GET ${path}/grouped`, await caller.get(`/${path}/grouped?limit=50`))
      look(`GET ${path}/export`, await caller.get(`/${path}/export?format=csv`))
    }
  expect(leaks).toEqual([])
}, 300_000)

it('no event, no search and no declared call tells of it', async () => {
  const leaks: string[] = []
  const { db, context } = clinic
  const visibility = createVisibility(db, context.registry)
  const [{ id: idAdmin } = { id: 0 }] = await db.query<{ id: number }>({
    text: `select "id"::int as id from users where "login" = 'admin'`,
  })
  const actor = await actorOfUser(db, idAdmin)
  if (!actor) throw new Error('no admin')
  for (const [path, ids] of named) {
    const d = context.registry.at(path)
    if (!sealedThrough(context.registry, d) || ids.length === 0) continue
    const seen = await visibility.checkVisibility(path, ids, [{ id: idAdmin, actor }])
    if (seen.get(idAdmin)?.size) leaks.push(`event of ${path}`)
  }
  for (const q of [MARK, PHONE, '17.07.1977', '+7 916 000-07-77']) {
    const { body } = await admin.get(`/search?q=${encodeURIComponent(q)}`)
    const found = JSON.stringify(body.groups)
    if (told(found).length) leaks.push(`search ${q}: ${found.slice(0, 200)}`)
  }
  let answered = 0
  for (const call of everyCall) {
    if (call.method !== 'GET' || call.access === 'public' || call.file) continue
    const own = [...named]
      .filter(([path]) => call.path.startsWith(`/${path}/`))
      .toSorted(([a], [b]) => b.length - a.length)[0]
    const ids = call.path.includes('/:') ? [...new Set([vip, ...(own?.[1].slice(0, 1) ?? [])])] : [vip]
    for (const id of ids) {
      const url = `${call.path.replace(/:\w+/g, String(id))}?${queryOf(call.query)}`
      const { status, text } = await admin.get(url)
      if (status === 200) answered++
      const words = told(text)
      if (words.length)
        leaks.push(
          `GET ${call.path}: ${words.join()} …${text.slice(Math.max(0, text.indexOf(words[0] ?? '') - 120), text.indexOf(words[0] ?? '') + 40)}`,
        )
    }
  }
  console.info(`Declared calls that answered: ${answered}`)
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

/** Required parameters, and the patient wherever one is asked for. */
function queryOf(schema: z.ZodType | undefined): string {
  if (!schema) return ''
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const today = dayIn('Europe/Moscow', Date.now())
  const value = (name: string): string => {
    if (/customer|patient/i.test(name)) return String(vip)
    if (/^(from|dateFrom|start)$/.test(name)) return '2025-01-01'
    if (/^(to|dateTo|end|day|date|on)$/.test(name)) return today
    if (/month/i.test(name)) return today.slice(0, 7)
    if (/^q$|search|text|phone/i.test(name)) return encodeURIComponent(/phone/i.test(name) ? `+${PHONE}` : MARK)
    const of = properties[name]
    if (of?.enum) return String(of.enum[0])
    if (name === 'idAnalyte') return String(named.get('laboratory/results')?.[0] ?? 1)
    return '1'
  }
  const names = Object.keys(properties).filter((name) => required.includes(name) || /customer|patient/i.test(name))
  return names.map((name) => `${name}=${value(name)}`).join('&')
}
