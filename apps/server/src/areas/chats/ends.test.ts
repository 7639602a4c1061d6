import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const CONSULTED = 2
/** Maximum number of chats completed at once. */
const MOST = 100

let clinic: Clinic
let alina: Caller
let boris: Caller
let chief: Caller
let reader: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'alina', ['supportOperator'])
      await addPerson(app, 'boris', ['supportOperator'])
      await addPerson(app, 'chief', ['supportOperator', 'superviseLiveAssist'])
      await addPerson(app, 'reader', ['displayTableLiveAssist'])
    },
  })
  ;[alina, boris, chief, reader] = ['alina', 'boris', 'chief', 'reader'].map((login) => clinic.as(login)) as [
    Caller,
    Caller,
    Caller,
    Caller,
  ]
})
afterAll(() => clinic.close())

let serial = 0
const chat = async (by = alina): Promise<number> =>
  good(await by.post('/live-assist', { name: `Чат ${++serial}`, responseId: randomUUID() }), 201).id
const end = (ids: number[], by = alina, how: object = { idOutcome: CONSULTED }) =>
  by.post('/live-assist/complete-many', { ids, ...how })
const statusOf = async (id: number) => good(await alina.get(`/live-assist/${id}`)).status

it('completes many at once with one outcome, each once, with a line in each', async () => {
  const ids = [await chat(), await chat(), await chat()]
  expect(good(await end([...ids, ids[0] as number]))).toEqual({ completed: 3 })
  for (const id of ids) {
    expect(good(await alina.get(`/live-assist/${id}`))).toMatchObject({ status: 'completed', idOutcome: CONSULTED })
    const { items } = good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}`))
    expect(items).toMatchObject([{ kind: 'system', message: 'Разговор завершён' }])
  }
})

it('completes none if one cannot be completed, and names it', async () => {
  const [own, other, old] = [await chat(), await chat(boris), await chat()]
  good(await end([old]))
  good(await alina.post(`/live-assist/${old}/archive`))
  const name = async (id: number) => good(await alina.get(`/live-assist/${id}`)).name
  for (const refused of [other, old]) {
    const { status, body } = await end([own, refused])
    expect([status, body.code, body.message]).toEqual([409, 'refused', expect.stringContaining(await name(refused))])
    expect(body.message).toContain('Снимите чат с выбора')
    expect(await statusOf(own)).toBe('active')
  }
  // A senior also completes a colleague's chat.
  good(await end([own, other], chief))
  expect([await statusOf(own), await statusOf(other)]).toEqual(['completed', 'completed'])
})

it('requires an outcome or a future next step, a limited number of chats, and the right to answer', async () => {
  const id = await chat()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  for (const [ids, how] of [
    [[], { idOutcome: CONSULTED }],
    [Array.from({ length: MOST + 1 }, (_, at) => at + 1), { idOutcome: CONSULTED }],
    [[id], { idOutcome: 999_999 }],
    [[id], { nextStep: 'Перезвонить' }],
    [[id], { nextStep: 'Перезвонить', dateNextStep: '2020-01-01T10:00:00Z' }],
  ] as [number[], object][])
    expect([how, (await end(ids, alina, how)).status]).toEqual([how, 422])
  expect((await end([id], reader)).status).toBe(403)
  expect((await end([id, 999_999])).status).toBe(404)
  expect(await statusOf(id)).toBe('active')
  good(await end([id], alina, { nextStep: 'Перезвонить', dateNextStep: tomorrow }))
  expect(good(await alina.get(`/live-assist/${id}`))).toMatchObject({ status: 'completed', nextStep: 'Перезвонить' })
})

it('two concurrent completions complete once', async () => {
  const ids = [await chat(), await chat()]
  const answers = await Promise.all([end(ids), end([...ids].reverse()), end(ids, chief)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const id of ids)
    expect(good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&count=1`))._meta.totalCount).toBe(1)
})
