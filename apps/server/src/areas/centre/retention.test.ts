import { Readable } from 'node:stream'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call, INCOMING } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Transcript, TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let chief: Caller
let idChief: number
const system = () => clinic.context.engine.for(systemActor).asSystem
const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const { id } = await addPerson(app, 'chief', [
        'mainSettings',
        'viewCallJournal',
        'listenCalls',
        'viewAccessLog',
        'displayTableLiveAssist',
      ])
      idChief = id
      await addPerson(app, 'reader', ['viewCallJournal'])
    },
  })
  chief = clinic.as('chief')
})
afterAll(() => clinic.close())

async function recorded(days: number, key: string, more: object = {}): Promise<number> {
  if (!(await clinic.context.files.stat(key))) await clinic.context.files.put(key, Readable.from(['sound']))
  const { id } = await system().create(Call, {
    callType: INCOMING,
    contactPhone: '+79161112233',
    fileLink: key,
    ...more,
    ...({ dateCreate: ago(days) } as object),
  })
  return id
}
const linkOf = async (id: number) => (await system().row(Call, id)).fileLink
const isThere = async (key: string) => (await clinic.context.files.stat(key)) !== undefined
const night = async () => {
  await clinic.context.jobs.run('centre.retention')
  await clinic.context.jobs.drain()
}

it('recordings are deleted after their period, with their files, or never; the number is previewed', async () => {
  const old = await recorded(400, 'calls/old.wav')
  const young = await recorded(300, 'calls/young.wav')
  const shared = [await recorded(400, 'calls/shared.wav'), await recorded(10, 'calls/shared.wav')] as const
  await night()
  expect(await linkOf(old)).toBe('calls/old.wav')
  expect(good(await chief.get('/settings/retention?recordings=12'))).toEqual({
    recordings: { count: 2, more: false },
    transcripts: { count: 0, more: false },
    chats: { count: 0, more: false },
  })
  expect((await clinic.as('reader').get('/settings/retention')).status).toBe(403)
  expect((await chief.get('/settings/retention?recordings=-1')).status).toBe(400)
  // The preview deletes nothing.
  expect(await linkOf(old)).toBe('calls/old.wav')
  good(await chief.put('/settings/common', { recordingsMonths: 12 }))
  await night()
  expect(await Promise.all([old, young, ...shared].map(linkOf))).toEqual([
    null,
    'calls/young.wav',
    null,
    'calls/shared.wav',
  ])
  expect(await Promise.all(['old', 'young', 'shared'].map((name) => isThere(`calls/${name}.wav`)))).toEqual([
    false,
    true,
    true,
  ])
  expect(good(await chief.get(`/calls/${old}`)).hasRecord).toBe(false)
  const lines = good(await chief.get('/access-log')).items
  expect(lines).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'delete', basis: 'Срок хранения записей, 12 мес: 2' })]),
  )
})

it('transcripts are deleted finally after their own period; the call and recent ones stay', async () => {
  const calls: number[] = []
  for (const days of [400, 30]) {
    // Its recording was deleted before.
    const idCall = await recorded(days, `calls/words-${days}.wav`, { fileLink: null })
    const { id: idTranscript } = await system().create(Transcript, { idCall, status: 'done', wordsCount: 1 } as never)
    const line = { fromMs: 0, toMs: 900, text: 'Здравствуйте', words: [[0, 900, 'Здравствуйте']] }
    await system().create(TranscriptLine, { idTranscript, idCall, speaker: 'operator', ...line } as never)
    calls.push(idCall)
  }
  const transcribed = async () =>
    (
      await clinic.db.query<{ id: number }>({
        text: `select t."idCall"::int as id from calls_transcripts t join calls_transcript_lines l on l."idTranscript" = t."id"`,
      })
    ).map(({ id }) => id)
  expect(good(await chief.get('/settings/retention?transcripts=12')).transcripts.count).toBe(1)
  good(await chief.put('/settings/common', { transcriptsMonths: 12 }))
  await night()
  expect(await transcribed()).toEqual([calls[1]])
  expect((await chief.get(`/calls/${calls[0]}`)).status).toBe(200)
  good(await chief.put('/settings/common', { transcriptsMonths: 0 }))
})

const chat = async (more: object) =>
  (
    await system().create(LiveAssist, {
      name: 'Вера',
      status: 'archive',
      dateLast: ago(400),
      ...more,
      ...({ dateCreate: ago(500) } as object),
    })
  ).id
const appealOf = (entityType: 'call' | 'live-assist', idEntity: number, more: object = {}) =>
  system().create(Appeal, { entityType, idEntity, description: 'Жалоба', idUser: idChief, ...more })

it('archived chats move to the trash after their period; promised, recent or open ones stay', async () => {
  const gone = await chat({})
  const kept = [
    await chat({ status: 'completed' }),
    await chat({ dateLast: ago(30) }),
    await chat({ nextStep: 'Прислать договор', dateNextStep: ago(20) }),
  ]
  good(await chief.put('/settings/common', { chatsMonths: 12 }))
  expect(good(await chief.get('/settings/retention?chats=12')).chats.count).toBe(1)
  await night()
  expect((await chief.get(`/live-assist/${gone}`)).status).toBe(404)
  for (const id of kept) expect((await chief.get(`/live-assist/${id}`)).status).toBe(200)
  good(await chief.put('/settings/common', { chatsMonths: 0 }))
})

it('a ban outlives the period: its chat stays', async () => {
  const banned = await chat({ banned: true })
  good(await chief.put('/settings/common', { chatsMonths: 12 }))
  expect(good(await chief.get('/settings/retention?chats=12')).chats.count).toBe(0)
  await night()
  expect(good(await chief.get(`/live-assist/${banned}`)).banned).toBe(true)
  good(await chief.put('/settings/common', { chatsMonths: 0 }))
})

it('subjects of an open appeal stay until it is closed, as do recordings without an outcome', async () => {
  const chats = [await chat({}), await chat({}), await chat({})] as const
  await appealOf('live-assist', chats[0])
  await appealOf('live-assist', chats[1], { status: 'closed', outcome: 'consulted' })
  // Closed with an open step.
  await appealOf('live-assist', chats[2], { status: 'closed', nextStep: 'Позвонить', dateNextStep: ago(-1) })
  const step = { nextStep: 'Прислать цены', dateNextStep: ago(20) }
  const calls = [
    await recorded(400, 'calls/appeal.wav'),
    await recorded(400, 'calls/closed.wav'),
    await recorded(400, 'calls/owed.wav', { needsEnd: true }),
    await recorded(400, 'calls/step.wav', step),
    await recorded(400, 'calls/done.wav', { ...step, idOutcome: 1 }),
  ] as const
  await appealOf('call', calls[0])
  await appealOf('call', calls[1], { status: 'closed', outcome: 'consulted' })
  expect(good(await chief.get('/settings/retention?recordings=12&chats=12'))).toEqual({
    recordings: { count: 2, more: false },
    transcripts: { count: 0, more: false },
    chats: { count: 1, more: false },
  })
  good(await chief.put('/settings/common', { recordingsMonths: 12, chatsMonths: 12 }))
  await night()
  expect(await Promise.all(calls.map(linkOf))).toEqual([
    'calls/appeal.wav',
    null,
    'calls/owed.wav',
    'calls/step.wav',
    null,
  ])
  expect(await Promise.all(chats.map(async (id) => (await chief.get(`/live-assist/${id}`)).status))).toEqual([
    200, 404, 200,
  ])
  good(await chief.put('/settings/common', { recordingsMonths: 0, chatsMonths: 0 }))
})
