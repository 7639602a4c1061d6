/**
 * Simulator of ЮKassa, version 3, on loopback: payments with a payment page, refunds, deduplication by our keys. It takes no
 * money. `npm run simulate yookassa` runs it (YOOKASSA_URL=http://127.0.0.1:8097/v3).
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, say, simulator } from './simulator.ts'

/** `silent` executes and drops the connection; `falls` too, and is `broken` from then on; `broken` answers 500; `otherSum` reports another sum; `nonsense` answers no JSON. */
const moods = [
  'works',
  'silent',
  'falls',
  'broken',
  'otherSum',
  'nonsense',
  'refuses',
  'busy',
  'pendingRefund',
  'pendingReceipt',
] as const
export type YookassaMood = (typeof moods)[number]

export interface PlayedPayment {
  id: string
  status: 'pending' | 'succeeded' | 'canceled'
  amount: { value: string; currency: string }
  confirmation: { type: string; confirmation_url?: string; confirmation_data?: string; return_url?: string }
  metadata: Record<string, string>
  receipt: unknown
  created_at: string
  method: 'bank_card' | 'sbp'
}

export interface PlayedReceipt {
  id: string
  type: string
  payment_id: string
  status: 'pending' | 'succeeded'
  items: { description: string; quantity: string; amount: { value: string }; payment_mode: string }[]
  settlements: { type: string; amount: { value: string } }[]
  fiscal_document_number: string
}

export interface YookassaSimulator extends Simulator<YookassaMood> {
  payments: Map<string, PlayedPayment>
  refunds: Map<
    string,
    {
      id: string
      payment_id: string
      status: string
      amount: { value: string; currency: string }
      metadata: Record<string, string> | undefined
      receipt: unknown
    }
  >
  /** Receipts that were asked for apart from payments and refunds. */
  receipts: Map<string, PlayedReceipt>
  /** A patient pays, or refuses to. */
  pay(id: string, status?: 'succeeded' | 'canceled'): void
  /** A day passes: keys are forgotten, what was made is a day old. */
  dayLater(): void
}

export async function startYookassaSimulator(port = 0, notify?: string): Promise<YookassaSimulator> {
  const byKey = new Map<string, string>()
  const pageOf = (id: string) => `${kassa.url.replace(/\/v3$/, '')}/page/${id}`
  const shown = (payment: PlayedPayment) => ({
    id: payment.id,
    status: payment.status,
    amount: kassa.mood === 'otherSum' ? { value: '1.00', currency: 'RUB' } : payment.amount,
    ...(payment.status === 'pending' && { confirmation: payment.confirmation }),
    ...(payment.status === 'succeeded' && { payment_method: { type: payment.method, card: { last4: '4444' } } }),
    ...(payment.status === 'canceled' && {
      cancellation_details: { party: 'yoo_money', reason: 'insufficient_funds' },
    }),
    metadata: payment.metadata,
    created_at: payment.created_at,
  })
  const sumOf = (sums: readonly (string | number)[]): number =>
    Math.round(sums.reduce<number>((all, one) => all + Number(one), 0) * 100) / 100
  /** A receipt is registered when it is asked about again. */
  const shownReceipt = (receipt: PlayedReceipt) => {
    const { fiscal_document_number, ...known } = receipt
    const shown =
      receipt.status === 'pending'
        ? known
        : {
            ...known,
            fiscal_document_number,
            fiscal_storage_number: '9960440300000001',
            fiscal_attribute: '2617603921',
          }
    if (kassa.mood !== 'pendingReceipt') receipt.status = 'succeeded'
    return shown
  }
  /** Lists in pages of one record, the newest first, as the service has them. */
  function listOf(path: string, query: URLSearchParams): object | undefined {
    const isOf = ({ payment_id }: { payment_id: string }) => payment_id === query.get('payment_id')
    const [from, to] = [query.get('created_at.gte') ?? '', query.get('created_at.lte') ?? '9']
    const lists: Record<string, () => object[]> = {
      '/payments': () => [...kassa.payments.values()].filter(({ created_at: at }) => at >= from && at <= to).map(shown),
      '/refunds': () => {
        const own = [...kassa.refunds.values()].filter(isOf)
        if (kassa.mood === 'works') for (const refund of own) refund.status = 'succeeded'
        return own
      },
      '/receipts': () => [...kassa.receipts.values()].filter(isOf).map(shownReceipt),
    }
    const found = lists[path]?.().reverse()
    if (!found) return undefined
    const at = Number(query.get('cursor') ?? 0)
    return {
      type: 'list',
      items: found.slice(at, at + 1),
      ...(at + 1 < found.length && { next_cursor: String(at + 1) }),
    }
  }
  const server = await simulator({
    port,
    page: {
      title: 'ЮKassa',
      moods,
      lines: () =>
        [...kassa.payments.values(), ...kassa.refunds.values(), ...kassa.receipts.values()].map((one) =>
          JSON.stringify(one, null, 1),
        ),
    },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, body: string, url: URL): unknown {
    const path = url.pathname.replace(/^\/v3/, '')
    const paying = /^\/page\/([\w-]+)(\/pay|\/refuse)?$/.exec(path)
    if (paying) {
      const [, id = '', act] = paying
      if (act) kassa.pay(id, act === '/pay' ? 'succeeded' : 'canceled')
      if (act && notify)
        void fetch(`${notify}/yookassa/notices`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id } }),
        }).catch(() => undefined)
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      const { amount, status, confirmation } = kassa.payments.get(id) ?? {}
      const back = confirmation?.return_url
      return reply.end(
        `<!doctype html><html lang="ru"><meta charset="utf-8"><title>ЮKassa</title><h1>Оплата ${amount?.value ?? '?'} ₽: ${status ?? 'нет'}</h1><p>${
          status === 'pending'
            ? `<a href="/page/${id}/pay">Заплатить</a> <a href="/page/${id}/refuse">Отказаться</a>`
            : ''
        }${status !== 'pending' && back ? `<a href="${back}">Вернуться в магазин</a>` : ''}</p></html>`,
      )
    }
    if (!/^Basic [\w+/=]+$/.test(request.headers.authorization ?? ''))
      return say(reply, 401, { type: 'error', code: 'invalid_credentials', description: 'Authentication failed' })
    if (kassa.mood === 'broken') return say(reply, 500, { type: 'error' })
    if (kassa.mood === 'refuses' && request.method === 'POST')
      return say(reply, 400, { type: 'error', code: 'invalid_request', description: 'Receipt is missing or illegal' })
    if (kassa.mood === 'busy') return say(reply, 429, { type: 'error', code: 'too_many_requests' })
    if (kassa.mood === 'nonsense') return reply.writeHead(200).end('<html>')
    if (request.method === 'GET') {
      const listed = listOf(path, url.searchParams)
      if (listed) return say(reply, 200, listed)
      const receipt = kassa.receipts.get(/^\/receipts\/([\w-]+)$/.exec(path)?.[1] ?? '')
      if (receipt) return say(reply, 200, shownReceipt(receipt))
      const found = kassa.payments.get(path.split('/').at(-1) ?? '')
      return found
        ? say(reply, 200, shown(found))
        : say(reply, 404, { type: 'error', code: 'not_found', description: "Payment doesn't exist" })
    }
    const key = String(request.headers['idempotence-key'] ?? '')
    if (!key)
      return say(reply, 400, { type: 'error', code: 'invalid_request', description: 'Idempotence-Key is missing' })
    const asked = JSON.parse(body)
    const silently = kassa.mood === 'silent' || kassa.mood === 'falls'
    if (silently) kassa.mood = kassa.mood === 'falls' ? 'broken' : 'works'
    if (path === '/payments') {
      let id = byKey.get(key)
      if (!id) {
        id = randomUUID()
        byKey.set(key, id)
        kassa.payments.set(id, {
          id,
          status: 'pending',
          amount: asked.amount,
          confirmation:
            asked.confirmation?.type === 'qr'
              ? { type: 'qr', confirmation_data: pageOf(id) }
              : {
                  type: 'redirect',
                  confirmation_url: pageOf(id),
                  return_url: asked.confirmation?.return_url,
                },
          metadata: asked.metadata ?? {},
          receipt: asked.receipt,
          created_at: new Date().toISOString(),
          method: asked.payment_method_data?.type === 'sbp' ? 'sbp' : 'bank_card',
        })
      }
      if (silently) return request.socket.destroy()
      return say(reply, 200, shown(kassa.payments.get(id) as PlayedPayment))
    }
    if (path === '/refunds') {
      const payment = kassa.payments.get(asked.payment_id)
      if (payment?.status !== 'succeeded')
        return say(reply, 400, { type: 'error', code: 'invalid_request', description: 'Payment is not refundable' })
      let id = byKey.get(key)
      if (!id) {
        const given = [...kassa.refunds.values()]
          .filter((one) => one.payment_id === payment.id)
          .reduce((all, one) => all + Number(one.amount.value), 0)
        if (given + Number(asked.amount.value) > Number(payment.amount.value) + 0.001)
          return say(reply, 400, { type: 'error', code: 'invalid_request', description: 'Refund is too large' })
        if (payment.receipt && !asked.receipt && asked.amount.value !== payment.amount.value)
          return say(reply, 400, { type: 'error', code: 'invalid_request', description: 'Receipt is missing' })
        id = randomUUID()
        byKey.set(key, id)
        kassa.refunds.set(id, {
          id,
          payment_id: payment.id,
          status: kassa.mood === 'pendingRefund' ? 'pending' : 'succeeded',
          amount: asked.amount,
          metadata: asked.metadata,
          receipt: asked.receipt,
        })
      }
      const refund = kassa.refunds.get(id)
      if (refund && kassa.mood === 'works') refund.status = 'succeeded'
      if (silently) return request.socket.destroy()
      return say(reply, 200, refund)
    }
    if (path === '/receipts') {
      const refuse = (description: string) => say(reply, 400, { type: 'error', code: 'invalid_request', description })
      const payment = kassa.payments.get(asked.payment_id)
      if (asked.type !== 'payment' || payment?.status !== 'succeeded') return refuse('Payment is not found')
      if (!asked.customer?.email && !asked.customer?.phone) return refuse('Customer is missing')
      let id = byKey.get(key)
      if (!id) {
        const of = (one: Pick<PlayedReceipt, 'settlements'>) => sumOf(one.settlements.map(({ amount }) => amount.value))
        const items = sumOf(
          asked.items.map((one: PlayedReceipt['items'][number]) => Number(one.amount.value) * Number(one.quantity)),
        )
        if (items !== of(asked)) return refuse('Settlements differ from items')
        const before = [...kassa.receipts.values()].filter(({ payment_id }) => payment_id === payment.id).map(of)
        if (sumOf([...before, of(asked)]) > Number(payment.amount.value)) return refuse('More is settled than was paid')
        id = randomUUID()
        byKey.set(key, id)
        const fd = String(kassa.receipts.size + 1)
        kassa.receipts.set(id, { ...asked, id, status: 'pending', fiscal_document_number: fd })
      }
      if (silently) return request.socket.destroy()
      return say(reply, 200, shownReceipt(kassa.receipts.get(id) as PlayedReceipt))
    }
    return say(reply, 404, { type: 'error' })
  }
  const kassa: YookassaSimulator = Object.assign(server, {
    url: `${server.url}/v3`,
    payments: new Map(),
    refunds: new Map(),
    receipts: new Map(),
    pay(id, status = 'succeeded') {
      const payment = kassa.payments.get(id)
      if (payment?.status === 'pending') payment.status = status
    },
    dayLater() {
      byKey.clear()
      for (const one of kassa.payments.values())
        one.created_at = new Date(Date.parse(one.created_at) - DAY_MS).toISOString()
    },
  } satisfies Partial<YookassaSimulator>)
  return kassa
}

const DAY_MS = 25 * 3_600_000

/** Port of `npm run simulate yookassa`; notifications go to the product's default port, or to the given address. */
const PORT = 8097
if (import.meta.main)
  console.log(
    `ЮKassa играется здесь: ${(await startYookassaSimulator(PORT, process.argv[2] ?? 'http://127.0.0.1:8080')).url}`,
  )
