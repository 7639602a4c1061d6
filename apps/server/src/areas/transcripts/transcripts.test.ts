/**
 * Transcripts over HTTP and PostgreSQL, against the simulator: speakers by channel, silence, errors, search, rights.
 */
import { Readable } from 'node:stream'
import { Call, INCOMING } from '@ordinator/model/areas/calls/call'
import { TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import type { Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { speechLike } from '#areas/calls/index.ts'
import { seeded } from '#platform/seeded.ts'
import { systemActor } from '#records/actor.ts'
import { type AiSimulator, startAiSimulator } from '#testing/aiSimulator.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { stereoOf } from './sound.ts'

let ai: AiSimulator
let clinic: Clinic
const ids: Record<string, number> = {}
const people = {
  chief: ['viewCallJournal', 'listenCalls', 'mainSettings'],
  operator: ['viewCallJournal'],
  other: ['viewCallJournal'],
} as const

beforeAll(async () => {
  ai = await startAiSimulator()
  clinic = await testApp({
    env: { ASR_URL: ai.url },
    prepare: async (app) => {
      for (const [login, rights] of Object.entries(people)) ids[login] = (await addPerson(app, login, rights)).id
    },
  })
  const put = (name: string, bytes: Buffer) => clinic.context.files.put(name, Readable.from([bytes]))
  await put('calls/talk.wav', speechLike(16, seeded(3)))
  await put('calls/still.wav', stereoOf(new Float32Array(80_000), new Float32Array(80_000), 8_000))
  await put('calls/bad.wav', Buffer.from('<html>not a recording at all, only a page</html>'.repeat(3)))
})
afterAll(async () => {
  await clinic.close()
  await ai.close()
})
beforeEach(() => {
  ai.mood = 'answers'
  ai.asked.length = 0
})

const ring = (call: Partial<Row<typeof Call>>) =>
  clinic.context.engine.for(systemActor).asSystem.create(Call, {
    callType: INCOMING,
    idUser: ids.operator,
    dateAnswer: new Date(Date.now() - 60_000).toISOString(),
    dateEnd: new Date().toISOString(),
    ...call,
  })
const linesOf = async (login: string, idCall: number) =>
  good(await clinic.as(login).get(`/calls/transcript-lines?filter[idCall]=${idCall}&sort=fromMs&limit=200`)).items
const stateOf = async (idCall: number) =>
  good(await clinic.as('chief').get(`/calls/transcripts?filter[idCall]=${idCall}`)).items[0]

async function made(call: Partial<Row<typeof Call>>) {
  const { id } = await ring(call)
  const ordered = good(await clinic.as('operator').post(`/calls/${id}/transcript`), 201)
  expect(ordered.status).toBe('queued')
  await clinic.context.jobs.drain()
  return { id, state: await stateOf(id) }
}

describe('a recording of two channels', () => {
  it('provides speakers and times, in the order of the conversation', async () => {
    const { id, state } = await made({ fileLink: 'calls/talk.wav' })
    expect(state).toMatchObject({ status: 'done', progress: 100, byChannels: true, error: null })
    const lines = await linesOf('operator', id)
    expect(new Set(lines.map(({ speaker }: { speaker: string }) => speaker))).toEqual(new Set(['operator', 'customer']))
    expect(lines[0].speaker).toBe('operator')
    for (const { fromMs, toMs, words, text } of lines) {
      expect(words.map(([, , word]: [number, number, string]) => word).join(' ')).toBe(text)
      expect(words[0][0]).toBe(fromMs)
      expect(toMs).toBeLessThanOrEqual(16_100)
    }
    expect(state.wordsCount).toBe(lines.reduce((sum: number, { words }: { words: unknown[] }) => sum + words.length, 0))
  })

  it('is transcribed again, replacing the former', async () => {
    const { id } = await made({ fileLink: 'calls/talk.wav' })
    const before = (await linesOf('operator', id)).length
    good(await clinic.as('operator').post(`/calls/${id}/transcript`), 201)
    await clinic.context.jobs.drain()
    expect((await linesOf('operator', id)).length).toBe(before)
  })
})

describe('silence', () => {
  it.each(['answers', 'invents'] as const)('gives no words and is not even sent (%s)', async (mood) => {
    ai.mood = mood
    const { id, state } = await made({ fileLink: 'calls/still.wav' })
    expect([state.status, state.wordsCount, ai.asked.length]).toEqual(['empty', 0, 0])
    expect(await linesOf('chief', id)).toEqual([])
  })
})

describe('errors', () => {
  it.each([
    ['refuses', 'Ключ не подошёл'],
    ['broken', 'Сервер ответил ошибкой 500'],
    ['nonsense', 'Сервер распознавания ответил не по протоколу OpenAI'],
    ['long', 'Ответ слишком длинный'],
  ] as const)('of a server that %s are reported and keep the former text', async (mood, words) => {
    const { id } = await made({ fileLink: 'calls/talk.wav' })
    const before = await linesOf('operator', id)
    ai.mood = mood
    good(await clinic.as('operator').post(`/calls/${id}/transcript`), 201)
    await clinic.context.jobs.drain()
    expect(await stateOf(id)).toMatchObject({ status: 'failed', error: words })
    expect(await linesOf('operator', id)).toEqual(before)
  })

  it('of the file are reported before anything is queued', async () => {
    const { id } = await ring({ fileLink: 'calls/bad.wav' })
    expect((await clinic.as('operator').post(`/calls/${id}/transcript`)).status).toBe(422)
    const none = await ring({})
    expect((await clinic.as('operator').post(`/calls/${none.id}/transcript`)).status).toBe(404)
  })

  it('a cancelled transcript is not written', async () => {
    const { id } = await ring({ fileLink: 'calls/talk.wav' })
    good(await clinic.as('operator').post(`/calls/${id}/transcript`), 201)
    expect(good(await clinic.as('operator').post(`/calls/${id}/transcript/cancel`)).status).toBe('cancelled')
    await clinic.context.jobs.drain()
    expect((await stateOf(id)).status).toBe('cancelled')
    expect(await linesOf('operator', id)).toEqual([])
  })
})

describe('rights', () => {
  it('follow those of listening: own calls, or all by listenCalls', async () => {
    const { id } = await made({ fileLink: 'calls/talk.wav' })
    expect((await linesOf('chief', id)).length).toBeGreaterThan(0)
    expect(await linesOf('other', id)).toEqual([])
    expect((await clinic.as('other').post(`/calls/${id}/transcript`)).status).toBe(403)
    expect((await clinic.as('other').post(`/calls/${id}/transcript/cancel`)).status).toBe(403)
  })

  it('of the account: the module is required', async () => {
    const { id } = await ring({ fileLink: 'calls/talk.wav' })
    const chief = clinic.as('chief')
    good(await chief.put('/settings/common', { additionalServices: ['callPrompts'] }))
    expect((await clinic.as('operator').post(`/calls/${id}/transcript`)).status).toBe(403)
    expect((await clinic.as('operator').get('/calls/transcript-lines')).status).toBe(403)
    good(
      await chief.put('/settings/common', { additionalServices: ['callPrompts', 'callTranscript', 'protocolPrompts'] }),
    )
  })
})

it('transcripts are found by their words', async () => {
  const { id } = await made({ fileLink: 'calls/talk.wav' })
  const [first] = await linesOf('operator', id)
  const word = first.text.split(' ')[0].replace(/[.,?]/g, '').toLowerCase()
  const found = good(
    await clinic
      .as('operator')
      .get(`/calls/transcript-lines?filter[text][ilike]=${encodeURIComponent(word)}&filter[idCall]=${id}`),
  )
  expect(found.items.some((line: { id: number }) => line.id === first.id)).toBe(true)
  expect(TranscriptLine.path).toBe('calls/transcript-lines')
})

it('recordings are transcribed automatically only if the clinic enables it', async () => {
  const { id } = await ring({ fileLink: 'calls/talk.wav' })
  await clinic.context.jobs.run('transcripts.collect')
  expect(await stateOf(id)).toBeUndefined()
  good(await clinic.as('chief').put('/settings/common', { asrAuto: true }))
  await clinic.context.jobs.run('transcripts.collect')
  await clinic.context.jobs.drain()
  expect((await stateOf(id)).status).toBe('done')
  good(await clinic.as('chief').put('/settings/common', { asrAuto: false }))
})
