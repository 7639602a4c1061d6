/** The declared reasons against deleting a record are the ones the server enforces, with the same text, before the click. */
import { entities } from '@ordinator/model/entities'
import { computedByKept, type Entity, keptBecause } from '@ordinator/model/entity'
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
