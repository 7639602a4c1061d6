import { Call, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let operator: Caller
let idOperator: number
let listener: Caller
let reader: Caller
let chatter: Caller
const system = () => clinic.context.engine.for(systemActor)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const all = ['viewCallJournal', 'viewAppeals', 'editAppeals', 'viewCustomers', 'supportOperator'] as const
      idOperator = (await addPerson(app, 'operator', [...all])).id
      await addPerson(app, 'listener', ['viewCallJournal'])
      await addPerson(app, 'reader', ['viewAppeals'])
      await addPerson(app, 'chatter', ['supportOperator'])
      await addPerson(app, 'setter', ['mainSettings'])
      await addPerson(app, 'out', [])
    },
  })
  operator = clinic.as('operator')
  listener = clinic.as('listener')
  reader = clinic.as('reader')
  chatter = clinic.as('chatter')
  for (const one of [operator, listener]) await one.token()
})
afterAll(() => clinic.close())

let serial = 0
const phoneFor = () => `+7908${String(Date.now()).slice(-4)}${String(100 + ++serial)}`

interface Shown {
  kind: string
  source: string
  id: number
  phone: string | null
  who: string | null
  idCustomer: number | null
  dueAt: string
}
const board = async (who: Caller, query = ''): Promise<Shown[]> => {
  const answer = await who.get(`/promises${query}`)
  expect(answer.status).toBe(200)
  return answer.body.items
}
const missed = (phone: string, minutesAgo: number, more: object = {}) =>
  system().create(Call, {
    callType: MISSED,
    contactPhone: phone,
    ...({ recall: true } as object),
    dateEnd: new Date(Date.now() - minutesAgo * 60_000 + 20_000).toISOString(),
    ...more,
    ...({ dateCreate: new Date(Date.now() - minutesAgo * 60_000).toISOString() } as object),
  })

it('a number missed twice is one promise, due with the first, until the call no longer waits', async () => {
  const phone = phoneFor()
  const first = await missed(phone, 40)
  const second = await missed(phone, 10)
  const [found, ...rest] = (await board(operator)).filter((one) => one.phone === phone)
  expect([found?.kind, found?.id, rest.length]).toEqual(['callBack', first.id, 0])
  expect(Date.parse(found?.dueAt ?? '')).toBe(Date.parse(first.dateCreate))
  await system().create(Call, { callType: OUTGOING, contactPhone: phone })
  expect((await board(operator)).filter((one) => one.phone === phone)).toHaveLength(1)
  for (const { id } of [first, second]) await system().update(Call, id, { ...({ recall: false } as object) })
  expect((await board(operator)).filter((one) => one.phone === phone)).toEqual([])
})

it('a missed call waits at any age, and a long list is paged without repeats or gaps', async () => {
  const [old, young] = [phoneFor(), phoneFor()]
  const first = await missed(old, 80 * 24 * 60)
  const second = await missed(young, 6 * 24 * 60)
  // Equal to the microsecond: pages separate them anyway.
  await clinic.db.query({
    text: `insert into appeals ("customerPhone", "dateStart", "idUser", "idFilial")
      select '+79990000000', now() - interval '30 days', $1, null from generate_series(1, 210)`,
    values: [idOperator],
  })
  const shown: Shown[] = []
  let after: string | null = ''
  let pages = 0
  while (after !== null) {
    const answer: { status: number; body: { items: Shown[]; next: string | null } } = await operator.get(
      `/promises${after && `?after=${encodeURIComponent(after)}`}`,
    )
    expect(answer.status).toBe(200)
    shown.push(...answer.body.items)
    after = answer.body.next
    pages += 1
    expect(answer.body.items.length).toBeLessThanOrEqual(100)
  }
  expect(pages).toBeGreaterThanOrEqual(3)
  expect(new Set(shown.map(({ kind, source, id }) => `${kind} ${source} ${id}`)).size).toBe(shown.length)
  expect(shown.filter(({ phone }) => phone === '+79990000000')).toHaveLength(210)
  const due = shown.map(({ dueAt }) => Date.parse(dueAt))
  expect(due).toEqual([...due].sort((a, b) => a - b))
  const phones = shown.map(({ phone }) => phone)
  expect([phones.includes(young), phones.includes(old)]).toEqual([true, true])
  expect((await operator.get('/promises?after=strange')).status).toBe(400)
  await clinic.db.query({ text: `delete from appeals where "customerPhone" = '+79990000000'` })
  for (const { id } of [first, second]) await system().update(Call, id, { ...({ recall: false } as object) })
})

it('a chat is listed while its visitor waits for a person, and not once answered', async () => {
  const phone = phoneFor()
  const chat = await system().asSystem.create(LiveAssist, {
    name: 'Ждун',
    phone,
    inCount: 1,
    lastMessage: 'Вы здесь?',
    queuedAt: new Date(Date.now() - 60_000).toISOString(),
  })
  const mine = async () => (await board(operator)).filter((one) => one.phone === phone)
  expect(await mine()).toMatchObject([{ kind: 'answer', source: 'chat', id: chat.id, about: 'Вы здесь?' }])
  const answer = { idLiveAssist: chat.id, clientId: 'promised-answer-1', message: 'Да, слушаю' }
  good(await operator.post('/live-assist/messages', answer), 201)
  expect(await mine()).toEqual([])
})

it('supervisors are notified of overdue promises, once, if enabled', async () => {
  const chief = (await addPerson(clinic.context, 'chief', ['superviseLiveAssist'])).id
  const notices = () =>
    clinic.db.query<{ title: string }>({
      text: `select "title" from notifications where "idUser" = $1 and "kind" = 'promise.overdue' order by "id"`,
      values: [chief],
    })
  const admin = clinic.as('setter')
  good(await admin.put('/settings/common', { promiseAlert: 0 }))
  await clinic.context.jobs.run('appeals.alerts')
  expect(await notices()).toEqual([])
  good(await admin.put('/settings/common', { promiseAlert: 15 }))
  await clinic.context.jobs.run('appeals.alerts')
  const before = (await notices()).length
  const phone = phoneFor()
  const call = await missed(phone, 29, { recallDueAt: new Date(Date.now() - 14 * 60_000).toISOString() })
  await clinic.context.jobs.run('appeals.alerts')
  expect(await notices()).toHaveLength(before)
  await system().update(Call, call.id, {
    ...({ recallDueAt: new Date(Date.now() - 16 * 60_000).toISOString() } as object),
  })
  await clinic.context.jobs.run('appeals.alerts')
  await clinic.context.jobs.run('appeals.alerts')
  expect((await notices()).slice(before)).toEqual([{ title: 'Просрочено: 1\u00a0обещание' }])
})

it('a waiting patient has a link to the card, only with the right to cards', async () => {
  const phone = phoneFor()
  const { id: idCustomer } = await system().create(Customer, { surname: 'Карточкина', name: 'Вера' })
  good(await operator.post('/appeals', { idCustomer, customerPhone: phone, customerFullName: 'Карточкина' }), 201)
  await missed(phone, 5, { idCustomer })
  await system().asSystem.create(LiveAssist, {
    ...{ name: 'Карточкина', phone, idCustomer, inCount: 1 },
    queuedAt: new Date(Date.now() - 60_000).toISOString(),
  })
  const shownTo = async (who: Caller) => (await board(who)).filter((one) => one.phone === phone)
  const shown = await shownTo(operator)
  expect(shown.map(({ source }) => source).sort()).toEqual(['appeal', 'call', 'chat'])
  expect(shown.map((one) => one.idCustomer)).toEqual([idCustomer, idCustomer, idCustomer])
  for (const who of [listener, reader, chatter])
    expect((await shownTo(who)).map((one) => one.idCustomer)).toEqual([null])
})

it('an appeal is listed until it has an outcome, by its next step if any; the most urgent first', async () => {
  const phone = phoneFor()
  const { id } = (
    await operator.post('/appeals', { customerPhone: phone, customerFullName: 'Ждунова', description: 'МРТ' })
  ).body
  const mine = async () => (await board(operator)).filter((one) => one.phone === phone)
  expect(await mine()).toMatchObject([{ kind: 'outcome', id, who: 'Ждунова' }])
  const dateNextStep = new Date(Date.now() + 86_400_000).toISOString()
  await operator.put(`/appeals/${id}`, { status: 'closed', nextStep: 'Позвонить с ценой', dateNextStep })
  // Closed by a future step: the promise is still open.
  expect(await mine()).toMatchObject([{ kind: 'next', id, about: 'Позвонить с ценой' }])
  expect(Date.parse((await mine())[0]?.dueAt ?? '')).toBe(Date.parse(dateNextStep))
  const late = phoneFor()
  await missed(late, 600)
  const order = (await board(operator)).map((one) => one.phone)
  expect(order.indexOf(late)).toBeLessThan(order.indexOf(phone))
  await operator.put(`/appeals/${id}`, { outcome: 'consulted' })
  expect(await mine()).toEqual([])
})

it('is filtered by owner and branch, shows each user visible promises, and nothing without rights', async () => {
  const [own, others, free] = [phoneFor(), phoneFor(), phoneFor()]
  const other = (await addPerson(clinic.context, `other${Date.now()}`)).id
  await missed(own, 5, { idFirstUser: idOperator })
  await missed(others, 5, { idFirstUser: other })
  await missed(free, 5)
  const phones = (await board(operator, '?mine=1')).map(({ phone }) => phone)
  expect([own, others, free].map((phone) => phones.includes(phone))).toEqual([true, false, true])
  expect((await board(operator, '?filial=987654')).map(({ phone }) => phone)).toEqual([])
  const hers = phoneFor()
  await operator.post('/appeals', { customerPhone: hers })
  expect((await board(listener)).filter(({ phone }) => phone === hers)).toEqual([])
  expect((await board(reader)).map(({ phone }) => phone)).toContain(hers)
  expect((await board(chatter)).map(({ phone }) => phone)).not.toContain(hers)
  expect((await clinic.as('out').get('/promises')).status).toBe(403)
  expect((await operator.get('/promises?strange=1')).status).toBeGreaterThanOrEqual(400)
})
