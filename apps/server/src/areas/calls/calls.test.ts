import { Call, INCOMING, INTERNAL, OUTGOING } from '@ordinator/model/areas/calls/call'
import type { Create } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '../../records/actor.ts'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'
import { deals, good } from '../sales/testing/deals.ts'

const people = {
  operator: ['viewCallJournal', 'editSalesManagement'],
  seller: ['editSalesManagement'],
  out: [],
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

/** A call as telephony writes it. */
const ring = (call: Partial<Create<typeof Call>> = {}) =>
  clinic.context.engine.for(systemActor).create(Call, { callType: INCOMING, contactPhone: '89001112233', ...call })
const counts = async (login: keyof typeof people, idLead: number) =>
  good(await as(login).get(`/sales-management/leads/${idLead}?fields=callsTotalCount,chatsTotalCount`))
const link = (login: keyof typeof people, idLead: number, idEntity: number, type = 'call') =>
  as(login).post('/sales-management/entities', { idLead, type, idEntity })

describe('a call', () => {
  it('is seen by holders of the journal and made by nobody', async () => {
    const { id } = await ring()
    expect((await as('operator').get(`/calls/${id}`)).status).toBe(200)
    for (const login of ['seller', 'out'] as const) expect((await as(login).get(`/calls/${id}`)).status).toBe(403)
    const body = { callType: INCOMING }
    for (const refused of [
      await as('operator').post('/calls', body),
      await as('operator').put(`/calls/${id}`, body),
      await as('operator').delete(`/calls/${id}`),
    ])
      expect(refused.status).toBe(403)
  })

  it('lasts as long as it lasted, and has no length before its end', async () => {
    const at = new Date('2026-11-20T10:00:00Z')
    const over = await ring({ dateEnd: '2026-11-20T10:02:05Z', ...({ dateCreate: at.toISOString() } as object) })
    const open = await ring()
    expect(good(await as('operator').get(`/calls/${over.id}`)).duration).toBe(125)
    expect(good(await as('operator').get(`/calls/${open.id}`)).duration).toBeNull()
  })

  it.each(['8 (900) 111-22-33', '+7 900 111 22 33', '9001112233'])(
    'is found by its number written %s',
    async (phone) => {
      const { id } = await ring()
      const other = await ring({ contactPhone: '89004445566' })
      const found = good(
        await as('operator').get(`/calls?limit=500&filter[contactPhone]=${encodeURIComponent(phone)}`),
      ).items.map((call: { id: number }) => call.id)
      expect(found).toContain(id)
      expect(found).not.toContain(other.id)
    },
  )

  it('has one spelling of the number that was dialled; a short number stays short', async () => {
    expect((await ring({ callType: OUTGOING, destPhone: '8 900 111-22-33' })).destPhone).toBe('+79001112233')
    expect((await ring({ callType: INTERNAL, contactPhone: null, destPhone: '204' })).destPhone).toBe('204')
  })

  it.each([0, 6])('is not of kind %i', async (callType) => {
    await expect(ring({ callType })).rejects.toThrow()
  })
})

describe('a call of a deal', () => {
  it('is linked by who sees it, once, and counted for everybody', async () => {
    const deal = await deals(as('seller')).deal(undefined)
    const call = await ring()
    good(await link('operator', deal.id, call.id), 201)
    expect((await link('operator', deal.id, call.id)).status).toBe(422)
    expect(await counts('operator', deal.id)).toMatchObject({ callsTotalCount: 1, chatsTotalCount: 0 })
    expect(await counts('seller', deal.id)).toMatchObject({ callsTotalCount: 1 })
  })

  it.each(['call', 'liveassist', 'task'])('a link of kind %s leads to what there is', async (type) => {
    const deal = await deals(as('seller')).deal(undefined)
    const refused = await link('operator', deal.id, 999_999, type)
    expect([refused.status, refused.body]).toEqual([422, [{ field: 'idEntity', message: 'Запись не найдена' }]])
  })

  it('who may not see calls links none, whether it is there or not', async () => {
    const deal = await deals(as('seller')).deal(undefined)
    const call = await ring()
    const [real, made] = [await link('seller', deal.id, call.id), await link('seller', deal.id, 999_999)]
    expect([real.status, real.body]).toEqual([made.status, made.body])
    expect(real.status).toBe(422)
  })

  it('stands in the log of the deal, whose counter tells as many lines as there are', async () => {
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
