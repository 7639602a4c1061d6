import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sounds } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deliverChat, outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { startTelegramSimulator, type TelegramSimulator, TOKEN } from '#testing/telegramSimulator.ts'

/** From the clinic's default outcomes. */
const CONSULTED = 2

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let telegram: TelegramSimulator
let clinic: Clinic
let keeper: Caller
let alina: Caller
let boris: Caller
let outsider: Caller
let webhookPath: string
let idChannel: number

beforeAll(async () => {
  telegram = await startTelegramSimulator()
  clinic = await testApp({
    env: { TELEGRAM_URL: telegram.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap'])
      await addPerson(app, 'alina', ['supportOperator'])
      await addPerson(app, 'boris', ['supportOperator'])
      await addPerson(app, 'boss', ['mainSettings'])
      await addPerson(app, 'outsider', ['viewCustomers'])
    },
  })
  ;[keeper, alina, boris, outsider] = ['keeper', 'alina', 'boris', 'outsider'].map((login) => clinic.as(login)) as [
    Caller,
    Caller,
    Caller,
    Caller,
  ]
  await Promise.all([keeper, alina, boris, outsider].map((one) => one.token()))
  const channel = good(
    await keeper.post('/live-assist/channels', { name: 'Бот клиники', kind: 'telegram', token: TOKEN }),
    201,
  )
  idChannel = channel.id
  good(await keeper.post(`/live-assist/channels/${idChannel}/connect`))
  webhookPath = (telegram.webhook?.url ?? '').replace('http://clinic.test', '')
})
afterAll(async () => {
  await clinic.close()
  await telegram.close()
})
beforeEach(async () => {
  await outboxDue(clinic.db)
  telegram.mood = 'takes'
  telegram.outgoing.length = 0
})

const post = (body: object, secret = telegram.webhook?.secret ?? '') =>
  clinic.anonymous.post(webhookPath, body, { headers: { 'x-telegram-bot-api-secret-token': secret } })
let serial = 1_000
interface From {
  id: number
  name: string
}
const patient = (): From => ({ id: ++serial, name: `Рустам ${serial}` })
const update = ({ id, name }: From, message: object, more: object = {}) => ({
  update_id: ++serial,
  message: {
    message_id: ++serial,
    from: { id, is_bot: false, first_name: name },
    chat: { id, type: 'private' },
    date: 1,
    ...message,
  },
  ...more,
})
const settle = () => clinic.context.jobs.drain()
async function write(from: From, text: string) {
  good(await post(update(from, { text })))
  await settle()
}
const chatsOf = async ({ name }: From) =>
  good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}&sort=id`)).items
const linesOf = async (id: number) =>
  good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&sort=seq&expand=files.file`)).items
async function begun() {
  const from = patient()
  await write(from, 'Здравствуйте')
  const [chat] = await chatsOf(from)
  return { from, id: chat.id as number }
}
const reply = async (idLiveAssist: number, message: string, files: number[] = []) =>
  good(await alina.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, files }), 201)

describe('a channel', () => {
  it("keeps its token secret, and shows the bot's name", async () => {
    const shown = await keeper.get(`/live-assist/channels/${idChannel}`)
    expect(good(shown)).toMatchObject({ account: '@clinic_bot', kind: 'telegram' })
    expect(good(shown).dateToken).not.toBeNull()
    const history = await keeper.get(`/live-assist/channels/${idChannel}/history`)
    expect(shown.text + history.text).not.toContain(TOKEN)
    expect(shown.text + history.text).not.toContain(telegram.webhook?.secret)
    const wrong = good(await keeper.post('/live-assist/channels', { name: 'Чужой', token: 'мимо' }), 201)
    const refused = await keeper.post(`/live-assist/channels/${wrong.id}/connect`)
    expect([refused.status, refused.body[0].field]).toEqual([422, 'token'])
    good(await keeper.put(`/live-assist/channels/${wrong.id}`, { token: '' }))
    expect((await keeper.post(`/live-assist/channels/${wrong.id}/connect`)).body[0].message).toMatch(
      'Сначала запишите токен',
    )
    for (const who of [alina, outsider]) {
      expect((await who.post('/live-assist/channels', { name: 'Ещё' })).status).toBe(403)
      expect((await who.post(`/live-assist/channels/${idChannel}/connect`)).status).toBe(403)
    }
  })

  it('accepts only calls with its secret; events that are no patient message are ignored', async () => {
    const from = patient()
    expect((await post(update(from, { text: 'Я' }), 'чужой')).status).toBe(401)
    expect((await clinic.anonymous.post(webhookPath, update(from, { text: 'Я' }))).status).toBe(401)
    expect((await clinic.anonymous.post('/live-assist/channels/неттакого/updates', {})).status).toBe(404)
    for (const strange of [
      {},
      { update_id: 'x', message: 7 },
      update(from, {}),
      update(from, { text: 'Из группы', chat: { id: -5, type: 'group' } }),
      update(from, { text: 'Бот', from: { id: 5, is_bot: true, first_name: 'Бот' } }),
    ])
      good(await post(strange))
    await settle()
    expect(await chatsOf(from)).toEqual([])
    good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: false }))
    await write(from, 'Выключен')
    good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: true }))
    expect(await chatsOf(from)).toEqual([])
  })
})

describe("a patient's message", () => {
  it('is one chat in order, with repeated, concurrent and late events', async () => {
    const from = patient()
    const [first, second] = [update(from, { text: 'Раз' }), update(from, { text: 'Два' })]
    const answers = await Promise.all([first, first, first].map((one) => post(one)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    good(await post(second))
    await settle()
    good(await post(first))
    await settle()
    const [chat, ...others] = await chatsOf(from)
    expect(others).toEqual([])
    expect(chat).toMatchObject({ source: 'telegram', sourceName: 'Бот клиники', inCount: 2, lastMessage: 'Два' })
    expect((await linesOf(chat.id)).map(({ message }: { message: string }) => message)).toEqual(['Раз', 'Два'])
    // A late repeat, after the chat was archived, begins no other chat.
    good(await alina.post(`/live-assist/${chat.id}/complete`, { idOutcome: CONSULTED }))
    good(await alina.post(`/live-assist/${chat.id}/archive`))
    good(await post(second))
    await settle()
    expect(await chatsOf(from)).toHaveLength(1)
    await write(from, 'Три')
    good(await post(second))
    await settle()
    expect((await chatsOf(from)).map(({ inCount }: { inCount: number }) => inCount)).toEqual([2, 1])
  })

  it('a voice message, native or as a sound file, is played in place', async () => {
    const from = patient()
    telegram.files.set('voice', sounds.ogg)
    telegram.files.set('sound', sounds.m4a)
    good(await post(update(from, { voice: { file_id: 'voice', duration: 3, mime_type: 'audio/ogg' } })))
    good(await post(update(from, { audio: { file_id: 'sound', file_name: 'Запись.m4a' }, caption: 'Послушайте' })))
    await settle()
    const [chat] = await chatsOf(from)
    expect(chat).toMatchObject({ inCount: 2 })
    expect(await linesOf(chat.id)).toMatchObject([
      { message: '', files: [{ file: { name: 'Голос.ogg', meta: { category: 'audio', type: 'audio/ogg' } } }] },
      { message: 'Послушайте', files: [{ file: { meta: { category: 'audio', type: 'audio/x-m4a' } } }] },
    ])
  })

  it('has its file; an unsupported one is described in words, and an edit changes the line', async () => {
    const from = patient()
    telegram.files.set('good', PIXEL)
    telegram.files.set('bad', Buffer.from('MZ и ничего больше'))
    good(await post(update(from, { caption: 'Анализ', photo: [{ file_id: 'good', file_size: PIXEL.length }] })))
    good(await post(update(from, { document: { file_id: 'bad', file_name: 'игра.exe', file_size: 20 } })))
    const message = update(from, { text: 'В пятницу' })
    good(await post(message))
    good(await post({ update_id: ++serial, edited_message: { ...message.message, text: 'В субботу' } }))
    await settle()
    const [chat] = await chatsOf(from)
    expect(await linesOf(chat.id)).toMatchObject([
      { message: 'Анализ', files: [{ file: { name: 'Фото.jpg' } }] },
      { message: 'Файл «игра.exe» не принят', files: [] },
      { message: 'В субботу' },
    ])
    expect((await linesOf(chat.id))[2].dateEdited).not.toBeNull()
  })

  /** Runs the postponed events now. */
  const later = async () => {
    await clinic.db.query({
      text: 'update live_assist_channel_events set "dateAgain" = now() where "dateAgain" > now()',
    })
    await clinic.context.jobs.run('chats.receiveLeft')
    await settle()
  }
  const textsOf = async (from: From) => {
    const [chat] = await chatsOf(from)
    return chat ? (await linesOf(chat.id)).map(({ message }: { message: string }) => message) : []
  }
  const document = (id: string) => ({ document: { file_id: id, file_name: `${id}.png`, file_size: PIXEL.length } })

  it('is shown without a file that the messenger refuses, and blocks no other', async () => {
    const [from, next] = [patient(), patient()]
    good(await post(update(from, document('refused'))))
    good(await post(update(next, { text: 'Я следующий' })))
    await settle()
    expect(await textsOf(from)).toEqual(['Файл «refused.png» не принят'])
    expect(await textsOf(next)).toEqual(['Я следующий'])
  })

  it('waits for a temporarily unavailable file, a few times, and blocks only its own patient', async () => {
    const [from, next] = [patient(), patient()]
    telegram.files.set('slow', PIXEL)
    telegram.mood = 'broken'
    good(await post(update(from, document('slow'))))
    good(await post(update(from, { text: 'Это анализ' })))
    good(await post(update(next, { text: 'Я следующий' })))
    await settle()
    expect([await textsOf(from), await textsOf(next)]).toEqual([[], ['Я следующий']])
    telegram.mood = 'takes'
    await later()
    const [chat] = await chatsOf(from)
    expect(await linesOf(chat.id)).toMatchObject([
      { files: [{ file: { name: 'slow.png' } }] },
      { message: 'Это анализ' },
    ])
    telegram.mood = 'broken'
    good(await post(update(from, document('slow'))))
    for (let tries = 0; tries < 4; tries++) {
      expect(await textsOf(from)).toHaveLength(2)
      await (tries ? later() : settle())
    }
    expect((await textsOf(from))[2]).toBe('Файл «slow.png» не принят')
  })

  it('above the rate limit is delayed, and never lost', async () => {
    const [from, next] = [patient(), patient()]
    const all = Array.from({ length: 13 }, (_, at) => `Строка ${at}`)
    for (const text of all) good(await post(update(from, { text })))
    good(await post(update(next, { text: 'Я следующий' })))
    await settle()
    expect(await textsOf(from)).toEqual(all.slice(0, 10))
    expect(await textsOf(next)).toEqual(['Я следующий'])
    await clinic.db.query({ text: `update live_assist_messages set "dateCreate" = "dateCreate" - interval '11 s'` })
    await later()
    expect(await textsOf(from)).toEqual(all)
  })

  it('of an unsupported kind is described in words', async () => {
    const from = patient()
    for (const message of [
      { contact: { phone_number: '79001234567', first_name: 'Мама' } },
      { location: { latitude: 55.75, longitude: 37.61 } },
      { sticker: { file_id: 'x', emoji: '👍' } },
      { poll: { question: 'Когда вам удобно?' } },
      { dice: { value: 6 } },
    ])
      good(await post(update(from, message)))
    await settle()
    const unshown = '[Сообщение, которое чат не показывает]'
    expect(await textsOf(from)).toEqual([
      'Контакт: +79001234567, Мама',
      'Геопозиция: 55.75, 37.61',
      'Стикер 👍',
      unshown,
      unshown,
    ])
  })

  it('to another bot of the channel is new, whatever its ids', async () => {
    const from = patient()
    const message = update(from, { text: 'Старому боту' })
    good(await post(message))
    await settle()
    const bot = (token: string) =>
      clinic.db.query({
        text: 'update live_assist_channel_secrets set "token" = $1 where "idChannel" = $2',
        values: [token, idChannel],
      })
    await bot('777:другой')
    good(await post({ ...message, message: { ...message.message, text: 'Новому боту' } }))
    await settle()
    await bot(TOKEN)
    expect(await textsOf(from)).toEqual(['Старому боту', 'Новому боту'])
  })

  it('of a banned patient is accepted and dropped', async () => {
    const { from, id } = await begun()
    good(await alina.post(`/live-assist/${id}/ban`, { banned: true }))
    await write(from, 'Ещё')
    expect(await chatsOf(from)).toMatchObject([{ id, inCount: 1 }])
  })
})

describe('a reply', () => {
  it('is sent once and in order, by any server, and marked as delivered', async () => {
    const { from, id } = await begun()
    for (const text of ['Раз', 'Два', 'Три']) await reply(id, text)
    const second = await clinic.secondProcess()
    await Promise.all(
      [1, 2].flatMap(() => [clinic, second].map((one) => one.context.outbox.run(`telegram:${idChannel}`))),
    )
    await settle()
    await second.close()
    expect(telegram.outgoing).toEqual(['Раз', 'Два', 'Три'].map((text) => ({ to: String(from.id), text, files: [] })))
    expect((await linesOf(id)).slice(1)).toMatchObject(Array(3).fill({ state: 'delivered', failure: null }))
  })

  it('is sent with all of its files, in order', async () => {
    const { from, id } = await begun()
    const files = (names: string[]) =>
      Promise.all(
        names.map(async (name) => {
          const form = new FormData()
          form.set('file', new Blob([PIXEL]), name)
          return good(await alina.post('/live-assist/files', form), 201).id as number
        }),
      )
    await reply(id, 'Вот памятка', await files(['Памятка.png']))
    await reply(id, 'И как доехать', await files(['Схема.png', 'Карта проезда.png']))
    await reply(id, 'я'.repeat(1025), await files(['Анкета.png']))
    await settle()
    const to = String(from.id)
    expect(telegram.outgoing).toEqual([
      { to, text: 'Вот памятка', files: ['Памятка.png'] },
      { to, text: 'И как доехать', files: ['Схема.png', 'Карта проезда.png'] },
    ])
    expect((await linesOf(id)).at(-1)).toMatchObject({ failure: 'К файлам можно написать не больше 1024 знаков' })
  })

  it('that is refused shows the reason and is resent on request; notes are never sent', async () => {
    const { id } = await begun()
    telegram.mood = 'blocked'
    const { id: idMessage } = await reply(id, 'Ждём вас')
    good(await alina.post('/live-assist/notes', { idLiveAssist: id, text: 'Секретная заметка' }), 201)
    await settle()
    expect((await linesOf(id))[1]).toMatchObject({ state: 'failed', failure: 'Посетитель заблокировал бота' })
    expect((await outsider.post(`/live-assist/messages/${idMessage}/resend`)).status).toBe(403)
    telegram.mood = 'takes'
    good(await alina.post(`/live-assist/messages/${idMessage}/resend`))
    await settle()
    expect(telegram.outgoing.map(({ text }) => text)).toEqual(['Ждём вас'])
    expect((await linesOf(id))[1]).toMatchObject({ state: 'delivered', failure: null })
    expect((await alina.post(`/live-assist/messages/${idMessage}/resend`)).status).toBe(409)
  })

  it('is not sent twice without a response: it may have arrived', async () => {
    const { id } = await begun()
    telegram.mood = 'silent'
    await reply(id, 'Слышно?')
    await settle()
    await deliverChat(clinic, id)
    expect(telegram.outgoing).toHaveLength(1)
    expect((await linesOf(id))[1].failure).toMatch('Неизвестно, дошло ли')
  })

  it('waits while the messenger fails, and after the fourth attempt is marked as failed', async () => {
    const { id } = await begun()
    telegram.mood = 'broken'
    await reply(id, 'Терпение')
    await deliverChat(clinic, id, 3)
    expect((await linesOf(id))[1]).toMatchObject({ state: 'sent', failure: null })
    await deliverChat(clinic, id, 4)
    expect((await linesOf(id))[1].failure).toBe('Telegram не принимает сообщения')
  })

  it('of a disabled channel waits until resent, with rights to the chat', async () => {
    const { id } = await begun()
    const active = async (is: boolean) => good(await keeper.put(`/live-assist/channels/${idChannel}`, { active: is }))
    await active(false)
    const { id: idMessage } = await reply(id, 'Никуда')
    await settle()
    await active(true)
    expect(telegram.outgoing).toEqual([])
    expect((await linesOf(id))[1]).toMatchObject({ state: 'failed', failure: 'Канал выключен' })
    const other = await boris.post(`/live-assist/messages/${idMessage}/resend`)
    expect([other.status, other.body.code]).toEqual([409, 'taken'])
    const twice = await Promise.all([1, 2].map(() => alina.post(`/live-assist/messages/${idMessage}/resend`)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    await settle()
    expect(telegram.outgoing).toHaveLength(1)
  })

  it('is not sent while the clinic has channels disabled, and they accept nothing', async () => {
    const { id } = await begun()
    const owned = async (additionalServices: string[]) =>
      good(await clinic.as('boss').put('/settings/common', { additionalServices }))
    await owned([])
    try {
      await reply(id, 'Никуда')
      await settle()
      expect(telegram.outgoing).toEqual([])
      expect((await linesOf(id))[1]).toMatchObject({
        state: 'failed',
        failure: 'Канал выключен вместе с модулем «Омниканальность»',
      })
      expect((await keeper.get(`/live-assist/channels/${idChannel}`)).status).toBe(403)
    } finally {
      await owned(['omnichannel'])
    }
  })

  it('left by a crash is found and sent; one whose file cannot be read waits', async () => {
    const { id } = await begun()
    const form = new FormData()
    form.set('file', new Blob([PIXEL]), 'Снимок.png')
    const file = good(await alina.post('/live-assist/files', form), 201).id as number
    const key = async (mark: string) =>
      clinic.db.query({ text: `update live_assist_files set "key" = ${mark} where id = $1`, values: [file] })
    await key(`"key" || 'x'`)
    await reply(id, 'Снимок', [file])
    await deliverChat(clinic, id)
    expect((await linesOf(id))[1]).toMatchObject({ state: 'sent', failure: null })
    await key(`left("key", -1)`)
    const texts = () => telegram.outgoing.map(({ text }) => text)
    await clinic.db.query({ text: `delete from jobs.job where name = 'outbox.send'` })
    await settle()
    expect(texts()).toEqual([])
    await outboxDue(clinic.db)
    await clinic.context.outbox.sweep()
    await settle()
    expect(texts()).toEqual(['Снимок'])
  })

  it('of a killed server is sent if the messenger was not called yet; otherwise it is unknown, and the next ones go', async () => {
    const { id } = await begun()
    await clinic.db.query({
      text: `insert into outbox_lanes ("lane", "datePaused") values ($1, now() + interval '1 hour')`,
      values: [`telegram:${idChannel}`],
    })
    for (const text of ['Раз', 'Два', 'Три']) await reply(id, text)
    await settle()
    expect(telegram.outgoing).toEqual([])
    const killed = (line: number, memo: string | null) =>
      clinic.db.query({
        text: `update outbox set "state" = 'claimed', "claim" = gen_random_uuid(), "memo" = $3, "dateDue" = now() - interval '1 s'
          where "id" = (select "id" from outbox where "subject" = $1 order by "id" offset $2 limit 1)`,
        values: [`chat-${id}`, line, memo],
      })
    await killed(0, '{"isGiven": true}')
    await killed(1, null)
    await deliverChat(clinic, id)
    await deliverChat(clinic, id)
    expect(telegram.outgoing.map(({ text }) => text)).toEqual(['Два', 'Три'])
    expect((await linesOf(id)).slice(1)).toMatchObject([
      { state: 'failed', failure: 'Неизвестно, дошло ли: Telegram не ответил' },
      { state: 'delivered', failure: null },
      { state: 'delivered', failure: null },
    ])
  })

  it('is not sent by a deleted channel: its token is deleted with it', async () => {
    const made = good(await keeper.post('/live-assist/channels', { name: 'На день', token: TOKEN }), 201)
    good(await keeper.delete(`/live-assist/channels/${made.id}`), 204)
    const left = { text: 'select 1 from live_assist_channel_secrets where "idChannel" = $1', values: [made.id] }
    expect(await clinic.db.query(left)).toEqual([])
  })
})
