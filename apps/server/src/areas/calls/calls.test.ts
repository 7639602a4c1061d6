import { Call, INCOMING, INTERNAL, MISSED, OUTGOING, RECALLED } from '@ordinator/model/areas/calls/call'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const people = {
  operator: ['viewCallJournal', 'viewAppeals', 'editAppeals', 'viewCustomers'],
  other: ['viewCallJournal'],
  listener: ['viewCallJournal', 'listenCalls'],
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

/** A call as written by telephony. */
const ring = (call: Partial<Row<typeof Call>> = {}) =>
  clinic.context.engine.for(systemActor).create(Call, { callType: INCOMING, contactPhone: '89001112233', ...call })

describe('a call', () => {
  it('is visible and writable only with the right to the journal', async () => {
    const { id } = await ring()
    expect((await as('operator').get(`/calls/${id}`)).status).toBe(200)
    for (const login of ['seller', 'out'] as const) expect((await as(login).get(`/calls/${id}`)).status).toBe(403)
    const body = { callType: INCOMING }
    for (const refused of [
      await as('seller').post('/calls', body),
      await as('seller').put(`/calls/${id}`, body),
      await as('seller').delete(`/calls/${id}`),
    ])
      expect(refused.status).toBe(403)
  })

  it('has its real length, and none before its end', async () => {
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

  it('stores the dialled number in one format; a short number stays short', async () => {
    expect((await ring({ callType: OUTGOING, destPhone: '8 900 111-22-33' })).destPhone).toBe('+79001112233')
    expect((await ring({ callType: INTERNAL, contactPhone: null, destPhone: '204' })).destPhone).toBe('204')
  })

  it.each([0, 6])('cannot be of kind %i', async (callType) => {
    await expect(ring({ callType: callType as 1 })).rejects.toThrow()
  })
})

describe('a manual call', () => {
  const now = Date.now()
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const write = async (body: object, login: keyof typeof people = 'operator') => {
    const answer = await as(login).post('/calls', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }

  it('is written, changed and deleted with the right to the journal, with derived fields', async () => {
    const card = await clinic.context.engine
      .for(systemActor)
      .create(Customer, { surname: 'Ручнова', name: 'Анна', phone: '+79005557701' })
    const call = await write({
      callType: INCOMING,
      contactPhone: '8 900 555-77-01',
      dateCreate: minutesAgo(10),
      dateEnd: minutesAgo(7),
    })
    expect(call).toMatchObject({
      source: 'manual',
      state: 'ended',
      contactPhone: '+79005557701',
      idCustomer: card.id,
      isPrimaryCustomer: false,
      duration: 180,
      talkS: 180,
      waitS: null,
      needsEnd: true,
      idUser: await idOf('operator'),
    })
    const changed = await as('operator').put(`/calls/${call.id}`, { callType: OUTGOING, dateAnswer: null })
    expect(changed.body).toMatchObject({ callType: OUTGOING, state: 'failed', talkS: null, waitS: null })
    expect((await as('operator').delete(`/calls/${call.id}`)).status).toBeLessThan(300)
    expect((await as('operator').get(`/calls/${call.id}`)).status).toBe(404)
  })

  it('has the current time by default', async () => {
    const call = await write({ callType: OUTGOING, contactPhone: '+79005557702' })
    expect(Math.abs(Date.parse(call.dateCreate) - Date.now())).toBeLessThan(60_000)
    expect(call).toMatchObject({ dateEnd: call.dateCreate, state: 'failed', isPrimaryCustomer: true })
  })

  it('that was missed needs a call back with a task, until a conversation is recorded', async () => {
    const phone = '+79005557703'
    const missed = await write({ callType: MISSED, contactPhone: phone, dateCreate: minutesAgo(50) })
    const waits = (await as('operator').get(`/calls/${missed.id}`)).body
    expect(waits).toMatchObject({ recall: true, idUser: null, idTask: expect.any(Number) })
    await write({ callType: OUTGOING, contactPhone: phone, dateCreate: minutesAgo(20), dateEnd: minutesAgo(15) })
    expect((await as('operator').get(`/calls/${missed.id}`)).body).toMatchObject({
      callType: RECALLED,
      recall: false,
      recallS: 1_800,
    })
    const task = await clinic.context.engine.for(systemActor).row(Task, waits.idTask)
    expect(task.isCompleted).toBe(true)
  })

  it('that was missed and is deleted leaves no task', async () => {
    const missed = await write({ callType: MISSED, contactPhone: '+79005557704' })
    const { idTask } = (await as('operator').get(`/calls/${missed.id}`)).body
    await as('operator').delete(`/calls/${missed.id}`)
    expect((await clinic.context.engine.for(systemActor).row(Task, idTask)).isCompleted).toBe(true)
  })

  it.each([
    ['a number that is none', { contactPhone: 'без номера' }, 'contactPhone'],
    ['nobody', { contactPhone: null }, 'contactPhone'],
    ['tomorrow', { dateCreate: minutesAgo(-1_440) }, 'dateCreate'],
    ['an end before the beginning', { dateEnd: minutesAgo(30) }, 'dateEnd'],
    ['more than a day', { dateCreate: minutesAgo(3_000), dateEnd: minutesAgo(10) }, 'dateEnd'],
    ['an answer after the end', { dateEnd: minutesAgo(2), dateAnswer: minutesAgo(1) }, 'dateAnswer'],
    ['an answer of a missed one', { callType: MISSED, dateAnswer: minutesAgo(4) }, 'dateAnswer'],
    ['«Перезвонили»', { callType: RECALLED }, 'callType'],
    ['no kind', { callType: null }, 'callType'],
    ['an employee who is none', { idUser: 999_999 }, 'idUser'],
    ['a source', { source: 'ami' }, 'source'],
    ['a state', { state: 'talking' }, 'state'],
    ['an exchange', { pbx: 'main', idCallSession: '1.1' }, 'pbx'],
    ['a recording', { fileLink: 'x.wav' }, 'fileLink'],
    ['a length', { duration: 5 }, 'duration'],
    ['what waits', { recall: true, needsEnd: false, recallDueAt: minutesAgo(0) }, 'recall'],
  ])('with %s is refused, naming the field', async (_what, body, field) => {
    const answer = await as('operator').post('/calls', {
      ...{ callType: INCOMING, contactPhone: '+79005557705', dateCreate: minutesAgo(5) },
      ...body,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.map((error: { field: string }) => error.field)).toContain(field)
  })

  it('is changed and deleted by its author, or by users who listen to others', async () => {
    const { id } = await write({ callType: INCOMING, contactPhone: '+79005557706' })
    expect((await as('other').put(`/calls/${id}`, { contactPhone: '+79005557707' })).status).toBe(403)
    expect((await as('other').delete(`/calls/${id}`)).status).toBe(403)
    expect((await as('other').put(`/calls/${id}`, { isPrimaryCustomer: false })).status).toBe(200)
    expect((await as('listener').put(`/calls/${id}`, { contactPhone: '+79005557707' })).status).toBe(200)
    expect((await as('listener').delete(`/calls/${id}`)).status).toBeLessThan(300)
  })

  it('of more than five seconds creates a draft appeal, once per key', async () => {
    const talk = { callType: INCOMING, dateCreate: minutesAgo(9) }
    const phone = '+79005557710'
    const { id } = await write({ ...talk, contactPhone: phone, dateEnd: minutesAgo(8) })
    const short = await write({ ...talk, contactPhone: phone, dateEnd: new Date(Date.parse(talk.dateCreate) + 4_000) })
    const draftsOf = async (idEntity: number) =>
      (await as('operator').get(`/appeals?filter[entityType]=call&filter[idEntity]=${idEntity}`)).body.items
    expect(await draftsOf(short.id)).toEqual([])
    const drafts = await draftsOf(id)
    expect(drafts).toMatchObject([{ status: 'draft', idOwner: await idOf('operator'), customerPhone: phone }])
    expect((await as('operator').get(`/calls/${id}`)).body.needsEnd).toBe(true)
    await as('operator').put(`/appeals/${drafts[0].id}`, { status: 'open' })
    // From now on its appeal holds the outcome.
    expect((await as('operator').get(`/calls/${id}`)).body.needsEnd).toBe(false)
  })

  it('continues with its appeal', async () => {
    const { id } = await write({ callType: INCOMING, contactPhone: '+79005557708' })
    const appeal = await as('operator').post(`/calls/${id}/appeal`)
    expect(appeal.status).toBe(200)
    const refused = await as('operator').delete(`/calls/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain(`обращение № ${appeal.body.id}`)
  })

  it('telephony calls can be changed only in their card and branch', async () => {
    const { id } = await ring({ source: 'ami', pbx: 'main', idCallSession: 'hand.1' })
    const answer = await as('operator').put(`/calls/${id}`, { contactPhone: '+79005557709', callType: OUTGOING })
    expect(answer.status).toBe(422)
    expect(answer.body.map((error: { field: string }) => error.field)).toEqual(['callType', 'contactPhone'])
    expect((await as('operator').put(`/calls/${id}`, { isPrimaryCustomer: true })).body).toMatchObject({
      isPrimaryCustomer: true,
      source: 'ami',
    })
    expect((await as('listener').delete(`/calls/${id}`)).status).toBe(409)
  })
})

const idOf = async (login: string): Promise<number> =>
  (await clinic.context.engine.for(systemActor).rows(User, { 'filter[login]': login, limit: 1 }))[0]?.id as number
