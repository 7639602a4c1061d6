import { Appeal, AppealLink } from '@ordinator/model/areas/appeals/appeal'
import { Call, INCOMING } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Create, Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { bodiesIn } from '#testing/bodies.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const operator = ['viewCallJournal', 'viewAppeals', 'editAppeals', 'viewCustomers'] as const
const people = {
  operator,
  seller: [...operator, 'viewSalesManagement', 'editSalesManagement', 'editFunnels', 'viewTasksManagement'],
  reader: ['viewAppeals'],
  analyst: ['viewAppealAnalytics'],
  chatter: ['supportOperator', 'viewAppeals', 'editAppeals', 'viewCustomers'],
  answerer: ['supportOperator'],
  booker: [...operator, 'viewCalendar', 'viewAllAppointments'],
  out: [],
} as const
let clinic: Clinic
const as = (login: keyof typeof people): Caller => clinic.as(login)
const system = () => clinic.context.engine.for(systemActor)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const [login, rights] of Object.entries(people)) await addPerson(app, login, rights)
    },
  })
})
afterAll(() => clinic.close())

const patient = (surname: string) => system().create(Customer, { surname, name: 'Анна', phone: '+79005550011' })
const ring = (call: Partial<Row<typeof Call>> = {}) =>
  system().create(Call, { callType: INCOMING, contactPhone: '+79005550011', ...call })

describe('rights', () => {
  it('viewAppeals reads, editAppeals writes, viewAppealAnalytics opens no appeal', async () => {
    const { body } = await as('operator').post('/appeals', { description: 'Хочет на приём' })
    expect((await as('reader').get(`/appeals/${body.id}`)).status).toBe(200)
    expect((await as('reader').put(`/appeals/${body.id}`, { status: 'waiting' })).status).toBe(403)
    expect((await as('reader').post('/appeals', {})).status).toBe(403)
    for (const login of ['analyst', 'out'] as const) {
      for (const path of ['/appeals', `/appeals/${body.id}`, '/appeals/export?format=csv', '/appeal-links'])
        expect((await as(login).get(path)).status, path).toBe(403)
      expect((await as(login).post(`/appeals/${body.id}/lead`)).status).toBe(403)
    }
  })

  it('creates a deal only with the right to deals, and no partial result', async () => {
    await as('seller').post('/sales-management/funnels', { name: 'Первая' })
    const { body } = await as('operator').post('/appeals', { description: 'МРТ колена', customerFullName: 'Ира' })
    expect((await as('operator').post(`/appeals/${body.id}/lead`)).status).toBe(403)
    expect((await as('operator').get(`/appeal-links?filter[idAppeal]=${body.id}`)).body.items).toEqual([])
  })
})

describe('an appeal of a call', () => {
  it('created by its number copies customer, phone and branch by default', async () => {
    const { id: idCustomer } = await patient('Переносова')
    const call = await ring({ idCustomer })
    const made = (await as('operator').post('/appeals', { entityType: 'call', idEntity: call.id })).body
    expect(made).toMatchObject({
      idCustomer,
      customerPhone: '+79005550011',
      customerFullName: expect.stringContaining('Переносова'),
    })
    const other = await ring({ contactPhone: '2771122' })
    const local = (
      await as('operator').post('/appeals', { entityType: 'call', idEntity: other.id, description: 'Город' })
    ).body
    expect(local).toMatchObject({ idCustomer: null, customerPhone: null, description: 'Город' })
  })

  it('is created by one button, has its owner, and is one under repeated clicks', async () => {
    const { id: idCustomer } = await patient('Звонкова')
    const { id } = await ring({ idCustomer })
    const caller = as('operator')
    await caller.token()
    const [first, second] = await Promise.all([caller.post(`/calls/${id}/appeal`), caller.post(`/calls/${id}/appeal`)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.id).toBe(second.body.id)
    expect(first.body).toMatchObject({
      entityType: 'call',
      idEntity: id,
      idCustomer,
      customerFullName: 'Звонкова Анна',
      customerPhone: '+79005550011',
      status: 'open',
    })
  })

  it('is refused for an invisible call', async () => {
    const { id } = await ring()
    expect((await as('reader').post(`/calls/${id}/appeal`)).status).toBe(403)
    expect((await as('operator').post('/appeals', { entityType: 'call', idEntity: 999_999 })).body).toEqual([
      { field: 'idEntity', message: 'Запись не найдена' },
    ])
    expect((await as('operator').post('/appeals', { entityType: 'call' })).status).toBe(422)
  })
})

describe('records created from an appeal', () => {
  it("are included by expand, within the reader's rights, and can be filtered by", async () => {
    const caller = as('seller')
    await caller.post('/sales-management/funnels', { name: 'Для связей' })
    const board = (await caller.post('/tasks-management/boards', { name: 'Для связей' })).body
    const appeal = (await caller.post('/appeals', { description: 'Связи', customerFullName: 'Ира' })).body
    const other = (await caller.post('/appeals', { description: 'Без связей' })).body
    const deal = (await caller.post(`/appeals/${appeal.id}/lead`)).body
    const task = (await caller.post(`/appeals/${appeal.id}/task`, { name: 'Связанная', idBoard: board.id })).body
    const expand = 'user,customer,links,tasks,leads,tags'
    const shown = (await caller.get(`/appeals/${appeal.id}?expand=${expand}`)).body
    expect(shown.leads).toMatchObject([{ id: deal.id, title: expect.stringContaining('Ира') }])
    expect(shown.tasks).toMatchObject([{ id: task.id, name: 'Связанная' }])
    expect(shown.links).toHaveLength(2)
    const listed = (await caller.get(`/appeals?filter[id][in]=${appeal.id},${other.id}&sort=id&expand=tasks,leads`))
      .body
    expect(listed.items.map((one: { tasks: [] }) => one.tasks.length)).toEqual([1, 0])
    expect((await caller.get('/appeals?filter[tasks.name]=Связанная')).body.items).toMatchObject([{ id: appeal.id }])
    // A deleted task, and a removed link.
    await caller.delete(`/tasks-management/tasks/${task.id}`)
    const { items: links } = (await caller.get(`/appeal-links?filter[idAppeal]=${appeal.id}&filter[entityType]=leads`))
      .body
    await caller.delete(`/appeal-links/${links[0].id}`)
    expect((await caller.get(`/appeals/${appeal.id}?expand=tasks,leads`)).body).toMatchObject({ tasks: [], leads: [] })
    expect((await as('reader').get(`/appeals/${appeal.id}?expand=tasks`)).status).toBe(403)
  })

  it('include visits', async () => {
    const appeal = (await as('operator').post('/appeals', { description: 'К врачу' })).body
    const booker = as('booker')
    await booker.token()
    const visit = await bodiesIn(clinic, booker).made('appointments')
    await system().create(AppealLink, { idAppeal: appeal.id, entityType: 'appointments', idEntity: visit })
    expect(
      (await booker.get(`/appeals/${appeal.id}?expand=appointments&fields=appointments.services`)).body,
    ).toMatchObject({ appointments: [{ id: visit }] })
  })
})

describe('an appeal of a chat', () => {
  const talk = (more: Partial<Create<typeof LiveAssist>> = {}) =>
    system().asSystem.create(LiveAssist, { name: 'Вера с сайта', phone: '+79005550012', ...more })

  it('is created by one button, recognises the visitor, and stays one under repeated clicks', async () => {
    const { id } = await talk()
    const caller = as('chatter')
    await caller.token()
    const made = await Promise.all([1, 2].map(() => caller.post(`/live-assist/${id}/appeal`)))
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    expect(made[0]?.body.id).toBe(made[1]?.body.id)
    expect(made[0]?.body).toMatchObject({
      entityType: 'live-assist',
      idEntity: id,
      customerFullName: 'Вера с сайта',
      customerPhone: '+79005550012',
      status: 'open',
    })
    const { id: idCustomer } = await patient('Чатова')
    const known = await caller.post(`/live-assist/${(await talk({ idCustomer })).id}/appeal`)
    expect(known.body).toMatchObject({ idCustomer, customerFullName: 'Чатова Анна' })
  })

  it('is refused for an invisible chat, and without the right to appeals', async () => {
    const { id } = await talk()
    for (const login of ['operator', 'reader', 'out'] as const)
      expect((await as(login).post(`/live-assist/${id}/appeal`)).status).toBe(403)
    expect((await as('chatter').post('/live-assist/999999/appeal')).status).toBe(404)
  })

  it('and of a call is created automatically when the conversation ends with a complaint, once', async () => {
    const outcome = async (kind: string) =>
      (
        await clinic.db.one<{ id: number }>({
          text: 'select id::int as id from appeals_outcomes where kind = $1',
          values: [kind],
        })
      )?.id
    const of = async (entityType: string, id: number) =>
      (await as('reader').get(`/appeals?filter[entityType]=${entityType}&filter[idEntity]=${id}`)).body.items
    const { id: idChat } = await talk()
    // An operator without the right to appeals: a complaint creates one anyway.
    const end = async (kind: string) =>
      (await as('answerer').post(`/live-assist/${idChat}/complete`, { idOutcome: await outcome(kind) })).status
    expect([await end('consulted'), await of('live-assist', idChat)]).toEqual([200, []])
    expect([await end('complaint'), await end('complaint')]).toEqual([200, 200])
    expect(await of('live-assist', idChat)).toMatchObject([
      { status: 'open', customerPhone: '+79005550012', outcome: null },
    ])
    // Corrected, the outcome takes its appeal back; one with text of an employee stays.
    expect([await end('consulted'), await of('live-assist', idChat)]).toEqual([200, []])
    expect(await end('complaint')).toBe(200)
    const [again] = await of('live-assist', idChat)
    good(await as('operator').put(`/appeals/${again.id}`, { description: 'Ждал час' }))
    expect([await end('consulted'), await of('live-assist', idChat)]).toMatchObject([200, [{ id: again.id }]])
    const { id: idCall } = await ring({ dateEnd: new Date().toISOString() })
    expect((await as('operator').post(`/calls/${idCall}/end`, { idOutcome: await outcome('complaint') })).status).toBe(
      204,
    )
    expect(await of('call', idCall)).toMatchObject([{ status: 'open', customerPhone: '+79005550011' }])
  })
})

describe('an outcome', () => {
  const made = async (body: object = {}): Promise<number> => (await as('operator').post('/appeals', body)).body.id

  it('requires an outcome, or a next step with its date', async () => {
    const id = await made({ description: 'Жалоба' })
    const close = (more: object = {}) => as('operator').put(`/appeals/${id}`, { status: 'closed', ...more })
    expect((await close()).body).toEqual([{ field: 'outcome', message: 'Укажите итог или следующий шаг с датой' }])
    expect((await close({ nextStep: 'Перезвонить' })).body).toEqual([
      { field: 'dateNextStep', message: 'Когда это сделать?' },
    ])
    const { body } = await close({ outcome: 'complaint' })
    expect([body.status, body.dateEnd === null]).toEqual(['closed', false])
    const again = await as('operator').put(`/appeals/${id}`, { status: 'open' })
    expect(again.body.dateEnd).toBeNull()
    expect((await close({ outcome: null, nextStep: 'Позвонить', dateNextStep: '2026-12-01T10:00:00Z' })).status).toBe(
      200,
    )
  })

  it('is required in every call', async () => {
    const id = await made()
    const refused = await as('operator').post('/appeals/batch', { update: [{ id, status: 'closed' }] })
    expect(refused.status).toBe(422)
    expect((await as('operator').post('/appeals', { status: 'closed' })).status).toBe(422)
  })
})

it('appeals of one patient with one cause within a week are one thread', async () => {
  const { id: idCustomer } = await patient('Нитева')
  const caller = as('operator')
  const { id: idCause } = (await caller.post('/appeals/causes', { name: 'Перенос' })).body
  const first = (await caller.post('/appeals', { idCustomer, idCause })).body
  const second = (await caller.post('/appeals', { idCustomer, idCause })).body
  const third = (await caller.post('/appeals', { idCustomer, idCause })).body
  expect([first.idThread, second.idThread, third.idThread]).toEqual([null, first.id, first.id])
  await clinic.context.db.query({
    text: `update appeals set "dateStart" = now() - interval '8 days' where "idCustomer" = $1`,
    values: [idCustomer],
  })
  expect((await caller.post('/appeals', { idCustomer, idCause })).body.idThread).toBeNull()
})

it('a deal and a task are created from an appeal, linked to it and to its call', async () => {
  const seller = as('seller')
  await seller.post('/sales-management/funnels', { name: 'Воронка' })
  const { id: idCall } = await ring()
  const appeal = (await seller.post(`/calls/${idCall}/appeal`)).body
  await seller.put(`/appeals/${appeal.id}`, { customerFullName: 'Петрова Анна Ивановна', description: 'МРТ' })
  const deal = (await seller.post(`/appeals/${appeal.id}/lead`)).body
  expect(deal.idFunnel).toBeGreaterThan(0)
  const lead = (await seller.get(`/sales-management/leads/${deal.id}?expand=contacts,entities`)).body
  expect(lead.title).toBe('Петрова Анна Ивановна: МРТ')
  expect(lead.contacts[0]).toMatchObject({ surname: 'Петрова', name: 'Анна', phone: '+79005550011' })
  expect(lead.entities[0]).toMatchObject({ type: 'call', idEntity: idCall })
  const board = (await seller.post('/tasks-management/boards', { name: 'Дела' })).body
  const task = await seller.post(`/appeals/${appeal.id}/task`, { name: 'Перезвонить', idBoard: board.id })
  expect(task.status).toBe(200)
  const { items } = (await seller.get(`/appeal-links?filter[idAppeal]=${appeal.id}`)).body
  expect(items.map((one: { entityType: string; idEntity: number }) => [one.entityType, one.idEntity])).toEqual([
    ['leads', deal.id],
    ['tasks', task.body.id],
  ])
})

it('is in the thread of its patient and is found by its subject', async () => {
  const { id: idCustomer } = await patient('Лентова')
  const words = `Справка для бассейна ${Date.now()}`
  const { body } = await as('operator').post('/appeals', { idCustomer, description: words })
  const thread = (await as('operator').get(`/customers/${idCustomer}/thread?kinds=appeals`)).body
  expect(thread.items.map((one: { id: number; title: string }) => [one.id, one.title])).toEqual([[body.id, words]])
  const found = await as('operator').get(`/search?q=${encodeURIComponent(words)}`)
  expect(JSON.stringify(found.body)).toContain(`/journal/appeals/${body.id}`)
  expect(JSON.stringify((await as('out').get(`/search?q=${encodeURIComponent(words)}`)).body)).not.toContain(words)
  expect(await system().row(Appeal, body.id)).toMatchObject({ customerFullName: 'Лентова Анна' })
})
