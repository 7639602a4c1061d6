/**
 * SMS over an HTTP gateway. `POST /messages { key, to, text }` answers 202 `{ id }`, or 4xx `{ message }` for a refusal;
 * `GET /messages/{id}` answers `{ status }`. The same key is one message, however often it is sent.
 * `GET /replies?after={number}` answers `{ replies: [{ number, from, text }] }`: later replies, by ascending number.
 */
import type { Exchanged } from './exchange.ts'
import type { Outbound } from './outbound.ts'
import type { Outcome } from './outboxMessage.ts'

export interface Sms {
  /** E.164 */
  to: string
  text: string
  /** Unique to this message. */
  key: string
}

/**
 * - `accepted`: the gateway has accepted it, under `id`.
 * - `failed`: the gateway refuses it, for `reason`.
 * - `unknown`: no answer; the message may be sent all the same.
 */
export type SmsOutcome =
  | { outcome: 'accepted'; id: string }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'unknown' }

/** Delivery state of an accepted message; `unknown`: no answer. */
export type SmsDelivery = 'accepted' | 'delivered' | 'failed' | 'unknown'

export interface SmsReply {
  /** Increasing. */
  number: number
  /** E.164 */
  from: string
  text: string
}

export interface SmsGateway {
  /** The gateway deduplicates by key: a message with an unknown outcome may be sent again. */
  knowsKeys: boolean
  send(message: Sms): Promise<SmsOutcome>
  /** Replies after this number; none when there is no answer or it cannot be parsed. */
  repliesAfter(number: number): Promise<SmsReply[]>
  deliveryOf(id: string): Promise<SmsDelivery>
  /** True when the gateway answers at all. */
  answers(): Promise<boolean>
  /** Looks up a message of unknown outcome by its key, where supported; undefined: unknown. */
  find?(message: Pick<Sms, 'to' | 'key'>): Promise<{ id: string } | 'absent' | undefined>
  /** Rubles on the account, where supported. @throws when there is no answer */
  balance?(): Promise<number | undefined>
}

/** Milliseconds to wait for the gateway. */
const TIMEOUT = 10_000
/** Characters: some ten thousand pending replies. */
const MAX_ANSWER = 5_000_000
/** Length limit of the gateway's message number. */
const MAX_ID = 128

const isReply = (value: unknown): value is SmsReply => {
  const { number, from, text } = (value ?? {}) as Partial<SmsReply>
  return Number.isSafeInteger(number) && typeof from === 'string' && typeof text === 'string'
}

/** Removes what PostgreSQL cannot store in a text. */
const kept = (text: string): string => text.replaceAll('\0', '')

/** Sends a message and records the result in the exchange journal; the gateway's text may repeat it, so it is left out. */
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

/** Sends a message of the outbox. The gateway's reason may repeat the text: it is no part of the outcome. */
export async function texted(gateway: SmsGateway, message: Sms): Promise<{ outcome: Outcome; answer: SmsOutcome }> {
  const answer = await gateway.send(message)
  if (answer.outcome === 'accepted') return { answer, outcome: { kind: 'done' } }
  const { error } = fates[answer.outcome]
  return {
    answer,
    outcome:
      answer.outcome === 'failed' ? { kind: 'refused', reasons: [{ message: error }] } : { kind: 'unknown', error },
  }
}

export interface SmsOptions {
  /** Milliseconds to wait for the gateway. */
  timeout?: number
  /** Sent with each request. */
  token?: string | undefined
  /** Guard for an address entered by a user: it must not lead into the server's network. */
  through?: Outbound
}

/** @param url of the gateway, without a trailing slash */
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

/** Accepts everything and sends nothing. */
export const simulatedSms: SmsGateway = {
  knowsKeys: true,
  send: async ({ key }) => ({ outcome: 'accepted', id: `simulated-${key}`.slice(0, MAX_ID) }),
  deliveryOf: async () => 'delivered',
  repliesAfter: async () => [],
  answers: async () => true,
}

/** The same gateway, with everything redirected to one phone. */
export const smsToOne = (gateway: SmsGateway, phone: string): SmsGateway => ({
  ...gateway,
  send: (message) => gateway.send({ ...message, to: phone }),
})
