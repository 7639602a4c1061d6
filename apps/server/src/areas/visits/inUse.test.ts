/**
 * Records in use by visits and money cannot be deleted by one click: the refusal names the numbers and a way to
 * proceed.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
})
afterAll(() => clinic.close())

/** The message of a refused delete. */
async function refused(path: string): Promise<string> {
  const { status, body } = await keeper.delete(path)
  expect([path, status, body.code]).toEqual([path, 409, 'inUse'])
  return body.message.replace(/\u00a0/g, ' ')
}

it('a branch, doctor, service and patient with upcoming visits cannot be deleted until cancelled', async () => {
  const { idFilial, idService, idDoctors, idCustomer, book } = await worldOf(clinic, keeper).make()
  const { id } = good(await book('10:00'), 201)
  const branch = await refused(`/filials/${idFilial}`)
  for (const words of [/^Удалить нельзя: /, /1 визит/, /1 смена впереди/, /\. Снимите «Действует»/])
    expect(branch).toMatch(words)
  expect(await refused(`/users/${idDoctors[0]}`)).toMatch(/1 визит впереди, 1 записанная услуга, которую больше никто/)
  expect(await refused(`/services/${idService}`)).toContain('1 визит впереди')
  expect(await refused(`/customers/${idCustomer}`)).toContain('1 визит впереди')
  good(await keeper.post(`/appointments/${id}/status`, { status: 'cancelled', cancelReason: 'time' }))
  // Past visits ask for confirmation with their number; a confirmed delete succeeds.
  const asked = await keeper.delete(`/customers/${idCustomer}`)
  expect([asked.status, asked.body.code, asked.body.message]).toEqual([409, 'asks', 'Здесь используется: 1\u00a0визит'])
  const batch = await keeper.post('/customers/batch', { delete: [idCustomer] })
  expect([batch.status, batch.body.code]).toEqual([409, 'asks'])
  for (const path of [`/customers/${idCustomer}`, `/services/${idService}`, `/users/${idDoctors[0]}`])
    expect([path, (await keeper.delete(`${path}?sure=1`)).status]).toEqual([path, 204])
})

it('a visit in the trash keeps neither its doctor nor its service', async () => {
  const { idService, idDoctors, book } = await worldOf(clinic, keeper).make()
  const { id } = good(await book('10:00'), 201)
  expect(await refused(`/users/${idDoctors[0]}`)).toContain('1 записанная услуга, которую больше никто')
  good(await keeper.delete(`/appointments/${id}`), 204)
  for (const path of [`/users/${idDoctors[0]}`, `/services/${idService}`])
    expect([path, (await keeper.delete(`${path}?sure=1`)).status]).toEqual([path, 204])
})

it('reassigns the visits of a leaving doctor, and lists what stays', async () => {
  const { idDoctors, book } = await worldOf(clinic, keeper).make({ doctors: 2 })
  const { id } = good(await book('10:00'), 201)
  const [from, to] = idDoctors as [number, number]
  expect(good(await keeper.get(`/users/${from}/duties`)).counts).toMatchObject({ visits: 1, chats: 0, tasks: 0 })
  const wrong = await keeper.post(`/users/${from}/duties`, { to: { visits: from } })
  expect([wrong.status, wrong.body[0]?.field]).toEqual([422, 'to.visits'])
  const given = good(await keeper.post(`/users/${from}/duties`, { to: { visits: to } }))
  expect([given.counts.visits, given.stayed]).toEqual([1, []])
  expect(good(await keeper.get(`/appointments/${id}`)).idUser).toBe(to)
})

it('keeps a source of patients and a template of consents that are in use', async () => {
  const { id } = good(await keeper.post('/customer-sources', { sourceName: 'Вывеска' }), 201)
  const patient = good(await keeper.post('/customers', { surname: 'Вывескина', idSource: id }), 201)
  expect(await refused(`/customer-sources/${id}`)).toContain('1 клиент')
  good(await keeper.put(`/customers/${patient.id}`, { idSource: null }))
  expect((await keeper.delete(`/customer-sources/${id}`)).status).toBe(204)
})
