/** Simulator of the Cloud API of WhatsApp on loopback: accepts messages and files of a number, and fails on request. */
import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/** Behaviour for the next messages. `silent` accepts them without answering, for `late` the 24-hour window is over. */
const moods = ['takes', 'late', 'broken', 'busy', 'silent', 'tires'] as const
export type WhatsappMood = (typeof moods)[number]

export interface WhatsappSimulator extends Simulator<WhatsappMood> {
  outgoing: { to: string; kind: string; text: string; file: string }[]
  /** The webhook, and its verification token. */
  webhook: { url: string; token: string } | undefined
  /** Files sent by patients, by id. */
  files: Map<string, Buffer>
  /** Signature headers of a body. */
  signed(body: string): Record<string, string>
}

/** The only valid token, its number, and its signing secret. */
export const WHATSAPP_TOKEN = 'EAAJB0mZCkZBxyzTestToken'
export const WHATSAPP_SENDER = '106540352242922'
export const WHATSAPP_SECRET = 'b3f1a0c9d8e7f6a5b4c3d2e1f0a9b8c7'

export async function startWhatsappSimulator(): Promise<WhatsappSimulator> {
  const uploaded = new Map<string, string>()
  const server = await simulator({
    page: { title: 'WhatsApp', moods, lines: () => bot.outgoing.map((one) => JSON.stringify(one)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, text: string): unknown {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    const refuse = (status: number, code: number, message: string) => say(status, { error: { code, message } })
    if (request.headers.authorization !== `Bearer ${WHATSAPP_TOKEN}`)
      return refuse(401, 190, 'Error validating access token')
    const { pathname } = new URL(request.url ?? '', 'http://graph.test')
    const [, , first = '', second = ''] = pathname.split('/')
    if (request.method === 'GET' && first === 'bytes') {
      const found = bot.files.get(second)
      return found ? reply.writeHead(200).end(found) : refuse(404, 100, 'Gone')
    }
    if (request.method === 'GET' && first !== WHATSAPP_SENDER) {
      if (bot.mood === 'broken') return refuse(500, 131000, 'Something went wrong')
      return bot.files.has(first)
        ? say(200, { id: first, url: `${bot.url}/bytes/${first}`, mime_type: 'image/png' })
        : refuse(400, 100, 'Unsupported get request')
    }
    if (request.method === 'GET')
      return say(200, { display_phone_number: '+7 495 123-45-67', verified_name: 'Клиника', id: WHATSAPP_SENDER })
    if (first !== WHATSAPP_SENDER) return refuse(400, 100, 'Unsupported post request')
    if (second === 'media') {
      const [, name = ''] = /filename="([^"]*)"/.exec(text) ?? []
      const id = `media${uploaded.size}`
      uploaded.set(id, name)
      return say(200, { id })
    }
    const body = JSON.parse(text || '{}')
    if (second === '') {
      const { override_callback_uri: url, verify_token: token } = body.webhook_configuration
      bot.webhook = { url, token }
      return say(200, { success: true })
    }
    if (bot.mood === 'late') return refuse(400, 131047, 'Re-engagement message')
    if (bot.mood === 'broken') return refuse(500, 131000, 'Something went wrong')
    if (bot.mood === 'busy') return refuse(429, 130429, 'Rate limit hit')
    if (bot.mood === 'tires' && bot.outgoing.length > 0) return refuse(500, 131000, 'Something went wrong')
    const part = body[body.type]
    bot.outgoing.push({
      to: body.to,
      kind: body.type,
      text: part.body ?? part.caption ?? '',
      file: uploaded.get(part.id) ?? '',
    })
    if (bot.mood === 'silent') return request.socket.destroy()
    return say(200, { messaging_product: 'whatsapp', messages: [{ id: wamid(bot.outgoing.length) }] })
  }
  const bot: WhatsappSimulator = Object.assign(server, {
    url: `${server.url}/v23.0`,
    outgoing: [],
    webhook: undefined,
    files: new Map(),
    signed: (body) => ({
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', WHATSAPP_SECRET).update(body).digest('hex')}`,
    }),
  } satisfies Partial<WhatsappSimulator>)
  return bot
}

/** A message id of realistic length. */
export const wamid = (of: number): string =>
  `wamid.${`HBgLNzkxNjEyMzQ1NjcVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA${of}`.padEnd(70, '=')}`
