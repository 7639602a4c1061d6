/**
 * Text messages over an HTTP gateway. `POST /messages { key, to, text }` answers 202 `{ id }`, or 4xx `{ message }` where
 * it refuses; `GET /messages/{id}` answers `{ status }`. The same key is one message, however often it comes.
 * `GET /replies?after={number}` answers `{ replies: [{ number, from, text }] }`: what came since, by ascending number.
 */
import type { Exchanged } from './exchange.ts'
import type { Outbound } from './outbound.ts'

export interface Sms {
  /** E.164 */
  to: string
  text: string
  /** Of this message alone. */
  key: string
}

/**
 * - `accepted`: the gateway has taken it, under `id`.
 * - `failed`: it refuses it, for `reason`.
 * - `unknown`: it fell silent; the message may go out all the same.
 */
export type SmsOutcome =
  | { outcome: 'accepted'; id: string }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'unknown' }

/** What became of a message that was accepted; `unknown`: nobody answers. */
export type SmsDelivery = 'accepted' | 'delivered' | 'failed' | 'unknown'

export interface SmsReply {
  /** Grows with each. */
  number: number
  /** E.164 */
  from: string
  text: string
}

export interface SmsGateway {
  /** The same key is one message there: what it fell silent at may be sent again. */
  knowsKeys: boolean
  send(message: Sms): Promise<SmsOutcome>
  /** What came after the reply of this number; none where nobody answers or what is said is not understood. */
  repliesAfter(number: number): Promise<SmsReply[]>
  deliveryOf(id: string): Promise<SmsDelivery>
  /** Whether the gateway answers at all. */
  answers(): Promise<boolean>
  /** A message that it fell silent at, where it can be asked by the key; undefined: nobody knows. */
  find?(message: Pick<Sms, 'to' | 'key'>): Promise<{ id: string } | 'absent' | undefined>
  /** Rubles on the account, where it says so. @throws where nobody answers */
  balance?(): Promise<number | undefined>
}

/** Milliseconds that the gateway may be silent. */
const TIMEOUT = 10_000
/** Characters: some ten thousand replies that have waited. */
const MAX_ANSWER = 5_000_000
/** Of the gateway's own number of a message. */
const MAX_ID = 128

const isReply = (value: unknown): value is SmsReply => {
  const { number, from, text } = (value ?? {}) as Partial<SmsReply>
  return Number.isSafeInteger(number) && typeof from === 'string' && typeof text === 'string'
}

/** What PostgreSQL keeps of a text. */
const kept = (text: string): string => text.replaceAll('\0', '')

/** Sends a message and tells the journal of exchange what came of it; a gateway's own words may repeat it, and stay out. */
export async function sendSms(
  { exchanged }: { exchanged(line: Exchanged): Promise<void> },
  gateway: SmsGateway,
  operation: string,
  message: Sms,
): Promise<SmsOutcome> {
  const start = performance.now()
  const answer = await gateway.send(message)
  await exchanged({
    adapter: 'sms',
    operation,
    key: message.key,
    durationMs: performance.now() - start,
    ...fates[answer.outcome],
  })
  return answer
}

const fates = {
  accepted: { status: 'accepted' },
  failed: { status: 'rejected', error: 'Шлюз отказал' },
  unknown: { status: 'network_error', error: 'Шлюз не ответил: сообщение могло уйти' },
} as const satisfies Record<SmsOutcome['outcome'], Pick<Exchanged, 'status' | 'error'>>

export interface SmsOptions {
  /** Milliseconds that the gateway may be silent. */
  timeout?: number
  /** Shown to it with each request. */
  token?: string | undefined
  /** Of an address that a user has named: it must not lead into the network of the server. */
  through?: Outbound
}

/** @param url of the gateway, without a slash at the end */
export function smsGateway(url: string, { timeout = TIMEOUT, token, through }: SmsOptions = {}): SmsGateway {
  const ask = async (path: string, body?: unknown) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const { status, text } = through
      ? await guarded(through, `${url}${path}`, headers, sent)
      : await plain(`${url}${path}`, headers, sent, timeout)
    return { status, said: JSON.parse(text.slice(0, MAX_ANSWER) || '{}') as Record<string, unknown> }
  }
  return {
    knowsKeys: true,
    async send(message) {
      try {
        const { status, said } = await ask('/messages', message)
        if (status >= 400 && status < 500) return { outcome: 'failed', reason: String(said.message ?? status) }
        return status < 300 && typeof said.id === 'string'
          ? { outcome: 'accepted', id: kept(said.id).slice(0, MAX_ID) }
          : { outcome: 'unknown' }
      } catch {
        return { outcome: 'unknown' }
      }
    },
    async repliesAfter(number) {
      try {
        const { said } = await ask(`/replies?after=${number}`)
        const replies = Array.isArray(said.replies) ? (said.replies as unknown[]) : []
        return replies.flatMap((one) =>
          isReply(one) && one.number > number ? [{ ...one, text: kept(one.text), from: kept(one.from) }] : [],
        )
      } catch {
        return []
      }
    },
    async answers() {
      try {
        return (await ask(`/replies?after=${Number.MAX_SAFE_INTEGER}`)).status < 300
      } catch {
        return false
      }
    },
    async deliveryOf(id) {
      try {
        const { said } = await ask(`/messages/${encodeURIComponent(id)}`)
        return said.status === 'delivered' || said.status === 'failed' || said.status === 'accepted'
          ? said.status
          : 'unknown'
      } catch {
        return 'unknown'
      }
    },
  }
}

type Headers = Record<string, string>

async function plain(url: string, headers: Headers, body: string | undefined, timeout: number) {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(timeout),
    redirect: 'error',
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  })
  return { status: answer.status, text: await answer.text() }
}

async function guarded(outbound: Outbound, url: string, headers: Headers, body: string | undefined) {
  const options = { headers, maxAnswer: MAX_ANSWER }
  const { status, answer } = await (body === undefined ? outbound.get(url, options) : outbound.post(url, body, options))
  return { status, text: answer }
}

/** Takes everything and sends nothing. */
export const simulatedSms: SmsGateway = {
  knowsKeys: true,
  send: async ({ key }) => ({ outcome: 'accepted', id: `simulated-${key}`.slice(0, MAX_ID) }),
  deliveryOf: async () => 'delivered',
  repliesAfter: async () => [],
  answers: async () => true,
}

/** The same gateway, which sends everything to one phone. */
export const smsToOne = (gateway: SmsGateway, phone: string): SmsGateway => ({
  ...gateway,
  send: (message) => gateway.send({ ...message, to: phone }),
})
