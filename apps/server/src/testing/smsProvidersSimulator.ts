/**
 * Simulators of SMSC, SMS.RU and SMS Aero on loopback, each with its own API and one account: they store messages and send
 * nothing. `npm run simulate sms-providers` runs them (SMSC_URL=http://127.0.0.1:8099/smsc, SMSRU_URL=…/smsru, SMSAERO_URL=…/aero).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, say, simulator } from './simulator.ts'

/** `silent` accepts and drops the connection; `deaf` drops the connection without accepting; `fails` does not deliver. */
const moods = ['delivers', 'fails', 'silent', 'deaf', 'noMoney', 'wrongSender', 'wrongKey', 'broken'] as const
export type CarrierMood = (typeof moods)[number]

export interface CarriedSms {
  provider: 'smsc' | 'smsru' | 'aero'
  id: string
  to: string
  text: string
  sender: string
}

export interface CarriersSimulator extends Simulator<CarrierMood> {
  messages: CarriedSms[]
  balance: number
  replies: { id: number; phone: string; message: string }[]
}

export async function startCarriersSimulator(port = 0): Promise<CarriersSimulator> {
  const keep = (one: CarriedSms) => {
    carriers.messages.push(one)
    carriers.balance -= 5
    return one
  }
  const server = await simulator({
    port,
    page: { title: 'Провайдеры СМС', moods, lines: () => carriers.messages.map((one) => JSON.stringify(one)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, body: string, url: URL): unknown {
    if (carriers.mood === 'broken') return reply.writeHead(502).end('<html>')
    const [, provider, ...rest] = url.pathname.split('/')
    const path = rest.join('/')
    const isSend = path === 'send.php' || path === 'sms/send'
    if (isSend && carriers.mood === 'deaf') return request.socket.destroy()
    const { mood } = carriers
    const silently = isSend && mood === 'silent'
    const form = provider === 'aero' ? {} : (Object.fromEntries(new URLSearchParams(body)) as Record<string, string>)
    const isKnown = mood !== 'wrongKey'
    if (provider === 'smsc') {
      const refuse = (error_code: number, error: string) => say(reply, 200, { error, error_code })
      if (!isKnown || !form.login || !form.psw) return refuse(2, 'authorise error')
      if (path === 'balance.php') return say(reply, 200, { balance: carriers.balance.toFixed(2) })
      if (path === 'get.php')
        return say(
          reply,
          200,
          carriers.replies.filter(({ id }) => id > Number(form.after_id)),
        )
      if (path === 'status.php') {
        const found = carriers.messages.find(({ id, to }) => id === form.id && to === form.phone)
        return found ? say(reply, 200, { status: mood === 'fails' ? 20 : 1 }) : refuse(3, 'message not found')
      }
      if (mood === 'noMoney') return refuse(3, 'no money')
      if (mood === 'wrongSender') return refuse(6, 'message is denied')
      const made = keep({
        provider,
        id: form.id ?? '',
        to: form.phones ?? '',
        text: form.mes ?? '',
        sender: form.sender ?? '',
      })
      if (silently) return request.socket.destroy()
      return say(reply, 200, { id: Number(made.id), cnt: 1 })
    }
    if (provider === 'smsru') {
      if (!isKnown || !form.api_id) return say(reply, 200, { status: 'ERROR', status_code: 200 })
      if (path === 'my/balance') return say(reply, 200, { status: 'OK', status_code: 100, balance: carriers.balance })
      if (path === 'sms/status')
        return say(reply, 200, {
          status: 'OK',
          status_code: 100,
          sms: { [form.sms_id ?? '']: { status_code: mood === 'fails' ? 105 : 103 } },
        })
      if (mood === 'noMoney') return say(reply, 200, { status: 'ERROR', status_code: 201 })
      if (mood === 'wrongSender')
        return say(reply, 200, { status: 'OK', status_code: 100, sms: { [form.to ?? '']: { status_code: 204 } } })
      const made = keep({
        provider,
        id: `ru-${carriers.messages.length + 1}`,
        to: form.to ?? '',
        text: form.msg ?? '',
        sender: form.from ?? '',
      })
      if (silently) return request.socket.destroy()
      return say(reply, 200, {
        status: 'OK',
        status_code: 100,
        sms: { [made.to]: { status_code: 100, sms_id: made.id } },
      })
    }
    if (provider !== 'aero') return say(reply, 404, {})
    if (!isKnown || !request.headers.authorization?.startsWith('Basic '))
      return say(reply, 401, { success: false, message: 'Unauthorized' })
    const asked = JSON.parse(body || '{}') as { id?: number; number?: string; text?: string; sign?: string }
    if (path === 'balance') return say(reply, 200, { success: true, data: { balance: carriers.balance } })
    if (path === 'sms/status') return say(reply, 200, { success: true, data: { status: mood === 'fails' ? 2 : 1 } })
    if (mood === 'noMoney') return say(reply, 200, { success: false, message: 'Недостаточно средств' })
    if (mood === 'wrongSender') return say(reply, 200, { success: false, message: 'Имя отправителя не найдено' })
    const made = keep({
      provider,
      id: String(carriers.messages.length + 1),
      to: asked.number ?? '',
      text: asked.text ?? '',
      sender: asked.sign ?? '',
    })
    if (silently) return request.socket.destroy()
    return say(reply, 200, { success: true, data: { id: Number(made.id), status: 8 } })
  }
  const carriers: CarriersSimulator = Object.assign(server, {
    messages: [],
    balance: 1000,
    replies: [],
  } satisfies Partial<CarriersSimulator>)
  return carriers
}

/** Port of `npm run simulate sms-providers`. */
const PORT = 8099
if (import.meta.main) console.log(`Провайдеры СМС играются здесь: ${(await startCarriersSimulator(PORT)).url}`)
