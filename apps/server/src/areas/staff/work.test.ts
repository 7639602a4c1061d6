import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let chief: Caller
let colleague: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'chief', ['editUsers', 'mainSettings'])
      await addPerson(app, 'colleague', ['viewTasksManagement'])
    },
  })
  chief = clinic.as('chief')
  colleague = clinic.as('colleague')
})
afterAll(() => clinic.close())

it("stores a doctor's profession, finds by it, and shows documents only with the right to manage staff", async () => {
  const { id: idSpeciality } = good(await chief.post('/specialities', { name: 'Терапевтия' }), 201)
  const filial = good(await chief.post('/filials', { nameFilial: 'На Лесной' }), 201)
  const papers = {
    snils: '112-233-445 95',
    certificateNumber: '0377180000',
    certificateFrom: '2022-03-01',
    certificateTo: '2027-03-01',
  }
  const work = { idSpeciality, filials: [filial.id], color: '#12B886' }
  const { id } = good(await chief.post('/users', { login: 'doc', surname: 'Лесной', ...work, ...papers }), 201)
  good(await chief.post('/users', { login: 'doc2', surname: 'Полевой' }), 201)

  const shown = good(await colleague.get(`/users/${id}?expand=speciality`))
  expect(shown).toMatchObject({ speciality: { name: 'Терапевтия' }, filials: [filial.id], color: '#12b886' })
  for (const hidden of Object.keys(papers)) expect(shown).not.toHaveProperty(hidden)
  expect((await colleague.get('/users?filter[snils]=11223344595')).status).toBe(400)
  expect((await colleague.put(`/users/${id}`, { color: '#000000' })).status).toBe(403)
  expect((await colleague.post('/specialities', { name: 'Своя' })).status).toBe(403)
  expect(good(await chief.get(`/users/${id}`)).snils).toBe('11223344595')

  const ids = async (query: string) =>
    good(await colleague.get(`/users?${query}`)).items.map((one: { id: number }) => one.id)
  expect(await ids(`filter[idSpeciality][in]=${idSpeciality}`)).toEqual([id])
  expect(await ids(`filter[filials][in]=${filial.id}`)).toEqual([id])
})

it('refuses invalid documents at their field', async () => {
  const { id } = good(await chief.post('/users', { login: 'doc3', certificateFrom: '2026-01-01' }), 201)
  const field = async (body: object) => {
    const { status, body: errors } = await chief.put(`/users/${id}`, body)
    expect(status).toBe(422)
    return (errors as { field: string }[])[0]?.field
  }
  expect(await field({ snils: '112-233-445 96' })).toBe('snils')
  expect(await field({ certificateTo: '2025-12-31' })).toBe('certificateTo')
  good(await chief.put(`/users/${id}`, { certificateTo: '2026-01-01' }))
})
