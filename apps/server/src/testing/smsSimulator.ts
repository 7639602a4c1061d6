/**
 * Simulator of an SMS gateway on loopback: stores messages without sending them, and fails on request. `npm run simulate sms` runs it
 * standalone (SMS_URL=http://127.0.0.1:8090); its page shows the messages and its modes.
 */
import { play, showPage } from './simulatorPage.ts'

/** Behaviour for the next messages. `silent` accepts them without answering, `lost` accepts them and answers with an error. */
const moods = ['delivers', 'fails', 'refuses', 'broken', 'silent', 'lost'] as const
export type SmsMood = (typeof moods)[number]

export interface SmsSimulator {
  url: string
  /** The latest last. */
  messages: { id: string; key: string; to: string; text: string; status: string }[]
  mood: SmsMood
  /** Authorization of the latest message. */
  authorization: string | undefined
  /** Replies of patients. */
  replies: { number: number; from: string; text: string }[]
  close(): Promise<void>
}

/** @param port 0: any free port */
export async function startSmsSimulator(port = 0): Promise<SmsSimulator> {
  const server = await play(port, async (request, reply, text) => {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    if (request.method === 'GET') {
      if (request.url === '/messages') return say(200, { messages: simulator.messages })
      if (request.url?.match(/^\/(\?|$)/)) return page(request.url)
      const after = /^\/replies\?after=(\d+)$/.exec(request.url ?? '')?.[1]
      if (after !== undefined)
        return say(200, { replies: simulator.replies.filter(({ number }) => number > Number(after)) })
      const found = simulator.messages.find(({ id }) => request.url === `/messages/${id}`)
      return found ? say(200, { status: found.status }) : say(404, { message: 'Нет такого сообщения' })
    }
    function page(url: string) {
      const asked = moods.find((mood) => url === `/?${mood}`)
      if (asked) simulator.mood = asked
      showPage(reply, 'СМС-шлюз', {
        moods,
        mood: simulator.mood,
        lines: simulator.messages.map(({ to, text, status }) => `${to} · ${status} · ${text}`),
      })
    }
    simulator.authorization = request.headers.authorization
    const message = JSON.parse(text) as { key: string; to: string; text: string }
    if (simulator.mood === 'refuses') return say(422, { message: 'Номер в чёрном списке' })
    if (simulator.mood === 'broken') return say(500, { message: 'Ошибка' })
    let kept = simulator.messages.find(({ key }) => key === message.key)
    if (!kept) {
      kept = {
        ...message,
        id: `sms-${simulator.messages.length + 1}`,
        status: simulator.mood === 'fails' ? 'failed' : 'delivered',
      }
      simulator.messages.push(kept)
    }
    if (simulator.mood === 'silent') return
    if (simulator.mood === 'lost') return say(500, { message: 'Ошибка' })
    say(202, { id: kept.id })
  })
  const simulator: SmsSimulator = {
    url: server.url,
    messages: [],
    replies: [],
    mood: 'delivers',
    authorization: undefined,
    close: server.close,
  }
  return simulator
}

/** Port of `npm run simulate sms`. */
const PORT = 8090
if (import.meta.main) console.log(`СМС никуда не уходят и видны здесь: ${(await startSmsSimulator(PORT)).url}`)
