/**
 * Simulator of АТОЛ Онлайн, version 5, on loopback: deduplicates by our number; receipts are printed late, or fail. It
 * sends no notifications. `npm run simulate atol-online` runs it (ATOL_ONLINE_URL=http://127.0.0.1:8098).
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, say, simulator } from './simulator.ts'

/** Refusals of the cash register, as the service reports them. */
const refusals = {
  fails: 'Касса недоступна',
  driveFull: 'Исчерпан ресурс ФН',
  ofdSilent: 'Переполнение памяти ФН: документы не переданы в ОФД',
  lateShift: 'Смена превысила 24 часа',
} as const
/** `silent` accepts the receipt and drops the connection; `fails`, `driveFull`, `ofdSilent` and `lateShift` print none, each for its cause; `late` keeps it waiting; `refuses` the sign-in; `taken` forgets each token at once. */
const moods = [
  'works',
  'silent',
  'fails',
  'driveFull',
  'ofdSilent',
  'lateShift',
  'late',
  'refuses',
  'taken',
  'broken',
] as const
export type AtolOnlineMood = (typeof moods)[number]

export interface CloudReceipt {
  uuid: string
  externalId: string
  operation: string
  body: Record<string, any>
  status: 'wait' | 'done' | 'fail'
  /** Why it was not printed. */
  refusal?: string
  fd: number
}

export interface AtolOnlineSimulator extends Simulator<AtolOnlineMood> {
  receipts: CloudReceipt[]
  /** Number of sign-ins, and of attempts. */
  tokens: number
  asked: number
  /** Forgets the token: another system of the login has signed in. */
  expire(): void
}

export async function startAtolOnlineSimulator(port = 0): Promise<AtolOnlineSimulator> {
  let token = ''
  const server = await simulator({
    port,
    page: { title: 'АТОЛ Онлайн', moods, lines: () => cloud.receipts.map((one) => JSON.stringify(one, null, 1)) },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, body: string, url: URL): unknown {
    if (cloud.mood === 'broken') return say(reply, 500, {})
    if (url.pathname === '/getToken') {
      cloud.asked++
      if (cloud.mood === 'refuses')
        return say(reply, 401, { error: { code: 12, text: 'Неверный логин или пароль', type: 'system' } })
      token = randomUUID()
      cloud.tokens++
      return say(reply, 200, { error: null, token, timestamp: '' })
    }
    if (cloud.mood === 'taken') token = ''
    if (request.headers.token !== token)
      return say(reply, 401, { error: { code: 11, text: 'Token expired', type: 'system' } })
    const report = /^\/[\w-]+\/report\/([\w-]+)$/.exec(url.pathname)
    if (report) {
      const found = cloud.receipts.find(({ uuid }) => uuid === report[1])
      if (!found) return say(reply, 404, { error: { code: 34, text: 'Чек не найден', type: 'system' } })
      if (found.status === 'wait' && cloud.mood !== 'late') found.status = 'done'
      return say(reply, 200, {
        uuid: found.uuid,
        status: found.status,
        error: found.status === 'fail' ? { code: 1, text: found.refusal, type: 'driver' } : null,
        payload:
          found.status === 'done'
            ? {
                fiscal_document_number: found.fd,
                fiscal_document_attribute: 3_000_000_000 + found.fd,
                fn_number: '9999078900000001',
                shift_number: 1,
              }
            : null,
      })
    }
    const operation = url.pathname.split('/').at(-1) ?? ''
    const asked = JSON.parse(body)
    const before = cloud.receipts.find(({ externalId }) => externalId === asked.external_id)
    if (before)
      return say(reply, 200, {
        uuid: before.uuid,
        status: 'wait',
        error: { code: 33, text: 'Чек с таким external_id уже есть', type: 'system' },
      })
    const refusal = (refusals as Partial<Record<AtolOnlineMood, string>>)[cloud.mood]
    const made: CloudReceipt = {
      uuid: randomUUID(),
      externalId: asked.external_id,
      operation,
      body: asked,
      ...(refusal ? { status: 'fail', refusal } : { status: 'wait' }),
      fd: cloud.receipts.filter(({ status }) => status !== 'fail').length + 1,
    }
    cloud.receipts.push(made)
    if (cloud.mood === 'silent') {
      cloud.mood = 'works'
      return request.socket.destroy()
    }
    return say(reply, 200, { uuid: made.uuid, status: 'wait', error: null, timestamp: '' })
  }
  const cloud: AtolOnlineSimulator = Object.assign(server, {
    receipts: [],
    tokens: 0,
    asked: 0,
    expire: () => void (token = ''),
  } satisfies Partial<AtolOnlineSimulator>)
  return cloud
}

/** Port of `npm run simulate atol-online`. */
const PORT = 8098
if (import.meta.main) console.log(`АТОЛ Онлайн играется здесь: ${(await startAtolOnlineSimulator(PORT)).url}`)
