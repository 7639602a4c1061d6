/** Cloud exchanges: one conversation is one call, in any order of events; foreign requests are refused. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type Simulator, say, simulator } from '#testing/simulator.ts'
import type { CloudEvent } from './cloudEvent.ts'
import { mangoCall, mangoSign } from './mango.ts'
import { zadarmaSign } from './zadarma.ts'

const secret = { key: 'key-of-the-clinic', secret: 'salt-of-the-clinic' }
let clinic: Clinic
let keeper: Caller
let asked: { path: string; body: string }[]
let pbx: Simulator
let idUser: number
/** The recording at the provider; undefined: none yet. */
let recorded: Buffer | undefined

beforeAll(async () => {
  asked = []
  pbx = await simulator({
    routes(request, reply, body) {
      asked.push({ path: request.url ?? '', body })
      const path = (request.url ?? '').split('?')[0] as string
      if (path === '/v1/pbx/record/request/')
        return recorded === undefined
          ? say(reply, 200, { status: 'error', message: 'Record not ready' })
          : say(reply, 200, { status: 'success', link: `${pbx.url}/file.mp3` })
      if (path === '/file.mp3' || path.startsWith('/queries/recording/link/'))
        return recorded === undefined ? say(reply, 404, {}) : reply.writeHead(200).end(recorded)
      say(reply, 200, { result: 1000, status: 'success' })
    },
  })
  clinic = await testApp({
    env: { MANGO_URL: pbx.url, ZADARMA_URL: pbx.url },
    outbound: { allow: ['127.0.0.1'] },
    async prepare(app) {
      await addPerson(app, 'keeper', ['mainSettings', 'viewCallJournal', 'listenCalls'])
      idUser = (await addPerson(app, 'anna', ['viewCallJournal'], { sipPhone: '201' })).id
      await addPerson(app, 'boris', [], { sipPhone: '202' })
    },
  })
  keeper = clinic.as('keeper')
})
afterAll(async () => {
  await clinic.close()
  await pbx.close()
})

const use = (telephonyProvider: string) =>
  keeper
    .put('/settings/common', { telephonyProvider, telephonyKey: secret.key, telephonySecret: secret.secret })
    .then(good)
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  clinic.app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
const postMango = (kind: string, body: object, salt = secret) => {
  const json = JSON.stringify(body)
  return post(`/telephony/mango/events/${kind}`, { vpbx_api_key: salt.key, sign: mangoSign(json, salt), json })
}
const callOf = (session: string) =>
  clinic.db.one<Record<string, any>>({ text: 'select * from calls where "idCallSession" = $1', values: [session] })

/** An incoming call that 201 takes and transfers to 202. */
const T = 1_795_000_000
const side = { from: { number: '79161234567' }, to: { extension: '201', number: '', line_number: '74951234567' } }
const talk = (entry: string) => [
  { entry_id: entry, call_id: 'a', seq: 1, timestamp: T, call_state: 'Appeared', location: 'abonent', ...side },
  { entry_id: entry, call_id: 'a', seq: 2, timestamp: T + 8, call_state: 'Connected', location: 'abonent', ...side },
  {
    entry_id: entry,
    call_id: 'a',
    seq: 3,
    timestamp: T + 60,
    call_state: 'Disconnected',
    location: 'abonent',
    ...side,
  },
  {
    entry_id: entry,
    call_id: 'b',
    seq: 1,
    timestamp: T + 58,
    call_state: 'Appeared',
    location: 'abonent',
    ...side,
    to: { ...side.to, extension: '202' },
  },
  {
    entry_id: entry,
    call_id: 'b',
    seq: 2,
    timestamp: T + 61,
    call_state: 'Connected',
    location: 'abonent',
    ...side,
    to: { ...side.to, extension: '202' },
  },
  {
    entry_id: entry,
    call_id: 'b',
    seq: 3,
    timestamp: T + 120,
    call_state: 'Disconnected',
    location: 'abonent',
    ...side,
    to: { ...side.to, extension: '202' },
  },
]
const asEvents = (bodies: readonly object[]): CloudEvent[] =>
  bodies.map((body, at) => ({ entry: 'e', mark: String(at), body: { kind: 'call', ...body } }))

it('gives the same call with events in any order and repeated', () => {
  const events = asEvents(talk('e'))
  const wanted = mangoCall('e', events)
  expect(wanted).toMatchObject({
    type: 1,
    contactPhone: '79161234567',
    destPhone: '74951234567',
    localPhone: '202',
    waitS: 8,
    begin: T * 1000,
    answer: (T + 8) * 1000,
    end: (T + 120) * 1000,
  })
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      const { legs, ...call } = mangoCall('e', [...shuffled, ...shuffled]) as NonNullable<typeof wanted>
      const { legs: own, ...rest } = wanted as NonNullable<typeof wanted>
      expect(call).toEqual(rest)
      expect(new Set(legs.map((leg) => JSON.stringify(leg)))).toEqual(new Set(own.map((leg) => JSON.stringify(leg))))
    }),
    { numRuns: 40 },
  )
})

it('Mango: ringing, answered, transferred and ended is one call; a missed one is missed', async () => {
  await use('mango')
  const events = talk('entry-1')
  await postMango('call', events[0] as object)
  expect(await callOf('entry-1')).toMatchObject({ state: 'ringing', contactPhone: '+79161234567', source: 'cloud' })
  // Duplicated and out of order.
  for (const at of [1, 3, 1, 5, 2, 4, 5]) expect((await postMango('call', events[at] as object)).statusCode).toBe(200)
  const call = await callOf('entry-1')
  expect(call).toMatchObject({ state: 'ended', callType: 1, localPhone: '202', waitS: 8 })
  const legs = await clinic.db.query<{ idUser: number }>({
    text: 'select "idUser"::int as "idUser" from calls_legs where "idCall" = $1 order by "id"',
    values: [call?.id],
  })
  expect([legs.length, legs[0]?.idUser]).toEqual([2, idUser])
  await postMango('call', { ...talk('entry-2')[0] })
  await postMango('summary', {
    entry_id: 'entry-2',
    call_direction: 1,
    ...side,
    create_time: T,
    talk_time: 0,
    end_time: T + 20,
    entry_result: 0,
  })
  expect(await callOf('entry-2')).toMatchObject({ state: 'ended', callType: 3, waitS: 20 })
  // Forwarded to a mobile and answered there: what was promised until the summary is taken back.
  const began = Math.floor(Date.now() / 1000) - 100
  const mobile = { ...side, from: { number: '79160000003' } }
  const ring = { entry_id: 'entry-3', call_id: 'a', seq: 1, timestamp: began, location: 'abonent', ...mobile }
  await postMango('call', { ...ring, call_state: 'Appeared' })
  await postMango('call', { ...ring, seq: 9, call_state: 'Disconnected', timestamp: began + 10 })
  expect(await callOf('entry-3')).toMatchObject({ callType: 3, recall: true })
  await postMango('summary', {
    entry_id: 'entry-3',
    call_direction: 1,
    ...mobile,
    create_time: began,
    talk_time: began + 12,
    end_time: began + 60,
    entry_result: 1,
  })
  expect(await callOf('entry-3')).toMatchObject({ callType: 1, recall: false, recallDueAt: null })
})

it('refuses forged requests, and those of a provider that is not configured', async () => {
  await use('mango')
  const [first] = talk('forged')
  const answers = await Promise.all([
    postMango('call', first as object, { ...secret, secret: 'guess' }),
    postMango('call', first as object, { ...secret, key: 'other' }),
    post('/telephony/mango/events/call', { vpbx_api_key: secret.key, json: JSON.stringify(first) }),
    post('/telephony/zadarma', { event: 'NOTIFY_START', pbx_call_id: 'forged' }, { signature: 'x' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401])
  expect(await callOf('forged')).toBeUndefined()
})

it('Zadarma: confirms the address, tracks a call, and dials from the screen', async () => {
  await use('zadarma')
  expect((await clinic.app.server.inject('/telephony/zadarma?zd_echo=abc123')).payload).toBe('abc123')
  const notify = (form: Record<string, string>) =>
    post('/telephony/zadarma', form, { signature: zadarmaSign(form, secret) ?? '' })
  const own = {
    pbx_call_id: 'in_1',
    caller_id: '79169876543',
    called_did: '74951234567',
    call_start: '2026-11-27 10:00:00',
  }
  expect((await notify({ event: 'NOTIFY_START', ...own })).statusCode).toBe(200)
  await notify({ event: 'NOTIFY_INTERNAL', ...own, internal: '201' })
  expect(await callOf('in_1')).toMatchObject({ state: 'ringing', contactPhone: '+79169876543' })
  await notify({ event: 'NOTIFY_END', ...own, duration: '35', disposition: 'answered', last_internal: '201' })
  await notify({ event: 'NOTIFY_ANSWER', ...own, destination: '201', internal: '201' })
  const over = await callOf('in_1')
  expect(over).toMatchObject({ state: 'ended', callType: 1, localPhone: '201' })
  // An answer reported late shortens no talk.
  expect(Date.parse(over?.dateEnd) - Date.parse(over?.dateAnswer)).toBe(35_000)
  asked.length = 0
  const anna = clinic.as('anna')
  const body = good(await anna.post('/calls/originate', { phone: '+79160000001' }))
  expect(asked[0]?.path).toBe('/v1/request/callback/?from=201&to=%2B79160000001')
  const out = { pbx_call_id: 'out_1', internal: '201', destination: '79160000001', call_start: '2026-11-27 10:05:00' }
  await notify({ event: 'NOTIFY_OUT_START', ...out })
  await notify({ event: 'NOTIFY_OUT_END', ...out, duration: '12', disposition: 'answered' })
  expect(await callOf('out_1')).toMatchObject({ id: body.id, callType: 2, state: 'ended' })
  const all = await clinic.db.query({ text: `select 1 from calls where "contactPhone" = '+79160000001'` })
  expect(all).toHaveLength(1)
})

it('Zadarma: a call that is transferred is one conversation, of the employee who talked last', async () => {
  await use('zadarma')
  const notify = (form: Record<string, string>) =>
    post('/telephony/zadarma', form, { signature: zadarmaSign(form, secret) ?? '' })
  const own = {
    pbx_call_id: 'in_transfer',
    caller_id: '79160000077',
    called_did: '74951234567',
    call_start: '2026-11-27 10:00:00',
  }
  await notify({ event: 'NOTIFY_START', ...own })
  for (const internal of ['201', '202']) {
    await notify({ event: 'NOTIFY_INTERNAL', ...own, internal })
    await notify({ event: 'NOTIFY_ANSWER', ...own, internal, destination: internal })
    expect(await callOf('in_transfer')).toMatchObject({ state: 'talking', localPhone: internal })
  }
  for (let times = 0; times < 2; times++)
    await notify({ event: 'NOTIFY_END', ...own, duration: '90', disposition: 'answered', last_internal: '202' })
  const call = await callOf('in_transfer')
  expect(call).toMatchObject({ state: 'ended', callType: 1, localPhone: '202' })
  const legs = await clinic.db.query<{ sip: string; isAnswered: boolean; isBefore: boolean }>({
    text: `select "sipPhone" as sip, "answerAt" is not null as "isAnswered", "endAt" < $2 as "isBefore"
      from calls_legs where "idCall" = $1 order by "sipPhone"`,
    values: [call?.id, call?.dateEnd],
  })
  expect(legs).toEqual([
    { sip: '201', isAnswered: true, isBefore: true },
    { sip: '202', isAnswered: true, isBefore: false },
  ])
})

const fetchRecordings = async () => {
  await clinic.db.query({ text: `update cloud_recordings set "dateNext" = now() where "status" = 'waiting'` })
  await clinic.context.jobs.run('calls.recordings')
}
const recordingState = (recording: string) =>
  clinic.db.one<{ status: string; attempts: number; error: string | null }>({
    text: 'select "status", "attempts", "error" from cloud_recordings where "recording" = $1',
    values: [recording],
  })
const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(600, 7)])

it('Mango: fetches a recording later, with retries until available, once', async () => {
  await use('mango')
  recorded = undefined
  for (const body of talk('entry-rec')) await postMango('call', body)
  await postMango('recording', { entry_id: 'entry-rec', recording_id: 'rec-1', recording_state: 'Completed' })
  await postMango('recording', { entry_id: 'entry-rec', recording_id: 'rec-1', recording_state: 'Completed' })
  await fetchRecordings()
  expect(await recordingState('rec-1')).toMatchObject({ status: 'waiting', attempts: 1, error: expect.any(String) })
  // Switched off for a while: it waits on.
  await use('off')
  await fetchRecordings()
  expect(await recordingState('rec-1')).toMatchObject({ status: 'waiting', error: 'Провайдер не подключён' })
  // Switched on again, it is fetched at once.
  await use('mango')
  recorded = mp3
  await clinic.context.jobs.run('calls.recordings')
  expect(await recordingState('rec-1')).toMatchObject({ status: 'done' })
  const call = await callOf('entry-rec')
  const answer = await keeper.get(`/calls/${call?.id}/record`)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/mpeg'])
  expect(good(await keeper.get(`/calls/${call?.id}/peaks`)).peaks).toEqual([])
  const times = () => asked.filter(({ path }) => path.startsWith('/queries/recording/link/rec-1/download/')).length
  const before = times()
  await fetchRecordings()
  expect(times()).toBe(before)
})

it('Zadarma: requests a recording by its call, and discards files that are no sound', async () => {
  await use('zadarma')
  const own = {
    pbx_call_id: 'in_rec',
    caller_id: '79169876500',
    called_did: '74951234567',
    call_start: '2026-11-27 11:00:00',
  }
  const notify = (form: Record<string, string>) =>
    post('/telephony/zadarma', form, { signature: zadarmaSign(form, secret) ?? '' })
  await notify({ event: 'NOTIFY_START', ...own })
  await notify({ event: 'NOTIFY_END', ...own, duration: '20', disposition: 'answered', last_internal: '201' })
  await notify({ event: 'NOTIFY_RECORD', pbx_call_id: 'in_rec', call_id_with_rec: 'zr-1' })
  recorded = Buffer.from('<html>no such file, come later</html>')
  await fetchRecordings()
  expect(await recordingState('zr-1')).toMatchObject({ status: 'waiting', error: 'Пришла не звукозапись' })
  recorded = mp3
  await fetchRecordings()
  expect(await recordingState('zr-1')).toMatchObject({ status: 'done' })
  expect((await callOf('in_rec'))?.fileLink).toBe('calls/zadarma-zr-1.mp3')
})

it('Mango: dials from the screen, and its events belong to the same call', async () => {
  // The screen offers to dial, and shows calls, while an exchange is connected.
  const isOffered = async () => good(await clinic.as('anna').post('/common/get-account')).common.telephony
  good(await keeper.put('/settings/common', { telephonyProvider: 'off' }))
  expect(await isOffered()).toBe(false)
  await use('mango')
  expect(await isOffered()).toBe(true)
  asked.length = 0
  const { id } = good(await clinic.as('anna').post('/calls/originate', { phone: '+79160000002' }))
  const command = JSON.parse(new URLSearchParams(asked[0]?.body).get('json') ?? '{}')
  expect(command).toMatchObject({ from: { extension: '201' }, to_number: '79160000002' })
  const out = { from: { extension: '201' }, to: { number: '79160000002' }, command_id: command.command_id }
  const state = (seq: number, call_state: string, timestamp: number) =>
    postMango('call', { entry_id: 'entry-out', call_id: 'x', seq, call_state, timestamp, location: 'abonent', ...out })
  await state(1, 'Appeared', T)
  await state(2, 'Connected', T + 5)
  await state(3, 'Disconnected', T + 30)
  const rows = await clinic.db.query({
    text: `select "id"::int as id from calls where "contactPhone" = '+79160000002'`,
  })
  expect(rows).toEqual([{ id }])
})

it('an event whose call could not be written is taken when the exchange repeats it', async () => {
  await use('mango')
  const events = talk('broken')
  for (const body of events.slice(0, -1)) expect((await postMango('call', body)).statusCode).toBe(200)
  expect((await callOf('broken'))?.dateEnd).toBeNull()
  const last = events.at(-1) as object
  await clinic.db.query({ text: `alter table calls add constraint "nothing_ends" check ("dateEnd" is null) not valid` })
  expect((await postMango('call', last)).statusCode).toBeGreaterThanOrEqual(400)
  await clinic.db.query({ text: 'alter table calls drop constraint "nothing_ends"' })
  expect((await callOf('broken'))?.dateEnd).toBeNull()
  expect((await postMango('call', last)).statusCode).toBe(200)
  expect((await callOf('broken'))?.dateEnd).not.toBeNull()
})
