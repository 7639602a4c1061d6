/** The declared reasons against deleting a record are the ones the server enforces, with the same text, before the click. */
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { entities, entityAt } from '@ordinator/model/entities'
import { computedByKept, type Entity, keptBecause } from '@ordinator/model/entity'
import { isRefs } from '@ordinator/model/fields/refs'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
let admin: Caller
beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
})
afterAll(() => clinic.close())

const keeping = (entities as readonly Entity[]).filter(({ kept }) => kept)

it('these have records that stay, for every caller', () => {
  expect(keeping.map(({ path }) => path).toSorted()).toEqual([
    'advertising/campaigns',
    'appointments',
    'attachment/applications',
    'calls',
    'cash-desks',
    'client/pages',
    'client/policies',
    'consents',
    'consents/requests',
    'customer-plans',
    'dictionaries',
    'discounts',
    'eln',
    'eln/periods',
    'examinations',
    'expenses',
    'laboratory/orders',
    'payroll/periods',
    'payroll/schemes',
    'referrer-acts',
    'regulations',
    'roles',
    'sales-management/funnels',
    'users',
    'waiting-list',
    'warehouse/documents',
  ])
})

/** Query parameters for entities whose relevant records are among many others. */
const narrowed: Readonly<Record<string, string>> = { appointments: '&sort=dateFrom' }
/** The demo clinic has none of these before somebody works in it. */
const NONE = new Set(['referrer-acts', 'waiting-list'])

test.each(keeping.map((entity) => [entity.path, entity] as const))('%s', async (path, entity) => {
  const { user } = (await admin.post('/common/get-account', {})).body
  const actor = { id: user.identity.id, permissions: user.permissions }
  const expand = computedByKept(entity).join()
  const { body } = await admin.get(`/${path}?limit=200${expand && `&expand=${expand}`}${narrowed[path] ?? ''}`)
  const refused = new Map<string, { id: number }>()
  for (const row of body.items) {
    const why = keptBecause(entity, row, actor)
    if (why !== undefined) refused.set(why, row)
  }
  expect(refused.size === 0, `${body.items.length} read`).toBe(NONE.has(path))
  for (const [why, { id }] of refused) {
    const answer = await admin.delete(`/${path}/${id}`)
    expect([403, 409, 422], `${why}: ${answer.status} ${answer.text}`).toContain(answer.status)
    expect((await admin.get(`/${path}/${id}`)).status, why).toBe(200)
  }
})

/** Jobs that do without any record here, and would take longer than all others together. */
const ASIDE = /^(backups|reports\.demoYears|reports\.rollup|centre\.simulate|egisz\.dictionar)/

/** Jobs that fail when they run now, with the messages. */
async function failing(): Promise<string[]> {
  await clinic.context.jobs.drain()
  const found = await clinic.db.query<{ schema: string }>(
    sql`select table_schema as schema from information_schema.tables where table_name = 'queue' and table_schema like '%jobs'`,
  )
  const [{ schema }] = found as [{ schema: string }]
  const queues = await clinic.db.query<{ name: string }>(sql`select "name" from ${raw(`"${schema}".queue`)} order by 1`)
  const failed: string[] = []
  for (const { name } of queues) {
    if (ASIDE.test(name) || name.startsWith('__')) continue
    await clinic.context.jobs.run(name).catch((error: Error) => failed.push(`${name}: ${error.message.slice(0, 200)}`))
  }
  await clinic.context.jobs.drain()
  return failed
}

/** A living record that nothing else of this test names; the last ones are the least used. */
const taken = new Set<string>(['users 1'])
async function victim({ path, table, soft }: Entity): Promise<number | undefined> {
  const rows = await clinic.db.query<{ id: number }>(
    sql`select "id" from ${raw(`"${table}"`)} ${raw(soft ? 'where not "deleted"' : '')} order by "id" desc limit 40`,
  )
  const found = rows.find(({ id }) => !taken.has(`${path} ${id}`))
  if (found) taken.add(`${path} ${found.id}`)
  return found?.id
}

it('of a list or a setting is kept or leaves it in order, and every job goes on', async () => {
  const before = await failing()
  const gone: string[] = []
  const leave = async (which: string, to: Entity, id: number) => {
    const body = to.path === 'users' ? await admin.put(`/users/${id}`, { isBlocked: true }) : undefined
    const { status, text } = await admin.delete(`/${to.path}/${id}?sure=1`)
    if (status === 204 || body?.status === 200) gone.push(which)
    expect([204, 403, 404, 405, 409, 422], `${which}: ${status} ${text}`).toContain(status)
  }
  for (const entity of entities as readonly Entity[])
    for (const [field, declared] of Object.entries(entity.fields)) {
      if (!isRefs(declared) || declared.options.virtual || declared.options.computed) continue
      const to = entityAt(declared.to) as Entity
      const id = await victim(to)
      const which = `${entity.path}.${field}`
      const [row] = await clinic.db.query<{ id: number }>(
        sql`select "id" from ${raw(`"${entity.table}"`)} ${raw(entity.soft ? 'where not "deleted"' : '')} order by "id" limit 1`,
      )
      if (id === undefined || !row) continue
      await clinic.db.query(
        sql`update ${raw(`"${entity.table}"`)} set ${raw(`"${field}"`)} = ${[id]}::bigint[] where "id" = ${row.id}`,
      )
      await leave(which, to, id)
      // The record that named it is read and saved as before.
      const read = await admin.get(`/${entity.path}/${row.id}`)
      expect(read.status, `${which}: ${read.text.slice(0, 300)}`).toBeLessThan(500)
    }
  for (const [name, { input }] of Object.entries(commonSettings)) {
    if (input?.kind !== 'record') continue
    const to = entityAt(input.to) as Entity
    const id = await victim(to)
    if (id === undefined) continue
    await clinic.db.query(sql`insert into common_settings ("name", "value") values (${name}, ${JSON.stringify(id)}::jsonb)
      on conflict ("name") do update set "value" = excluded."value"`)
    await leave(`setting ${name}`, to, id)
    expect((await admin.get('/settings/common')).status, name).toBe(200)
  }
  expect(gone.length).toBeGreaterThan(7)
  expect(await failing()).toEqual(before)
})
