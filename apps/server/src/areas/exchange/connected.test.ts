/** Registries of codes for outside systems, stored and validated ahead of the exchange. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let chief: Caller
let clerk: Caller
let idUser: number
let idFilial: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idUser = (await addPerson(app, 'chief', ['mainSettings'])).id
      await addPerson(app, 'clerk', ['viewCustomers'])
    },
  })
  ;[chief, clerk] = [clinic.as('chief'), clinic.as('clerk')]
  idFilial = good(await chief.post('/filials', { nameFilial: 'Центр' }), 201).id
})
afterAll(() => clinic.close())

const refusal = (answer: { status: number; body: { field: string; message: string }[] }) => [
  answer.status,
  answer.body[0]?.field,
]

describe('a code of an outside system', () => {
  it('refers to one thing, which has one code per system', async () => {
    const body = { system: 'accounting', code: '00-001' }
    expect(refusal(await chief.post('/exchange/mappings', body))).toEqual([422, 'idUser'])
    expect(refusal(await chief.post('/exchange/mappings', { ...body, idUser, idFilial }))).toEqual([422, 'idFilial'])
    const made = good(await chief.post('/exchange/mappings', { ...body, idFilial }), 201)
    expect((await chief.post('/exchange/mappings', { ...body, idFilial, code: 'другой' })).status).toBe(422)
    good(await chief.post('/exchange/mappings', { ...body, idFilial, system: 'egisz' }), 201)
    expect(refusal(await chief.put(`/exchange/mappings/${made.id}`, { idUser }))).toEqual([422, 'idFilial'])
    expect(refusal(await chief.put(`/exchange/mappings/${made.id}`, { idFilial: null }))).toEqual([422, 'idUser'])
    good(await chief.put(`/exchange/mappings/${made.id}`, { idFilial: null, idUser }))
    expect((await clerk.get('/exchange/mappings')).status).toBe(403)
  })
})

describe('a document of the register', () => {
  it('has one edition in force at a time', async () => {
    const body = { kind: 'consultation', code: '290', edition: 7, dateFrom: '2026-01-01', dateTo: '2026-12-31' }
    good(await chief.post('/egisz/documents', body), 201)
    expect((await chief.post('/egisz/documents', { ...body, dateFrom: '2026-06-01', dateTo: null })).status).toBe(422)
    good(await chief.post('/egisz/documents', { ...body, dateFrom: '2027-01-01', dateTo: null }), 201)
    expect(refusal(await chief.post('/egisz/documents', { ...body, code: 'СЭМД' }))).toEqual([422, 'code'])
    expect((await clerk.get('/egisz/documents')).status).toBe(403)
  })

  it('is signed by people with a post in the federal register', async () => {
    good(await chief.post('/egisz/staff', { idUser, post: '109', postName: 'Врач-терапевт' }), 201)
    expect((await chief.post('/egisz/staff', { idUser, post: '109' })).status).toBe(422)
    expect(refusal(await chief.post('/egisz/staff', { idUser, post: 'врач' }))).toEqual([422, 'post'])
    expect((await clerk.get('/egisz/staff')).status).toBe(403)
  })
})

describe('an area of attached population', () => {
  it("has houses in order, and is visible and editable with the right to the clinic's settings", async () => {
    const area = good(await chief.post('/attachment/areas', { name: 'Участок № 1', idFilial, norm: 1700 }), 201)
    const street = { idArea: area.id, street: 'ул. Мира', houseFrom: 20, houseTo: 2 }
    expect(refusal(await chief.post('/attachment/streets', street))).toEqual([422, 'houseTo'])
    const made = good(await chief.post('/attachment/streets', { ...street, houseTo: 40, side: 'even' }), 201)
    expect(refusal(await chief.put(`/attachment/streets/${made.id}`, { houseTo: 10 }))).toEqual([422, 'houseTo'])
    expect(refusal(await chief.post('/attachment/areas', { name: 'Участок № 2', idFilial, norm: 0 }))).toEqual([
      422,
      'norm',
    ])
    expect((await clerk.get('/attachment/areas')).status).toBe(403)
    expect((await clerk.put(`/attachment/areas/${area.id}`, { norm: 1 })).status).toBe(403)
    expect((await clerk.delete(`/attachment/streets/${made.id}`)).status).toBe(403)
  })
})
