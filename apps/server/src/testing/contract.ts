/** One suite over all entities: the guarantees of the HTTP contract. */
import { allowed, signedIn } from '@ordinator/model/access'
import { entities } from '@ordinator/model/entities'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { groupOf } from '#records/grouped.ts'
import { answerCheck } from './answers.ts'
import { bodiesIn, sampleOf } from './bodies.ts'
import { type Caller, type Clinic, testApp } from './harness.ts'

/** Visible in an administrator's answers: not server-only fields (`hidden: []`). */
const isShown = (f: AnyField): boolean => isReadable(f) && f.options.hidden?.length !== 0

let clinic: Clinic
let admin: Caller
/** Signed in, without any permission. */
let nobody: Caller
let check: Awaited<ReturnType<typeof answerCheck>>['check']

/** Number of files that share the entities, so that workers can run them in parallel. */
const FILES = 3

/** Number of records for tests of computed fields. */
const FEW = 3
/** An id that does not exist. */
const ABSENT = 999_999_999
/** Conditions and sort keys per request. */
const FILTERS = 20
const SORTS = 4

/** Requests parts of at most `size`; a failing part is halved, so that the failure names a single item. */
async function eachGood(all: string[], size: number, url: (part: string[]) => string): Promise<void> {
  for (let at = 0; at < all.length; at += size) {
    const part = all.slice(at, at + size)
    const answer = await admin.get(url(part))
    if (answer.status === 200) continue
    if (part.length === 1) expect(answer.status, `${part} ${answer.text}`).toBe(200)
    await eachGood(part, Math.ceil(part.length / 2), url)
  }
}

/** Tests every third entity, beginning with the first, second or third. */
export function holdContract(first: 1 | 2 | 3): void {
  const own = (entities as readonly Entity[]).filter((_, at) => at % FILES === first - 1)

  beforeAll(async () => {
    clinic = await testApp({ demo: true })
    admin = clinic.as('admin')
    const made = await admin.post('/users', { surname: 'Бесправный', login: 'nobody' })
    const { body } = await admin.post(`/users/${made.body.id}/reset-password`)
    const newPassword = 'тихая заводь 4'
    await clinic
      .as('nobody', body.password)
      .post('/auth/change-password', { currentPassword: body.password, newPassword })
    nobody = clinic.as('nobody', newPassword)
    ;({ check } = await answerCheck(clinic))
  })
  afterAll(() => clinic.close())

  describe.each(own.map((e) => [e.path, e] as const))('%s', (path, entity) => {
    it('refuses who is not signed in', async () => {
      for (const [method, url, body] of routes(entity)) {
        expect((await clinic.anonymous.call(method, url, body)).status, `${method} ${url}`).toBe(401)
      }
    })

    it('refuses who has no permission', async () => {
      const none = { id: 0, permissions: {} }
      const expected = (method: string, url: string) => {
        const by =
          method === 'GET'
            ? url.endsWith('/export')
              ? (entity.access.export ?? entity.access.view)
              : entity.access.view
            : undefined
        return allowed(none, by)
      }
      for (const [method, url, body] of routes(entity)) {
        const action = actionOf(method, url)
        if (expected(method, url) || (method !== 'GET' && entity.access[action] === signedIn)) continue
        const answer = await nobody.call(method, url, body)
        if (ownCalls.has(`${method} ${url}`)) continue
        // A file entity requires a multipart form before anything else.
        expect(entity.upload && method === 'POST' ? [403, 415] : [403], `${method} ${url} ${answer.text}`).toContain(
          answer.status,
        )
      }
    })

    it('answers by the document, to an administrator and within the limits', async () => {
      const list = await admin.get(`/${path}?limit=5&count=1`)
      expect(list.status).toBe(200)
      check('GET', `/${path}`, list)
      expect(list.body.items.length).toBeLessThanOrEqual(5)
      for (const { id } of list.body.items) {
        check('GET', `/${path}/{id}`, await admin.get(`/${path}/${id}`))
        check('GET', `/${path}/{id}/history`, await admin.get(`/${path}/${id}/history`))
      }
      for (const wrong of [
        'limit=501',
        'page=0',
        'sort=nope',
        'filter[nope]=1',
        'expand=nope',
        'fields=nope',
        'nope=1',
      ]) {
        const answer = await admin.get(`/${path}?${wrong}`)
        expect(answer.status, wrong).toBe(400)
        check('GET', `/${path}`, answer)
      }
      for (const [method, url, body] of routes(entity)) {
        if (method === 'GET') continue
        const refused = await admin.call(method, `${url}?nope=1`, body)
        expect([refused.status, refused.body.message], `${method} ${url}`).toEqual([400, 'Неизвестный параметр: nope'])
      }
      for (const id of ['999999999', '0', 'abc', '1e3', '99999999999999999999', '%D1%8F']) {
        expect([400, 404], id).toContain((await admin.get(`/${path}/${id}`)).status)
      }
    })

    it('answers each group as its list', async () => {
      const by = groupOf(entity)
      if (by === undefined) return
      // With too many groups for one call it must refuse, and answer for a few.
      const [first] = (await admin.get(`/${path}?limit=1`)).body.items
      const every = await admin.get(`/${path}/grouped?limit=2&count=1`)
      const answer =
        every.status === 400 ? await admin.get(`/${path}/grouped?limit=2&count=1&group[id]=${first?.[by] ?? 0}`) : every
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      check('GET', `/${path}/grouped`, answer)
      for (const { key, items, totalCount } of answer.body.groups.slice(0, 5)) {
        const list = await admin.get(`/${path}?filter[${by}]=${key}&limit=2&count=1`)
        expect({ items, totalCount }).toEqual({ items: list.body.items, totalCount: list.body._meta.totalCount })
      }
      for (const wrong of ['limit=51', 'page=1', 'after=', 'deleted=1', 'group[nope]=1', 'filter[nope]=1', 'nope=1'])
        expect((await admin.get(`/${path}/grouped?${wrong}`)).status, wrong).toBe(400)
    })

    it('filters and sorts by every field that it shows, and exports', async () => {
      const shown = Object.entries(entity.all).filter(([, f]) => isShown(f))
      const { items } = (await admin.get(`/${path}?limit=${FEW}&fields=id`)).body
      // Computed fields have no index: tested on a few records.
      const few = items.length > 0 ? `&filter[id][in]=${items.map(({ id }: { id: number }) => id).join()}` : ''
      const groups = [
        { bound: '', fields: shown.filter(([, f]) => !f.options.computed) },
        { bound: few, fields: shown.filter(([, f]) => f.options.computed) },
      ]
      for (const { bound, fields } of groups) {
        const filters = fields.flatMap(([field, f]) =>
          f.operators.flatMap((op) => {
            const value = op === 'null' ? '0' : sample(f)
            return value === undefined ? [] : [`[${field}][${op}]=${encodeURIComponent(value)}`]
          }),
        )
        const filter = (part: string[]) =>
          `/${path}?limit=1${bound}&${part.map((one, n) => `filter[or][${n}]${one}`).join('&')}`
        await eachGood(filters, FILTERS, filter)
        const sorts = fields.flatMap(([field, f]) => (f.unsortable ? [] : [`-${field}`]))
        await eachGood(sorts, SORTS, (part) => `/${path}?limit=1${bound}&sort=${part.join()}`)
      }
      const csv = await admin.get(`/${path}/export?format=csv${few}`)
      expect(csv.status, csv.text.slice(0, 300)).toBe(200)
      expect(csv.text.split('\r\n')[0]).toContain(entity.fields.name?.options.label ?? '№')
    })

    it('expands every relation', async () => {
      const relations = [
        ...Object.keys(entity.many),
        ...Object.values(entity.fields).flatMap((f) => (isRef(f) && isReadable(f) ? [f.as] : [])),
      ]
      if (relations.length === 0) return
      const answer = await admin.get(`/${path}?limit=3&expand=${relations.join()}`)
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      for (const item of answer.body.items) for (const relation of relations) expect(item).toHaveProperty(relation)
    })

    it('names computed fields in expand, and leaves counters out of lists alone', async () => {
      const readable = Object.entries(entity.fields).filter(([, f]) => isShown(f))
      const computed = readable.filter(([, f]) => f.options.computed).map(([field]) => field)
      const lazy = readable.filter(([, f]) => f.options.lazy).map(([field]) => field)
      const { body } = await admin.get(`/${path}?limit=1`)
      const [first] = body.items
      if (!first) return
      for (const field of lazy) expect(first).not.toHaveProperty(field)
      if (computed.length === 0) return
      const asked = await admin.get(`/${path}?limit=1&fields=id&expand=${computed.join()}`)
      expect(Object.keys(asked.body.items[0]).sort(), asked.text).toEqual(['_version', 'id', ...computed].sort())
      const one = await admin.get(`/${path}/${first.id}`)
      if (one.status !== 200) return
      for (const [field, f] of readable) if (f.options.lazy !== 'always') expect(one.body).toHaveProperty(field)
    })

    it('hides what is hidden', async () => {
      const hidden = Object.entries(entity.fields).filter(([, f]) => f.options.hidden !== undefined)
      if (hidden.length === 0 || entity.access.view !== signedIn) return
      const { body } = await nobody.get(`/${path}?limit=1`)
      for (const [field, f] of hidden) {
        for (const item of body.items) expect(item).not.toHaveProperty(field)
        expect((await nobody.get(`/${path}?sort=${field}`)).status).toBe(400)
        expect((await nobody.get(`/${path}?fields=${field}`)).status).toBe(400)
        expect((await nobody.get(`/${path}?filter[${field}]=${encodeURIComponent(sample(f) ?? '1')}`)).status).toBe(400)
      }
    })

    it('refuses a reference to a record that is not there, and breaks at none', async () => {
      if (entity.upload) return
      const references = Object.entries(entity.fields).flatMap(([field, f]) => (isRef(f) ? [field] : []))
      if (references.length === 0) return
      const body = await bodiesIn(clinic, admin).bodyOf(entity)
      const absent = (fields: readonly string[]) => ({
        ...body,
        ...Object.fromEntries(fields.map((field) => [field, ABSENT])),
      })
      for (const wrong of [...references.map((field) => absent([field])), absent(references)]) {
        for (const answer of [
          await admin.post(`/${path}`, wrong),
          await admin.post(`/${path}/batch`, { create: [wrong] }),
        ])
          expect(answer.status, `${JSON.stringify(wrong)} ${answer.text}`).toBeLessThan(500)
      }
    })

    it('keeps every value through a round trip', async () => {
      if (entity.upload) return
      const body = await bodiesIn(clinic, admin).bodyOf(entity)
      const made = await clinic.context.engine.for({ ...systemActor, id: 1 }).create(entity, body as never)
      for (const [field, value] of Object.entries(body)) {
        if (entity.fields[field]?.options.virtual) continue
        expect(normal((made as Record<string, unknown>)[field]), field).toEqual(normal(value))
      }
      const one = await admin.get(`/${path}/${made.id}`)
      // Personal entities are invisible to others.
      if (one.status === 200) check('GET', `/${path}/{id}`, one)
    })
  })
}

const routes = (e: Entity): [string, string, unknown?][] => [
  ['GET', `/${e.path}`],
  ['GET', `/${e.path}/1`],
  ['GET', `/${e.path}/1/history`],
  ['GET', `/${e.path}/export`],
  ...(groupOf(e) === undefined ? [] : [['GET', `/${e.path}/grouped`] as [string, string]]),
  ['POST', `/${e.path}`, {}],
  ['PUT', `/${e.path}/1`, {}],
  ['DELETE', `/${e.path}/1`],
  ['POST', `/${e.path}/batch`, { create: [{}], update: [{ id: 1 }], delete: [1] }],
  ...(e.soft ? [['POST', `/${e.path}/1/restore`] as [string, string]] : []),
]

const normal = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value

/** A filter value as text. */
function sample(f: AnyField): string | undefined {
  const value = sampleOf(f)
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

const actionOf = (method: string, url: string) =>
  method === 'GET'
    ? 'view'
    : method === 'PUT'
      ? 'update'
      : method === 'POST' && !url.endsWith('/restore')
        ? 'create'
        : 'delete'

/** Calls of areas that replace the engine's, with access rules of their own. */
const ownCalls: ReadonlySet<string> = new Set(['POST /imports'])
