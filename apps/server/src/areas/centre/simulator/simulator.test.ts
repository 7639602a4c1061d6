import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { INCOMING, MISSED } from '@ordinator/model/areas/calls/call'
import { type Scenario, scenarios } from '@ordinator/model/areas/centre/calls'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type CallStep, planOf } from './plan.ts'
import { phonesOf, simulate } from './run.ts'
import { type Called, callAfter } from './wire.ts'

let clinic: Clinic
let chief: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'chief', ['mainSettings', 'viewCallJournal', 'displayTableLiveAssist'])
      await addPerson(app, 'operator', ['supportOperator', 'viewCallJournal'], { sipPhone: '201' })
    },
  })
  chief = clinic.as('chief')
})
afterAll(() => clinic.close())

/** As `DEMO=1` does on a used database, and with the demo's mark on an empty one. */
const settings = () => clinic.context.config as { demo: boolean }
const mark = () => clinic.db.query({ text: 'insert into demo_clinic default values' })
const play = async (id: number, wait: (ms: number) => Promise<unknown> = async () => {}) =>
  simulate(clinic.context, id, wait)
const begin = async (scenario: Scenario, seed: number) =>
  good(await chief.post('/simulator/start', { scenario, seed })).run
/** Results of a run, without times and counters. */
const left = async () => ({
  lines: await clinic.db.query({
    text: `select c."name", c."training", m."message" from live_assist_messages m
      join live_assist c on c."id" = m."idLiveAssist" where not c."deleted" and m."kind" = 'visitor'
      order by c."id", m."seq"`,
  }),
  called: await clinic.db.query({
    text: `select "contactPhone", "callType", "waitS", "training", "idFirstUser" is not null as rang,
      round(extract(epoch from "dateEnd" - "dateCreate"))::int as s from calls order by "id"`,
  }),
})

it('a plan is deterministic for its seed; no call is answered before it rings, and all end', () => {
  expect(planOf('day', 5)).toEqual(planOf('day', 5))
  expect(planOf('day', 5)).not.toEqual(planOf('day', 6))
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(scenarios) as Scenario[])),
      fc.integer({ min: 1, max: 999_999 }),
      (scenario, seed) => {
        const { people, steps } = planOf(scenario, seed)
        expect(steps.length).toBeGreaterThan(5)
        for (const { after, who } of steps) {
          expect(after).toBeGreaterThanOrEqual(0)
          expect(people[who]?.phone).toMatch(/^\+7900009\d{4}$/)
        }
        const calls = Map.groupBy(
          steps.filter((step) => step.does !== 'say'),
          (step) => step.call,
        )
        for (const steps of calls.values())
          expect([
            ['ring', 'hangUp'],
            ['ring', 'answer', 'hangUp'],
          ]).toContainEqual(steps.map(({ does }) => does))
      },
    ),
    { numRuns: runs(50, 1_000) },
  )
})

it('calls of a training clinic ring the people in it; otherwise everybody with a phone', async () => {
  const setLastSeen = (login: string, ago: string) =>
    clinic.db.query({
      text: `update users set "lastActive" = now() - $2::interval where "login" = $1`,
      values: [login, ago],
    })
  await addPerson(clinic.context, 'trainee', [], { sipPhone: '202' })
  const ringing = (training: boolean) => phonesOf({ db: clinic.db, config: { ...clinic.context.config, training } })
  await setLastSeen('operator', '1 day')
  await setLastSeen('trainee', '1 day')
  expect((await ringing(true)).sort()).toEqual(['201', '202'])
  await setLastSeen('trainee', '1 minute')
  expect(await ringing(true)).toEqual(['202'])
  expect(await ringing(false)).toEqual(['202', '201'])
  await clinic.db.query({ text: `update users set "sipPhone" = null where "login" = 'trainee'` })
})

it('is missing in a clinic that is not the demo, whatever its settings', async () => {
  await mark()
  expect((await chief.get('/simulator')).status).toBe(404)
  await clinic.db.query({ text: 'delete from demo_clinic' })
  settings().demo = true
  expect((await chief.get('/simulator')).status).toBe(404)
  expect((await chief.post('/simulator/start', { scenario: 'day' })).status).toBe(404)
  expect((await chief.post('/simulator/clear', {})).status).toBe(404)
  expect((await clinic.as('operator').get('/simulator')).status).toBe(403)
  // A run inserted another way plays nothing.
  await clinic.db.query({
    text: `insert into simulator_runs ("scenario", "seed", "speed", "total", "idUser")
      select 'day', 1, 1, 1, max("id") from users`,
  })
  const [row] = await clinic.db.query<{ id: number }>({ text: 'delete from simulator_runs returning "id"::int as id' })
  await clinic.db.query({
    text: `insert into simulator_runs ("id", "scenario", "seed", "speed", "total", "idUser")
      select ${row?.id}, 'day', 1, 1, 1, max("id") from users`,
  })
  await expect(play(row?.id ?? 0)).rejects.toThrow('демонстрационной')
  expect(await left()).toEqual({ lines: [], called: [] })
  await clinic.db.query({ text: 'delete from simulator_runs' })
})

it('patients write and call, marked as training; a seed gives the same, and all can be deleted', async () => {
  await mark()
  const { id, total } = await begin('day', 42)
  expect((await chief.post('/simulator/start', { scenario: 'day' })).status).toBe(409)
  expect((await chief.post('/simulator/clear', {})).status).toBe(409)
  let steps = 0
  // After an interruption in the middle nothing is repeated.
  await expect(
    play(id, async () => {
      if (++steps === 8) throw new Error('the server stops')
    }),
  ).rejects.toThrow('the server stops')
  await clinic.db.query({ text: `update simulator_runs set "step" = "step" - 1` })
  await play(id)
  const first = await left()
  expect(first.lines.length).toBeGreaterThan(3)
  expect(first.called.length).toBeGreaterThan(2)
  expect(new Set([...first.lines, ...first.called].map((row) => (row as { training: boolean }).training))).toEqual(
    new Set([true]),
  )
  expect(first.called.every((row) => (row as { rang: boolean }).rang)).toBe(true)
  const state = good(await chief.get('/simulator'))
  expect(state.run).toMatchObject({ status: 'done', step: total, total })
  const [called] = good(await chief.get('/calls?filter[training]=1&limit=1')).items
  await clinic.context.engine.for(systemActor).tx(async (records) => {
    const [user] = await clinic.db.query<{ id: number }>({ text: 'select max("id")::int as id from users' })
    await records.asSystem.create(Appeal, { entityType: 'call', idEntity: called.id, idUser: user?.id as number })
  })
  const cleared = good(await chief.post('/simulator/clear', {}))
  expect(cleared.made).toEqual({ chats: 0, calls: 0 })
  expect(await left()).toEqual({ lines: [], called: [] })
  expect(await clinic.db.query({ text: 'select 1 from appeals where not "deleted"' })).toEqual([])
  await play((await begin('day', 42)).id)
  expect(await left()).toEqual(first)
  good(await chief.post('/simulator/clear', {}))
})

it('a call is received through the protocol of an exchange: answered, abandoned, transferred to a colleague', () => {
  const called = { session: 't', phone: '+79000090001', line: '+79000000700', sip: '201', other: '305' }
  const own = { call: 0, operator: 0, other: 1 }
  const begin = 1_000_000
  const stateAt = (step: CallStep, who: Called = called) => callAfter(step, who, begin)
  const plain = { ...own, course: 'plain' } as const
  expect(stateAt({ ...plain, does: 'ring' })).toMatchObject({ session: 't', end: null, answer: null })
  expect(stateAt({ ...plain, does: 'ring' })?.legs).toMatchObject([
    { party: 'external' },
    { sipPhone: '201', ringAt: begin },
  ])
  expect(stateAt({ ...plain, does: 'answer', rangMs: 5_000 })).toMatchObject({ answer: begin + 5_000, end: null })
  expect(stateAt({ ...plain, does: 'hangUp', rangMs: 5_000, talkedMs: 60_000 })).toMatchObject({
    type: INCOMING,
    localPhone: '201',
    queue: 'Учебная линия',
    contactPhone: '+79000090001',
    end: begin + 65_000,
  })
  expect(stateAt({ ...plain, does: 'hangUp', rangMs: 9_000, talkedMs: null })).toMatchObject({
    type: MISSED,
    waitS: 9,
    answer: null,
    end: begin + 9_000,
  })
  const handed = stateAt({ ...own, course: 'transfer', does: 'hangUp', rangMs: 5_000, talkedMs: 60_000 })
  expect(handed).toMatchObject({ session: 't', type: INCOMING, localPhone: '305', end: begin + 65_000 })
  // Without phones no call is answered.
  expect(
    stateAt({ ...plain, does: 'hangUp', rangMs: 5_000, talkedMs: 60_000 }, { ...called, sip: null }),
  ).toMatchObject({
    type: MISSED,
  })
})

it('a flood is rate-limited at the visitor API, and the run continues to its end', async () => {
  const { id, total } = await begin('flood', 3)
  await play(id)
  expect(good(await chief.get('/simulator')).run).toMatchObject({ status: 'done', step: total })
  const { steps } = planOf('flood', 3)
  const wanted = Map.groupBy(
    steps.filter(({ does }) => does === 'say'),
    ({ who }) => who,
  )
  const most = Math.max(...[...wanted.values()].map((lines) => lines.length))
  expect(most).toBe(25)
  const kept = await clinic.db.query<{ n: number }>({
    text: `select count(*)::int as n from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
      where not c."deleted" and c."training" and m."kind" = 'visitor' group by c."id"`,
  })
  expect(kept.length).toBe(wanted.size)
  expect(Math.max(...kept.map(({ n }) => n))).toBeLessThan(25)
  good(await chief.post('/simulator/clear', {}))
})

it('stops on request', async () => {
  const { id } = await begin('complaints', 7)
  let steps = 0
  await play(id, async () => {
    if (++steps === 4) good(await chief.post('/simulator/stop', {}))
  })
  expect(good(await chief.get('/simulator')).run).toMatchObject({ status: 'stopped', step: 3 })
  good(await chief.post('/simulator/clear', {}))
})
