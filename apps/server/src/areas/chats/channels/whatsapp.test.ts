import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { sounds } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deliverChat, outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import {
  startWhatsappSimulator,
  WHATSAPP_SECRET,
  WHATSAPP_SENDER,
  WHATSAPP_TOKEN,
  type WhatsappSimulator,
  wamid,
} from '#testing/whatsappSimulator.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const access = { token: WHATSAPP_TOKEN, sender: WHATSAPP_SENDER, appSecret: WHATSAPP_SECRET }

let whatsapp: WhatsappSimulator
let clinic: Clinic
let keeper: Caller
let alina: Caller
let webhookPath: string
let idChannel: number

beforeAll(async () => {
  whatsapp = await startWhatsappSimulator()
  clinic = await testApp({
    env: { WHATSAPP_URL: whatsapp.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap'])
      await addPerson(app, 'alina', ['supportOperator'])
    },
  })
  ;[keeper, alina] = ['keeper', 'alina'].map((login) => clinic.as(login)) as [Caller, Caller]
  const made = good(
    await keeper.post('/live-assist/channels', { name: 'WhatsApp', kind: 'whatsapp', active: true, ...access }),
    201,
  )
  expect(made.active).toBe(false)
  idChannel = made.id
  webhookPath = `/live-assist/channels/${made.key}/updates`
  good(await keeper.post(`/live-assist/channels/${idChannel}/connect`))
  good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: true }))
})
afterAll(async () => {
  await clinic.close()
  await whatsapp.close()
})
beforeEach(() => {
  whatsapp.mood = 'takes'
  whatsapp.outgoing.length = 0
})

/** A messenger that has failed is tried at once. */
const settle = async () => {
  await outboxDue(clinic.db)
  await clinic.context.jobs.drain()
}
let serial = 0
const patient = () => `7916${String(1_000_000 + ++serial)}`
const envelope = (value: object, sender = WHATSAPP_SENDER) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: { messaging_product: 'whatsapp', metadata: { phone_number_id: sender }, ...value },
        },
      ],
    },
  ],
})
const incoming = (from: string, message: object = {}) => ({ from, id: wamid(++serial), timestamp: '1', ...message })
const words = (from: string, body: string) => incoming(from, { type: 'text', text: { body } })
const payloadOf = (...messages: { from: string }[]) =>
  envelope({
    contacts: messages.map(({ from }) => ({ profile: { name: `Ирина ${from}` }, wa_id: from })),
    messages,
  })
const post = (body: object, headers = whatsapp.signed(JSON.stringify(body))) =>
  clinic.anonymous.post(webhookPath, body, { headers })
async function write(...messages: { from: string }[]) {
  good(await post(payloadOf(...messages)))
  await settle()
}
const chatsOf = async (from: string) =>
  good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(`Ирина ${from}`)}&sort=id`)).items
const linesOf = async (id: number) =>
  good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&sort=seq&expand=files.file`)).items
const textsOf = async (from: string) => {
  const [chat] = await chatsOf(from)
  return chat ? (await linesOf(chat.id)).map(({ message }: { message: string }) => message) : []
}
async function begun() {
  const from = patient()
  await write(words(from, 'Здравствуйте'))
  const [chat] = await chatsOf(from)
  return { from, id: chat.id as number }
}
const reply = async (idLiveAssist: number, message: string, files: number[] = []) => {
  const { id } = good(
    await alina.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, files }),
    201,
  )
  await settle()
  return id as number
}
const uploaded = async (...names: string[]) => {
  const ids: number[] = []
  for (const name of names) {
    const form = new FormData()
    form.set('file', new Blob([PIXEL]), name)
    ids.push(good(await alina.post('/live-assist/files', form), 201).id)
  }
  return ids
}

it('connects by its number, its token and its secret, which are never shown again', async () => {
  const shown = await keeper.get(`/live-assist/channels/${idChannel}`)
  expect(good(shown)).toMatchObject({ account: '+7 495 123-45-67 · Клиника', sender: WHATSAPP_SENDER })
  const history = await keeper.get(`/live-assist/channels/${idChannel}/history`)
  for (const hidden of [WHATSAPP_TOKEN, WHATSAPP_SECRET, whatsapp.webhook?.token ?? '?'])
    expect(shown.text + history.text).not.toContain(hidden)
  expect(whatsapp.webhook?.url).toBe(`http://clinic.test${webhookPath}`)
  const fault = async (more: object, field: string) => {
    const name = `Не тот ${++serial}`
    const { id } = good(await keeper.post('/live-assist/channels', { name, kind: 'whatsapp', ...access, ...more }), 201)
    const refused = await keeper.post(`/live-assist/channels/${id}/connect`)
    expect([refused.status, refused.body[0].field]).toEqual([422, field])
  }
  await fault({ sender: null }, 'sender')
  await fault({ sender: '5' }, 'sender')
  await fault({ appSecret: '' }, 'appSecret')
  await fault({ token: 'мимо' }, 'token')
  const letters = await keeper.put(`/live-assist/channels/${idChannel}`, { sender: '+7 495' })
  expect([letters.status, letters.body[0].field]).toEqual([422, 'sender'])
})

it('answers hub.challenge only for our secret', async () => {
  const ask = (query: Record<string, string>) =>
    clinic.anonymous.get(
      `${webhookPath}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', ...query })}`,
    )
  const right = await ask({ 'hub.verify_token': whatsapp.webhook?.token ?? '' })
  expect([right.status, right.text, right.headers['content-type']]).toEqual([
    200,
    '1158201444',
    expect.stringContaining('text/plain'),
  ])
  const wrongs: Record<string, string>[] = [
    {},
    { 'hub.verify_token': 'чужой' },
    { 'hub.verify_token': whatsapp.webhook?.token ?? '', 'hub.mode': 'x' },
  ]
  for (const wrong of wrongs) expect((await ask(wrong)).status).toBe(401)
  const bot = good(await keeper.post('/live-assist/channels', { name: 'Бот', token: '1:x' }), 201)
  expect((await clinic.anonymous.get(`/live-assist/channels/${bot.key}/updates?hub.mode=subscribe`)).status).toBe(401)
  expect((await clinic.anonymous.get('/live-assist/channels/неттакого/updates')).status).toBe(404)
})

it('accepts only calls signed by its secret, and no other number', async () => {
  const from = patient()
  const body = payloadOf(words(from, 'Я'))
  expect((await post(body, {} as never)).status).toBe(401)
  expect((await post(body, whatsapp.signed(`${JSON.stringify(body)} `))).status).toBe(401)
  expect((await post({ ...body, more: 1 }, whatsapp.signed(JSON.stringify(body)))).status).toBe(401)
  for (const strange of [
    {},
    { entry: 7 },
    envelope({ messages: [{ id: 5 }] }),
    envelope({ messages: [words('не номер', 'Я')] }),
    envelope(
      { contacts: [{ profile: { name: `Ирина ${from}` }, wa_id: from }], messages: [words(from, 'Чужому номеру')] },
      '555',
    ),
    payloadOf(incoming(from, { type: 'reaction', reaction: { message_id: 'x', emoji: '👍' } })),
  ])
    good(await post(strange))
  await settle()
  expect(await chatsOf(from)).toEqual([])
  good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: false }))
  await write(words(from, 'Выключен'))
  good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: true }))
  expect(await chatsOf(from)).toEqual([])
})

it('plays a voice message in place', async () => {
  const from = patient()
  whatsapp.files.set('778', sounds.ogg)
  await write(incoming(from, { type: 'audio', audio: { id: '778', voice: true, mime_type: 'audio/ogg; codecs=opus' } }))
  const [chat] = await chatsOf(from)
  expect(await linesOf(chat.id)).toMatchObject([
    { message: '', files: [{ file: { name: 'Голос.ogg', meta: { category: 'audio', type: 'audio/ogg' } } }] },
  ])
})

it('delivers messages of one call, each once, with phone and files, also when repeated', async () => {
  const [from, other] = [patient(), patient()]
  whatsapp.files.set('777', PIXEL)
  const first = words(from, 'Раз')
  const both = payloadOf(
    first,
    words(other, 'А я другой'),
    incoming(from, { type: 'image', image: { id: '777', caption: 'Анализ' } }),
  )
  const answers = await Promise.all([1, 2, 3].map(() => post(both)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await settle()
  good(await post(payloadOf(first)))
  await write(
    incoming(from, { type: 'document', document: { id: '404', filename: 'Выписка.pdf' } }),
    incoming(from, { type: 'location', location: { latitude: 55.7, longitude: 37.6, name: 'Дом' } }),
    incoming(from, {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Мама' }, phones: [{ phone: '+7 916 123-45-67' }] }],
    }),
    incoming(from, { type: 'button', button: { text: 'Подтверждаю' } }),
    incoming(from, { type: 'unsupported', errors: [{ code: 131051 }] }),
  )
  const [chat, ...more] = await chatsOf(from)
  expect(more).toEqual([])
  expect(chat).toMatchObject({ source: 'whatsapp', sourceName: 'WhatsApp', phone: `+${from}`, inCount: 7 })
  expect(await linesOf(chat.id)).toMatchObject([
    { message: 'Раз' },
    { message: 'Анализ', files: [{ file: { name: 'Фото.jpg' } }] },
    { message: 'Файл «Выписка.pdf» не принят' },
    { message: 'Геопозиция: 55.7, 37.6, Дом' },
    { message: 'Контакт: +79161234567, Мама' },
    { message: 'Подтверждаю' },
    { message: '[Сообщение, которое чат не показывает]' },
  ])
  expect(await textsOf(other)).toEqual(['А я другой'])
})

it('delivers edits and removals, in any order', async () => {
  const from = patient()
  const [first, second, third] = [words(from, 'В пятницу'), words(from, 'Телефон соседа'), words(from, 'Позже')]
  await write(first, second)
  const edit = { original_message_id: first.id, message: { type: 'text', text: { body: 'В субботу' } } }
  const revoke = (id: string) => incoming(from, { type: 'revoke', revoke: { original_message_id: id } })
  await write(incoming(from, { type: 'edit', edit }), revoke(second.id), revoke(second.id))
  expect(await textsOf(from)).toEqual(['В субботу', ''])
  // The removal has arrived before the message.
  await write(revoke(third.id))
  await write(third)
  const [chat] = await chatsOf(from)
  expect((await linesOf(chat.id)).at(-1)).toMatchObject({
    message: '',
    dateRemoved: expect.any(String),
    idRemover: null,
  })
  // A removal from a stranger is ignored.
  await write(incoming(patient(), { type: 'revoke', revoke: { original_message_id: first.id } }))
  expect((await textsOf(from))[0]).toBe('В субботу')
})

it('accepts replies in order with files, one per message, and reports their delivery', async () => {
  const { from, id } = await begun()
  await reply(id, 'Слушаю вас')
  const idMessage = await reply(id, 'Вот памятка', await uploaded('Памятка.png', 'Схема.gif'))
  expect(whatsapp.outgoing).toEqual([
    { to: from, kind: 'text', text: 'Слушаю вас', file: '' },
    { to: from, kind: 'image', text: 'Вот памятка', file: 'Памятка.png' },
    { to: from, kind: 'document', text: '', file: 'Схема.gif' },
  ])
  const states = async () => (await linesOf(id)).slice(1).map(({ state }: { state: string }) => state)
  expect(await states()).toEqual(['delivered', 'delivered'])
  await receipt(from, 1, 'delivered')
  await receipt(from, 1, 'read')
  expect(await states()).toEqual(['read', 'delivered'])
  await receipt(from, 3, 'read')
  await receipt(from, 1, 'read')
  expect(await states()).toEqual(['read', 'read'])
  for (const way of ['edit', 'remove']) {
    const refused = await alina.post(
      `/live-assist/messages/${idMessage}/${way}`,
      way === 'edit' ? { message: 'Иначе' } : {},
    )
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'unrevisable',
      expect.stringMatching('WhatsApp не даёт'),
    ])
  }
  expect((await linesOf(id)).at(-1).message).toBe('Вот памятка')
  await reply(id, 'Ещё')
  await receipt(from, 4, 'failed', undelivered)
  expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'failed', failure: expect.stringMatching('нет WhatsApp') })
})

it('reports the outcome of a reply: too late, later, partly sent, or unknown', async () => {
  const { id } = await begun()
  whatsapp.mood = 'late'
  await reply(id, 'Через день')
  expect((await linesOf(id)).at(-1).failure).toMatch('Прошло больше 24 часов')
  for (const mood of ['broken', 'busy'] as const) {
    whatsapp.mood = mood
    await reply(id, mood)
    expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'sent', failure: null })
    whatsapp.mood = 'takes'
    await deliverChat(clinic, id, 1)
    expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'delivered' })
  }
  whatsapp.outgoing.length = 0
  whatsapp.mood = 'tires'
  await reply(id, 'Оба', await uploaded('Раз.png', 'Два.png'))
  expect((await linesOf(id)).at(-1).failure).toMatch('Дошли не все файлы: 1 из 2')
  whatsapp.mood = 'silent'
  await reply(id, 'Слышно?')
  expect((await linesOf(id)).at(-1).failure).toMatch('Неизвестно, дошло ли: WhatsApp')
})

/** Message ids not used by other tests. */
const farOn = (by: number) => whatsapp.outgoing.push(...Array(by).fill({ to: '', kind: '', text: '', file: '' }))
const receipt = async (from: string, of: number, status: string, more: object = {}) => {
  good(await post(envelope({ statuses: [{ id: wamid(of), status, recipient_id: from, ...more }] })))
  await settle()
}
const undelivered = { errors: [{ code: 131026, message: 'Undeliverable' }] }
const resend = (id: number) => alina.post(`/live-assist/messages/${id}/resend`)

it('resends a reply that was accepted but not delivered, and can delete it', async () => {
  const { from, id } = await begun()
  farOn(50)
  const failed = await reply(id, 'Ждём вас')
  await reply(id, 'И ваши анализы')
  await receipt(from, 51, 'failed', undelivered)
  whatsapp.mood = 'broken'
  good(await resend(failed))
  await settle()
  expect((await linesOf(id))[1]).toMatchObject({ state: 'sent', failure: null })
  whatsapp.mood = 'takes'
  await deliverChat(clinic, id, 1)
  expect(whatsapp.outgoing.slice(50).map(({ text }) => text)).toEqual(['Ждём вас', 'И ваши анализы', 'Ждём вас'])
  expect((await linesOf(id))[1]).toMatchObject({ state: 'delivered', failure: null })
  await receipt(from, 52, 'read')
  await receipt(from, 53, 'failed', undelivered)
  expect((await linesOf(id))[1]).toMatchObject({ state: 'failed' })
  good(await alina.post(`/live-assist/messages/${failed}/remove`, {}))
  expect((await linesOf(id))[1]).toMatchObject({ message: '', dateRemoved: expect.any(String) })
})

it('neither repeats nor loses the sent part of a reply', async () => {
  const { id } = await begun()
  whatsapp.mood = 'tires'
  const half = await reply(id, 'Оба', await uploaded('Раз.png', 'Два.png'))
  whatsapp.mood = 'takes'
  const again = await resend(half)
  expect([again.status, again.body.code]).toEqual([409, 'half'])
  const removed = await alina.post(`/live-assist/messages/${half}/remove`, {})
  expect([removed.status, removed.body.code]).toEqual([409, 'unrevisable'])
  await settle()
  expect(whatsapp.outgoing).toHaveLength(1)
  expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'failed', message: 'Оба' })
})

it('receives the outcome of a reply before its id is stored', async () => {
  const { from, id } = await begun()
  farOn(100)
  await receipt(patient(), 101, 'read')
  await receipt(from, 101, 'failed', undelivered)
  await reply(id, 'Рано')
  expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'failed', failure: expect.stringMatching('нет WhatsApp') })
  await receipt(from, 102, 'read')
  await reply(id, 'Тоже рано')
  expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'read' })
  whatsapp.mood = 'broken'
  const idMessage = await reply(id, 'Сейчас')
  const { db } = clinic
  let receiving: Promise<void> | undefined
  await db.tx(async (tx) => {
    await tx.query({ text: 'select 1 from live_assist where "id" = $1 for update', values: [id] })
    await tx.query({
      text: 'update live_assist_messages set "idExternal" = $1 where "id" = $2',
      values: [wamid(103), idMessage],
    })
    receiving = receipt(from, 103, 'failed', undelivered)
    await vi.waitFor(async () => expect(await db.query({ text: waitingSql, values: [] })).not.toEqual([]), 60_000)
  })
  await receiving
  expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'failed' })
})
const waitingSql = `select 1 from pg_stat_activity
  where "wait_event_type" = 'Lock' and datname = current_database() and query like '%live_assist c%'`

it('accepts nothing from a banned patient', async () => {
  const { from, id } = await begun()
  good(await alina.post(`/live-assist/${id}/ban`, { banned: true }))
  await write(words(from, 'Ещё'))
  expect(await chatsOf(from)).toMatchObject([{ id, inCount: 1 }])
})
