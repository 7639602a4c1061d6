import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ElnSimulator, startElnSimulator } from '#testing/elnSimulator.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let fund: ElnSimulator
let desk: Caller
let chief: Caller

beforeAll(async () => {
  fund = await startElnSimulator()
  clinic = await testApp({
    env: { SNILS_URL: `${fund.url}/snils` },
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])
      await addPerson(app, 'chief', ['mainSettings', 'viewCustomers'])
    },
  })
  desk = clinic.as('desk')
  chief = clinic.as('chief')
})
afterAll(async () => {
  await clinic.close()
  await fund.close()
})
beforeEach(() => {
  fund.mood = 'works'
  fund.delay = 0
})

const set = async (values: object) => good(await chief.put('/settings/common', values))
const card = async (more: object = {}) =>
  good(await desk.post('/customers', { surname: 'Искомый', name: 'Лев', birthday: '05.06.1977', ...more }), 201)
    .id as number
async function later() {
  await clinic.db.query({ text: `update outbox set "dateDue" = now()` })
  await clinic.db.query({ text: 'delete from outbox_lanes' })
  await clinic.context.outbox.run('snils')
}
async function asked(idCustomer: number) {
  const { id } = good(await desk.post('/snils/queries', { idCustomer }), 201)
  await later()
  await later()
  return good(await desk.get(`/snils/queries/${id}`))
}
const snilsOf = async (id: number) => good(await desk.get(`/customers/${id}`)).snils

it('reports the missing settings while it is off', async () => {
  const { status, body } = await desk.post('/snils/queries', { idCustomer: await card() })
  expect([status, body.message]).toEqual([409, 'Поиск СНИЛС выключен: включите его в настройках, «Поиск СНИЛС»'])
  await set({ sosnilsSearch: true, sosnilsMode: 'test' })
})

it('stores a single result in a card without one', async () => {
  const id = await card({ surname: 'Найденный' })
  fund.delay = 1
  const query = good(await desk.post('/snils/queries', { idCustomer: id }), 201)
  expect(good(await desk.post('/snils/queries', { idCustomer: id })).id).toBe(query.id)
  await later()
  await later()
  expect(good(await desk.get(`/snils/queries/${query.id}`)).status).toBe('asked')
  await later()
  const found = good(await desk.get(`/snils/queries/${query.id}`))
  expect([found.status, await snilsOf(id)]).toEqual(['found', found.snils])
  expect(found.snils).toMatch(/^\d{11}$/)
})

it('leaves several results, none and a different one to a person', async () => {
  fund.mood = 'several'
  const id = await card({ surname: 'Двойников' })
  const several = await asked(id)
  expect([several.status, several.variants.length, await snilsOf(id)]).toEqual(['several', 2, null])
  expect((await desk.post(`/snils/queries/${several.id}/take`, { snils: '112-233-445 95' })).status).toBe(422)
  const chosen = several.variants[1].snils
  good(await desk.post(`/snils/queries/${several.id}/take`, { snils: chosen }))
  expect(await snilsOf(id)).toBe(chosen)

  fund.mood = 'none'
  expect((await asked(await card({ surname: 'Никто' }))).status).toBe('notFound')
  fund.mood = 'another'
  const own = await card({ surname: 'Другой', snils: '112-233-445 95' })
  expect([(await asked(own)).status, await snilsOf(own)]).toEqual(['mismatch', '11223344595'])
})

it('runs automatically at the event chosen by the clinic, once', async () => {
  const id = await card({ surname: 'Самостоятельный' })
  const count = async () =>
    good(await desk.get(`/snils/queries?filter[idCustomer]=${id}&count=1`))._meta.totalCount as number
  await clinic.context.jobs.run('snils.ask')
  expect(await count()).toBe(0)
  await set({ sosnilsMoment: 'create' })
  await clinic.context.jobs.run('snils.ask')
  await clinic.context.jobs.run('snils.ask')
  expect(await count()).toBe(1)
  await later()
  await later()
  expect(await snilsOf(id)).toMatch(/^\d{11}$/)
  await set({ sosnilsMoment: 'hand' })
})

it("retries after a failure, within the clinic's daily limit", async () => {
  fund.mood = 'broken'
  const id = await card({ surname: 'Сбойный' })
  const query = await asked(id)
  expect(query.status).toBe('failed')
  fund.mood = 'works'
  await later()
  await later()
  expect(good(await desk.get(`/snils/queries/${query.id}`)).status).toBe('found')
  await set({ sosnilsPerDay: 1 })
  expect((await desk.post('/snils/queries', { idCustomer: await card() })).status).toBe(409)
  expect((await desk.post('/snils/queries', { idCustomer: await card({ birthday: null }) })).body[0].message).toMatch(
    /дата рождения/,
  )
})
