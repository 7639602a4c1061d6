/** Messages to patients outside the portal: the clinic's messages, and the fact of an answer without its text. */

import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import { importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type PushSimulator, startPushSimulator } from '#testing/pushSimulator.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let makers: PushSimulator
let clinic: Clinic
let desk: Caller
let alina: Caller
let world: ReturnType<typeof onlineWorld>

beforeAll(async () => {
  ;[sms, makers] = await Promise.all([startSmsSimulator(), startPushSimulator()])
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: '127.0.0.1, *.maker.test' },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'desk', [...deskRights, 'editMessageTemplates'])
      await addPerson(app, 'alina', ['onlineChat', 'viewCustomers'], { isLiveAssist: true })
      await addPerson(app, 'head', ['viewAppeals', 'editAppeals', 'viewAppealAnalytics', 'viewCustomers'])
    },
  })
  ;[desk, alina] = [clinic.as('desk'), clinic.as('alina')]
  good(
    await desk.put('/settings/common', {
      portalActive: true,
      messageHours: { start: '00:00', end: '23:59' },
      reminderChannels: ['sms'],
    }),
  )
  world = onlineWorld(clinic, desk, sms)
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), makers.close()])
})

/** A patient with an unread answer. */
async function answered() {
  const one = await world.patient()
  good(await one.post('/portal/dialog', { clientId: randomUUID(), text: 'Здравствуйте' }), 201)
  const { id } = good(await one.get('/portal/dialog')).dialog
  const answer = async (text = 'Анализ готов: гемоглобин 140') =>
    good(await alina.post(`/service-online/${id}/messages`, { clientId: randomUUID(), text }), 201)
  const minutesAgo = (minutes: number) =>
    clinic.db.query({
      text: `with lines as (update service_online_messages set "dateCreate" = now() - make_interval(mins => $2)
          where "idDialog" = $1 and author = 'staff')
        update service_online set "dateLast" = now() - make_interval(mins => $2) where id = $1`,
      values: [id, minutes],
    })
  return { ...one, idDialog: id as number, answer, minutesAgo }
}
const pushNow = () => clinic.context.jobs.run('portal.push')
const to = (path: string) => makers.pushed.filter((one) => one.path === path)

describe('a device', () => {
  it('is notified once of an undelivered answer, without its text', async () => {
    const one = await answered()
    const path = `/${randomUUID()}`
    good(await one.post('/portal/device', { endpoint: makers.url + path }), 204)
    await one.answer()
    await pushNow()
    expect(to(path)).toEqual([])
    await one.minutesAgo(1)
    await Promise.all([pushNow(), pushNow()])
    expect(to(path)).toHaveLength(1)
    const [{ headers, body }] = to(path) as [PushSimulator['pushed'][number]]
    expect(body).toBe('')
    expect(headers).toMatchObject({ ttl: '43200', 'content-length': '0' })
    const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
    expect(key).toBe(good(await one.get('/portal/device')).key)
    const point = Buffer.from(key ?? '', 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const { payload } = await jwtVerify(token ?? '', await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'))
    expect(payload.aud).toBe(makers.url)
    await one.answer('И ещё')
    await one.minutesAgo(1)
    await pushNow()
    expect(to(path)).toHaveLength(2)
  })

  it('is not notified of a delivered answer, nor after it was disabled or signed out', async () => {
    const [reads, off, left] = [await answered(), await answered(), await answered()]
    const paths = new Map([reads, off, left].map((one) => [one, `/${randomUUID()}`]))
    for (const [one, path] of paths) {
      good(await one.post('/portal/device', { endpoint: makers.url + path }), 204)
      await one.answer()
      await one.minutesAgo(1)
    }
    good(await reads.get('/portal/dialog'))
    const cookies = off.cookies
    good(
      await clinic.anonymous.call('DELETE', '/portal/device', { endpoint: makers.url + paths.get(off) }, { cookies }),
      204,
    )
    good(await left.delete('/portal/session'), 204)
    await pushNow()
    for (const path of paths.values()) expect(to(path)).toEqual([])
  })

  it('that no longer exists is deleted, and a sixth replaces the first', async () => {
    const one = await answered()
    const gone = `/${randomUUID()}`
    makers.moods.set(gone, 'gone')
    good(await one.post('/portal/device', { endpoint: makers.url + gone }), 204)
    for (const text of ['Раз', 'Два']) {
      await one.answer(text)
      await one.minutesAgo(1)
      await pushNow()
    }
    expect(to(gone)).toHaveLength(1)
    for (const endpoint of ['https://evil.test/x', 'https://maker.test.evil.test/x', 'https://xmaker.test/x'])
      expect((await one.post('/portal/device', { endpoint })).body[0].field).toBe('endpoint')
    for (let at = 0; at < 6; at++) good(await one.post('/portal/device', { endpoint: `${makers.url}/six${at}` }), 204)
    const kept = await clinic.db.query<{ endpoint: string }>({
      text: `select endpoint from portal_devices where "idCustomer" = $1 order by id`,
      values: [one.id],
    })
    expect(kept.map(({ endpoint }) => endpoint.slice(-4))).toEqual(['six1', 'six2', 'six3', 'six4', 'six5'])
  })

  it('with an internal address is not notified', async () => {
    const one = await answered()
    expect((await one.post('/portal/device', { endpoint: 'http://10.0.0.1/push' })).body[0].field).toBe('endpoint')
    expect((await one.post('/portal/device', { endpoint: 'javascript:1 2' })).status).toBe(422)
    await one.answer()
    await one.minutesAgo(1)
    await expect(pushNow()).resolves.not.toThrow()
  })
})

describe('an SMS about an answer', () => {
  const run = async () => {
    for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
  }

  it('is sent ten minutes later to a patient who has not read it, once until they do', async () => {
    const text = 'Вам ответили: откройте личный кабинет'
    good(
      await desk.post('/message-templates', {
        ...{ name: 'Ответ', event: 'answer', text, active: true, delay: 10, delayUnit: 'minutes' },
      }),
      201,
    )
    const [waits, reads] = [await answered(), await answered()]
    const came = ({ phone }: { phone: string }) => sms.messages.filter((one) => one.to === phone && one.text === text)
    for (const one of [waits, reads]) {
      await one.answer()
      await one.minutesAgo(11)
    }
    good(await reads.post('/portal/dialog/read'), 204)
    // The template was enabled only now.
    await clinic.db.query({ text: `update message_templates set "dateActive" = now() - interval '1 hour'` })
    await Promise.all([run(), run()])
    await waits.answer('Ещё')
    await waits.minutesAgo(11)
    await run()
    expect([came(waits).length, came(reads).length]).toEqual([1, 0])
    good(await waits.post('/portal/dialog/read'), 204)
    await waits.answer('Новое')
    await clinic.db.query({
      text: `update service_online_messages set "dateCreate" = now() - interval '11 minutes' where "idDialog" = $1`,
      values: [waits.idDialog],
    })
    await run()
    expect(came(waits)).toHaveLength(2)
  })
})

describe('the link in a message about a visit', () => {
  const run = async () => {
    for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
  }
  const show = (token: string) => clinic.anonymous.post('/portal/visit-link/view', { token })
  const say = (token: string, action: string) => clinic.anonymous.post('/portal/visit-link', { token, action })

  /** A patient with a booking, and the token of the link in its message. */
  async function booked() {
    const made = await world.make({ to: '12:00' })
    const one = await world.patient()
    const [first, second] = await made.times()
    good(await one.post('/portal/booking', made.choice(first?.localStart as string)), 201)
    const { idVisit } = good(await one.post('/portal/booking/book'), 201)
    await run()
    const text = sms.messages.filter(({ to }) => to === one.phone).at(-1)?.text ?? ''
    const token = /^Придёте\? http\S+\/portal#visit=(\d+\.[\w-]{22})$/.exec(text)?.[1] as string
    return { ...one, idVisit: idVisit as number, token, made, later: second?.localStart as string }
  }

  it("confirms and cancels it, without a sign-in and without the patient's or doctor's name", async () => {
    good(
      await desk.post('/message-templates', {
        ...{ name: 'Запись', event: 'booking', text: 'Придёте? {подтверждение}', active: true },
      }),
      201,
    )
    const { token, id, idVisit, made } = await booked()
    const visit = good(await show(token)).visit
    expect(visit).toMatchObject({ localDate: made.day, status: 'booked', services: null, cost: null, mayConfirm: true })
    expect(JSON.stringify(visit)).not.toContain('Орлов')
    expect(good(await say(token, 'confirm'))).toEqual({ status: 'confirmed' })
    expect((await say(token, 'confirm')).status).toBe(409)
    expect(good(await say(token, 'cancel'))).toEqual({ status: 'cancelled' })
    expect(good(await desk.get(`/appointments/${idVisit}`))).toMatchObject({ cancelledBy: 'patient' })
    const log = good(await desk.get(`/access-log?idCustomer=${id}&limit=20`)).items
    expect(log.map(({ basis }: { basis: string }) => basis).join()).toContain('по ссылке из сообщения')
  })

  it('is invalid for a moved visit, another one, or none', async () => {
    const [one, other] = [await booked(), await booked()]
    const mark = one.token.split('.')[1] as string
    for (const token of [`${other.idVisit}.${mark}`, `999999.${mark}`, `${one.idVisit}.${'A'.repeat(22)}`, 'x', '']) {
      expect((await show(token)).status, token).toBe(410)
      expect((await say(token, 'confirm')).status, token).toBe(410)
    }
    const move = { doctor: one.made.idUser, day: one.made.day, start: one.later }
    good(await one.post(`/portal/visits/${one.idVisit}/move`, move))
    expect((await show(one.token)).status).toBe(410)
    expect((await say(other.token, 'delete')).status).toBe(422)
    good(await show(other.token))
  })
})

describe('the survey after a visit', () => {
  const run = async () => {
    for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
  }
  const show = (token: string) => clinic.anonymous.post('/portal/score-link/view', { token })
  const say = (token: string, body: object) => clinic.anonymous.post('/portal/score-link', { token, ...body })
  const asked = (phone: string) =>
    sms.messages
      .filter(({ to }) => to === phone)
      .flatMap(({ text }) => /#score=(\d+\.[\w-]{22})$/.exec(text)?.[1] ?? [])

  /** A past visit of a patient. @param at index of the free time it takes */
  async function held(one: Awaited<ReturnType<typeof world.patient>>, at = 0) {
    const made = await world.make({ to: '12:00' })
    const time = (await made.times())[at]
    good(await one.post('/portal/booking', made.choice(time?.localStart as string)), 201)
    const { idVisit } = good(await one.post('/portal/booking/book'), 201)
    await clinic.db.query({
      text: `with done as (update appointments set "visitStatus" = 'completed', "dateCompleted" = now() where "id" = $1)
        insert into appointments_changes ("idAppointment", "fromStatus", "toStatus", "idAuthor")
          select $1, 'inProgress', 'completed', min("id") from users`,
      values: [idVisit],
    })
    return idVisit as number
  }

  it('is sent at intervals, accepts one answer and counts in NPS', async () => {
    good(
      await desk.post('/message-templates', {
        ...{ name: 'Оценка', event: 'score', text: 'Оцените визит: {оценка}', active: true },
      }),
      201,
    )
    const one = await world.patient()
    const idVisit = await held(one)
    await run()
    await held(one, 3)
    await run()
    // No survey for the second visit: the patient was asked recently.
    const [token = ''] = asked(one.phone)
    expect(asked(one.phone)).toHaveLength(1)
    expect(good(await show(token))).toMatchObject({ score: null })
    for (const score of [11, -1, 9.5]) expect((await say(token, { score })).status).toBe(422)
    const answers = await Promise.all([say(token, { score: 9, comment: ' Спасибо ' }), say(token, { score: 0 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(good(await show(token)).score).toEqual(expect.any(Number))
    const kept = good(await desk.get(`/appointments/scores?filter[idAppointment]=${idVisit}`)).items
    expect(kept).toHaveLength(1)
    const day = dayIn('Europe/Moscow', Date.parse(kept[0].dateCreate))
    const { total } = good(await desk.get(`/reports/nps?from=${day}&until=${day}`))
    expect(total.values).toMatchObject({ answers: 1, nps: kept[0].score === 9 ? 1 : -1 })
  })

  it('shows the same pages for every score, and takes a letter to the head once', async () => {
    const head = clinic.as('head')
    const links = [
      { site: 'yandex', url: 'https://yandex.ru/maps/org/1/reviews' },
      { site: 'prodoctorov', url: 'https://prodoctorov.ru/lpu/1' },
    ]
    const shown: unknown[] = []
    for (const score of [2, 10]) {
      const one = await world.patient()
      const idVisit = await held(one)
      const { idFilial } = good(await desk.get(`/appointments/${idVisit}`))
      for (const link of links) good(await desk.post('/review-routes', { idFilial, ...link }), 201)
      await run()
      const [token = ''] = asked(one.phone)
      expect(good(await show(token)).routes).toEqual([])
      good(await say(token, { score, comment: `Оценка ${score}` }), 204)
      shown.push(good(await show(token)).routes)
      const write = (text: string) => clinic.anonymous.post('/portal/score-link/head', { token, text })
      expect((await write(' ')).status).toBe(422)
      const letters = await Promise.all([write('Ждал час'), write('Ждал час')])
      expect(letters.map(({ status }) => status).sort()).toEqual([204, 409])
      const appeals = good(await head.get(`/appeals?filter[idCustomer]=${one.id}`)).items
      expect(appeals).toMatchObject([{ idFilial, status: 'open', description: expect.stringContaining('Ждал час') }])
      // The list of reviews has the text without the patient.
      const [review] = good(await head.get(`/reviews?filter[idFilial]=${idFilial}`)).items
      expect(review).toMatchObject({ site: 'own', score, text: `Оценка ${score}`, state: 'new', author: null })
      good(await head.put(`/reviews/${review.id}`, { answer: 'Спасибо' }))
      const answered = good(await head.get(`/reviews/${review.id}`))
      expect(answered).toMatchObject({ state: 'answered', idAnswered: expect.any(Number), hoursToAnswer: 0 })
      good(await head.put(`/reviews/${review.id}`, { answer: 'Спасибо!' }))
      expect(good(await head.get(`/reviews/${review.id}`)).dateAnswered).toBe(answered.dateAnswered)
    }
    expect(shown[0]).toEqual(shown[1])
    expect(shown[0]).toEqual([
      { site: 'Яндекс Карты', url: links[0]?.url },
      { site: 'ПроДокторов', url: links[1]?.url },
    ])
    const day = dayIn('Europe/Moscow', Date.now())
    const { total } = good(await head.get(`/reports/reviews?from=${day}&until=${day}`))
    expect(total.values).toMatchObject({ answered: 2 })
  })

  it('is closed for an invalid link, a visit that did not take place, or an old one', async () => {
    const one = await world.patient()
    const idVisit = await held(one)
    await run()
    const [token = ''] = asked(one.phone)
    const [, mark = ''] = token.split('.')
    for (const wrong of [`${idVisit + 1}.${mark}`, `${idVisit}.${'A'.repeat(22)}`, 'x', ''])
      expect((await show(wrong)).status, wrong).toBe(410)
    await clinic.db.query({
      text: `update appointments set "dateCompleted" = now() - interval '31 days' where "id" = $1`,
      values: [idVisit],
    })
    expect((await say(token, { score: 10 })).status).toBe(410)
  })
})

describe('a push message about a visit', () => {
  const text = 'Ждём вас {дата} в {время}'
  let idTemplate: number
  beforeAll(async () => {
    good(await desk.put('/settings/common', { reminderChannels: ['push', 'sms'], clinicName: 'Ромашка' }))
    const { items } = good(await desk.get('/message-templates?filter[event]=booking'))
    for (const { id } of items) good(await desk.put(`/message-templates/${id}`, { active: false }))
    const made = await desk.post('/message-templates', { name: 'Ждём', event: 'booking', text, active: true })
    idTemplate = good(made, 201).id
  })
  const run = async () => {
    for (const job of ['messages.collect', 'messages.send', 'messages.send']) await clinic.context.jobs.run(job)
  }

  /** A patient with a booking and a device with this behaviour, and the resulting message. */
  async function booked(mood?: 'gone' | 'refuses' | 'breaks') {
    const made = await world.make({ to: '12:00' })
    const one = await world.patient()
    const path = `/${randomUUID()}`
    if (mood) makers.moods.set(path, mood)
    const endpoint = makers.url + path
    good(await one.post('/portal/device', { endpoint }), 204)
    const [first, second] = await made.times()
    good(await one.post('/portal/booking', made.choice(first?.localStart as string)), 201)
    const { idVisit } = good(await one.post('/portal/booking/book'), 201)
    const message = async () => {
      const [row] = await clinic.db.query<Record<string, unknown>>({
        text: `select "channel", "status", "tried" from messages where "idCustomer" = $1 and "idTemplate" = $2`,
        values: [one.id, idTemplate],
      })
      return row
    }
    const news = (by: typeof one = one) => by.post('/portal/device/news', { endpoint })
    const texts = () => sms.messages.filter(({ to, text }) => to === one.phone && text.startsWith('Ждём'))
    return { ...one, made, idVisit: idVisit as number, later: second?.localStart as string, path, message, news, texts }
  }

  it('wakes the device, which shows the text once, by its own sign-in, and no other channel is used', async () => {
    const one = await booked()
    await Promise.all([run(), run()])
    expect(to(one.path)).toMatchObject([{ body: '' }])
    expect(await one.message()).toEqual({ channel: 'push', status: 'accepted', tried: [] })
    expect(good(await one.news(await world.patient())).items).toEqual([])
    expect((await clinic.anonymous.post('/portal/device/news', { endpoint: makers.url + one.path })).status).toBe(401)
    const shown = good(await one.news())
    expect(shown).toMatchObject({ clinic: 'Ромашка', items: [{ text: expect.stringMatching(/^Ждём вас \d\d\./) }] })
    expect(await one.message()).toMatchObject({ channel: 'push', status: 'delivered' })
    expect(good(await one.news()).items).toEqual([])
    expect(one.texts()).toEqual([])
  })

  it('is not shown on a device added later, nor long after sending', async () => {
    const [late, old] = [await booked(), await booked()]
    await run()
    const { idVisit: idOld } = old
    await clinic.db.query({
      text: `update messages set "dateSent" = now() - interval '3 days' where "idAppointment" = $1`,
      values: [idOld],
    })
    await clinic.db.query({
      text: `update portal_devices set "dateCreate" = now() - interval '4 days' where "idCustomer" = $1`,
      values: [old.id],
    })
    expect(good(await old.news()).items).toEqual([])
    // The device is signed in again: earlier messages are not shown.
    good(await late.post('/portal/device', { endpoint: makers.url + late.path }), 204)
    expect(good(await late.news()).items).toEqual([])
  })

  it.each(['gone', 'refuses', 'breaks'] as const)('falls back to the next channel when the device %s', async (mood) => {
    const one = await booked(mood)
    await run()
    expect(to(one.path)).toHaveLength(1)
    expect(one.texts()).toHaveLength(1)
    expect(await one.message()).toMatchObject({ channel: 'sms', tried: ['push'] })
    // A later wake-up shows nothing.
    expect(good(await one.news()).items).toEqual([])
  })

  it('falls back when its server was killed before the device was woken', async () => {
    const one = await booked()
    await run()
    await clinic.db.query({
      text: `update messages set "status" = 'unknown', "dateSent" = now() - interval '4 minutes' where "idAppointment" = $1`,
      values: [one.idVisit],
    })
    await run()
    expect(one.texts()).toHaveLength(1)
    expect(await one.message()).toMatchObject({ channel: 'sms', tried: ['push'] })
  })

  it('falls back after a sign-out, and is not shown for a visit that has changed', async () => {
    const [left, moved] = [await booked(), await booked()]
    good(await left.delete('/portal/session'), 204)
    await run()
    expect(to(left.path)).toEqual([])
    expect(left.texts()).toHaveLength(1)
    expect(to(moved.path)).toHaveLength(1)
    const { idUser: doctor, day } = moved.made
    good(await moved.post(`/portal/visits/${moved.idVisit}/move`, { doctor, day, start: moved.later }))
    expect(good(await moved.news()).items).toEqual([])
  })
})
