import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sounds } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { MAX_BOT, MAX_TOKEN, type MaxSimulator, startMaxSimulator } from '#testing/maxSimulator.ts'
import { deliverChat, outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { startVkSimulator, VK_CONFIRMATION, VK_GROUP, VK_TOKEN, type VkSimulator } from '#testing/vkSimulator.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let vk: VkSimulator
let max: MaxSimulator
let clinic: Clinic
let keeper: Caller
let alina: Caller
const webhookPaths = { vk: '', max: '' }
const channels = { vk: 0, max: 0 }

beforeAll(async () => {
  ;[vk, max] = await Promise.all([startVkSimulator(), startMaxSimulator()])
  clinic = await testApp({
    env: { VK_URL: vk.url, MAX_URL: max.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap', 'displayTableNews', 'editNews'])
      await addPerson(app, 'alina', ['supportOperator'])
    },
  })
  keeper = clinic.as('keeper')
  alina = clinic.as('alina')
  await Promise.all([keeper.token(), alina.token()])
  for (const [kind, token] of [
    ['vk', VK_TOKEN],
    ['max', MAX_TOKEN],
  ] as const) {
    const made = good(await keeper.post('/live-assist/channels', { name: `Канал ${kind}`, kind, token }), 201)
    channels[kind] = made.id
    webhookPaths[kind] = `/live-assist/channels/${made.key}/updates`
  }
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([vk.close(), max.close()])
})
beforeEach(() => {
  vk.mood = 'takes'
  max.mood = 'takes'
  vk.outgoing.length = 0
  max.outgoing.length = 0
})

/** A messenger that has failed is tried at once. */
const settle = async () => {
  await outboxDue(clinic.db)
  await clinic.context.jobs.drain()
}
const chatsOf = async (name: string) =>
  good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}&sort=id`)).items
const linesOf = async (id: number) =>
  good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&sort=seq&expand=files.file`)).items
const reply = async (idLiveAssist: number, message: string, files: number[] = []) => {
  const line = good(
    await alina.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, files }),
    201,
  )
  await settle()
  return line.id as number
}
async function uploaded(...names: string[]) {
  const ids: number[] = []
  for (const name of names) {
    const form = new FormData()
    form.set('file', new Blob([PIXEL]), name)
    ids.push(good(await alina.post('/live-assist/files', form), 201).id)
  }
  return ids
}
let serial = 5_000

describe('ВКонтакте', () => {
  const secret = () => vk.servers[0]?.secret
  const event = (type: string, object: object, more: object = {}) =>
    clinic.anonymous.post(webhookPaths.vk, {
      type,
      object,
      group_id: VK_GROUP,
      event_id: `e${++serial}`,
      v: '5.199',
      secret: secret(),
      ...more,
    })
  const messageOf = (from: number, text: string, more: object = {}) => ({
    id: ++serial,
    date: 1,
    peer_id: from,
    from_id: from,
    text,
    out: 0,
    attachments: [],
    ...more,
  })
  const write = async (from: number, text: string, more: object = {}) => {
    const message = messageOf(from, text, more)
    expect((await event('message_new', { message, client_info: {} })).text).toBe('ok')
    await settle()
    return message
  }
  const known = (from: number) => {
    vk.people.set(String(from), { first_name: 'Рената', last_name: `Ильина ${from}` })
    return `Рената Ильина ${from}`
  }
  async function begun() {
    const from = ++serial
    const name = known(from)
    await write(from, 'Здравствуйте')
    const [chat] = await chatsOf(name)
    return { from, id: chat.id as number }
  }

  it('connects: confirms the address, is sent events once, and keeps the key secret', async () => {
    const connect = () => keeper.post(`/live-assist/channels/${channels.vk}/connect`)
    expect(good(await connect())).toMatchObject({ account: 'vk.com/clinic' })
    good(await connect())
    expect(vk.servers).toHaveLength(1)
    expect(vk.servers[0]).toMatchObject({ url: `http://clinic.test${webhookPaths.vk}` })
    expect(secret()).toMatch(/^[0-9A-Za-z]{20,50}$/)
    expect(vk.settings).toMatchObject({ message_new: '1', message_edit: '1', wall_post_new: '1' })
    const asked = await clinic.anonymous.post(webhookPaths.vk, { type: 'confirmation', group_id: VK_GROUP })
    expect([asked.status, asked.text]).toEqual([200, VK_CONFIRMATION])
    const shown = await keeper.get(`/live-assist/channels/${channels.vk}`)
    for (const hidden of [VK_TOKEN, VK_CONFIRMATION, secret() ?? '?']) expect(shown.text).not.toContain(hidden)
    const made = good(await keeper.post('/live-assist/channels', { name: 'Чужой', kind: 'vk', token: 'мимо' }), 201)
    const refused = await keeper.post(`/live-assist/channels/${made.id}/connect`)
    expect([refused.status, refused.body[0]]).toMatchObject([422, { field: 'token' }])
  })

  it('accepts only its own secret, and no group chats, other communities or our own messages', async () => {
    const from = ++serial
    const name = known(from)
    expect((await event('message_new', { message: messageOf(from, 'Я') }, { secret: 'чужой' })).status).toBe(401)
    expect((await event('message_new', { message: messageOf(from, 'Я') }, { secret: undefined })).status).toBe(401)
    for (const message of [
      messageOf(from, 'В беседе', { peer_id: 2_000_000_001 }),
      messageOf(-VK_GROUP, 'Сообщество', { peer_id: -VK_GROUP }),
      messageOf(from, 'Мы', { out: 1 }),
      messageOf(from, ''),
    ])
      good(await event('message_new', { message }))
    good(await event('group_join', { user_id: from }))
    good(await event('message_new', { message: 7 }))
    await settle()
    expect(await chatsOf(name)).toEqual([])
  })

  it('plays a voice message in place', async () => {
    const from = ++serial
    const name = known(from)
    vk.files.set('/voice', sounds.ogg)
    const voice = { link_ogg: `${vk.url}/voice`, link_mp3: `${vk.url}/voice.mp3`, duration: 3 }
    await write(from, '', { attachments: [{ type: 'audio_message', audio_message: voice }] })
    const [chat] = await chatsOf(name)
    expect(await linesOf(chat.id)).toMatchObject([
      { message: '', files: [{ file: { name: 'Голос.ogg', meta: { category: 'audio', type: 'audio/ogg' } } }] },
    ])
  })

  it("delivers a patient's messages, with the requested name, files and edits, each once", async () => {
    const from = ++serial
    const name = known(from)
    const photo = { sizes: ['small', 'large'].map((at, by) => ({ url: `${vk.url}/${at}`, width: by + 1, height: 9 })) }
    const message = messageOf(from, 'Анализы', {
      attachments: [
        { type: 'photo', photo },
        { type: 'doc', doc: { url: `${vk.url}/doc`, title: 'игра.exe', size: 7 } },
      ],
    })
    vk.files.set('/large', PIXEL)
    for (const event_id of ['once', 'once', 'twice']) good(await event('message_new', { message }, { event_id }))
    await settle()
    const [chat, ...others] = await chatsOf(name)
    expect(others).toEqual([])
    expect(chat).toMatchObject({ source: 'vk', sourceName: 'Канал vk', inCount: 1 })
    good(await event('message_edit', { ...message, text: 'Анализы за май' }))
    await settle()
    expect(await linesOf(chat.id)).toMatchObject([
      { message: 'Анализы за май', files: [{ file: { name: 'Фото.jpg' } }] },
    ])
    await write(from, '', { attachments: [{ type: 'sticker', sticker: {} }] })
    await write(from, '', { geo: { coordinates: { latitude: 55.7, longitude: 37.6 }, place: { title: 'Москва' } } })
    expect((await linesOf(chat.id)).slice(1).map((line: { message: string }) => line.message)).toEqual([
      '[Сообщение, которое чат не показывает]',
      'Геопозиция: 55.7, 37.6, Москва',
    ])
  })

  it('accepts replies in order with their files; without a response the retry arrives once', async () => {
    const { from, id } = await begun()
    await reply(id, 'Слушаю вас')
    await reply(id, 'Вот направление', await uploaded('Раз.png', 'Два.png'))
    expect(vk.outgoing).toMatchObject([
      { to: String(from), text: 'Слушаю вас', attachments: '' },
      { text: 'Вот направление', attachments: `doc-${VK_GROUP}_1,doc-${VK_GROUP}_2` },
    ])
    expect(vk.uploaded).toEqual(['Раз.png', 'Два.png'])
    vk.mood = 'silent'
    await reply(id, 'Слышно?')
    vk.mood = 'takes'
    await deliverChat(clinic, id, 1)
    expect(vk.outgoing.map(({ text }) => text)).toEqual(['Слушаю вас', 'Вот направление', 'Слышно?'])
    expect((await linesOf(id)).at(-1)).toMatchObject({ message: 'Слышно?', state: 'delivered', failure: null })
    vk.mood = 'silent'
    await reply(id, 'А теперь?')
    await deliverChat(clinic, id, 4)
    expect((await linesOf(id)).at(-1).failure).toMatch('Неизвестно, дошло ли: ВКонтакте')
  })

  it('shows the reason of a refusal, and waits out temporary errors', async () => {
    const { id } = await begun()
    for (const [mood, failure] of [
      ['blocked', 'Посетитель заблокировал сообщения сообщества'],
      ['forbidden', 'Посетитель не разрешил сообществу писать ему'],
    ] as const) {
      vk.mood = mood
      await reply(id, mood)
      expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'failed', failure })
    }
    for (const mood of ['broken', 'busy'] as const) {
      vk.mood = mood
      await reply(id, mood)
      expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'sent', failure: null })
      vk.mood = 'takes'
      await deliverChat(clinic, id, 1)
      expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'delivered' })
    }
  })

  it('imports the posts of its wall into the news by the configured webhook, each once', async () => {
    const intake = good(
      await keeper.post('/news/intakes', { name: 'Стена', source: 'vk', publish: true, isActive: true }),
      201,
    )
    const post = { id: 77, owner_id: -VK_GROUP, from_id: -VK_GROUP, date: 1_700_000_000, post_type: 'post' }
    const found = async () => good(await keeper.get('/news?filter[source]=vk')).items
    const posted = { ...post, text: 'Акция недели\nСкидка на осмотр' }
    good(await event('wall_post_new', posted))
    await settle()
    expect(await found()).toEqual([])
    good(await keeper.put(`/live-assist/channels/${channels.vk}`, { idIntake: intake.id }))
    good(await event('wall_post_new', posted))
    good(await event('wall_post_new', posted))
    for (const other of [{ post_type: 'suggest' }, { owner_id: 5 }, { id: 78, text: '' }])
      good(await event('wall_post_new', { ...posted, ...other }))
    await settle()
    expect(await found()).toMatchObject([{ idExternal: `-${VK_GROUP}_77`, active: true, source: 'vk' }])
  })
})

describe('MAX', () => {
  const post = (update: object, secret = max.webhook?.secret ?? '') =>
    clinic.anonymous.post(webhookPaths.max, update, { headers: { 'x-max-bot-api-secret': secret } })
  const messageOf = (from: number, body: object, more: object = {}) => ({
    update_type: 'message_created',
    timestamp: ++serial,
    message: {
      sender: { user_id: from, first_name: 'Тимур', last_name: String(from), is_bot: false },
      recipient: { chat_id: 5, chat_type: 'dialog', user_id: MAX_BOT },
      timestamp: serial,
      body: { mid: `mid.in.${++serial}`, seq: serial, text: null, attachments: [], ...body },
    },
    ...more,
  })
  async function begun() {
    const from = ++serial
    good(await post(messageOf(from, { text: 'Здравствуйте' })))
    await settle()
    const [chat] = await chatsOf(`Тимур ${from}`)
    return { from, id: chat.id as number }
  }

  it('connects by its token, which names its bot', async () => {
    const connected = good(await keeper.post(`/live-assist/channels/${channels.max}/connect`))
    expect(connected).toMatchObject({ account: '@clinic_max_bot' })
    expect(max.webhook).toMatchObject({ url: `http://clinic.test${webhookPaths.max}` })
    const made = good(await keeper.post('/live-assist/channels', { name: 'Не тот', kind: 'max', token: 'мимо' }), 201)
    expect((await keeper.post(`/live-assist/channels/${made.id}/connect`)).body[0].field).toBe('token')
  })

  it("delivers a patient's messages, shares and edits, each once; nothing of groups, bots and strangers", async () => {
    const from = ++serial
    expect((await post(messageOf(from, { text: 'Я' }), 'чужой')).status).toBe(401)
    const first = messageOf(from, { text: 'Раз' })
    for (let times = 0; times < 2; times++) good(await post(first))
    const { message } = messageOf(from, { text: 'Чат' })
    for (const strange of [
      { update_type: 'bot_started', timestamp: 1, user: { user_id: from } },
      { ...first, message: { ...message, recipient: { chat_type: 'chat', user_id: MAX_BOT } } },
      { ...first, message: { ...message, sender: { user_id: from, is_bot: true } } },
      {},
    ])
      good(await post(strange))
    const vcf_info = 'BEGIN:VCARD\r\nTEL;TYPE=cell:79161234567\r\nEND:VCARD'
    good(
      await post(
        messageOf(from, { attachments: [{ type: 'contact', payload: { vcf_info, max_info: { name: 'Тимур' } } }] }),
      ),
    )
    good(await post(messageOf(from, { attachments: [{ type: 'location', latitude: 55.7, longitude: 37.6 }] })))
    const file = { type: 'file', filename: 'Вирус.exe', size: 5, payload: { url: `${max.url}/file` } }
    good(await post(messageOf(from, { attachments: [file] })))
    const body = { ...first.message.body, text: 'Раз и два' }
    good(await post({ ...first, update_type: 'message_edited', message: { ...first.message, body } }))
    await settle()
    const [chat, ...others] = await chatsOf(`Тимур ${from}`)
    expect(others).toEqual([])
    expect(chat).toMatchObject({ source: 'max', inCount: 4 })
    expect((await linesOf(chat.id)).map((line: { message: string }) => line.message)).toEqual([
      'Раз и два',
      'Контакт: +79161234567, Тимур',
      'Геопозиция: 55.7, 37.6',
      'Файл «Вирус.exe» не принят',
    ])
  })

  it('plays a voice message in place', async () => {
    const from = ++serial
    max.sent.set('/voice', sounds.mp3)
    const voice = { type: 'audio', payload: { url: `${max.url}/voice`, token: 'v' } }
    good(await post(messageOf(from, { attachments: [voice] })))
    await settle()
    const [chat] = await chatsOf(`Тимур ${from}`)
    expect(await linesOf(chat.id)).toMatchObject([
      { message: '', files: [{ file: { name: 'Голос.mp3', meta: { category: 'audio', type: 'audio/mpeg' } } }] },
    ])
  })

  it('accepts names cut in half a surrogate pair, and characters that no database stores', async () => {
    const from = ++serial
    const filename = `${'и'.repeat(199)}😀.png`
    const file = { type: 'file', filename, size: 5, payload: { url: `${max.url}/file` } }
    good(await post(messageOf(from, { text: 'Вот\0 снимок', attachments: [file] })))
    await settle()
    const [chat] = await chatsOf(`Тимур ${from}`)
    expect((await linesOf(chat.id))[0].message).toMatch(/^Вот снимок\nФайл «и+\ufffd» не принят$/)
  })

  it('stays in sending while a file is requested repeatedly', async () => {
    const { id } = await begun()
    max.mood = 'broken'
    await reply(id, 'Файл', await uploaded('Раз.png'))
    await clinic.db.query({
      text: `update outbox set "state" = 'claimed', "dateDue" = now() + interval '1 min' where "subject" = $1`,
      values: [`chat-${id}`],
    })
    max.mood = 'takes'
    await deliverChat(clinic, id)
    expect(max.outgoing).toEqual([])
    expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'sent', failure: null })
  })

  it('accepts replies with files, one per message, and waits while it processes one', async () => {
    const { from, id } = await begun()
    max.mood = 'looks'
    await reply(id, 'Два файла', await uploaded('Раз.png', 'Два.png'))
    expect(max.outgoing).toEqual([
      { to: String(from), text: 'Два файла', files: ['Раз.png'] },
      { to: String(from), text: null, files: ['Два.png'] },
    ])
    expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'delivered' })
  })

  it('reports the outcome of a reply: refused, partly sent, unknown, or later', async () => {
    const { id } = await begun()
    max.mood = 'blocked'
    await reply(id, 'Нет')
    expect((await linesOf(id)).at(-1).failure).toBe('Посетитель заблокировал бота')
    max.mood = 'tires'
    await reply(id, 'Оба', await uploaded('Раз.png', 'Два.png'))
    expect((await linesOf(id)).at(-1).failure).toMatch('Дошли не все файлы: 1 из 2')
    max.mood = 'silent'
    await reply(id, 'Тихо')
    expect((await linesOf(id)).at(-1).failure).toMatch('Неизвестно, дошло ли: MAX')
    for (const mood of ['broken', 'busy'] as const) {
      max.mood = mood
      await reply(id, mood)
      expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'sent', failure: null })
      max.mood = 'takes'
      await deliverChat(clinic, id, 1)
      expect((await linesOf(id)).at(-1)).toMatchObject({ state: 'delivered' })
    }
  })
})
