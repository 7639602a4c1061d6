import { randomUUID } from 'node:crypto'
import { channelKinds, unrevisable } from '@ordinator/model/areas/chats/chatSettings'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { MAX_BOT, MAX_TOKEN, type MaxSimulator, startMaxSimulator } from '#testing/maxSimulator.ts'
import { deliverChat, outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { startTelegramSimulator, type TelegramSimulator, TOKEN } from '#testing/telegramSimulator.ts'
import { startVkSimulator, VK_GROUP, VK_TOKEN, type VkSimulator } from '#testing/vkSimulator.ts'
import { adapters } from './channels/adapters.ts'

const CONSULTED = 2
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let telegram: TelegramSimulator
let vk: VkSimulator
let max: MaxSimulator
let clinic: Clinic
const people = {} as Record<'keeper' | 'alina' | 'boris' | 'chief' | 'reader' | 'outsider', Caller>
const webhookPaths = { telegram: '', vk: '', max: '' }
let site: string

beforeAll(async () => {
  ;[telegram, vk, max] = await Promise.all([startTelegramSimulator(), startVkSimulator(), startMaxSimulator()])
  clinic = await testApp({
    env: { TELEGRAM_URL: telegram.url, VK_URL: vk.url, MAX_URL: max.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap'])
      await addPerson(app, 'alina', ['supportOperator'])
      await addPerson(app, 'boris', ['supportOperator'])
      await addPerson(app, 'chief', ['supportOperator', 'superviseLiveAssist'])
      await addPerson(app, 'reader', ['displayTableLiveAssist'])
      await addPerson(app, 'outsider', ['viewCustomers'])
    },
  })
  for (const login of ['keeper', 'alina', 'boris', 'chief', 'reader', 'outsider'] as const)
    people[login] = clinic.as(login)
  for (const [kind, token] of Object.entries({ telegram: TOKEN, vk: VK_TOKEN, max: MAX_TOKEN })) {
    const made = good(await people.keeper.post('/live-assist/channels', { name: kind, kind, token }), 201)
    webhookPaths[kind as keyof typeof webhookPaths] = `/live-assist/channels/${made.key}/updates`
    good(await people.keeper.post(`/live-assist/channels/${made.id}/connect`))
  }
  site = good(await people.keeper.post('/live-assist/domains', { name: 'clinic.test' }), 201).key
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([telegram.close(), vk.close(), max.close()])
})
beforeEach(() => {
  for (const messenger of [telegram, vk, max]) {
    messenger.mood = 'takes'
    messenger.outgoing.length = 0
    messenger.changed.length = 0
  }
})

/** A messenger that has failed is tried at once. */
const settle = async () => {
  await outboxDue(clinic.db)
  await clinic.context.jobs.drain()
}
let serial = 100
const wires = {
  telegram: (from: number, text: string, id: number, isEdit = false) => ({
    headers: { 'x-telegram-bot-api-secret-token': telegram.webhook?.secret ?? '' },
    body: {
      update_id: ++serial,
      [isEdit ? 'edited_message' : 'message']: {
        message_id: id,
        from: { id: from, first_name: `Ян ${from}` },
        chat: { id: from, type: 'private' },
        text,
      },
    },
  }),
  vk: (from: number, text: string, id: number, isEdit = false) => {
    vk.people.set(String(from), { first_name: 'Ян', last_name: String(from) })
    const message = { id, peer_id: from, from_id: from, text, out: 0, attachments: [] }
    const [type, object] = isEdit ? ['message_edit', message] : ['message_new', { message }]
    return {
      headers: {},
      body: { type, object, group_id: VK_GROUP, event_id: `e${++serial}`, secret: vk.servers[0]?.secret },
    }
  },
  max: (from: number, text: string, id: number, isEdit = false) => ({
    headers: { 'x-max-bot-api-secret': max.webhook?.secret ?? '' },
    body: {
      update_type: isEdit ? 'message_edited' : 'message_created',
      timestamp: ++serial,
      message: {
        sender: { user_id: from, first_name: 'Ян', last_name: String(from) },
        recipient: { chat_type: 'dialog', user_id: MAX_BOT },
        body: { mid: `mid.${id}`, text, attachments: [] },
      },
    },
  }),
}
type Wire = keyof typeof wires
async function write(kind: Wire, from: number, text: string, id = ++serial, isEdit = false) {
  const { headers, body } = wires[kind](from, text, id, isEdit)
  good(await clinic.anonymous.post(webhookPaths[kind], body, { headers }))
  await settle()
  return id
}
const { alina, boris, chief } = new Proxy({} as typeof people, {
  get: (_target, login: keyof typeof people) =>
    new Proxy({} as Caller, { get: (_caller, verb: keyof Caller) => people[login][verb] }),
})
async function begun(kind: Wire) {
  const from = ++serial
  const idFirst = await write(kind, from, 'Здравствуйте')
  const { items } = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(`Ян ${from}`)}`))
  return { from, idFirst, id: items[0].id as number }
}
const linesOf = async (id: number, as: Caller = alina) =>
  good(await as.get(`/live-assist/messages?filter[idLiveAssist]=${id}&sort=seq&expand=files.file,versions.files.file`))
    .items
const chatOf = async (id: number) => good(await alina.get(`/live-assist/${id}`))
async function reply(idLiveAssist: number, message: string, files: number[] = []) {
  const made = await alina.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, files })
  await settle()
  return good(made, 201).id as number
}
async function upload(name: string) {
  const form = new FormData()
  form.set('file', new Blob([PIXEL]), name)
  return good(await alina.post('/live-assist/files', form), 201).id as number
}
const edit = (id: number, message: string, who: Caller = alina) =>
  who.post(`/live-assist/messages/${id}/edit`, { message })
const remove = (id: number, who: Caller = alina) => who.post(`/live-assist/messages/${id}/remove`, {})

it('lists the messengers that cannot edit in agreement with their adapters', () => {
  for (const kind of Object.keys(channelKinds) as (keyof typeof channelKinds)[])
    expect([kind, adapters[kind].edit === undefined, adapters[kind].remove === undefined]).toEqual([
      kind,
      unrevisable.has(kind),
      unrevisable.has(kind),
    ])
})

describe('an edit by a patient', () => {
  for (const kind of ['telegram', 'vk', 'max'] as const)
    it(`in ${kind} updates the line, and keeps the former text`, async () => {
      const { from, idFirst, id } = await begun(kind)
      await write(kind, from, 'Добрый день', idFirst, true)
      await write(kind, from, 'Добрый вечер', idFirst, true)
      const [line] = await linesOf(id)
      expect(line).toMatchObject({ message: 'Добрый вечер', dateEdited: expect.any(String), no: 1 })
      expect(line.versions.map(({ text }: { text: string }) => text)).toEqual(['Здравствуйте', 'Добрый день'])
      expect(await chatOf(id)).toMatchObject({ lastMessage: 'Добрый вечер', inCount: 1, revision: 2 })
    })

  it('above the rate limit is delayed, and ignored from a banned patient', async () => {
    const { from, idFirst, id } = await begun('telegram')
    for (let at = 1; at <= 21; at++) {
      const { headers, body } = wires.telegram(from, `Правка ${at}`, idFirst, true)
      good(await clinic.anonymous.post(webhookPaths.telegram, body, { headers }))
    }
    await settle()
    const [line] = await linesOf(id)
    expect([line.message, line.versions.length]).toEqual(['Правка 20', 20])
    await clinic.db.query({
      text: `update live_assist_message_versions set "dateCreate" = "dateCreate" - interval '11 minutes' where "idMessage" = $1`,
      values: [line.id],
    })
    await clinic.db.query({
      text: 'update live_assist_channel_events set "dateAgain" = now() where "dateAgain" > now()',
      values: [],
    })
    await clinic.context.jobs.run('chats.receiveLeft')
    await settle()
    expect((await linesOf(id))[0].message).toBe('Правка 21')
    good(await alina.post(`/live-assist/${id}/ban`, { banned: true }))
    await write('telegram', from, 'Грубость', idFirst, true)
    expect((await linesOf(id))[0].message).toBe('Правка 21')
  })

  it('that deletes leaves a line without text, whose former text only a senior reads', async () => {
    const { from, idFirst, id } = await begun('max')
    await write('max', from, 'Мой диагноз тайна', idFirst, true)
    const removal = { update_type: 'message_removed', timestamp: ++serial, message_id: `mid.${idFirst}`, user_id: from }
    const headers = { 'x-max-bot-api-secret': max.webhook?.secret ?? '' }
    for (const one of [removal, removal, { ...removal, user_id: 5 }])
      good(await clinic.anonymous.post(webhookPaths.max, one, { headers }))
    await settle()
    const [line] = await linesOf(id)
    expect(line).toMatchObject({ message: '', dateRemoved: expect.any(String), idRemover: null, versions: [], no: 1 })
    expect(await chatOf(id)).toMatchObject({ lastMessage: 'Сообщение удалено', inCount: 1, numberOfUnreadMessages: 1 })
    const [known] = await linesOf(id, chief)
    expect(known.versions).toMatchObject([{ text: 'Здравствуйте' }, { text: 'Мой диагноз тайна' }])
    const idVersion = known.versions[1].id
    expect(good(await chief.get(`/live-assist/message-versions/${idVersion}`)).text).toBe('Мой диагноз тайна')
    const paths = [
      `/live-assist/messages/${line.id}?expand=versions`,
      `/live-assist/messages/${line.id}/history`,
      `/live-assist/${id}/history?parts=1`,
      `/live-assist/message-versions?filter[idMessage]=${line.id}`,
      '/live-assist/message-versions?filter[text][ilike]=тайна&count=1',
      '/live-assist/messages?filter[message][ilike]=тайна',
      '/live-assist/messages?filter[versions.text][ilike]=тайна',
      '/live-assist/messages/export?format=csv',
      `/search?q=${encodeURIComponent('диагноз тайна')}`,
    ]
    for (const who of [alina, people.reader])
      for (const path of paths) {
        const { text } = await who.get(path)
        expect([path, text.includes('тайна'), text.includes('"totalCount":1')]).toEqual([path, false, false])
      }
    expect((await boris.get(`/live-assist/message-versions/${idVersion}`)).status).toBe(404)
    expect((await people.outsider.get('/live-assist/message-versions')).status).toBe(403)
  })
})

describe('an edit by an operator', () => {
  it('changes and deletes in the messenger too, for all messages of the line', async () => {
    const { id } = await begun('telegram')
    const first = await reply(id, 'В пятницу')
    const files = await reply(id, 'Памятка', [await upload('Раз.png'), await upload('Два.png')])
    expect(good(await edit(first, 'В субботу'))).toMatchObject({ message: 'В субботу', dateEdited: expect.any(String) })
    good(await edit(files, 'Памятка с картой'))
    good(await remove(files))
    good(await remove(files))
    expect(telegram.changed).toEqual([
      { id: 10_001, text: 'В субботу' },
      { id: 10_002, text: 'Памятка с картой' },
      { id: 10_002, text: null },
      { id: 11_002, text: null },
    ])
    const lines = await linesOf(id, chief)
    expect(lines.slice(1)).toMatchObject([
      { message: 'В субботу', versions: [{ text: 'В пятницу' }] },
      { message: '', files: [], versions: [{ text: 'Памятка', files: [] }, { files: [{}, {}] }] },
    ])
    const [file] = lines[2].versions[1].files
    expect((await chief.get(file.file.url)).status).toBe(200)
    expect((await boris.get(file.file.url)).status).toBe(404)
    expect(await chatOf(id)).toMatchObject({ lastMessage: 'Сообщение удалено', outCount: 2 })
  })

  it('works in ВКонтакте and MAX alike, and is repeated on retry', async () => {
    const inVk = await begun('vk')
    const one = await reply(inVk.id, 'Раз')
    const two = await reply(inVk.id, 'Два', [await upload('Снимок.png')])
    good(await edit(one, 'Один'))
    expect((await edit(two, 'Второе')).body.message).toMatch('Текст при файлах ВКонтакте изменить не даёт')
    good(await remove(two))
    expect(vk.changed).toEqual([
      { ids: '10000', text: 'Один', forAll: false },
      { ids: '10001', text: null, forAll: true },
    ])
    const inMax = await begun('max')
    const both = await reply(inMax.id, 'Оба', [await upload('Раз.png'), await upload('Два.png')])
    good(await edit(both, 'Оба файла'))
    // The reply to an earlier attempt was lost: the first message is deleted already.
    max.changed.push({ id: 'mid.1', text: null })
    good(await remove(both))
    expect(max.changed).toEqual([
      { id: 'mid.1', text: 'Оба файла' },
      { id: 'mid.1', text: null },
      { id: 'mid.2', text: null },
    ])
  })

  it('is not applied when the messenger refuses, is silent or fails, and is done by the next attempt', async () => {
    const { id } = await begun('telegram')
    const line = await reply(id, 'Как было')
    for (const [mood, words] of [
      ['late', 'Telegram отказал'],
      ['broken', 'не ответил: повторите'],
      ['silent', 'не ответил: повторите'],
    ] as const) {
      telegram.mood = mood
      const refused = await edit(line, 'Как стало')
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(words)])
      expect((await linesOf(id))[1]).toMatchObject({ message: 'Как было', dateEdited: null, versions: [] })
    }
    telegram.mood = 'takes'
    good(await edit(line, 'Как стало'))
    expect((await linesOf(id))[1].message).toBe('Как стало')
  })

  it("is limited to own, sent lines of a live chat; a senior deletes a colleague's", async () => {
    const { id } = await begun('telegram')
    telegram.mood = 'blocked'
    const failed = await reply(id, 'Не ушло')
    good(await edit(failed, 'Не ушло и это'))
    good(await remove(failed))
    expect(telegram.changed).toEqual([])
    expect((await alina.post(`/live-assist/messages/${failed}/resend`)).status).toBe(409)
    telegram.mood = 'takes'
    const line = await reply(id, 'Моё')
    const [first] = await linesOf(id)
    const status = async (answer: Promise<{ status: number }>) => (await answer).status
    expect(await status(edit(first.id, 'Чужие слова'))).toBe(403)
    expect(await status(remove(first.id, chief))).toBe(403)
    expect(await status(edit(line, 'Не моё', boris))).toBe(403)
    expect(await status(edit(line, 'Не моё', chief))).toBe(403)
    expect(await status(remove(line, boris))).toBe(403)
    expect(await status(remove(line, people.outsider))).toBe(403)
    const empty = await edit(line, '  ')
    expect([empty.status, empty.body[0].field]).toEqual([422, 'message'])
    expect(await status(remove(999_999))).toBe(404)
    expect(await status(alina.delete(`/live-assist/messages/${line}`))).not.toBe(204)
    good(await remove(line, chief))
    expect((await linesOf(id)).at(-1)).toMatchObject({ message: '', idRemover: expect.any(Number) })
    expect(await status(edit(line, 'Поздно'))).toBe(409)
    const last = await reply(id, 'Последнее')
    good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED }))
    good(await alina.post(`/live-assist/${id}/archive`))
    expect(await status(edit(last, 'Архив'))).toBe(409)
    // An unsent line that may be on its way cannot be changed.
    const later = await begun('telegram')
    telegram.mood = 'broken'
    const waits = await reply(later.id, 'Ждёт')
    expect((await edit(waits, 'Уже?')).body.code).toBe('sending')
  })

  it('deletes the sent part of a line, unless that part is unknown', async () => {
    const { id } = await begun('max')
    max.mood = 'tires'
    const half = await reply(id, 'Оба', [await upload('Раз.png'), await upload('Два.png')])
    max.mood = 'takes'
    expect((await alina.post(`/live-assist/messages/${half}/resend`)).body.code).toBe('half')
    good(await remove(half))
    expect(max.changed).toEqual([{ id: 'mid.1', text: null }])
    max.outgoing.length = 0
    max.mood = 'fades'
    const unsure = await reply(id, 'Снова', [await upload('Раз.png'), await upload('Два.png')])
    expect((await linesOf(id)).at(-1).failure).toMatch('Неизвестно, дошло ли всё: точно дошло файлов 1 из 2')
    max.mood = 'takes'
    expect((await remove(unsure)).body.code).toBe('unknown')
    expect((await alina.post(`/live-assist/messages/${unsure}/resend`)).body.code).toBe('half')
    expect(max.outgoing).toHaveLength(2)
  })

  it('is not applied if a resend has begun meanwhile; a deleted line is never sent', async () => {
    const { id } = await begun('telegram')
    telegram.mood = 'blocked'
    const line = await reply(id, 'Не ушло')
    const { db } = clinic
    let asked: ReturnType<typeof remove> | undefined
    await db.tx(async (tx) => {
      await tx.query({ text: 'select 1 from live_assist where "id" = $1 for update', values: [id] })
      await tx.query({ text: 'update live_assist_messages set "failure" = null where "id" = $1', values: [line] })
      asked = remove(line)
      const waiting = `select 1 from pg_stat_activity where "wait_event_type" = 'Lock'
        and datname = current_database() and query like '%from live_assist where%'`
      await vi.waitFor(async () => expect(await db.query({ text: waiting, values: [] })).not.toEqual([]), 60_000)
    })
    const answer = await asked
    expect([answer?.status, answer?.body.code]).toEqual([409, 'changed'])
    expect((await linesOf(id)).at(-1)).toMatchObject({ message: 'Не ушло', dateRemoved: null })
    await db.query({ text: 'update live_assist_messages set "dateRemoved" = now() where "id" = $1', values: [line] })
    await db.query({
      text: `update outbox set "state" = 'waiting', "dateDue" = now() where "payload" ->> 'id' = $1::text`,
      values: [line],
    })
    telegram.mood = 'takes'
    telegram.outgoing.length = 0
    await deliverChat(clinic, id)
    expect(telegram.outgoing).toEqual([])
  })

  it('is seen in the widget at once, without a full reload', async () => {
    const version = { 'x-client-version': '3' }
    const consent = { name: 'Ева', responseId: randomUUID(), consent: { version: 1 } }
    const { token } = good(await clinic.anonymous.post(`/live-assist?token=${site}`, consent, { headers: version }))
    const headers = { ...version, authorization: `Visitor ${token}` }
    good(
      await clinic.anonymous.post('/live-assist/visitor/messages', { clientId: randomUUID(), text: 'Ау' }, { headers }),
      201,
    )
    const { items } = good(await alina.get('/live-assist?filter[name]=Ева'))
    const [one, two] = [await reply(items[0].id, 'Раз', [await upload('Раз.png')]), await reply(items[0].id, 'Два')]
    const news = async (query: string) =>
      good(await clinic.anonymous.get(`/live-assist/visitor/messages?${query}`, { headers }))
    const before = await news('after=0')
    expect(before).toMatchObject({ cursor: 3, revision: 0, changed: [] })
    const began = performance.now()
    const waiting = news('after=3&revision=0&wait=25')
    good(await remove(one))
    const after = await waiting
    // Woken by the event, not by the timeout.
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(after).toMatchObject({
      messages: [],
      revision: 1,
      changed: [{ seq: 2, text: '', removed: true, files: [] }],
    })
    good(await edit(two, 'Второе'))
    expect(await news('after=3&revision=1')).toMatchObject({
      revision: 2,
      changed: [{ seq: 3, text: 'Второе', edited: true }],
    })
    expect((await news('after=3')).changed).toEqual([])
    expect(JSON.stringify(await news('after=0&revision=0'))).not.toMatch(/Раз/)
    const file = before.messages[1].files[0].id
    expect((await clinic.anonymous.get(`/live-assist/visitor/files/${file}`, { headers })).status).toBe(404)
  })
})
