/** Simulator of the bot API of MAX on loopback: accepts messages and files of bots, and fails on request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/**
 * Behaviour for the next messages. `silent` accepts them without answering, `looks` needs a moment to process a file,
 * `tires` and `fades` accept only the first: the former refuses the next, the latter does not answer it.
 */
const moods = ['takes', 'blocked', 'broken', 'busy', 'silent', 'looks', 'tires', 'fades'] as const
export type MaxMood = (typeof moods)[number]

export interface MaxSimulator extends Simulator<MaxMood> {
  outgoing: { to: string; text: string | null; files: string[] }[]
  /** Edits and deletions by bots. */
  changed: { id: string; text: string | null }[]
  webhook: { url: string; secret: string; update_types: string[] } | undefined
  /** Uploaded files, by token. */
  files: Map<string, string>
  /** Files sent by people, by the path of their URL. */
  sent: Map<string, Buffer>
}

/** The only valid token. */
export const MAX_TOKEN = 'f9LHodD0cOJ5mXb7QwTz'
/** The bot's id. */
export const MAX_BOT = 900

export async function startMaxSimulator(): Promise<MaxSimulator> {
  const server = await simulator({
    page: { title: 'MAX', moods, lines: () => bot.outgoing.map((one) => JSON.stringify(one)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, text: string): unknown {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    const address = new URL(request.url ?? '', 'http://max.test')
    const sent = bot.sent.get(address.pathname)
    if (request.method === 'GET' && sent) return reply.writeHead(200).end(sent)
    if (address.pathname === '/upload') {
      const [, name = ''] = /filename="([^"]*)"/.exec(text) ?? []
      const token = `file${bot.files.size}`
      bot.files.set(token, name)
      return say(200, { token })
    }
    if (request.headers.authorization !== MAX_TOKEN)
      return say(401, { code: 'verify.token', message: 'Invalid access_token' })
    const body = JSON.parse(text || '{}')
    switch (`${request.method} ${address.pathname}`) {
      case 'GET /me':
        return say(200, { user_id: MAX_BOT, first_name: 'Клиника', username: 'clinic_max_bot', is_bot: true })
      case 'POST /subscriptions':
        bot.webhook = body
        return say(200, { success: true })
      case 'POST /uploads':
        return say(200, { url: `${bot.url}/upload` })
      case 'POST /messages': {
        const files = (body.attachments as { payload: { token: string } }[]).map(
          ({ payload }) => bot.files.get(payload.token) ?? '?',
        )
        if (bot.mood === 'blocked') return say(403, { code: 'chat.denied', message: 'Dialog is blocked' })
        if (bot.mood === 'broken') return say(503, { code: 'service.unavailable', message: 'Down' })
        if (bot.mood === 'busy') return say(429, { code: 'too.many.requests', message: 'Slow down' })
        if (bot.mood === 'tires' && bot.outgoing.length > 0) return say(503, { code: 'service.unavailable' })
        if (bot.mood === 'looks' && files.length > 0) {
          bot.mood = 'takes'
          return say(400, {
            code: 'attachment.not.ready',
            message: 'Key: errors.process.attachment.file.not.processed',
          })
        }
        bot.outgoing.push({ to: address.searchParams.get('user_id') ?? '', text: body.text, files })
        if (bot.mood === 'silent' || (bot.mood === 'fades' && bot.outgoing.length > 1)) return request.socket.destroy()
        return say(200, { message: { body: { mid: `mid.${bot.outgoing.length}` } } })
      }
      case 'PUT /messages':
      case 'DELETE /messages': {
        if (bot.mood === 'broken') return say(503, { code: 'service.unavailable', message: 'Down' })
        const id = address.searchParams.get('message_id') ?? ''
        if (request.method === 'DELETE' && bot.changed.some((one) => one.id === id && one.text === null))
          return say(404, { code: 'message.not.found', message: 'Not found' })
        bot.changed.push({ id, text: request.method === 'DELETE' ? null : body.text })
        return say(200, { success: true })
      }
      default:
        return say(404, { code: 'not.found', message: 'Not found' })
    }
  }
  const bot: MaxSimulator = Object.assign(server, {
    outgoing: [],
    changed: [],
    webhook: undefined,
    files: new Map(),
    sent: new Map(),
  } satisfies Partial<MaxSimulator>)
  return bot
}
