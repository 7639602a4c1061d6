import { Call, INCOMING } from '@ordinator/model/areas/calls/call'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const people = {
  operator: ['viewCallJournal', 'supportOperator', 'viewTasksManagement', 'editSalesManagement'],
  seller: ['editSalesManagement', 'editFunnels'],
} as const
let clinic: Clinic
const as = (login: keyof typeof people): Caller => clinic.as(login)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const [login, rights] of Object.entries(people)) await addPerson(app, login, rights)
    },
  })
})
afterAll(() => clinic.close())

const ring = () =>
  clinic.context.engine.for(systemActor).create(Call, { callType: INCOMING, contactPhone: '+79001112233' })
const counts = async (login: keyof typeof people, idLead: number) =>
  good(await as(login).get(`/sales-management/leads/${idLead}?fields=callsTotalCount,chatsTotalCount`))
const link = (login: keyof typeof people, idLead: number, idEntity: number, type = 'call') =>
  as(login).post('/sales-management/entities', { idLead, type, idEntity })

describe('a call of a deal', () => {
  it('is linked by a user who sees it, once, and counted for everyone', async () => {
    const deal = await deals(as('seller')).deal(undefined)
    const call = await ring()
    good(await link('operator', deal.id, call.id), 201)
    expect((await link('operator', deal.id, call.id)).status).toBe(422)
    expect(await counts('operator', deal.id)).toMatchObject({ callsTotalCount: 1, chatsTotalCount: 0 })
    expect(await counts('seller', deal.id)).toMatchObject({ callsTotalCount: 1 })
  })

  it.each(['call', 'liveassist', 'task'])('a link of kind %s requires an existing record', async (type) => {
    const deal = await deals(as('seller')).deal(undefined)
    const refused = await link('operator', deal.id, 999_999, type)
    expect([refused.status, refused.body]).toEqual([422, [{ field: 'idEntity', message: 'Запись не найдена' }]])
  })

  it('calls cannot be linked without the right, existing or not', async () => {
    const deal = await deals(as('seller')).deal(undefined)
    const call = await ring()
    const [real, made] = [await link('seller', deal.id, call.id), await link('seller', deal.id, 999_999)]
    expect([real.status, real.body]).toEqual([made.status, made.body])
    expect(real.status).toBe(422)
  })

  it("is in the deal's log, whose counter equals the number of lines", async () => {
    const deal = await deals(as('seller')).deal(undefined)
    const call = await ring()
    const made = good(await link('operator', deal.id, call.id), 201)
    good(await as('operator').put(`/sales-management/leads/${deal.id}`, { title: 'Иначе' }))
    good(await as('operator').delete(`/sales-management/entities/${made.id}`), 204)
    const { items } = good(await as('seller').get(`/sales-management/leads/${deal.id}/logs?limit=500`))
    expect(items.map((line: { methodAlias: string }) => line.methodAlias)).toContain(
      `Добавлена связь: Звонок № ${call.id}`,
    )
    const { historyTotalCount } = good(
      await as('seller').get(`/sales-management/leads/${deal.id}?fields=historyTotalCount`),
    )
    expect(historyTotalCount).toBe(items.length)
  })
})
