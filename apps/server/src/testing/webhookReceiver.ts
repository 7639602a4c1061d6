/** A webhook receiver on loopback: stores requests, and answers as set. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/**
 * `moves` redirects, `endless` answers without an end, `slow` a byte at a time, `nonsense` with bytes that are not text,
 * `lost` accepts the message and drops the connection before answering.
 */
const moods = ['takes', 'refuses', 'broken', 'silent', 'moves', 'endless', 'slow', 'nonsense', 'lost'] as const
export type ReceiverMood = (typeof moods)[number]

export interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
  message: { id: string; event: string; dt: string; data: { path: string; id: number; fields: string[] } }
}

export interface WebhookReceiver extends Simulator<ReceiverMood> {
  /** The latest last; includes those answered with an error. */
  received: Received[]
  /** Overrides the mode for single messages. */
  moodOf: ((message: Received['message']) => ReceiverMood) | undefined
}

const ENDLESS = Buffer.alloc(64 * 1024, 'a')
const DRIP_MS = 50

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const timers = new Set<NodeJS.Timeout>()
  const server = await simulator({
    page: { title: 'Вебхуки', moods, lines: () => receiver.received.map(({ body }) => body) },
    routes: take,
  })
  function take(request: IncomingMessage, reply: ServerResponse, body: string): void {
    const message = JSON.parse(body || '{}') as Received['message']
    receiver.received.push({ headers: request.headers, body, message })
    answer(receiver.moodOf?.(message) ?? receiver.mood, reply)
  }
  function answer(mood: ReceiverMood, reply: ServerResponse): void {
    if (mood === 'takes') reply.writeHead(200).end('ok')
    else if (mood === 'refuses') reply.writeHead(422).end('Не понимаю')
    else if (mood === 'broken') reply.writeHead(500).end('Ошибка')
    else if (mood === 'moves') reply.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    else if (mood === 'nonsense') reply.writeHead(200).end(Buffer.from([0, 255, 254, 0, 128]))
    else if (mood === 'endless') {
      reply.writeHead(200)
      const more = () => {
        while (!reply.destroyed && reply.write(ENDLESS));
      }
      reply.on('drain', more)
      more()
    } else if (mood === 'slow') {
      reply.writeHead(200)
      const timer = setInterval(() => (reply.destroyed ? clearInterval(timer) : reply.write('.')), DRIP_MS)
      timers.add(timer)
    } else if (mood === 'lost') reply.destroy()
  }
  const { close } = server
  const receiver: WebhookReceiver = Object.assign(server, {
    url: `${server.url}/hook`,
    received: [],
    moodOf: undefined,
    close() {
      for (const timer of timers) clearInterval(timer)
      return close()
    },
  } satisfies Partial<WebhookReceiver>)
  return receiver
}
