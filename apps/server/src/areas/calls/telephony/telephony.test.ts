import { Call, INCOMING, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Task } from '@ordinator/model/areas/tasks/task'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLog } from '#platform/log.ts'
import { systemActor } from '#records/actor.ts'
import { type AmiSimulator, startAmiSimulator } from '#testing/amiSimulator.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { openAmi } from './ami.ts'
import { keepCall } from './keep.ts'
import { settleRecalls } from './recalls.ts'
import type { TrackedCall } from './tracker.ts'

let clinic: Clinic
let ami: AmiSimulator
let idOperator: number
const system = () => clinic.context.engine.for(systemActor)

beforeAll(async () => {
  ami = await startAmiSimulator()
  clinic = await testApp({
    env: { AMI_URL: ami.url },
    prepare: async (app) => {
      idOperator = (await addPerson(app, 'operator', ['viewCallJournal'], { sipPhone: '201' })).id
      await addPerson(app, 'colleague', [], { sipPhone: '202' })
      await addPerson(app, 'phoneless', ['viewCallJournal'])
    },
  })
  await signedIn(1)
})
afterAll(async () => {
  await clinic.close()
  await ami.close()
})

const signedIn = (times: number) => vi.waitFor(() => expect(ami.logins).toBeGreaterThanOrEqual(times), 60_000)
let serial = 0
const phoneFor = () => `+7905${String(Date.now()).slice(-4)}${String(100 + ++serial)}`
/** The journal's row of a session, once it has these values. */
const row = (session: string, is: object) =>
  vi.waitFor(
    async () => {
      const { items } = (await clinic.as('operator').get(`/calls?filter[idCallSession]=${session}&expand=legs`)).body
      expect(items).toHaveLength(1)
      expect(items[0]).toMatchObject(is)
      return items[0]
    },
    { timeout: 30_000, interval: 200 },
  )

function comes(session: string, phone: string): void {
  ami.emit('Newchannel', {
    Uniqueid: session,
    Linkedid: session,
    Channel: `PJSIP/trunk-${session}`,
    CallerIDNum: phone,
    Exten: '84950000000',
  })
  ami.emit('Newchannel', { Uniqueid: `${session}o`, Linkedid: session, Channel: 'PJSIP/201-0000000a' })
}
function answers(session: string): void {
  for (const Uniqueid of [session, `${session}o`])
    ami.emit('BridgeEnter', { Uniqueid, Linkedid: session, BridgeUniqueid: `bridge-${session}` })
}
function hangs(session: string): void {
  for (const Uniqueid of [`${session}o`, session]) ami.emit('Hangup', { Uniqueid, Cause: '16' })
}

it('a call that rings, is answered and ends is in the journal once, with its patient and its employee', async () => {
  const phone = phoneFor()
  const { id: idCustomer } = await system().create(Customer, { surname: 'Звонова', name: 'Ольга', phone })
  const session = `s${Date.now()}1`
  comes(session, phone.replace('+7', '8'))
  const ringing = await row(session, { state: 'ringing', callType: 1, contactPhone: phone, idCustomer })
  const own = (await clinic.as('colleague').get('/calls/legs')).body.items
  expect(own.filter((leg: { idCall: number }) => leg.idCall === ringing.id)).toEqual([])
  answers(session)
  await row(session, { state: 'talking', idUser: idOperator, localPhone: '201' })
  hangs(session)
  const over = await row(session, { state: 'ended', callType: 1, idUser: idOperator })
  expect(over.legs.map((leg: { sipPhone: string | null }) => leg.sipPhone)).toEqual([null, '201'])
})

it('a missed call waits, and is imported after the connection broke amid half a line and malformed data', async () => {
  const phone = phoneFor()
  const session = `s${Date.now()}2`
  comes(session, phone)
  await row(session, { state: 'ringing' })
  const before = ami.logins
  ami.say('%%%\r\n\r\n: no key\r\n\r\nEvent: Hang')
  ami.drop()
  await signedIn(before + 1)
  await row(session, { state: 'ended', callType: 3, recall: true })
})

it('a call missed by the leader is written by another process', async () => {
  // Another process becomes the leader, and writes nothing: it has just started.
  const key = [`telephony ${new URL(ami.url).hostname}`]
  const other = await clinic.db.connect()
  await other.query(
    `select pg_terminate_backend(l.pid) from pg_locks l, hashtextextended($1, 0) as key where l.locktype = 'advisory'
      and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ((key >> 32) & 4294967295)::bigint::oid and l.objid = (key & 4294967295)::bigint::oid`,
    key,
  )
  await other.query('select pg_advisory_lock(hashtextextended($1, 0))', key)
  const phone = phoneFor()
  const session = `s${Date.now()}9`
  comes(session, phone)
  answers(session)
  hangs(session)
  const hung = Date.now()
  await row(session, { state: 'ended', callType: 1, contactPhone: phone })
  // It left the call to the leader for so long.
  expect(Date.now() - hung).toBeGreaterThan(9_000)
  await other.end()
})

it('late events of a finished call change nothing', async () => {
  const session = `s${Date.now()}10`
  const call: TrackedCall = {
    session,
    type: MISSED,
    contactPhone: phoneFor(),
    localPhone: null,
    destPhone: null,
    begin: Date.now() - 9_000,
    answer: null,
    end: Date.now(),
    waitS: 9,
    queue: null,
    legs: [],
  }
  await keepCall(system(), 'other', call)
  await keepCall(system(), 'other', { ...call, type: INCOMING, end: Date.now() + 5 }, { unlessOver: true })
  await row(session, { state: 'ended', callType: MISSED })
})

it('a live channel after a reconnect continues the same call', async () => {
  const session = `s${Date.now()}3`
  comes(session, phoneFor())
  await row(session, { state: 'ringing' })
  ami.channels = [
    { Uniqueid: session, Linkedid: session, Channel: `PJSIP/trunk-${session}`, BridgeId: 'b' },
    { Uniqueid: `${session}o`, Linkedid: session, Channel: 'PJSIP/201-0000000a', BridgeId: 'b' },
  ]
  const before = ami.logins
  ami.drop()
  await signedIn(before + 1)
  await row(session, { state: 'talking', idUser: idOperator })
  ami.channels = []
  hangs(session)
  await row(session, { state: 'ended', callType: 1 })
})

it('dialling from the screen writes the row first, and calls the exchange once', async () => {
  const phone = phoneFor()
  const answer = await clinic.as('operator').post('/calls/originate', { phone: `8${phone.slice(2)}` })
  expect(answer.status).toBe(200)
  expect(ami.originated.at(-1)).toMatchObject({ Channel: 'PJSIP/201', Exten: phone, Async: 'true' })
  const call = (await clinic.as('operator').get(`/calls/${answer.body.id}`)).body
  expect(call).toMatchObject({ callType: 2, contactPhone: phone, idCallSession: ami.originated.at(-1)?.ChannelId })
  const session = ami.originated.at(-1)?.ChannelId as string
  ami.emit('Newchannel', { Uniqueid: session, Linkedid: session, Channel: 'PJSIP/201-0000000b', Exten: 's' })
  await row(session, { state: 'ringing', callType: 2, contactPhone: phone })
  ami.emit('Hangup', { Uniqueid: session })
  await row(session, { state: 'failed', callType: 2, contactPhone: phone, idUser: idOperator })
  const silent = (await clinic.as('operator').post('/calls/originate', { phone })).body.id
  const asked = ami.originated.at(-1) as Record<string, string>
  ami.emit('OriginateResponse', { ActionID: asked.ActionID as string, Response: 'Failure', Reason: '3' })
  await row(asked.ChannelId as string, { id: silent, state: 'failed' })
  ami.refuses = true
  const refused = await clinic.as('operator').post('/calls/originate', { phone })
  ami.refuses = false
  expect(refused.status).toBe(502)
  const { items } = (
    await clinic.as('operator').get(`/calls?filter[contactPhone]=${encodeURIComponent(phone)}&sort=-id`)
  ).body
  expect([items[0].state, items[0].dateEnd === null]).toEqual(['failed', false])
})

it('is refused with a message without a number, a phone or the right', async () => {
  const ask = (login: string, phone: string) => clinic.as(login).post('/calls/originate', { phone })
  expect((await ask('operator', '12\r\nAction: Command')).body).toEqual([
    { field: 'phone', message: 'Не корректный номер телефона' },
  ])
  expect((await ask('phoneless', '+79161234567')).body.code).toBe('sipPhone')
  expect((await ask('colleague', '+79161234567')).status).toBe(403)
})

it('a dialled value cannot inject another action of the exchange', async () => {
  const { hostname, port } = new URL(ami.url)
  const before = ami.logins
  const address = { host: hostname, port: Number(port), user: 'ordinator', secret: 'secret' }
  const line = openAmi(address, { event: () => undefined, living: () => undefined }, createLog('fatal'))
  await signedIn(before + 1)
  const phone = '1\r\nAction: Simulate\r\nAs: Hangup\r\n\r\n'
  await vi.waitFor(
    () => line.originate({ sipPhone: '201', phone, session: 'injected', failed: () => undefined }),
    30_000,
  )
  line.stop()
  expect(ami.originated.at(-1)).toMatchObject({ Action: 'Originate', Exten: phone.replace(/[\r\n]/g, ' ') })
})

it('a missed call is recalled by the first attempt and waits until reached, in any order of writes', async () => {
  const kinds = fc.record({
    at: fc.integer({ min: 1, max: 600 }),
    type: fc.constantFrom(INCOMING, OUTGOING, MISSED),
    talk: fc.constantFrom(0, 3, 5, 65),
  })
  const begin = Date.now() - 3_600_000
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(kinds, { selector: ({ at }) => at, minLength: 1, maxLength: 6 }), async (calls) => {
      const phone = phoneFor()
      for (const { at, type, talk } of calls) {
        const when = begin + at * 1000
        const answered = type !== MISSED && talk > 0
        await system().tx(async (records, tx) => {
          await records.asSystem.create(Call, {
            callType: type,
            contactPhone: phone,
            dateAnswer: answered ? new Date(when).toISOString() : null,
            dateEnd: new Date(when + talk * 1000).toISOString(),
            ...({ dateCreate: new Date(when).toISOString() } as object),
          })
          await settleRecalls(records, tx, phone)
        })
      }
      const { items } = (
        await clinic.as('operator').get(`/calls?limit=50&filter[contactPhone]=${encodeURIComponent(phone)}`)
      ).body
      for (const missed of calls.filter(({ type }) => type === MISSED)) {
        const later = calls.filter(({ at }) => at > missed.at)
        const tries = later.filter(({ type }) => type === OUTGOING).map(({ at }) => at - missed.at)
        const reached = later.some(({ type, talk }) => type !== MISSED && talk >= 5)
        const when = new Date(begin + missed.at * 1000).getTime()
        const stored = items.find((call: { dateCreate: string }) => Date.parse(call.dateCreate) === when)
        expect([stored.callType, stored.recallS, stored.recall]).toEqual([
          tries.length ? 5 : 3,
          tries.length ? Math.min(...tries) : null,
          !reached,
        ])
      }
    }),
    {
      numRuns: runs(6, 200),
      examples: [
        // Three seconds are no conversation.
        [
          [
            { at: 20, type: OUTGOING, talk: 3 },
            { at: 1, type: MISSED, talk: 0 },
          ],
        ],
        // Missed, tried after 720 s without success, reached by the next attempt.
        [
          [
            { at: 1, type: MISSED, talk: 0 },
            { at: 721, type: OUTGOING, talk: 0 },
            { at: 2401, type: OUTGOING, talk: 65 },
          ],
        ],
      ],
    },
  )
})

it('a missed call is a task of the employee it rang; three attempts half an hour apart end both', async () => {
  const phone = phoneFor()
  const begin = Date.now() - 5 * 3_600_000
  const call = (type: typeof MISSED | typeof OUTGOING, minutes: number, talk = 0) =>
    system().tx(async (records, tx) => {
      const when = begin + minutes * 60_000
      const { id } = await records.asSystem.create(Call, {
        callType: type,
        contactPhone: phone,
        idFirstUser: type === MISSED ? idOperator : null,
        dateAnswer: talk ? new Date(when).toISOString() : null,
        dateEnd: new Date(when + talk * 1000).toISOString(),
        ...({ dateCreate: new Date(when).toISOString() } as object),
      })
      await settleRecalls(records, tx, phone)
      return id
    })
  const now = async (id: number) => {
    const stored = await system().row(Call, id)
    return { recall: stored.recall, tries: stored.recallTries, gaveUp: stored.gaveUp, idTask: stored.idTask }
  }
  const first = await call(MISSED, 0)
  const again = await call(MISSED, 1)
  const { idTask } = await now(first)
  expect(await now(again)).toEqual({ recall: true, tries: 0, gaveUp: false, idTask })
  const task = () => system().row(Task, idTask as number)
  expect(await task()).toMatchObject({
    idUser: idOperator,
    isCompleted: false,
    name: expect.stringContaining('Перезвонить +7'),
  })
  // Two within half an hour are one attempt.
  for (const minutes of [5, 6, 40]) await call(OUTGOING, minutes)
  expect(await now(first)).toEqual({ recall: true, tries: 2, gaveUp: false, idTask })
  await call(OUTGOING, 75)
  expect(await now(first)).toEqual({ recall: false, tries: 3, gaveUp: true, idTask })
  expect((await task()).isCompleted).toBe(true)
  // A later conversation.
  await call(OUTGOING, 120, 65)
  expect(await now(first)).toMatchObject({ recall: false, gaveUp: false })
})

it('a consultation before a transfer leaves no call of its own in the journal', async () => {
  const phone = phoneFor()
  const session = `s${Date.now()}11`
  const consult = `${session}c`
  comes(session, phone)
  answers(session)
  await row(session, { state: 'talking' })
  ami.emit('Newchannel', { Uniqueid: consult, Linkedid: consult, Channel: 'PJSIP/201-0000c0', Exten: '305' })
  await row(consult, { callType: 4 })
  ami.emit('AttendedTransfer', { OrigTransfererUniqueid: session, SecondTransfererUniqueid: consult })
  const { as } = clinic
  await expect
    .poll(async () => (await as('operator').get(`/calls?filter[idCallSession]=${consult}`)).body.items)
    .toEqual([])
  hangs(session)
})
