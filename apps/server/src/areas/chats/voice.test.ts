import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { form, type Sound, sounds, soundTypes } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

/** A separate file, because uploads per address and minute are limited. */
let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({
    prepare: (app) => addPerson(app, 'alina', ['supportOperator', 'editLiveAssistDomainMap']),
  })
})
afterAll(() => clinic.close())

it('a voice message of any phone is played in place, for visitor and operator; a fake one is refused', async () => {
  const alina = clinic.as('alina')
  const { key } = good(await alina.post('/live-assist/domains', { name: 'voice.test' }), 201)
  const version = { 'x-client-version': '3' }
  const enter = { name: 'Вера', consent: { version: 1 } }
  const { token } = good(await clinic.anonymous.post(`/live-assist?token=${key}`, enter, { headers: version }))
  const headers = { ...version, authorization: `Visitor ${token}` }
  const send = (content: Uint8Array | string, name: string) =>
    clinic.anonymous.post(`/live-assist/visitor/files?clientId=${randomUUID()}`, form(content, name), { headers })
  for (const [extension, sound] of Object.entries(sounds)) {
    const type = soundTypes[extension as Sound]
    good(await send(sound, `голос.${extension}`), 201)
    const news = good(await clinic.anonymous.get('/live-assist/visitor/messages', { headers }))
    expect(news.messages.at(-1).files).toMatchObject([{ name: `голос.${extension}`, sound: type, picture: false }])
    const lines = good(await alina.get('/live-assist/messages?expand=files.file&sort=-seq&limit=1'))
    const { url, meta } = lines.items[0].files[0].file
    expect(meta).toMatchObject({ category: 'audio', type })
    const part = await alina.get(url, { headers: { range: 'bytes=0-3' } })
    expect(part.status).toBe(206)
    expect(part.headers).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(/^inline/),
    })
  }
  for (const name of ['голос.mp3', '🩺🎙️.wav']) expect((await send('<script>alert(1)</script>', name)).status).toBe(422)
  // A name of emoji is valid.
  good(await send(sounds.wav, '🩺🎙️.wav'), 201)
  const news = good(await clinic.anonymous.get('/live-assist/visitor/messages', { headers }))
  expect(news.messages.at(-1).files).toMatchObject([{ name: expect.stringMatching(/^🩺/u), sound: 'audio/wav' }])
})

it("a visitor's PDF that is also a page and an archive is served to the operator as a download", async () => {
  const alina = clinic.as('alina')
  const { key } = good(await alina.post('/live-assist/domains', { name: 'pdf.test' }), 201)
  const version = { 'x-client-version': '3' }
  const enter = { name: 'Иван', consent: { version: 1 } }
  const { token } = good(await clinic.anonymous.post(`/live-assist?token=${key}`, enter, { headers: version }))
  const headers = { ...version, authorization: `Visitor ${token}` }
  const both = '%PDF-1.7\n<html><script>alert(1)</script></html>\nPK\u0003\u0004'
  const path = `/live-assist/visitor/files?clientId=${randomUUID()}`
  good(await clinic.anonymous.post(path, form(both, 'анализ.pdf'), { headers }), 201)
  const { items } = good(await alina.get('/live-assist/messages?expand=files.file&sort=-id&limit=1'))
  const { url, meta } = items[0].files[0].file
  expect(meta).toMatchObject({ type: 'application/pdf' })
  expect((await alina.get(url)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment/),
    'x-content-type-options': 'nosniff',
  })
})
