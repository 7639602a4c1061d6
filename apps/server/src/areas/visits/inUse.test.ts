/** What visits and money stand on is not deleted by a click: the refusal names the numbers and the way on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '../../testing/good.ts'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'
import { worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
})
afterAll(() => clinic.close())

it('a branch, a doctor, a service and a patient with a visit to come stay, and go once it is cancelled', async () => {
  const { idFilial, idService, idDoctors, idCustomer, book } = await worldOf(clinic, keeper).make()
  const { id } = good(await book('10:00'), 201)
  const refused = async (path: string) => {
    const { status, body } = await keeper.delete(path)
    expect([path, status, body.code]).toEqual([path, 409, 'inUse'])
    return body.message.replace(/\u00a0/g, ' ')
  }
  expect(await refused(`/filials/${idFilial}`)).toMatch(
    /^Удалить нельзя: 1 визит, 1 смена впереди\. Снимите «Действует»/,
  )
  expect(await refused(`/users/${idDoctors[0]}`)).toMatch(/1 визит впереди, 1 записанная услуга, которую больше никто/)
  expect(await refused(`/services/${idService}`)).toContain('1 визит впереди')
  expect(await refused(`/customers/${idCustomer}`)).toContain('1 визит впереди')
  good(await keeper.post(`/appointments/${id}/status`, { status: 'cancelled', cancelReason: 'time' }))
  for (const path of [`/customers/${idCustomer}`, `/services/${idService}`, `/users/${idDoctors[0]}`])
    expect([path, (await keeper.delete(path)).status]).toEqual([path, 204])
})

it('a source of patients and a template of consents that are used stay', async () => {
  const { id } = good(await keeper.post('/customer-sources', { sourceName: 'Вывеска' }), 201)
  const patient = good(await keeper.post('/customers', { surname: 'Вывескина', idSource: id }), 201)
  expect((await keeper.delete(`/customer-sources/${id}`)).body.message).toContain('карта клиента')
  good(await keeper.put(`/customers/${patient.id}`, { idSource: null }))
  expect((await keeper.delete(`/customer-sources/${id}`)).status).toBe(204)
})
