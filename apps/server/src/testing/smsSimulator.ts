/**
 * Simulator of an SMS gateway on loopback: stores messages without sending them, and fails on request. `npm run simulate sms` runs it
 * standalone (SMS_URL=http://127.0.0.1:8090); its page shows the messages and its modes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/** Behaviour for the next messages. `silent` accepts them without answering, `lost` accepts them and answers with an error. */
const moods = ['delivers', 'fails', 'refuses', 'broken', 'silent', 'lost'] as const
export type SmsMood = (typeof moods)[number]

export interface SmsSimulator extends Simulator<SmsMood> {
  /** The latest last. */
  messages: { id: string; key: string; to: string; text: string; status: string }[]
  /** Authorization of the latest message. */
  authorization: string | undefined
  /** Replies of patients. */
  replies: { number: number; from: string; text: string }[]
}

/** @param port 0: any free port */
export async function startSmsSimulator(port = 0): Promise<SmsSimulator> {
  const server = await simulator({
    port,
    page: {
      title: 'СМС-шлюз',
      moods,
      lines: () => gateway.messages.map(({ to, text, status }) => `${to} · ${status} · ${text}`),
    },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, text: string): unknown {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    if (request.method === 'GET') {
      if (request.url === '/messages') return say(200, { messages: gateway.messages })
      const after = /^\/replies\?after=(\d+)$/.exec(request.url ?? '')?.[1]
      if (after !== undefined)
        return say(200, { replies: gateway.replies.filter(({ number }) => number > Number(after)) })
      const found = gateway.messages.find(({ id }) => request.url === `/messages/${id}`)
      return found ? say(200, { status: found.status }) : say(404, { message: 'Нет такого сообщения' })
    }
    gateway.authorization = request.headers.authorization
    const message = JSON.parse(text) as { key: string; to: string; text: string }
    if (gateway.mood === 'refuses') return say(422, { message: 'Номер в чёрном списке' })
    if (gateway.mood === 'broken') return say(500, { message: 'Ошибка' })
    let kept = gateway.messages.find(({ key }) => key === message.key)
    if (!kept) {
      kept = {
        ...message,
        id: `sms-${gateway.messages.length + 1}`,
        status: gateway.mood === 'fails' ? 'failed' : 'delivered',
      }
      gateway.messages.push(kept)
    }
    if (gateway.mood === 'silent') return
    if (gateway.mood === 'lost') return say(500, { message: 'Ошибка' })
    return say(202, { id: kept.id })
  }
  const gateway: SmsSimulator = Object.assign(server, {
    messages: [],
    replies: [],
    authorization: undefined,
  } satisfies Partial<SmsSimulator>)
  return gateway
}

/** Port of `npm run simulate sms`. */
const PORT = 8090
if (import.meta.main) console.log(`СМС никуда не уходят и видны здесь: ${(await startSmsSimulator(PORT)).url}`)
