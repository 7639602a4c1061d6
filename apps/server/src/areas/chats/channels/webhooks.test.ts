/** Hostile input at the webhook of every messenger. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { MAX_BOT, MAX_TOKEN, startMaxSimulator } from '#testing/maxSimulator.ts'
import { addPerson } from '#testing/people.ts'
import { startTelegramSimulator, TOKEN } from '#testing/telegramSimulator.ts'
import { startVkSimulator, VK_GROUP, VK_TOKEN } from '#testing/vkSimulator.ts'
import {
  startWhatsappSimulator,
  WHATSAPP_SECRET,
  WHATSAPP_SENDER,
  WHATSAPP_TOKEN,
  wamid,
} from '#testing/whatsappSimulator.ts'

const CONSULTED = 2
const json = { 'content-type': 'application/json' }
const simulators = {
  telegram: await startTelegramSimulator(),
  vk: await startVkSimulator(),
  max: await startMaxSimulator(),
  whatsapp: await startWhatsappSimulator(),
}
type Kind = keyof typeof simulators

let clinic: Clinic
let keeper: Caller
let alina: Caller
const webhookPaths = { telegram: '', vk: '', max: '', whatsapp: '' }
let serial = 70_000

interface Messenger {
  access: object
  /** The bytes of one event. */
  event(from: number, text: string): string
  /** The headers that prove the sender. */
  shown(bytes: string): { bytes: string; headers: Record<string, string> }
}
const vkSecret = () => simulators.vk.servers.at(-1)?.secret
const ways: Record<Kind, Messenger> = {
  telegram: {
    access: { token: TOKEN },
    event: (from, text) =>
      JSON.stringify({
        update_id: ++serial,
        message: {
          message_id: ++serial,
          from: { id: from, is_bot: false, first_name: `Дверь ${from}` },
          chat: { id: from, type: 'private' },
          date: 1,
          text,
        },
      }),
    shown: (bytes) => ({
      bytes,
      headers: { ...json, 'x-telegram-bot-api-secret-token': simulators.telegram.webhook?.secret ?? '' },
    }),
  },
  vk: {
    access: { token: VK_TOKEN },
    event(from, text) {
      simulators.vk.people.set(String(from), { first_name: 'Дверь', last_name: String(from) })
      const message = { id: ++serial, date: 1, peer_id: from, from_id: from, text, out: 0, attachments: [] }
      return JSON.stringify({
        type: 'message_new',
        object: { message },
        group_id: VK_GROUP,
        event_id: `e${++serial}`,
        v: '5.199',
      })
    },
    shown: (bytes) => ({ bytes: JSON.stringify({ ...JSON.parse(bytes), secret: vkSecret() }), headers: json }),
  },
  max: {
    access: { token: MAX_TOKEN },
    event: (from, text) =>
      JSON.stringify({
        update_type: 'message_created',
        timestamp: ++serial,
        message: {
          sender: { user_id: from, first_name: 'Дверь', last_name: String(from), is_bot: false },
          recipient: { chat_id: 5, chat_type: 'dialog', user_id: MAX_BOT },
          timestamp: serial,
          body: { mid: `mid.in.${++serial}`, seq: serial, text, attachments: [] },
        },
      }),
    shown: (bytes) => ({ bytes, headers: { ...json, 'x-max-bot-api-secret': simulators.max.webhook?.secret ?? '' } }),
  },
  whatsapp: {
    access: { token: WHATSAPP_TOKEN, sender: WHATSAPP_SENDER, appSecret: WHATSAPP_SECRET },
    event: (from, body) =>
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '1',
            changes: [
              {
                field: 'messages',
                value: {
                  messaging_product: 'whatsapp',
                  metadata: { phone_number_id: WHATSAPP_SENDER },
                  contacts: [{ profile: { name: `Дверь ${from}` }, wa_id: String(from) }],
                  messages: [{ from: String(from), id: wamid(++serial), timestamp: '1', type: 'text', text: { body } }],
                },
              },
            ],
          },
        ],
      }),
    shown: (bytes) => ({ bytes, headers: simulators.whatsapp.signed(bytes) }),
  },
}

beforeAll(async () => {
  const { telegram, vk, max, whatsapp } = simulators
  clinic = await testApp({
    env: { TELEGRAM_URL: telegram.url, VK_URL: vk.url, MAX_URL: max.url, WHATSAPP_URL: whatsapp.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap'])
      await addPerson(app, 'alina', ['supportOperator'])
    },
  })
  ;[keeper, alina] = [clinic.as('keeper'), clinic.as('alina')]
  for (const kind of Object.keys(ways) as Kind[]) {
    const made = good(
      await keeper.post('/live-assist/channels', { name: `Дверь ${kind}`, kind, ...ways[kind].access }),
      201,
    )
    webhookPaths[kind] = `/live-assist/channels/${made.key}/updates`
    good(await keeper.post(`/live-assist/channels/${made.id}/connect`))
    good(await keeper.put(`/live-assist/channels/${made.id}`, { active: true }))
  }
})
afterAll(async () => {
  await clinic.close()
  await Promise.all(Object.values(simulators).map((one) => one.close()))
})

const post = async (kind: Kind, bytes: string, headers: Record<string, string> = json) => {
  const answer = await clinic.context.server.inject({
    method: 'POST',
    url: webhookPaths[kind],
    headers,
    payload: bytes,
  })
  return { status: answer.statusCode, text: answer.body }
}
const settle = () => clinic.context.jobs.drain()
const chatsOf = async (from: number) =>
  good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(`Дверь ${from}`)}&sort=id`)).items
const textsOf = async (id: number) =>
  good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&filter[kind]=visitor&sort=seq`)).items.map(
    (line: { message: string }) => line.message,
  )
const kept = async () =>
  (await clinic.db.one<{ n: number }>({ text: 'select count(*)::int as n from live_assist_channel_events' }))?.n

describe.each(Object.keys(ways) as Kind[])('the webhook of %s', (kind) => {
  const way = ways[kind]
  const deliver = (bytes: string) => {
    const { bytes: sent, headers } = way.shown(bytes)
    return post(kind, sent, headers)
  }

  it('stores nothing of a forged call, and reports it', async () => {
    const from = ++serial
    const before = await kept()
    const plain = way.event(from, 'Поддельное')
    const { bytes, headers } = way.shown(plain)
    // Without the proof; with that of another call; with one character more.
    const spoilt = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, name === 'content-type' ? value : `${value}0`]),
    )
    const forged = kind === 'vk' ? JSON.stringify({ ...JSON.parse(bytes), secret: `${vkSecret()}0` }) : bytes
    for (const answer of [await post(kind, plain), await post(kind, forged, kind === 'vk' ? headers : spoilt)])
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        401,
        { message: 'Секрет не подходит', code: 'signature' },
      ])
    await settle()
    expect([await kept(), await chatsOf(from)]).toEqual([before, []])
  })

  it('accepts replayed, concurrent and late repeats, and begins no other chat by them', async () => {
    const from = ++serial
    const [first, second] = [way.event(from, 'Раз'), way.event(from, 'Два')]
    const before = (await kept()) ?? 0
    const doubled = await Promise.all([first, first, first].map(deliver))
    expect(doubled.map(({ status }) => status)).toEqual([200, 200, 200])
    await deliver(second)
    await settle()
    for (const again of [second, first]) expect((await deliver(again)).status).toBe(200)
    await settle()
    const [chat, ...others] = await chatsOf(from)
    expect(others).toEqual([])
    expect(chat).toMatchObject({ source: kind, inCount: 2, numberOfUnreadMessages: 2 })
    expect([await textsOf(chat.id), await kept()]).toEqual([['Раз', 'Два'], before + 2])
    good(await alina.post(`/live-assist/${chat.id}/complete`, { idOutcome: CONSULTED }))
    good(await alina.post(`/live-assist/${chat.id}/archive`))
    await deliver(first)
    await settle()
    expect((await chatsOf(from)).map(({ status }: { status: string }) => status)).toEqual(['archive'])
  })

  it('refuses malformed and oversized calls with a message, and continues', async () => {
    const from = ++serial
    const before = await kept()
    for (const bytes of ['', '{', '[]', 'null', '"слова"', '\0'])
      expect([bytes, [400, 401].includes((await post(kind, bytes, way.shown('{}').headers)).status)]).toEqual([
        bytes,
        true,
      ])
    const huge = await deliver(way.event(from, 'а'.repeat(5 * 1024 * 1024)))
    expect([huge.status, typeof JSON.parse(huge.text).message]).toEqual([413, 'string'])
    expect(await kept()).toBe(before)
    const script = '<script>alert(1)</script> 👩‍⚕️'
    expect((await deliver(way.event(from, script))).status).toBe(200)
    await settle()
    const [chat] = await chatsOf(from)
    expect(await textsOf(chat.id)).toEqual([script])
  })
})
