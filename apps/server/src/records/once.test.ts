/** Idempotency keys: executed once, answered each time, released by a failure; of every call that declares one. */

import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { areas } from '../areas.ts'
import { systemActor } from './actor.ts'

let clinic: Clinic
let cashier: Caller
let idDesk: number
let idShift: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: (app) =>
      addPerson(app, 'cashier', ['viewCashDesk', 'takePayments', 'cashInOut', 'mainSettings', 'viewAllCashDesks']),
  })
  cashier = clinic.as('cashier')
  const system = clinic.context.engine.for(systemActor)
  const idFilial = (await system.create(Filial, { nameFilial: 'Повторный' })).id
  const idOrganization = (await system.create(Organization, { shortName: 'ООО «Повтор»', kind: 'own' })).id
  const desk = { name: 'Касса', idFilial, idOrganization, kktMode: 'simulator', terminalMode: 'simulator' }
  idDesk = good(await cashier.post('/cash-desks', desk), 201).id
  idShift = good(await cashier.post('/cash-shifts/open', { key: 'once-shift', idDesk }), 201).id
})
afterAll(() => clinic.close())

const putIn = (key: string, sum: number, kind = 'in') =>
  cashier.post(`/cash-shifts/${idShift}/cash`, { key, kind, sum, reason: 'Размен' })

it('executes a repeat once, and answers it as the first', async () => {
  const first = good(await putIn('once-0001', 100))
  expect(good(await putIn('once-0001', 100))).toEqual(first)
  const again = await cashier.post('/cash-shifts/open', { key: 'once-shift', idDesk })
  expect(good(again, 201)).toMatchObject({ id: idShift })
})

it('refuses a known key with another body, another record or another call', async () => {
  const { drawer } = good(await putIn('once-0002', 5))
  const refused = { status: 409, body: expect.objectContaining({ code: 'key' }) }
  expect(await putIn('once-0002', 6)).toMatchObject(refused)
  const elsewhere = { key: 'once-0002', kind: 'in', sum: 5, reason: 'Размен' }
  expect(await cashier.post(`/cash-shifts/${idShift + 1}/cash`, elsewhere)).toMatchObject(refused)
  const otherCall = await cashier.post('/cash-shifts/open', { key: 'once-0002', idDesk })
  expect(otherCall).toMatchObject(refused)
  expect(good(await putIn('once-0002', 5))).toEqual({ drawer })
})

it('executes many requests at once a single time', async () => {
  const { drawer } = good(await putIn('once-0003', 1))
  const answers = await Promise.all(Array.from({ length: 8 }, () => putIn('once-0004', 10)))
  for (const answer of answers) expect(good(answer)).toEqual({ drawer: drawer + 10 })
  expect(good(await putIn('once-0005', 1))).toEqual({ drawer: drawer + 11 })
})

it('leaves the key free after a refusal', async () => {
  const idCustomer = (await clinic.context.engine.for(systemActor).create(Customer, { surname: 'Повторов' })).id
  const tooMuch = await putIn('once-0006', 1_000_000, 'out')
  expect(tooMuch.status).toBe(422)
  const body = { key: 'once-0006', idDesk, idCustomer, parts: [{ method: 'cash', sum: 20 }] }
  const paid = good(await cashier.post('/payments/take', body))
  expect(good(await cashier.post('/payments/take', body))).toMatchObject({ id: paid.id, idStatus: 2 })
})

it('accepts keys from before calls were recorded', async () => {
  const asked = { id: idShift, key: 'once-0007', kind: 'in', sum: 3, reason: 'Размен' }
  await clinic.db.query({
    text: 'insert into request_keys ("key", "fingerprint") values ($1, md5($2))',
    values: [asked.key, JSON.stringify(asked)],
  })
  const { drawer } = good(await putIn('once-0008', 1))
  expect(good(await putIn('once-0007', 3))).toEqual({ drawer })
  expect((await putIn('once-0007', 4)).body.code).toBe('key')
})

it('is declared wherever a body has its key, and described in OpenAPI', async () => {
  const { paths } = (await clinic.as('cashier').get('/openapi.json')).body
  const declared = areas.flatMap(({ operations = [] }) => operations).filter(({ once }) => once)
  expect(declared.length).toBeGreaterThan(10)
  for (const { method, path, body } of declared) {
    expect((body as z.ZodObject).shape).toHaveProperty('key')
    const described = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    expect(described).toMatchObject({
      'x-idempotency-key': 'body.key',
      description: expect.stringContaining('409 key'),
    })
  }
})
