/**
 * SMS providers by their own HTTP APIs: SMSC (smsc.ru), SMS.RU, SMS Aero (v2). None of them reliably deduplicates by our
 * keys, so a message with an unknown outcome is not sent again; only SMSC can look up a message by our number.
 * Each provider's codes are in its own table.
 */
import { createHash } from 'node:crypto'
import { RemoteFault } from './remote.ts'
import {
  busy,
  isStranger,
  type Sms,
  type SmsDelivery,
  type SmsGateway,
  type SmsOutcome,
  type SmsReply,
  saysBusy,
  smsRemote,
  WRONG_KEY,
} from './sms.ts'

export type SmsProvider = 'smsc' | 'smsru' | 'smsaero'

export interface ProviderOptions {
  /** Base URL, without a trailing slash. */
  url: string
  /** Login or e-mail; SMS.RU has none. */
  login: string
  key: string
  /** Sender name registered with the provider; empty: the provider's default. */
  sender: string
  /** Milliseconds to wait for an answer. */
  timeout?: number | undefined
}

const TIMEOUT = 10_000
const MAX_REASON = 200

type JsonObject = Record<string, unknown>

/**
 * The provider's answer; an unreadable one counts as no answer.
 * @throws RemoteFault when there is no answer, a failure of the server or a request to wait; SyntaxError
 */
async function ask(
  url: string,
  path: string,
  sent: { headers: Record<string, string>; body: string },
  timeout = TIMEOUT,
): Promise<{ status: number; body: JsonObject }> {
  const { status, bytes } = await smsRemote({ url, timeout, isOwn: true }).quietly({ method: 'POST', path, ...sent })
  const parsed = JSON.parse(bytes.toString('utf8')) as unknown
  return { status, body: typeof parsed === 'object' && parsed !== null ? (parsed as JsonObject) : {} }
}

const form = (fields: Readonly<Record<string, string>>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
  body: new URLSearchParams(fields).toString(),
})

const digits = (phone: string): string => phone.replace(/\D/g, '')
const rublesOf = (value: unknown): number | undefined => {
  const number = Number(value)
  return value === undefined || value === null || value === '' || !Number.isFinite(number) ? undefined : number
}
const failed = (reason: string): SmsOutcome => ({ outcome: 'failed', reason: reason.slice(0, MAX_REASON) })

/** Returns `otherwise` when there is no answer or it is unreadable. */
async function orElse<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    return otherwise
  }
}

/** The connection was never established: the message has certainly not arrived. */
const neverLeft = (error: unknown): boolean => error instanceof RemoteFault && !error.mayHaveArrived

async function sent(work: () => Promise<SmsOutcome>): Promise<SmsOutcome> {
  try {
    return await work()
  } catch (error) {
    if (saysBusy(error)) return busy
    if (isStranger(error)) return { outcome: 'failed', reason: WRONG_KEY }
    return neverLeft(error) ? { outcome: 'failed', reason: 'Провайдер СМС недоступен' } : { outcome: 'unknown' }
  }
}

export function smsProvider(provider: SmsProvider, options: ProviderOptions): SmsGateway {
  return { smsc, smsru, smsaero }[provider](options)
}

/** SMSC: https://smsc.ru/api/http/. Error codes of sending. */
const smscErrors: Readonly<Record<number, string>> = {
  1: 'Ошибка в параметрах',
  2: 'Неверный логин или пароль SMSC',
  3: 'На счёте SMSC недостаточно средств',
  4: 'SMSC временно заблокировал адрес сервера',
  6: 'SMSC запретил это сообщение: проверьте текст и имя отправителя',
  7: 'Неверный номер телефона',
  8: 'Сообщение на этот номер не доставить',
  9: 'Такое же сообщение этому номеру ушло меньше минуты назад',
}
/** Statuses of SMSC: −1 queued, 0 passed to the operator, 1 delivered; the others are failures. */
const smscStatus = (status: number): SmsDelivery =>
  status === 1 || status === 2 || status === 4 ? 'delivered' : status === -1 || status === 0 ? 'accepted' : 'failed'
/** Our message number for SMSC: from 1 to 2³¹ − 1. */
const smscNumber = (key: string): string =>
  String((createHash('sha256').update(key).digest().readUInt32BE(0) % 2_147_483_646) + 1)

function smsc({ url, login, key: psw, sender, timeout }: ProviderOptions): SmsGateway {
  const call = (path: string, fields: Record<string, string>) =>
    ask(url, `/${path}`, form({ login, psw, fmt: '3', charset: 'utf-8', ...fields }), timeout).then(({ body }) => body)
  return {
    knowsKeys: false,
    send: ({ to, text, key }: Sms) =>
      sent(async () => {
        const body = await call('send.php', {
          phones: digits(to),
          mes: text,
          id: smscNumber(key),
          ...(sender && { sender }),
        })
        if (body.error_code !== undefined)
          return failed(smscErrors[Number(body.error_code)] ?? 'SMSC отказал в отправке')
        return body.id === undefined
          ? { outcome: 'unknown' }
          : { outcome: 'accepted', id: `${String(body.id)}:${digits(to)}` }
      }),
    deliveryOf: (id) =>
      orElse<SmsDelivery>('unknown', async () => {
        const [number = '', phone = ''] = id.split(':')
        const body = await call('status.php', { id: number, phone })
        return body.status === undefined ? 'unknown' : smscStatus(Number(body.status))
      }),
    find: ({ to, key }) =>
      orElse<Awaited<ReturnType<NonNullable<SmsGateway['find']>>>>(undefined, async () => {
        const body = await call('status.php', { id: smscNumber(key), phone: digits(to) })
        if (body.status !== undefined) return { id: `${smscNumber(key)}:${digits(to)}` }
        // 3: no such message.
        return Number(body.error_code) === 3 ? 'absent' : undefined
      }),
    repliesAfter: (number) =>
      orElse<SmsReply[]>([], async () => {
        const body = (await call('get.php', { get_answers: '1', after_id: String(number) })) as unknown
        return (Array.isArray(body) ? (body as JsonObject[]) : []).flatMap(({ id, phone, message }) => {
          const own = Number(id)
          return Number.isSafeInteger(own) && own > number && typeof message === 'string'
            ? [{ number: own, from: `+${digits(String(phone))}`, text: message.replaceAll('\0', '') }]
            : []
        })
      }),
    balance: async () => rublesOf((await call('balance.php', {})).balance),
    answers: () => orElse(false, async () => (await call('balance.php', {})).balance !== undefined),
  }
}

/** SMS.RU: codes of answers and statuses. */
const smsruErrors: Readonly<Record<number, string>> = {
  200: 'Неверный ключ SMS.RU',
  201: 'На счёте SMS.RU недостаточно средств',
  202: 'Неверный номер телефона',
  203: 'Нет текста сообщения',
  204: 'Имя отправителя не согласовано с SMS.RU',
  207: 'На этот номер сообщения не доставить',
  230: 'Превышен дневной предел сообщений на этот номер',
  231: 'Превышен предел одинаковых сообщений в минуту',
}

function smsru({ url, key, sender, timeout }: ProviderOptions): SmsGateway {
  const call = async (path: string, fields: Record<string, string>) =>
    (await ask(url, path, form({ api_id: key, json: '1', ...fields }), timeout)).body
  return {
    knowsKeys: false,
    send: ({ to, text }: Sms) =>
      sent(async () => {
        const body = await call('/sms/send', { to: digits(to), msg: text, ...(sender && { from: sender }) })
        const refuse = (code: unknown) => failed(smsruErrors[Number(code)] ?? 'SMS.RU отказал в отправке')
        if (body.status_code === undefined) return { outcome: 'unknown' }
        if (Number(body.status_code) !== 100) return refuse(body.status_code)
        const one = Object.values((body.sms ?? {}) as Record<string, JsonObject>)[0]
        if (!one) return { outcome: 'unknown' }
        if (Number(one.status_code) !== 100) return refuse(one.status_code)
        return typeof one.sms_id === 'string' ? { outcome: 'accepted', id: one.sms_id } : { outcome: 'unknown' }
      }),
    deliveryOf: (id) =>
      orElse<SmsDelivery>('unknown', async () => {
        const body = await call('/sms/status', { sms_id: id })
        const code = Number(((body.sms ?? {}) as Record<string, JsonObject>)[id]?.status_code)
        if (!Number.isFinite(code)) return 'unknown'
        return code === 103 || code === 110 ? 'delivered' : code >= 100 && code < 103 ? 'accepted' : 'failed'
      }),
    repliesAfter: async () => [],
    balance: async () => rublesOf((await call('/my/balance', {})).balance),
    answers: () => orElse(false, async () => Number((await call('/my/balance', {})).status_code) === 100),
  }
}

/** SMS Aero: statuses 1 delivered, 2 not delivered, 6 refused; the others are pending. */
const aeroStatus = (status: number): SmsDelivery =>
  status === 1 ? 'delivered' : status === 2 || status === 6 ? 'failed' : 'accepted'

function smsaero({ url, login, key, sender, timeout }: ProviderOptions): SmsGateway {
  const authorization = `Basic ${Buffer.from(`${login}:${key}`).toString('base64')}`
  const call = (path: string, body: JsonObject = {}) =>
    ask(
      url,
      path,
      {
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      timeout,
    )
  return {
    knowsKeys: false,
    send: ({ to, text }: Sms) =>
      sent(async () => {
        const { status, body } = await call('/sms/send', { number: digits(to), sign: sender || 'SMS Aero', text })
        if (status === 401) return failed('Неверная почта или ключ SMS Aero')
        if (body.success === false) return failed(String(body.message ?? 'SMS Aero отказал в отправке'))
        const id = (body.data as JsonObject | undefined)?.id
        return body.success === true && id !== undefined
          ? { outcome: 'accepted', id: String(id) }
          : { outcome: 'unknown' }
      }),
    deliveryOf: (id) =>
      orElse<SmsDelivery>('unknown', async () => {
        const { body } = await call('/sms/status', { id: Number(id) })
        const status = (body.data as JsonObject | undefined)?.status
        return status === undefined ? 'unknown' : aeroStatus(Number(status))
      }),
    repliesAfter: async () => [],
    balance: async () => rublesOf(((await call('/balance')).body.data as JsonObject | undefined)?.balance),
    answers: () => orElse(false, async () => (await call('/balance')).body.success === true),
  }
}
