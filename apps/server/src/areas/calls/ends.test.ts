import { Call, INCOMING, MISSED } from '@ordinator/model/areas/calls/call'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { keepCall } from './telephony/keep.ts'
import { settleRecalls } from './telephony/recalls.ts'
import type { TrackedCall } from './telephony/tracker.ts'

let clinic: Clinic
let operator: Caller
let listener: Caller
let idOperator: number
let idListener: number
const system = () => clinic.context.engine.for(systemActor)

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const rights = ['viewCallJournal', 'viewAppeals', 'editAppeals'] as const
      idOperator = (await addPerson(app, 'operator', [...rights], { sipPhone: '201' })).id
      idListener = (await addPerson(app, 'listener', ['viewCallJournal'])).id
      await addPerson(app, 'chief', ['mainSettings'])
      await addPerson(app, 'head', ['viewCallJournal', 'listenCalls'])
    },
  })
  operator = clinic.as('operator')
  listener = clinic.as('listener')
})
afterAll(() => clinic.close())

let serial = 0
const phoneFor = () => `+7909${String(Date.now()).slice(-4)}${String(100 + ++serial)}`

interface Shown {
  kind: string
  source: string
  id: number
  phone: string | null
  dueAt: string
}
const board = async (who: Caller): Promise<Shown[]> => good(await who.get('/promises')).items
const missed = (phone: string, minutesAgo: number) =>
  system().create(Call, {
    callType: MISSED,
    contactPhone: phone,
    ...({ recall: true } as object),
    dateEnd: new Date(Date.now() - minutesAgo * 60_000 + 20_000).toISOString(),
    ...({ dateCreate: new Date(Date.now() - minutesAgo * 60_000).toISOString() } as object),
  })

let sessions = 0
/** A finished call as reported by the exchange. */
const tracked = (phone: string, seconds: number | null): TrackedCall => {
  const begin = Date.now() - 120_000
  const answer = seconds === null ? null : begin + 5_000
  return {
    session: `s${++sessions}`,
    type: seconds === null ? MISSED : INCOMING,
    begin,
    answer,
    end: answer === null ? begin + 20_000 : answer + (seconds as number) * 1_000,
    contactPhone: phone,
    destPhone: '+74950000000',
    localPhone: seconds === null ? null : '201',
    waitS: 5,
    queue: null,
    legs: [],
  } as TrackedCall
}

it('a conversation requires an outcome once, unless very short, if the clinic requires it', async () => {
  const chief = clinic.as('chief')
  const mine = async (phone: string) => (await board(operator)).filter((one) => one.phone === phone)
  const [talk, short, quiet] = [phoneFor(), phoneFor(), phoneFor()]
  const call = tracked(talk, 60)
  await keepCall(system(), 'test', call)
  await keepCall(system(), 'test', tracked(short, 3))
  expect(await mine(talk)).toMatchObject([{ kind: 'outcome', source: 'call' }])
  expect(await mine(short)).toEqual([])
  const [{ id } = { id: 0 }] = await mine(talk)
  good(await operator.post(`/calls/${id}/end`, { idOutcome: 2 }), 204)
  // Reported again, as after a reconnect.
  await keepCall(system(), 'test', call)
  expect(await mine(talk)).toEqual([])
  good(await chief.put('/settings/common', { demandOutcome: false }))
  await keepCall(system(), 'test', tracked(quiet, 60))
  expect(await mine(quiet)).toEqual([])
  good(await chief.put('/settings/common', { demandOutcome: true }))
  // The appeal of a call holds its outcome.
  const asked = phoneFor()
  await keepCall(system(), 'test', tracked(asked, 60))
  const [owed] = await mine(asked)
  const appeal = good(await operator.post(`/calls/${owed?.id}/appeal`, {}))
  expect(await mine(asked)).toMatchObject([{ kind: 'outcome', source: 'appeal', id: appeal.id }])
})

it('a conversation creates a draft appeal, without an author if the phone belongs to no one', async () => {
  const draftOf = async (phone: string) =>
    good(await operator.get(`/appeals?filter[customerPhone]=${encodeURIComponent(phone)}`)).items
  const [known, unknown, short] = [phoneFor(), phoneFor(), phoneFor()]
  const call = tracked(known, 60)
  const leg = { uniqueid: 'leg', party: 'operator', sipPhone: '201', ringAt: call.begin, answerAt: call.answer }
  await keepCall(system(), 'test', {
    ...call,
    legs: [{ ...leg, endAt: call.end, dialStatus: 'ANSWER' }],
  } as TrackedCall)
  const talk = tracked(unknown, 60)
  await keepCall(system(), 'test', talk)
  await keepCall(system(), 'test', tracked(short, 3))
  expect(await draftOf(known)).toMatchObject([{ status: 'draft', idUser: idOperator, idOwner: idOperator }])
  expect(await draftOf(unknown)).toMatchObject([{ status: 'draft', idUser: null, idOwner: null }])
  expect(await draftOf(short)).toEqual([])
  // The exchange reports later that nobody answered it: the promise is taken back.
  await keepCall(system(), 'test', { ...talk, type: MISSED, answer: null } as TrackedCall)
  expect(await draftOf(unknown)).toEqual([])
})

it('a missed call is due 15 minutes later', async () => {
  const phone = phoneFor()
  const call = tracked(phone, null)
  await keepCall(system(), 'test', call)
  const [owed] = (await board(operator)).filter((one) => one.phone === phone)
  expect(Date.parse(owed?.dueAt ?? '') - call.begin).toBe(15 * 60_000)
})

it('a conversation waits for its outcome; a dated step postpones it; a missed one is closed with a text', async () => {
  const phone = phoneFor()
  const mine = async () => (await board(operator)).filter((one) => one.phone === phone)
  const talked = await system().create(Call, {
    callType: INCOMING,
    contactPhone: phone,
    idUser: idOperator,
    ...({ needsEnd: true } as object),
    dateEnd: new Date(Date.now() - 60_000).toISOString(),
  })
  expect(await mine()).toMatchObject([{ kind: 'outcome', source: 'call', id: talked.id }])
  expect((await operator.post(`/calls/${talked.id}/end`, {})).body).toMatchObject([{ field: 'idOutcome' }])
  const past = new Date(Date.now() - 1_000).toISOString()
  expect((await operator.post(`/calls/${talked.id}/end`, { nextStep: 'Прислать цены' })).body).toMatchObject([
    { field: 'dateNextStep' },
  ])
  expect(
    (await operator.post(`/calls/${talked.id}/end`, { nextStep: 'Прислать цены', dateNextStep: past })).body,
  ).toMatchObject([{ field: 'dateNextStep' }])
  expect((await operator.post(`/calls/${talked.id}/end`, { idOutcome: 987_654 })).body).toMatchObject([
    { field: 'idOutcome' },
  ])
  const dateNextStep = new Date(Date.now() + 3_600_000).toISOString()
  good(await operator.post(`/calls/${talked.id}/end`, { nextStep: 'Прислать цены', dateNextStep }), 204)
  expect(await mine()).toMatchObject([{ kind: 'next', source: 'call', about: 'Прислать цены' }])
  // Setting another's outcome requires the right to listen to others.
  expect((await listener.post(`/calls/${talked.id}/end`, { idOutcome: 1 })).status).toBe(403)
  good(await operator.post(`/calls/${talked.id}/end`, { idOutcome: 1 }), 204)
  expect(await mine()).toEqual([])
  expect((await operator.get(`/calls/${talked.id}?expand=outcome`)).body).toMatchObject({
    outcome: { name: 'Записан на приём' },
    nextStep: null,
    needsEnd: false,
  })

  const first = await missed(phone, 90)
  const second = await missed(phone, 30)
  good(await operator.post(`/calls/${first.id}/end`, { idOutcome: 5 }), 204)
  expect(await mine()).toEqual([])
  // The journal does not reopen it.
  await system().tx((inner, tx) => settleRecalls(inner, tx, phone))
  expect(await mine()).toEqual([])
  await missed(phone, 1)
  expect(await mine()).toHaveLength(1)
  expect((await operator.get(`/calls/${second.id}`)).body.recall).toBe(false)
})

it('several calls get one outcome, or none of them', async () => {
  const phone = phoneFor()
  const talk = (more: object) =>
    system().create(Call, {
      callType: INCOMING,
      contactPhone: phone,
      idUser: idOperator,
      ...({ needsEnd: true } as object),
      dateEnd: new Date().toISOString(),
      ...more,
    })
  const [own, also, others] = [await talk({}), await talk({}), await talk({ idUser: idListener })]
  const end = (ids: number[]) => operator.post('/calls/end-many', { ids, idOutcome: 2 })
  expect((await end([own.id, others.id])).status).toBe(403)
  expect((await operator.get(`/calls/${own.id}`)).body.idOutcome).toBe(null)
  expect(good(await end([own.id, also.id, own.id]))).toEqual({ ended: 2 })
  expect((await board(operator)).filter((one) => one.phone === phone)).toMatchObject([{ id: others.id }])
  expect((await end([])).status).toBe(422)
})

it('a step belongs to its author; one named by a supervisor for another, to that person', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const step = { nextStep: 'Прислать цены', dateNextStep: tomorrow }
  const ownerOf = async (id: number) => (await system().row(Call, id)).idOwner
  const mine = async (who: Caller, phone: string) =>
    good(await who.get('/promises?mine=1')).items.filter((one: Shown) => one.phone === phone)
  const phone = phoneFor()
  const talk = { callType: INCOMING, contactPhone: phone, idUser: idOperator, needsEnd: true } as const
  const over = { dateEnd: new Date().toISOString() }

  // Unowned before: the first one who answers becomes the owner.
  const lost = await missed(phone, 30)
  good(await listener.post(`/calls/${lost.id}/end`, step), 204)
  expect(await ownerOf(lost.id)).toBe(idListener)
  expect(await mine(operator, phone)).toEqual([])
  expect(await mine(listener, phone)).toHaveLength(1)

  // Handed over to a colleague, and completed by the participant.
  const given = await system().create(Call, { ...talk, ...over, ...({ idOwner: idListener } as object) })
  good(await operator.post(`/calls/${given.id}/end`, step), 204)
  expect(await ownerOf(given.id)).toBe(idOperator)
  good(await operator.post(`/calls/${given.id}/end`, { idOutcome: 2 }), 204)
  expect(await ownerOf(given.id)).toBe(null)

  const other = await system().create(Call, { ...talk, ...over })
  good(await clinic.as('head').post(`/calls/${other.id}/end`, step), 204)
  expect(await ownerOf(other.id)).toBe(idOperator)
})
