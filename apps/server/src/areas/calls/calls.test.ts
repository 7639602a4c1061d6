import { Call, INCOMING, INTERNAL, OUTGOING } from '@ordinator/model/areas/calls/call'
import type { Create } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '../../records/actor.ts'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'

const people = {
  operator: ['viewCallJournal'],
  seller: ['editSalesManagement', 'editFunnels'],
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
    expect((await as('operator').get(`/calls/${over.id}`)).body.duration).toBe(125)
    expect((await as('operator').get(`/calls/${open.id}`)).body.duration).toBeNull()
  })

  it.each(['8 (900) 111-22-33', '+7 900 111 22 33', '9001112233'])(
    'is found by its number written %s',
    async (phone) => {
      const { id } = await ring()
      const other = await ring({ contactPhone: '89004445566' })
      const { body } = await as('operator').get(`/calls?limit=500&filter[contactPhone]=${encodeURIComponent(phone)}`)
      const found = body.items.map((call: { id: number }) => call.id)
      expect(found).toContain(id)
      expect(found).not.toContain(other.id)
    },
  )

  it('has one spelling of the number that was dialled; a short number stays short', async () => {
    expect((await ring({ callType: OUTGOING, destPhone: '8 900 111-22-33' })).destPhone).toBe('+79001112233')
    expect((await ring({ callType: INTERNAL, contactPhone: null, destPhone: '204' })).destPhone).toBe('204')
  })

  it.each([0, 6])('is not of kind %i', async (callType) => {
    await expect(ring({ callType: callType as 1 })).rejects.toThrow()
  })
})
