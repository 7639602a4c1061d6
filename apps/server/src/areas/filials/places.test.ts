/** Things of branches that have one name carry their branch wherever they are named. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
let admin: Caller
const made = async (path: string, body: object): Promise<number> => good(await admin.post(path, body), 201).id

beforeAll(async () => {
  clinic = await testApp({ demo: true, env: { DEMO: '1' } })
  admin = clinic.as('admin')
}, 120_000)
afterAll(() => clinic?.close())

it('an expanded record and a name of the history have it, where another living one has the name', async () => {
  const north = await made('/filials', { nameFilial: 'Клиника на Северной', shortFilialName: 'Северная' })
  const south = await made('/filials', { nameFilial: 'Клиника на Южной' })
  const name = 'Склад перевязочных'
  const [one, other] = [
    await made('/warehouses', { name, idFilial: north }),
    await made('/warehouses', { name, idFilial: south }),
  ]
  const document = await made('/warehouse/documents', {
    kind: 'transfer',
    localDate: '2026-11-30',
    idFrom: one,
    idTo: other,
  })
  const read = async () => (await admin.get(`/warehouse/documents/${document}?expand=from,to`)).body
  expect(await read()).toMatchObject({ from: { name, _branch: 'Северная' }, to: { name, _branch: 'Клиника на Южной' } })
  const { names } = (await admin.get(`/warehouse/documents/${document}/history`)).body
  expect(names.warehouses[one]).toBe(`${name} · Северная`)
  await admin.put(`/warehouses/${other}`, { name: 'Склад белья' })
  expect(await read()).toMatchObject({ from: { name, _branch: null }, to: { name: 'Склад белья', _branch: null } })
})

it('reports name such groups apart', async () => {
  const { groups } = (await admin.get('/reports/load?by=room&from=2026-01-01&until=2026-11-30')).body
  const names = groups.map((group: { names: string[] }) => group.names[0]).filter(Boolean)
  expect(names.length).toBeGreaterThan(1)
  expect(new Set(names).size).toBe(names.length)
})
