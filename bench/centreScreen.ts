/** People of the bench of a contact centre: visitors of the widget, and screens of operators. */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { WebSocket } from 'ws'
import { type BenchClinic, hold } from './clinic.ts'

export const OPERATORS = 200
export const VISITORS = 2_000

export const WAIT_MS = 20_000

/** As in the app (apps/web/src/realtime/queryCache.ts). */
const [SCREEN_EVERY_MS, COUNTS_EVERY_MS, SCREEN_AT_ONCE] = [1_000, 5_000, 3]
const PACE_SPREAD = 0.4
export const RIGHTS = ['supportOperator', 'displayTableLiveAssist', 'viewCallJournal', 'viewCustomers']

export const tokenOf = (visitor: number) => `v_bench${String(visitor).padStart(20, '0')}`

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface Answered {
  status: number
  body: any
}

export function http(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: object,
  signal?: AbortSignal,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, agent, signal, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        answer.on('end', () => {
          try {
            resolve({ status: answer.statusCode ?? 0, body: text ? JSON.parse(text) : undefined })
          } catch (error) {
            reject(error)
          }
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** The text of an answer. */
function textOf(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts).toString()))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** A visitor's panel: polls for messages, and sends on request. */
export class Visitor {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #gone = new AbortController()
  #cursor = 0

  constructor(url: string, n: number) {
    this.#url = url
    this.#headers = headersOf(n)
  }

  async listen(): Promise<void> {
    while (!this.#gone.signal.aborted) {
      const answer = await http(
        'GET',
        `${this.#url}/live-assist/visitor/messages?after=${this.#cursor}&wait=25`,
        this.#headers,
        undefined,
        this.#gone.signal,
      ).catch(() => undefined)
      if (answer?.status === 200) this.#cursor = answer.body.cursor
      else await sleep(1_000)
    }
  }

  async say(text: string): Promise<number> {
    const clientId = randomUUID()
    return (await http('POST', `${this.#url}/live-assist/visitor/messages`, this.#headers, { clientId, text })).status
  }

  leave(): void {
    this.#gone.abort()
  }
}

export const headersOf = (n: number): Record<string, string> => ({
  authorization: `Visitor ${tokenOf(n)}`,
  'x-client-version': '3',
  'x-forwarded-for': `10.0.${Math.floor(n / 250)}.${n % 250}`,
})

export interface Screen {
  /** Resolves when the screen has read this text, milliseconds of performance.now(). */
  waitForText(text: string): Promise<number>
  /** Resolves on an event of the chat. */
  changed(idChat: number): Promise<number>
  /** Resolves when it has the card of a call from this phone. */
  rings(phone: string): Promise<number>
  close(): void
}

/** Subscriptions and reads of an operator's page, without a browser. */
export async function openScreen(
  { product }: BenchClinic,
  token: string,
  me: number,
  own: readonly number[],
): Promise<Screen> {
  const idChat = own[0] as number
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`, {
    perMessageDeflate: false,
  })
  hold(() => socket.terminate())
  await once(socket, 'open')
  const headers = { authorization: `Bearer ${token}` }
  const waits: { has: (text: string) => boolean; resolve: (at: number) => void }[] = []
  const settle = (text: string) => {
    const now = performance.now()
    for (const one of waits.filter(({ has }) => has(text))) {
      waits.splice(waits.indexOf(one), 1)
      one.resolve(now)
    }
  }
  const waitFor = (what: string, has: (text: string) => boolean) =>
    new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${what} did not come`)), WAIT_MS)
      waits.push({
        has,
        resolve: (at) => {
          clearTimeout(late)
          resolve(at)
        },
      })
    })
  /** @param looks whether the answers are parsed: unneeded ones cost the measuring process nothing */
  const query = (path: string, looks: boolean, everyMs = SCREEN_EVERY_MS) => {
    let paidAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      timer = undefined
      paidAt = Math.max(performance.now(), paidAt) + everyMs * (1 + PACE_SPREAD * Math.random())
      const text = await textOf(product.url + path, headers)
      if (looks) settle(text)
    }
    const again = () => {
      const due = paidAt - (SCREEN_AT_ONCE - 1) * everyMs
      timer ??= setTimeout(() => void read().catch(() => undefined), Math.max(0, due - performance.now()))
    }
    return { again, end: () => clearTimeout(timer) }
  }
  const list = query(
    `/live-assist?expand=user&limit=30&filter[status]=active&filter[handler]=human&filter[idUser]=${me}&sort=-dateLast,-id`,
    false,
  )
  const counts = query('/live-assist/counts', false, COUNTS_EVERY_MS)
  const view = query(`/live-assist/${idChat}`, false)
  const thread = query(
    `/live-assist/messages?filter[idLiveAssist]=${idChat}&expand=user,files.file&sort=-seq&limit=40`,
    true,
  )
  const calls = query('/calls/incoming', true)
  const pulse: readonly string[] = LiveAssist.pulse ?? []
  const listeners = [
    { path: 'live-assist' },
    { path: 'live-assist/messages', filter: { idLiveAssist: idChat } },
    { path: 'live-assist/notes', filter: { idLiveAssist: idChat } },
    { path: 'calls/legs', filter: { idUser: me } },
  ]
  socket.send(JSON.stringify({ controller: 'system', action: 'addListeners', data: { listeners } }))
  const [first] = await once(socket, 'message')
  if (String(first).includes('"isError":true')) throw new Error(String(first))
  socket.on('message', (received: Buffer) => {
    const { controller, data } = JSON.parse(received.toString())
    if (controller === 'live-assist') {
      settle(`chat ${data.id}`)
      const isWord = data.fields.length > 0 && data.fields.every((name: string) => pulse.includes(name))
      if (own.includes(data.id) || !isWord) list.again()
      counts.again()
      if (data.id === idChat) view.again()
    } else if (controller === 'live-assist/messages') thread.again()
    else if (controller === 'calls/legs') calls.again()
  })
  return {
    waitForText: (word) => waitFor(word, (text) => text.includes(`"${word}"`)),
    changed: (id) => waitFor(`chat ${id}`, (text) => text === `chat ${id}`),
    rings: (phone) => waitFor(phone, (text) => text.includes(phone)),
    close: () => {
      for (const one of [list, counts, view, thread, calls]) one.end()
      socket.terminate()
    },
  }
}
