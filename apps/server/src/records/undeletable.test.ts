/** The declared reasons against deleting a record are the ones the server enforces, with the same text, before the click. */
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { entities, entityAt } from '@ordinator/model/entities'
import { computedByKept, type Entity, keptBecause } from '@ordinator/model/entity'
import { isRefs } from '@ordinator/model/fields/refs'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
let admin: Caller
beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
})
afterAll(() => clinic.close())

const keeping = (entities as readonly Entity[]).filter(({ kept }) => kept)

it('these have records that stay, whoever asks', () => {
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
const NONE = new Set(['waiting-list'])

test.each(keeping.map((entity) => [entity.path, entity] as const))('%s', async (path, entity) => {
  const { user } = (await admin.post('/common/get-account', {})).body
  const actor = { id: user.identity.id, permissions: user.permissions }
  const expand = computedByKept(entity).join()
  const { body } = await admin.get(`/${path}?limit=200${expand && `&expand=${expand}`}${narrowed[path] ?? ''}`)
  const told = new Map<string, { id: number }>()
  for (const row of body.items) {
    const why = keptBecause(entity, row, actor)
    if (why !== undefined) told.set(why, row)
  }
  expect(told.size === 0, `${body.items.length} read`).toBe(NONE.has(path))
  for (const [why, { id }] of told) {
    const answer = await admin.delete(`/${path}/${id}`)
    expect([403, 409, 422], `${why}: ${answer.status} ${answer.text}`).toContain(answer.status)
    expect((await admin.get(`/${path}/${id}`)).status, why).toBe(200)
  }
})

/** Lists of ids, and settings that name a record: no constraint of the database protects them. */
const lists = (entities as readonly Entity[]).flatMap((entity) =>
  Object.entries(entity.fields).flatMap(([field, f]) =>
    isRefs(f) && !f.options.computed && !f.options.virtual ? [{ entity, field, to: f.to }] : [],
  ),
)
const settings = Object.entries(commonSettings).flatMap(([name, { input }]) =>
  input && 'to' in input && input.kind === 'record' ? [{ name, to: input.to }] : [],
)

/** Jobs of the demo's size, and of what this machine may lack. */
const ASIDE = /^(reports\.(rollups|years)|backups\.|records\.trash)/

it('all jobs run when what lists and settings name is deleted, and when people are blocked', async () => {
  const { db, context } = clinic
  const errors = vi.spyOn(context.log, 'error')
  const gone = new Map<string, number>()
  const lastOf = async (path: string): Promise<number | undefined> => {
    const target = entityAt(path)
    if (!target) return undefined
    if (path === 'users') {
      const known = gone.get(path)
      if (known) return known
      const body = {
        login: 'leaver',
        password: 'Leaver-1-leaver',
        surname: 'Уходящий',
        name: 'Пётр',
        email: 'l@clinic.test',
      }
      return (await admin.post('/users', body)).body.id
    }
    const living = raw(target.soft ? 'where not "deleted"' : '')
    return (await db.one<{ id: number }>(sql`select max("id")::int as id from ${raw(`"${target.table}"`)} ${living}`))
      ?.id
  }
  for (const { entity, field, to } of lists) {
    const id = gone.get(to) ?? (await lastOf(to))
    if (!id) continue
    gone.set(to, id)
    await db.query(sql`update ${raw(`"${entity.table}"`)} set ${raw(`"${field}"`)} = array[${id}]::bigint[] ||
        coalesce((${raw(`"${field}"`)})[1:1], '{}')
      where "id" in (select "id" from ${raw(`"${entity.table}"`)} order by "id" desc limit 3)`)
  }
  for (const { name, to } of settings) {
    const id = gone.get(to) ?? (await lastOf(to))
    if (!id) continue
    gone.set(to, id)
    await db.query(sql`insert into common_settings ("name", "value") values (${name}, ${JSON.stringify(id)}::jsonb)
      on conflict do nothing`)
  }
  const fates: [string, number][] = []
  for (const [path, id] of gone) fates.push([path, (await admin.delete(`/${path}/${id}?sure=1`)).status])
  expect(fates.find(([path]) => path === 'users')?.[1]).toBe(204)
  expect(fates.filter(([, status]) => ![204, 403, 409].includes(status))).toEqual([])
  await db.query(sql`update users set "isBlocked" = true where "id" in (select "id" from users
    where "login" not in ('admin', 'leaver') order by "id" limit 3)`)
  await db.query(sql`update reports_mailings set "nextAt" = now(), "active" = true`)
  const failed: [string, string][] = []
  for (const name of context.jobs.crons().filter((one) => !ASIDE.test(one)))
    await context.jobs.run(name).catch((error) => failed.push([name, String(error)]))
  await context.jobs.drain()
  expect(failed).toEqual([])
  expect(errors.mock.calls.map(([what]) => what)).toEqual([])
})
