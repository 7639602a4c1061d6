import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let clinic: Clinic
let desk: Caller
let alina: Caller
let doctor: Caller
let other: Caller
let chief: Caller
let reader: Caller
let ids: Record<string, number>

beforeAll(async () => {
  ids = {}
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers', 'mainSettings'])
      for (const login of ['alina', 'doctor', 'other'])
        ids[login] = (await addPerson(app, login, ['onlineChat', 'viewCustomers'], { isLiveAssist: true })).id
      await addPerson(app, 'chief', ['onlineChat', 'superviseLiveAssist', 'displayTableServiceOnline'])
      await addPerson(app, 'reader', ['viewCustomers', 'viewAppeals'])
    },
  })
  ;[desk, alina, doctor, other, chief, reader] = ['desk', 'alina', 'doctor', 'other', 'chief', 'reader'].map((login) =>
    clinic.as(login),
  ) as [Caller, Caller, Caller, Caller, Caller, Caller]
  good(await desk.put('/settings/common', { portalActive: true }))
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

async function byLink(id: number): Promise<Answer> {
  const token = good(await desk.post(`/customers/${id}/portal-link`), 201).url.split('#link=')[1]
  return clinic.anonymous.post('/portal/link', { token, birthday: '1980-02-01' })
}
async function byCode(phone: string, from: object): Promise<Answer> {
  await clinic.anonymous.post('/portal/code', { phone }, from)
  await clinic.context.jobs.drain()
  const text = sms.messages.filter(({ to }) => to === phone).at(-1)?.text ?? ''
  const code = /Код для входа: (\d{6})/.exec(text)?.[1] ?? ''
  return clinic.anonymous.post('/portal/session', { phone, code }, from)
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
function formOf(content: Uint8Array | string, name: string): FormData {
  const form = new FormData()
  form.set('file', new Blob([content as BlobPart]), name)
  return form
}

let made = 0
/** A patient signed in by a code; with `link`, by a link from the staff and the birthday. */
async function patient({ link, ...card }: { link?: true; secretLevel?: string } = {}) {
  const at = ++made
  const phone = `+7913${1_000_000 + at}`
  const from = { headers: { 'x-forwarded-for': `10.2.0.${at}` } }
  const { id } = good(
    await desk.post('/customers', { surname: `Орлов${at}`, name: 'Пётр', birthday: '01.02.1980', phone, ...card }),
    201,
  )
  const opened: Answer = link ? await byLink(id) : await byCode(phone, from)
  good(opened)
  const cookie = /ordinator_patient=([\w-]{43})/.exec([opened.headers['set-cookie']].flat().join(';'))?.[1] as string
  const options = { cookies: { ordinator_patient: cookie }, ...from }
  return {
    id,
    say: (text: string, clientId: string = randomUUID()) =>
      clinic.anonymous.post('/portal/dialog', { clientId, text }, options),
    talk: async (cursor = 0, wait = 0) =>
      good(await clinic.anonymous.get(`/portal/dialog?cursor=${cursor}&wait=${wait}`, options)),
    get: (url: string) => clinic.anonymous.get(url, options),
    post: (path: string, data: object = {}) => clinic.anonymous.post(`/portal/dialog/${path}`, data, options),
    file: (content: Uint8Array | string, name: string, clientId: string = randomUUID()) =>
      clinic.anonymous.post(`/portal/dialog/files?clientId=${clientId}`, formOf(content, name), options),
  }
}
type Patient = Awaited<ReturnType<typeof patient>>

async function begun(text = 'Здравствуйте') {
  const one = await patient()
  good(await one.say(text), 201)
  const { items } = good(await alina.get(`/service-online?filter[idCustomer]=${one.id}`))
  return { one, id: items[0].id as number }
}
const row = async (id: number, by = alina) => good(await by.get(`/service-online/${id}`))
const answer = (id: number, text: string, by = alina, clientId: string = randomUUID()) =>
  by.post(`/service-online/${id}/messages`, { clientId, text })
const words = async (one: Patient) => (await one.talk()).lines.map(({ text }: { text: string }) => text)

describe('a dialogue', () => {
  it('goes from new to active, waits for the patient, is closed, and the next message begins another', async () => {
    const { one, id } = await begun()
    expect(await row(id)).toMatchObject({ status: 'new', idUser: null, inCount: 1, numberOfUnreadMessages: 1 })
    good(await alina.post(`/service-online/${id}/take`, { from: null }))
    expect((await row(id)).status).toBe('active')
    good(await answer(id, 'Добрый день'), 201)
    expect(await row(id)).toMatchObject({ status: 'waitPatient', queuedAt: null, numberOfUnreadMessages: 0 })
    good(await one.say('Спасибо'), 201)
    expect((await row(id)).status).toBe('active')
    expect((await alina.post(`/service-online/${id}/close`, { reason: '' })).status).toBe(422)
    good(await alina.post(`/service-online/${id}/close`, { reason: 'Ответили' }))
    expect(await row(id)).toMatchObject({ status: 'closed', closeReason: 'Ответили', queuedAt: null })
    expect((await answer(id, 'Ещё')).status).toBe(409)
    good(await one.say('И ещё вопрос'), 201)
    const { items } = good(await alina.get(`/service-online?filter[idCustomer]=${one.id}&sort=id`))
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['closed', 'new'])
  })

  it('stores each line once and in order, with repeats and concurrency', async () => {
    const one = await patient()
    const clientId = randomUUID()
    const first = await one.say('Раз', clientId)
    const again = await one.say('Раз', clientId)
    expect([first.status, again.status, again.body.seq]).toEqual([201, 200, first.body.seq])
    expect((await one.say('Два', clientId)).status).toBe(409)
    await Promise.all(Array.from({ length: 6 }, (_, at) => one.say(`Сразу ${at}`)))
    const { items } = good(await alina.get(`/service-online?filter[idCustomer]=${one.id}&expand=messages`))
    expect(items).toHaveLength(1)
    expect(items[0].messages.map(({ seq }: { seq: number }) => seq).sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(items[0]).toMatchObject({ inCount: 7, lastSeq: 7 })
    const late = await Promise.all(Array.from({ length: 6 }, () => one.say('Поток')))
    expect(late.some(({ status }) => status === 429)).toBe(true)
  })

  it('is answered by one operator: the other gets the name', async () => {
    const { id } = await begun()
    const both = await Promise.all([answer(id, 'Я'), answer(id, 'Нет, я', other)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const { messages } = good(await alina.get(`/service-online/${id}?expand=messages`))
    expect(messages).toHaveLength(2)
  })

  it('notifies a waiting patient at once, and shows the read positions of both', async () => {
    const { one, id } = await begun()
    // The own first message may still wake a waiter.
    const waitForNews = async (): Promise<Awaited<ReturnType<Patient['talk']>>> => {
      const answer = await one.talk(1, 20)
      return answer.cursor > 1 ? answer : waitForNews()
    }
    const waiting = waitForNews()
    await new Promise((go) => setImmediate(go))
    good(await answer(id, 'Сейчас'), 201)
    expect((await waiting).lines.at(-1)).toMatchObject({ author: 'staff', text: 'Сейчас', by: 'Тест' })
    const state = async () =>
      good(await alina.get(`/service-online/${id}?expand=messages`)).messages.find(
        ({ author }: { author: string }) => author === 'staff',
      ).state
    expect(await state()).toBe('delivered')
    expect((await one.post('read')).status).toBe(204)
    expect(await state()).toBe('read')
    expect((await one.talk()).dialog.unread).toBe(0)
  })

  it('is rated once, after a person has closed it', async () => {
    const { one, id } = await begun()
    expect((await one.post('rating', { rating: 5 })).status).toBe(409)
    good(await answer(id, 'Ответ'), 201)
    good(await alina.post(`/service-online/${id}/close`, { reason: 'Ответили' }))
    expect((await one.post('rating', { rating: 6 })).status).toBe(422)
    expect((await one.post('rating', { rating: 4 })).status).toBe(204)
    expect((await one.post('rating', { rating: 1 })).status).toBe(409)
    expect((await row(id)).rating).toBe(4)
  })
})

describe('a message', () => {
  it('can be edited and deleted by its author within 15 minutes; its former text is in the history', async () => {
    const { one, id } = await begun()
    const message = good(await answer(id, 'В среду'), 201)
    const edit = (by: Caller, text: string) => by.post(`/service-online/messages/${message.id}/edit`, { text })
    expect((await edit(other, 'Чужое')).status).toBe(403)
    good(await edit(alina, 'В четверг'))
    expect(await words(one)).toEqual(['Здравствуйте', 'В четверг'])
    good(await alina.post(`/service-online/messages/${message.id}/remove`))
    const line = (await one.talk()).lines.at(-1)
    expect(line).toMatchObject({ text: '', isRemoved: true })
    expect((await edit(alina, 'Поздно')).status).toBe(409)
    const history = good(await alina.get(`/service-online/messages/${message.id}/history`))
    expect(JSON.stringify(history)).toContain('В среду')
    expect(JSON.stringify(history)).toContain('В четверг')
    const old = good(await answer(id, 'Старое'), 201)
    await clinic.db.query({
      text: `update service_online_messages set "dateCreate" = now() - interval '16 minutes' where id = $1`,
      values: [old.id],
    })
    expect((await alina.post(`/service-online/messages/${old.id}/remove`)).body.code).toBe('late')
  })
})

describe('visibility', () => {
  it('for a patient only own dialogues, and nothing in a link session, with or without the birthday', async () => {
    const { one } = await begun('Тайна')
    const second = await patient()
    expect(await second.talk()).toEqual({ dialog: null, lines: [], cursor: 0 })
    good(await second.say('Другое'), 201)
    expect(await words(second)).toEqual(['Другое'])
    expect(await words(one)).toEqual(['Тайна'])
    const holder = await patient({ link: true })
    const calls = [
      holder.get('/portal/dialog'),
      holder.say('Я'),
      holder.post('read'),
      holder.post('rating', { rating: 5 }),
    ]
    for (const { status, body } of await Promise.all(calls)) expect([status, body.code]).toEqual([403, 'link'])
  })

  it('of a sealed card needs a reason: in lists, lines, replies, counts and notices', async () => {
    const one = await patient({ secretLevel: 'vip' })
    const before = good(await chief.get('/service-online/counts')).waiting
    good(await one.say('Тайное слово'), 201)
    const [kept] = await clinic.db.query<{ id: number }>({
      text: 'select "id"::int as id from service_online where "idCustomer" = $1',
      values: [one.id],
    })
    const id = kept?.id as number
    for (const by of [alina, chief]) {
      expect(good(await by.get(`/service-online?filter[idCustomer]=${one.id}`)).items).toEqual([])
      expect((await by.get(`/service-online/${id}`)).status).toBe(404)
      expect((await by.get(`/service-online/${id}/history`)).status).toBe(404)
      expect(good(await by.get(`/service-online/messages?filter[idDialog]=${id}`)).items).toEqual([])
      expect((await answer(id, 'Я', by)).status).toBe(404)
    }
    expect(good(await chief.get('/service-online/counts')).waiting).toBe(before)
    const { items } = good(await alina.get('/notifications?limit=50'))
    const notice = items.find(({ idEntity }: { idEntity: number }) => idEntity === id)
    expect(notice).toMatchObject({ title: 'Пациент ждёт ответа', link: `/customers/edit?id=${one.id}` })
    expect(notice.text ?? null).toBeNull()
    good(await alina.post(`/customers/${one.id}/open`, { reason: 'Ответ пациенту в чате' }), 204)
    expect((await row(id)).lastMessage).toBe('Тайное слово')
    good(await answer(id, 'Здравствуйте'), 201)
    expect(await words(one)).toEqual(['Тайное слово', 'Здравствуйте'])
  })

  it('of messages to a doctor is limited to that doctor and supervisors', async () => {
    const { id } = await begun('Болит')
    const give = (idUser: number | undefined, more: object = {}) =>
      alina.post(`/service-online/${id}/transfer`, { idUser: idUser ?? null, kind: 'doctor', ...more })
    expect((await give(undefined)).body[0]?.field).toBe('idUser')
    good(await give(ids.doctor))
    expect((await alina.get(`/service-online/${id}`)).status).toBe(404)
    expect(good(await alina.get(`/service-online/messages?filter[idDialog]=${id}`)).items).toEqual([])
    expect((await answer(id, 'Я', alina)).status).toBe(404)
    expect((await row(id, doctor)).kind).toBe('doctor')
    expect((await row(id, chief)).kind).toBe('doctor')
    good(await answer(id, 'Приходите', doctor), 201)
    expect((await reader.get(`/service-online/${id}`)).status).toBe(403)
  })
})

describe('waiting patients', () => {
  it('are on the board and in notices until answered', async () => {
    const { one, id } = await begun('Жду')
    const { items } = good(await alina.get('/notifications?limit=50'))
    expect(items.some(({ link }: { link: string }) => link === `/service-online?dialog=${id}`)).toBe(true)
    expect(good(await alina.get('/service-online/counts')).waiting).toBeGreaterThan(0)
    good(await answer(id, 'Вот'), 201)
    expect((await row(id)).queuedAt).toBeNull()
    expect(await words(one)).toEqual(['Жду', 'Вот'])
  })
})

describe('statistics', () => {
  it('follow their formulas', async () => {
    const day = dayIn('Europe/Moscow', Date.now())
    const ask = async () => good(await chief.get(`/service-online/figures?from=2001-01-01&to=2001-01-01`))
    const [a, b, c] = [await begun(), await begun(), await begun()]
    const put = (id: number, set: string) =>
      clinic.db.query({
        text: `update service_online set "dateCreate" = '2001-01-01 12:00+03', ${set} where id = $1`,
        values: [id],
      })
    // Answered at once and late; assigned at 12:00, closed at 13:00, with 20 minutes of waiting for the patient.
    await put(
      a.id,
      `"firstAnswerTime" = 60, "answerSum" = 90, "answerCount" = 2, "dateFirstAnswer" = now(), "rating" = 5,
      "dateAssigned" = '2001-01-01 12:00+03', "dateClosed" = '2001-01-01 13:00+03', "waitSum" = 1200`,
    )
    await put(
      b.id,
      `"firstAnswerTime" = 1800, "answerSum" = 1800, "answerCount" = 1, "dateFirstAnswer" = now(), "rating" = 3`,
    )
    // Not answered within a day.
    await put(c.id, `"dateFirstAnswer" = null`)
    expect(await ask()).toEqual({ count: 3, frt: 930, art: 630, aht: 2400, sla: 0.5, csat: 0.5, missed: 1 })
    expect(good(await chief.get(`/service-online/figures?from=${day}&to=${day}`)).count).toBeGreaterThan(0)
    expect((await alina.get(`/service-online/figures?from=${day}&to=${day}`)).status).toBe(403)
  })
})

describe('a file', () => {
  const lineOf = async (one: Patient) => (await one.talk()).lines.at(-1)

  it('of a patient is a line of its own, once, readable by operators only', async () => {
    const { one, id } = await begun()
    const clientId = randomUUID()
    const sent = [await one.file(PIXEL, 'сыпь.png', clientId), await one.file(PIXEL, 'сыпь.png', clientId)]
    expect(sent.map(({ status }) => status)).toEqual([201, 200])
    expect(await row(id)).toMatchObject({ inCount: 2, lastMessage: 'сыпь.png' })
    const { items } = good(
      await alina.get(`/service-online/messages?filter[idDialog]=${id}&expand=files.file&sort=-seq&limit=1`),
    )
    expect(items[0].files).toMatchObject([{ file: { name: 'сыпь.png', size: PIXEL.length } }])
    const { file } = items[0].files[0]
    expect((await alina.get(`/files/${file.id}`)).bytes).toEqual(PIXEL)
    expect((await reader.get(`/files/${file.id}`)).status).toBe(404)
    const line = await lineOf(one)
    expect(line.files).toMatchObject([{ id: file.id, name: 'сыпь.png' }])
    const got = await one.get(`/portal/dialog/files/${file.id}`)
    expect([got.status, got.bytes.equals(PIXEL)]).toEqual([200, true])
    const stranger = await patient()
    expect((await stranger.get(`/portal/dialog/files/${file.id}`)).status).toBe(404)
    expect((await clinic.anonymous.get(`/portal/dialog/files/${file.id}`)).status).toBe(401)
  })

  it('of the staff is sent with an answer, belongs to its sender, and is removed with a deleted line', async () => {
    const { one, id } = await begun()
    const send = (files: number[], text = '', by = alina) =>
      by.post(`/service-online/${id}/messages`, { clientId: randomUUID(), text, files })
    const upload = async (by: Caller) =>
      good(await by.post('/service-online/files', formOf(PIXEL, 'памятка.png')), 201).id
    expect((await send([])).status).toBe(422)
    const foreign = await upload(other)
    expect((await send([foreign])).status).toBe(422)
    const own = await upload(alina)
    const message = good(await send([own]), 201)
    expect((await send([own])).status).toBe(422)
    // Nothing can be attached past a new line.
    const spare = await upload(alina)
    const late = { idMessage: message.id, idFile: spare }
    expect((await alina.post('/service-online/message-files', late)).status).toBe(403)
    const line = await lineOf(one)
    expect(line).toMatchObject({ text: '', files: [{ id: own, name: 'памятка.png' }] })
    expect((await one.get(`/portal/dialog/files/${own}`)).status).toBe(200)
    expect((await one.get(`/portal/dialog/files/${foreign}`)).status).toBe(404)
    good(await alina.post(`/service-online/messages/${message.id}/remove`))
    expect(await lineOf(one)).toMatchObject({ isRemoved: true, files: [] })
    expect((await one.get(`/portal/dialog/files/${own}`)).status).toBe(404)
  })

  it('is limited in types, size and number', async () => {
    const one = await patient()
    expect((await one.file('<script>', 'a.html')).status).toBe(422)
    expect((await one.file('<script>', 'a.png')).status).toBe(422)
    expect((await one.file(new Uint8Array(10 * 1024 * 1024 + 1), 'a.pdf')).status).toBe(413)
    expect((await one.talk()).dialog).toBeNull()
    const many = await Promise.all(Array.from({ length: 12 }, (_, at) => one.file(PIXEL, `${at}.png`)))
    expect(many.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(10)
    expect(many.some(({ status }) => status === 429)).toBe(true)
  })

  it('is limited per day over all patients; text is still accepted', async () => {
    const one = await patient()
    const spent = (bytes: number) =>
      clinic.db.query({
        text: `insert into sent_bytes (who, day, bytes)
          select 'patients', current_date + n, $1::bigint from generate_series(-1, 1) n
          on conflict (who, day) do update set bytes = excluded.bytes`,
        values: [bytes],
      })
    await spent(clinic.config.uploadMbPerDay * 1024 * 1024 - 10)
    const refused = await one.file(PIXEL, 'a.png')
    expect([refused.status, refused.body.code]).toEqual([429, 'uploadQuota'])
    await spent(0)
    expect((await one.file(PIXEL, 'a.png')).status).toBe(201)
  })

  it('is refused in an unpaid question, and in a link session', async () => {
    const linked = await patient({ link: true })
    expect((await linked.file(PIXEL, 'a.png')).status).toBe(403)
  })
})
