/**
 * SMS over an HTTP gateway. `POST /messages { key, to, text }` answers 202 `{ id }`, or 4xx `{ message }` for a refusal;
 * `GET /messages/{id}` answers `{ status }`. The same key is one message, however often it is sent.
 * `GET /replies?after={number}` answers `{ replies: [{ number, from, text }] }`: later replies, by ascending number.
 */
import type { Exchanged } from './exchange.ts'
import { type Outbound, openOutbound } from './outbound.ts'
import type { Outcome } from './outboxMessage.ts'
import { RemoteFault, type RemoteSystem, remote } from './remote.ts'

export interface Sms {
  /** E.164 */
  to: string
  text: string
  /** Unique to this message. */
  key: string
}

/**
 * - `accepted`: the gateway has accepted it, under `id`.
 * - `failed`: the gateway refuses it, for `reason`; `isBusy`: not now, it asks to wait.
 * - `unknown`: no answer; the message may be sent all the same.
 */
export type SmsOutcome =
  | { outcome: 'accepted'; id: string }
  | { outcome: 'failed'; reason: string; isBusy?: true }
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
  if (answer.outcome === 'failed' && answer.isBusy)
    return { answer, outcome: { kind: 'later', seconds: BUSY_S, error: answer.reason } }
  return {
    answer,
    outcome:
      answer.outcome === 'failed' ? { kind: 'refused', reasons: [{ message: error }] } : { kind: 'unknown', error },
  }
}

/** Seconds until a gateway that asks to wait is asked again. */
const BUSY_S = 60

/** True when the gateway has not taken the message, and would later. */
export const isBusy = (answer: SmsOutcome): boolean => answer.outcome === 'failed' && answer.isBusy === true

/** The refusal of a gateway that asks to wait. */
export const busy: SmsOutcome = { outcome: 'failed', reason: 'Шлюз СМС просит подождать', isBusy: true }
export const WRONG_KEY = 'Шлюз СМС не принимает ключ: проверьте настройки СМС'
export const isStranger = (error: unknown): boolean => error instanceof RemoteFault && error.why === 'stranger'
export const saysBusy = (error: unknown): boolean => error instanceof RemoteFault && error.code === '429'

/** Requests of a gateway, whose journal lines are written by its callers. */
export const smsRemote = (system: Omit<RemoteSystem, 'adapter'>, outbound: Pick<Outbound, 'ask'> = openOutbound()) =>
  remote({ outbound, exchanged: async () => {} }, { ...system, adapter: 'sms', maxAnswer: MAX_ANSWER })

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
  const gateway = smsRemote(
    {
      url,
      timeout,
      ...(!through && { isOwn: true }),
      ...(token && { auth: () => ({ authorization: `Bearer ${token}` }) }),
    },
    through,
  )
  const ask = async (path: string, body?: unknown) => {
    const { status, bytes } = await gateway.quietly({
      path,
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    return { status, body: JSON.parse(bytes.toString('utf8') || '{}') as Record<string, unknown> }
  }
  return {
    knowsKeys: true,
    async send(message) {
      try {
        const { status, body } = await ask('/messages', message)
        if (status >= 400 && status < 500) return { outcome: 'failed', reason: String(body.message ?? status) }
        return status < 300 && typeof body.id === 'string'
          ? { outcome: 'accepted', id: kept(body.id).slice(0, MAX_ID) }
          : { outcome: 'unknown' }
      } catch (error) {
        if (saysBusy(error)) return busy
        return isStranger(error) ? { outcome: 'failed', reason: WRONG_KEY } : { outcome: 'unknown' }
      }
    },
    async repliesAfter(number) {
      try {
        const { body } = await ask(`/replies?after=${number}`)
        const replies = Array.isArray(body.replies) ? (body.replies as unknown[]) : []
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
        const { body } = await ask(`/messages/${encodeURIComponent(id)}`)
        return body.status === 'delivered' || body.status === 'failed' || body.status === 'accepted'
          ? body.status
          : 'unknown'
      } catch {
        return 'unknown'
      }
    },
  }
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
