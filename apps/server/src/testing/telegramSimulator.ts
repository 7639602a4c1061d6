/**
 * Simulator of the Bot API of Telegram on loopback: accepts messages of bots, sends patients' messages to webhooks, and
 * fails on request. `npm run simulate telegram` runs it standalone (TELEGRAM_URL=http://127.0.0.1:8091).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/** Behaviour for the next messages. `silent` accepts them without answering, for `late` they are too old to change. */
const moods = ['takes', 'blocked', 'broken', 'busy', 'silent', 'late'] as const
export type TelegramMood = (typeof moods)[number]

export interface TelegramSimulator extends Simulator<TelegramMood> {
  /** Messages of bots, the latest last. */
  outgoing: { to: string; text: string; files: string[] }[]
  /** Edits and deletions by bots, by message number. */
  changed: { id: number; text: string | null }[]
  /** The webhook for patients' messages, with its secret. */
  webhook: { url: string; secret: string } | undefined
  /** Files sent by patients, by id. */
  files: Map<string, Buffer>
}

/** The only valid token. */
export const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'

/** @param port 0: any free port */
export async function startTelegramSimulator(port = 0): Promise<TelegramSimulator> {
  const server = await simulator({
    port,
    page: { title: 'Telegram', moods, lines: () => bot.outgoing.map((one) => JSON.stringify(one)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, _text: string, _url: URL, bytes: Buffer): unknown {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    const refuse = (code: number, description: string, more: object = {}) =>
      say(code, { ok: false, error_code: code, description, ...more })
    const [, file, token, method = ''] = /^\/(file\/)?bot([^/]+)\/(.*)$/.exec(request.url ?? '') ?? []
    if (token !== TOKEN) return refuse(401, 'Unauthorized')
    if (file) {
      const found = bot.files.get(method)
      return found ? reply.writeHead(200).end(found) : refuse(404, 'Not Found')
    }
    const isForm = String(request.headers['content-type']).startsWith('multipart/')
    const text = bytes.toString()
    const body: Record<string, unknown> = isForm ? formOf(text) : JSON.parse(text || '{}')
    const names = isForm ? namesOf(text) : []
    switch (method) {
      case 'getMe':
        return say(200, { ok: true, result: { id: 1, is_bot: true, username: 'clinic_bot' } })
      case 'setWebhook':
        bot.webhook = { url: String(body.url), secret: String(body.secret_token) }
        return say(200, { ok: true, result: true })
      case 'getFile':
        if (bot.mood === 'broken') return refuse(502, 'Bad Gateway')
        return bot.files.has(String(body.file_id))
          ? say(200, { ok: true, result: { file_id: body.file_id, file_path: body.file_id } })
          : refuse(400, 'Bad Request: wrong file_id')
      case 'sendMessage':
      case 'sendDocument':
      case 'sendMediaGroup': {
        if (bot.mood === 'blocked') return refuse(403, 'Forbidden: bot was blocked by the user')
        if (bot.mood === 'broken') return refuse(502, 'Bad Gateway')
        if (bot.mood === 'busy') return refuse(429, 'Too Many Requests', { parameters: { retry_after: 1 } })
        const { chat_id: to, text: words, media } = body
        const { caption } = media ? JSON.parse(String(media))[0] : body
        bot.outgoing.push({
          to: String(to),
          text: String(words ?? caption ?? ''),
          files: names,
        })
        if (bot.mood === 'silent') return request.socket.destroy()
        const result = { message_id: 10_000 + bot.outgoing.length }
        return say(200, {
          ok: true,
          result: media ? names.map((_name, at) => ({ message_id: result.message_id + at * 1_000 })) : result,
        })
      }
      case 'editMessageText':
      case 'editMessageCaption':
      case 'deleteMessages': {
        if (bot.mood === 'broken') return refuse(502, 'Bad Gateway')
        if (bot.mood === 'late') return refuse(400, "Bad Request: message can't be edited")
        const ids = (body.message_ids as number[] | undefined) ?? [Number(body.message_id)]
        const text = method === 'deleteMessages' ? null : String(body.text ?? body.caption)
        if (bot.changed.some((one) => one.id === ids[0] && one.text === text && text !== null))
          return refuse(400, 'Bad Request: message is not modified')
        bot.changed.push(...ids.map((id) => ({ id, text })))
        if (bot.mood === 'silent') return request.socket.destroy()
        return say(200, { ok: true, result: true })
      }
      default:
        return refuse(404, 'Not Found')
    }
  }
  const bot: TelegramSimulator = Object.assign(server, {
    outgoing: [],
    changed: [],
    webhook: undefined,
    files: new Map(),
  } satisfies Partial<TelegramSimulator>)
  return bot
}

/** Fields of a form, and the names of its files. */
const formOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/name="(\w+)"\r\n\r\n([\s\S]*?)\r\n--/g)].map(([, name, value]) => [name, value]),
  )
const namesOf = (text: string): string[] => [...text.matchAll(/filename="([^"]*)"/g)].map(([, name = '']) => name)

/** Port of `npm run simulate telegram`. */
const PORT = 8091
if (import.meta.main)
  console.log(`Telegram играется здесь: ${(await startTelegramSimulator(PORT)).url}, токен бота ${TOKEN}`)
