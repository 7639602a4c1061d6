import { Readable } from 'node:stream'
import { Call, INCOMING } from '@ordinator/model/areas/calls/call'
import type { Row } from '@ordinator/model/entity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '#platform/seeded.ts'
import { systemActor } from '#records/actor.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { readWave, secondsOf, speechLike } from './wav.ts'

const people = { chief: ['viewCallJournal', 'listenCalls'], operator: ['viewCallJournal'], out: [] } as const
let clinic: Clinic
const ids: Record<string, number> = {}
const sound = speechLike(3, seeded(7))

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const [login, rights] of Object.entries(people)) ids[login] = (await addPerson(app, login, rights)).id
    },
  })
  const { files } = clinic.context
  await files.put('calls/good.wav', Readable.from([sound]))
  await files.put('calls/empty.wav', Readable.from([]))
  await files.put(
    'calls/alien.wav',
    Readable.from([Buffer.from('<html>No recording here, only a page</html>'.repeat(9))]),
  )
})
afterAll(() => clinic.close())

const ring = (call: Partial<Row<typeof Call>>) =>
  clinic.context.engine.for(systemActor).create(Call, { callType: INCOMING, ...call })

describe('a recording', () => {
  it('is available to its participant and with listenCalls only', async () => {
    const { id } = await ring({ fileLink: 'calls/good.wav', idUser: ids.operator })
    const other = await ring({ fileLink: 'calls/good.wav', idUser: ids.chief })
    for (const part of ['record', 'peaks']) {
      expect((await clinic.as('operator').get(`/calls/${id}/${part}`)).status).toBe(200)
      expect((await clinic.as('chief').get(`/calls/${id}/${part}`)).status).toBe(200)
      const refused = await clinic.as('operator').get(`/calls/${other.id}/${part}`)
      expect([refused.status, refused.body.message]).toEqual([403, 'Слушать можно только свои разговоры'])
      expect((await clinic.as('out').get(`/calls/${id}/${part}`)).status).toBe(403)
      expect((await clinic.anonymous.get(`/calls/${id}/${part}`)).status).toBe(401)
    }
  })

  it('shows the location of its file only with listenCalls', async () => {
    const { id } = await ring({ fileLink: 'calls/good.wav', idUser: ids.operator })
    const shown = (await clinic.as('operator').get(`/calls/${id}`)).body
    expect([shown.hasRecord, 'fileLink' in shown]).toEqual([true, false])
    expect((await clinic.as('chief').get(`/calls/${id}`)).body.fileLink).toBe('calls/good.wav')
  })

  it('is sent in ranges, and each listening is recorded in the journal once', async () => {
    const { id } = await ring({ fileLink: 'calls/good.wav' })
    const chief = clinic.as('chief')
    const part = await chief.get(`/calls/${id}/record`, { headers: { range: 'bytes=0-99' } })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 0-99/${sound.length}`])
    const next = await chief.get(`/calls/${id}/record`, { headers: { range: 'bytes=100-199' } })
    expect(next.status).toBe(206)
    const beyond = await chief.get(`/calls/${id}/record`, { headers: { range: `bytes=${sound.length}-` } })
    expect(beyond.status).toBe(416)
    const lines = await clinic.context.db.query({
      text: `select 1 from access_log where action = 'listen' and "idEntity" = $1`,
      values: [id],
    })
    expect(lines).toHaveLength(1)
  })

  it('is drawn as two hundred bars by loudness', async () => {
    const { id } = await ring({ fileLink: 'calls/good.wav' })
    const { body } = await clinic.as('chief').get(`/calls/${id}/peaks`)
    expect(body.peaks).toHaveLength(200)
    expect(Math.max(...body.peaks)).toBeGreaterThan(30)
    expect(Math.min(...body.peaks)).toBe(0)
    expect(body.seconds).toBe(3)
  })

  it.each([
    ['calls/lost.wav', 404, 'Файл записи не найден в хранилище'],
    ['calls/empty.wav', 422, 'Запись пустая: разговор не записался'],
    ['calls/alien.wav', 422, 'Это не звукозапись: файл повреждён или другого вида'],
    [null, 404, 'У этого звонка нет записи'],
  ])('that is %s is reported', async (fileLink, status, message) => {
    const { id } = await ring({ fileLink })
    for (const part of ['record', 'peaks']) {
      const answer = await clinic.as('chief').get(`/calls/${id}/${part}`)
      expect([answer.status, answer.body.message]).toEqual([status, message])
    }
  })
})

describe('a wave', () => {
  it('reports its length, also when truncated', () => {
    expect(secondsOf(readWave(sound, sound.length) as never)).toBe(3)
    expect(secondsOf(readWave(sound, sound.length - 16_000) as never)).toBe(2)
  })

  it.each([Buffer.alloc(0), Buffer.from('RIFF'), Buffer.alloc(600, 'RIFF'), Buffer.concat([sound.subarray(0, 30)])])(
    'cannot be %#',
    (head) => expect(readWave(head, head.length)).toBeUndefined(),
  )
})
