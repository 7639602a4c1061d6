/** Part 3: fifteen hundred subscriptions to one path, one write; against a bare `ws` server that sends the same bytes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type BenchClinic, hold, type Process } from './clinic.ts'
import { heldBytes } from './memory.ts'
import { bytes, type Line, median, ms, type Part } from './table.ts'

const CLIENTS = 1_500
/** Different users, each with the maximum number of windows. */
const PEOPLE = 50
const OPENING_AT_ONCE = 50
const WRITES = 7
const WAIT_MS = 20_000
const PATH = 'tasks-management/assigned'

interface Crowd {
  /** When the last client received the message with this mark, in milliseconds of performance.now(). */
  waitForEvent(mark: string): Promise<{ last: number; first: number; text: string }>
  bytesPerClient: number
  close(): void
}

export async function measureSockets(clinic: BenchClinic): Promise<Part> {
  const { data } = clinic
  const logins = data.idUsers.slice(0, PEOPLE).map((_, i) => `bench-${i + 1}`)
  const tokens: string[] = []
  for (const login of logins) tokens.push(await clinic.signIn(login))
  const writer = await clinic.signIn('bench-admin')

  const ours = await gather(clinic.product, tokens)
  const theirs = await gather(clinic.bare, ['none'])

  const times = { product: [] as number[], answer: [] as number[], bare: [] as number[], spread: [] as number[] }
  const card = await firstCard(clinic, writer)
  for (let i = 0; i <= WRITES; i++) {
    const arrived = ours.waitForEvent(`"id":${card},`)
    const began = performance.now()
    const response = await fetch(`${clinic.product.url}/${PATH}/${card}/move`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${writer}` },
      body: JSON.stringify({ at: i % 2 === 0 ? 'last' : 'first' }),
    })
    const answered = performance.now() - began
    if (!response.ok) throw new Error(`move: ${response.status} ${await response.text()}`)
    await response.text()
    const { last, first, text } = await arrived

    const echoed = theirs.waitForEvent(`"id":${card},`)
    const bareBegan = performance.now()
    await fetch(`${clinic.bare.url}/broadcast`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const bare = (await echoed).last - bareBegan
    // The first round is the warm-up.
    if (i === 0) continue
    times.product.push(last - began)
    times.spread.push(last - first)
    times.answer.push(answered)
    times.bare.push(bare)
  }
  ours.close()
  theirs.close()
  const lines: Line[] = [
    {
      what: `write → the last of ${CLIENTS} has the event`,
      product: ms(median(times.product)),
      yardstick: ms(median(times.bare)),
      ratio: median(times.product) / median(times.bare),
    },
    { what: '  of it: until the write is answered', product: ms(median(times.answer)) },
    { what: '  of it: from the first client to the last', product: ms(median(times.spread)) },
    {
      what: 'server memory per client (heap + buffers)',
      product: bytes(ours.bytesPerClient),
      yardstick: bytes(theirs.bytesPerClient),
      ratio: ours.bytesPerClient / theirs.bytesPerClient,
    },
  ]
  return {
    title: `Realtime: ${CLIENTS} clients of ${PEOPLE} people listen to ${PATH}`,
    lines,
    notes: [
      'the product also writes to PostgreSQL, reads history and asks who sees the card; the yardstick only sends',
    ],
  }
}

async function firstCard(clinic: BenchClinic, token: string): Promise<number> {
  const [idColumn] = clinic.data.bigBoard.idColumns
  const response = await fetch(`${clinic.product.url}/${PATH}?filter[idColumn]=${idColumn}&limit=1&fields=id`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { items } = (await response.json()) as { items: { id: number }[] }
  return (items[0] as { id: number }).id
}

/** Opens the clients in groups; each group is subscribed before the next one connects. */
async function gather(server: Process, tokens: string[]): Promise<Crowd> {
  const before = await heldBytes(server)
  const clients: WebSocket[] = []
  const close = () => {
    for (const client of clients) client.terminate()
  }
  hold(close)
  let mark: string | undefined
  let left = 0
  let first = 0
  let done: ((event: { last: number; first: number; text: string }) => void) | undefined

  const listen = (i: number) =>
    new Promise<void>((resolve, reject) => {
      const token = encodeURIComponent(tokens[i % tokens.length] as string)
      const client = new WebSocket(`${server.url.replace('http', 'ws')}/ws?token=${token}`, {
        perMessageDeflate: false,
      })
      clients.push(client)
      client.on('error', reject)
      client.on('open', () =>
        client.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: PATH } })),
      )
      client.on('message', (received: Buffer) => {
        const text = received.toString()
        if (text.includes('addListener')) {
          if (text.includes('"isError":true')) reject(new Error(text))
          resolve()
          return
        }
        if (!mark || !text.includes(mark)) return
        if (left === clients.length) first = performance.now()
        left--
        if (left === 0) done?.({ last: performance.now(), first, text })
      })
    })

  for (let i = 0; i < CLIENTS; i += OPENING_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(OPENING_AT_ONCE, CLIENTS - i) }, (_, k) => listen(i + k)))
  }
  await sleep(1_000)
  return {
    bytesPerClient: ((await heldBytes(server)) - before) / CLIENTS,
    close,
    waitForEvent: (wanted) =>
      new Promise((resolve, reject) => {
        mark = wanted
        left = clients.length
        const late = setTimeout(
          () => reject(new Error(`${left} of ${clients.length} clients received nothing`)),
          WAIT_MS,
        )
        done = (event) => {
          clearTimeout(late)
          resolve(event)
        }
      }),
  }
}
