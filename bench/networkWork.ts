/** A day's work of the people of the network, each kind a sequence of timed steps. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { headersOf, http } from './centreScreen.ts'
import { type Branch, good, type Network, PRICE } from './networkFill.ts'
import type { Person } from './networkPeople.ts'
import { telephone } from './outage.ts'

/** Acknowledged writes, for the comparison at the end. */
export interface Acknowledged {
  /** Per visitor, in order. */
  sent: string[][]
  answered: string[][]
  got: string[][]
  sessions: string[]
  visits: number[]
  payments: number[]
  orders: number[]
  documents: number[]
  /** Slots that two asked for at once, and those of them that not exactly one got. */
  rivals: number
  wrongRivals: number
}

export interface Work {
  network: Network
  /** Milliseconds by step. */
  times: Map<string, number[]>
  done: Acknowledged
  /** Each kind of work, by its name; a failed step rejects. */
  kinds: Record<Kind, () => Promise<void>>
  /** Calls that have rung, until they are over. */
  hangUps: Promise<void>[]
  /** Runs what disturbs the servers: steps meanwhile are carried out and not timed. */
  apart<T>(run: () => Promise<T>): Promise<T>
}
export type Kind = 'visit' | 'rivals' | 'chat' | 'call' | 'laboratory' | 'stock' | 'lists' | 'reports'

/** Pages of lists by role, and reports, which take turns. */
const LISTS: readonly [role: 'registrar' | 'operator' | 'laboratory' | 'keeper', path: string][] = [
  ['registrar', '/customers?limit=50&sort=surname'],
  ['registrar', '/payments?limit=50&sort=-id&expand=customer'],
  ['operator', '/live-assist?expand=user&limit=30&sort=-dateLast,-id'],
  ['operator', '/calls?limit=50&sort=-id'],
  ['laboratory', '/laboratory/orders?limit=50&sort=-id&expand=customer,doctor,filial'],
  ['keeper', '/warehouse/documents?limit=50&sort=-id'],
]
const REPORTS = ['revenue', 'visits', 'load', 'payments']

export function makeWork(
  network: Network,
  ami: Awaited<ReturnType<typeof startAmiSimulator>>,
  urlOf: () => string,
): Work {
  const times = new Map<string, number[]>()
  let paused = false
  const lists = () => Array.from({ length: network.visitors }, (): string[] => [])
  const done: Acknowledged = {
    ...{ sent: lists(), answered: lists(), got: lists(), sessions: [], visits: [], payments: [], orders: [] },
    ...{ documents: [], rivals: 0, wrongRivals: 0 },
  }
  const timed = async <T>(step: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const wasPaused = paused
    const result = await run()
    if (wasPaused || paused) return result
    const known = times.get(step)
    if (known) known.push(performance.now() - began)
    else times.set(step, [performance.now() - began])
    return result
  }
  const ask = (step: string, who: Person, method: string, path: string, body?: object) =>
    timed(step, async () => {
      const answer = await who.ask(method, path, body)
      if (answer.status >= 400)
        throw new Error(`${step}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
      return answer.body
    })
  let turn = 0
  const branch = (): Branch => network.branches[turn++ % network.branches.length] as Branch
  let serial = 0
  const hangUps: Promise<void>[] = []
  const booking = ({ idFilial }: Branch, { idUser, localStart }: { idUser: number; localStart: string }) => ({
    ...{ idCustomer: network.patient(), idFilial, localDate: network.today },
    coupons: [{ idUser, localStart, services: [{ idService: network.idService }] }],
  })

  async function visit(): Promise<void> {
    const here = branch()
    const { registrar } = here.staff
    const time = here.slot()
    const body = booking(here, time)
    const { id } = await ask('book', registrar, 'POST', '/appointments/book', body)
    done.visits.push(id)
    await ask('day of a branch', registrar, 'GET', `/appointments/day?idFilial=${here.idFilial}&date=${network.today}`)
    await ask('visit: arrived', registrar, 'POST', `/appointments/${id}/status`, { status: 'arrived' })
    await ask('visit: in progress', time.doctor, 'POST', `/appointments/${id}/status`, { status: 'inProgress' })
    await ask('visit: completed', time.doctor, 'POST', `/appointments/${id}/status`, { status: 'completed' })
    const method = done.payments.length % 3 === 0 ? 'cash' : 'card'
    const payment = await ask(`payment: ${method}`, registrar, 'POST', '/payments/take', {
      ...{ key: `network-pay-${++serial}`, idDesk: here.idDesk, idCustomer: body.idCustomer },
      parts: [{ method, sum: PRICE }],
    })
    done.payments.push(payment.id)
  }

  /** The registrar and the call centre book the same time at once: one of them gets it. */
  async function rivals(): Promise<void> {
    const here = branch()
    const time = here.slot()
    const answers = await Promise.all(
      [here.staff.registrar, here.staff.operator].map((who) =>
        timed('book, with a rival', () => who.ask('POST', '/appointments/book', booking(here, time))),
      ),
    )
    done.rivals++
    const statuses = answers.map(({ status }) => status).sort()
    if (statuses.join() !== '201,409') {
      done.wrongRivals++
      throw new Error(`rivals: ${statuses} ${JSON.stringify(answers.map(({ body }) => body)).slice(0, 200)}`)
    }
  }

  /** Visitors who do not write now. The chat of the last one has no operator at work. */
  const silent = Array.from({ length: network.visitors - 1 }, (_, at) => at)
  async function chat(): Promise<void> {
    const at = silent.shift()
    if (at === undefined) return
    try {
      const operator = (network.branches[at % network.branches.length] as Branch).staff.operator
      const no = ++serial
      const [text, reply] = [`вопрос ${no}`, `ответ ${no}`]
      const arrived = timed('chat: the event at the operator', () => operator.waitForEvent('live-assist', at + 1))
      arrived.catch(() => undefined)
      await timed('chat: a visitor writes', async () => {
        const message = { clientId: randomUUID(), text }
        const { status, body } = await http(
          'POST',
          `${urlOf()}/live-assist/visitor/messages`,
          headersOf(at + 1),
          message,
        )
        if (status !== 201) throw new Error(`a visitor writes: ${status} ${JSON.stringify(body).slice(0, 200)}`)
      })
      done.sent[at]?.push(text)
      await arrived
      const message = { idLiveAssist: at + 1, clientId: randomUUID(), message: reply }
      await ask('chat: an operator answers', operator, 'POST', '/live-assist/messages', message)
      done.answered[at]?.push(reply)
    } finally {
      silent.push(at)
    }
  }

  async function call(): Promise<void> {
    const session = `day-${done.sessions.length + 1}`
    const at = done.sessions.push(session) % network.branches.length
    const { operator } = (network.branches[at] as Branch).staff
    hangUps.push(telephone(ami, session, String(2_000 + at), at % 3 !== 0))
    await timed('call: the event of ringing', () => operator.waitForEvent('calls/legs'))
    await ask('call: the card of who rings', operator, 'GET', '/calls/incoming')
  }

  async function laboratory(): Promise<void> {
    const here = branch()
    const { registrar, laboratory: lab } = here.staff
    const { id } = await ask('laboratory: order', registrar, 'POST', '/laboratory/orders/place', {
      ...{ idCustomer: network.patient(), idFilial: here.idFilial, tests: [network.idTest] },
    })
    const { samples, items } = await ask('laboratory: lines of an order', lab, 'GET', `/laboratory/orders/${id}/lines`)
    const code = samples[0].barcode
    await ask('laboratory: sample', lab, 'POST', '/laboratory/samples/scan', { code, step: 'take' })
    const values = [{ idItem: items[0].id, idAnalyte: network.idAnalyte, value: '4.2' }]
    await ask('laboratory: result entered', lab, 'POST', '/laboratory/results/enter', { values })
    const shown = good(await lab.ask('GET', `/laboratory/orders/${id}/lines`))
    const ids = shown.items.flatMap((item: { values: { id: number }[] }) => item.values.map((value) => value.id))
    await ask('laboratory: result checked', lab, 'POST', '/laboratory/results/technical', { ids })
    await ask('laboratory: result approved', lab, 'POST', '/laboratory/results/medical', { ids })
    done.orders.push(id)
  }

  async function stock(): Promise<void> {
    const { idWarehouse, staff } = branch()
    const { keeper } = staff
    const idProduct = network.goods[serial++ % network.goods.length]
    const document = async (what: string, body: object, line: object) => {
      const { id } = await ask('stock: draft', keeper, 'POST', '/warehouse/documents', {
        localDate: network.today,
        ...body,
      })
      await ask('stock: line', keeper, 'POST', '/warehouse/lines', { idDocument: id, idProduct, ...line })
      await ask(what, keeper, 'POST', `/warehouse/documents/${id}/post`, {})
      done.documents.push(id)
    }
    const { idSupplier } = network
    await document(
      'stock: receipt posted',
      { kind: 'receipt', idTo: idWarehouse, idSupplier },
      { qty: 10, price: 12.34 },
    )
    await document('stock: issue posted', { kind: 'issue', idFrom: idWarehouse }, { qty: 3 })
  }

  let list = 0
  async function readList(): Promise<void> {
    const [role, path] = LISTS[list++ % LISTS.length] as (typeof LISTS)[number]
    await ask('a list', branch().staff[role], 'GET', path)
  }

  let report = 0
  async function readReport(): Promise<void> {
    const key = REPORTS[report++ % REPORTS.length]
    const span = `from=${network.today}&until=${network.today}`
    await ask('a report', branch().staff.operator, 'GET', `/reports/${key}?${span}`)
  }

  const kinds = { visit, rivals, chat, call, laboratory, stock, lists: readList, reports: readReport }
  const apart = async <T>(run: () => Promise<T>): Promise<T> => {
    paused = true
    try {
      return await run()
    } finally {
      paused = false
    }
  }
  return { network, times, done, kinds, hangUps, apart }
}

/** Visitors' panels wait for answers and keep them. @returns ends the waiting, with a last look */
export function listenVisitors({ network, done }: Work, urlOf: () => string): () => Promise<unknown> {
  let over = false
  const listening = Array.from({ length: network.visitors }, async (_, at) => {
    let cursor = 0
    const round = async (wait: number) => {
      const path = `/live-assist/visitor/messages?after=${cursor}&wait=${wait}`
      const answer = await http('GET', urlOf() + path, headersOf(at + 1)).catch(() => undefined)
      if (answer?.status !== 200) return sleep(1_000)
      for (const { kind, text } of answer.body.messages) if (kind === 'staff') done.got[at]?.push(text)
      cursor = answer.body.cursor
    }
    while (!over) await round(10)
    await round(0)
  })
  return () => {
    over = true
    return Promise.all(listening)
  }
}
