/**
 * Load test of a clinic's connections: receipts through the desk agent, payments by links, SMS and calls of a cloud exchange,
 * with all faults of their simulators, while servers and the agent are killed. Then: a receipt from the button to
 * «напечатан», and 300 agents on one server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startKktSimulator } from '../apps/server/src/testing/kktSimulator.ts'
import { startCarriersSimulator } from '../apps/server/src/testing/smsProvidersSimulator.ts'
import { startYookassaSimulator } from '../apps/server/src/testing/yookassaSimulator.ts'
import { type BenchClinic, freePort, hold, type Process, startClinic } from './clinic.ts'
import { heldBytes } from './memory.ts'
import { bytes, type Line, median, ms, type Part } from './table.ts'

const KILL_SERVER_MS = 30_000
const KILL_AGENT_MS = 7_000
const MOOD_MS = 1_500
const WAIT_MS = 90 * 60_000
/** Concurrency per kind. */
const AT_ONCE = 4
/** A payment waits for ЮKassa's silence most of its time. */
const PAYMENTS_AT_ONCE = 16
const RECEIPTS = 30
const AGENTS = 300
const OVER_MS = 300
/** Maximum bytes of the server per agent connection. */
const AGENT_BYTES = 200 * 1024
const SALT = { key: 'bench-key', secret: 'bench-salt' }

/** @param items of the load: receipts, payments, messages and calls together */
export async function measureConnect(items: number): Promise<Part> {
  const [kkt, kassa, carriers] = await Promise.all([
    startKktSimulator(),
    startYookassaSimulator(),
    startCarriersSimulator(),
  ])
  for (const one of [kkt, kassa, carriers]) hold(() => one.close())
  const clinic = await startClinic({
    tasks: 500,
    users: 3,
    durable: false,
    env: { YOOKASSA_URL: kassa.url, SMSC_URL: `${carriers.url}/smsc` },
  })
  const servers: Process[] = [clinic.product, await clinic.another()]
  const door = await openDoor(() => servers)
  const token = await clinic.signIn('bench-admin')
  const ask = asker(door, token, () => clinic.signIn('bench-admin', door))
  const place = await setUp(clinic, ask, door, kkt.url)
  const agent = keepAgent(place.agent)
  const time = await timeOfReceipts(ask, clinic, kkt, place)
  const lines = items > 0 ? await storm({ clinic, servers, ask, place, agent, kkt, kassa, carriers, door }, items) : []
  agent.stop()
  const crowd = await crowdOfAgents(clinic, servers[0] as Process, token)
  return {
    title: `Connected: ${items.toLocaleString('en')} receipts, payments, messages and calls while servers and the agent are killed`,
    lines: [...lines, ...time, ...crowd],
    notes: [
      '2 servers, 1 agent, 1 PostgreSQL; every mood of the register, of ЮKassa and of SMSC, changed each 1.5 s',
      'a register, a payment and a message that nobody knows the fate of wait for a person: they are counted, and none is repeated',
    ],
  }
}

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>

/** Retries until there is an answer: a killed server gives none, and a session ends during a long load. */
function asker(door: string, first: string, signIn: () => Promise<string>): Ask {
  let token = first
  return async (method, path, body) => {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await fetch(door + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        })
        const text = await answer.text()
        if (answer.status === 401 && tries < 200) {
          token = await signIn().catch(() => token)
          continue
        }
        if (answer.status < 500 && answer.status !== 429)
          return { status: answer.status, body: JSON.parse(text || 'null') }
        if (tries > 200) return { status: answer.status, body: text }
      } catch (error) {
        if (tries > 200) throw error
      }
      await sleep(200)
    }
  }
}

const must = async (answer: Promise<{ status: number; body: any }>): Promise<any> => {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** One address in front of the running servers, for pages, websockets and notifications. */
async function openDoor(servers: () => readonly Process[]): Promise<string> {
  let turn = 0
  const server = createServer((inside) => {
    const all = servers()
    const { port } = new URL((all[turn++ % all.length] as Process).url)
    // Patients come from addresses of their own: the limits of one address are not what is measured.
    const localAddress = `127.${1 + (turn % 200)}.${1 + (Math.floor(turn / 200) % 200)}.1`
    const outside = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    inside.on('error', () => outside.destroy())
    outside.on('error', () => inside.destroy())
    inside.pipe(outside).pipe(inside)
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  hold(() => void server.close())
  return `http://127.0.0.1:${port}`
}

interface Place {
  idDesk: number
  idOnline: number
  customers: number[]
  template: number
  agent: { folder: string; server: string; token: string }
}

async function setUp({ client }: BenchClinic, ask: Ask, door: string, kkt: string): Promise<Place> {
  await must(
    ask('PUT', '/settings/common', {
      ...{ smsMode: 'prod', smsProvider: 'smsc', smsLogin: 'bench', smsKey: 'bench', smsLowBalance: 0 },
      ...{ telephonyProvider: 'mango', telephonyKey: SALT.key, telephonySecret: SALT.secret },
      messageHours: { start: '00:00', end: '23:59' },
      _versions: {},
    }),
  )
  const { rows: filials } = await client.query<{ id: number }>(
    `insert into filials ("nameFilial", "timeZone") values ('Замер', 'Europe/Moscow') returning "id"::int as id`,
  )
  const idFilial = filials[0]?.id
  const { id: idOrganization } = await must(
    ask('POST', '/organizations', { kind: 'own', shortName: 'ООО «Замер»', inn: '7707083893', taxSystem: 'usnIncome' }),
  )
  const { id: idAgent } = await must(ask('POST', '/desk-agents', { name: 'Замер' }))
  const { text } = await must(ask('POST', `/desk-agents/${idAgent}/file`))
  const token = /"token": "([\w-]+)"/.exec(text)?.[1] as string
  const folder = mkdtempSync(join(tmpdir(), 'ordinator-bench-agent-'))
  hold(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'agent.mjs'), text)
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ server: door }))
  const desk = (body: object) => must(ask('POST', '/cash-desks', { idFilial, idOrganization, refundLimit: 1, ...body }))
  const { id: idDesk } = await desk({ name: 'Касса', kktMode: 'atol', idAgent, kktAddress: kkt, terminalMode: 'none' })
  const { id: idOnline } = await desk({
    ...{ name: 'Ссылки', kktMode: 'none', terminalMode: 'yookassa', payShop: '1', paySecret: 'bench' },
  })
  const { rows } = await client.query<{ id: number }>(`insert into customers ("surname", "name", "phone")
    select 'Замер' || i, 'Иван', '+7916' || lpad(i::text, 7, '0') from generate_series(1, 200) i returning "id"::int as id`)
  const template = await must(
    ask('POST', '/message-templates', { name: 'Замер', event: 'custom', text: 'Ждём вас, {имя}', active: true }),
  )
  await must(ask('POST', '/cash-shifts/open', { key: 'bench-shift-1', idDesk }))
  return {
    idDesk,
    idOnline,
    customers: rows.map(({ id }) => id),
    template: template.id,
    agent: { folder, server: door, token },
  }
}

/** The agent as a process that can be killed and is restarted. */
function keepAgent({ folder }: Place['agent']) {
  let child: ChildProcess
  let isStopped = false
  const start = () => {
    child = spawn(process.execPath, [join(folder, 'agent.mjs')], { stdio: 'ignore' })
    child.once('exit', () => !isStopped && start())
  }
  start()
  const stop = () => {
    isStopped = true
    child.kill('SIGKILL')
  }
  hold(stop)
  return { kill: () => void child.kill('SIGKILL'), stop }
}

interface Storm {
  clinic: BenchClinic
  servers: Process[]
  ask: Ask
  place: Place
  agent: ReturnType<typeof keepAgent>
  kkt: Awaited<ReturnType<typeof startKktSimulator>>
  kassa: Awaited<ReturnType<typeof startYookassaSimulator>>
  carriers: Awaited<ReturnType<typeof startCarriersSimulator>>
  door: string
}

const moods = {
  kkt: [
    'works',
    'noPaper',
    'works',
    'cover',
    'works',
    'silentBefore',
    'silentAfter',
    'works',
    'lost',
    'tornPaper',
    'works',
    'repeat',
    'broken',
    'works',
    'nonsense',
    'slow',
    'offline',
    'works',
  ],
  kassa: ['works', 'silent', 'works', 'broken', 'works', 'nonsense', 'works'],
  carriers: ['delivers', 'silent', 'delivers', 'deaf', 'delivers', 'fails', 'broken', 'delivers'],
} as const

async function storm(world: Storm, items: number): Promise<Line[]> {
  const { clinic, servers, ask, place, agent, kkt, kassa, carriers, door } = world
  const { client } = clinic
  const share = Math.max(1, Math.floor(items / 4))
  const printedBefore = kkt.documents.length
  let isOver = false
  let kills = 0
  let agentKills = 0
  const killing = (async () => {
    while (!isOver) {
      await sleep(KILL_SERVER_MS)
      if (isOver) return
      const at = kills++ % servers.length
      ;(servers[at] as Process).kill()
      for (let next: Process | undefined; !next; ) {
        next = await clinic.another().catch((error) => void console.error(String(error)))
        if (next) servers[at] = next
      }
    }
  })()
  const timers = [
    setInterval(() => {
      agentKills++
      agent.kill()
    }, KILL_AGENT_MS),
  ]
  let turn = 0
  timers.push(
    setInterval(() => {
      turn++
      kkt.mood = moods.kkt[turn % moods.kkt.length] as (typeof moods.kkt)[number]
      kassa.mood = moods.kassa[turn % moods.kassa.length] as (typeof moods.kassa)[number]
      carriers.mood = moods.carriers[turn % moods.carriers.length] as (typeof moods.carriers)[number]
    }, MOOD_MS),
  )
  const customer = (at: number) => place.customers[at % place.customers.length] as number
  const began = performance.now()
  const many = async (what: string, work: (at: number) => Promise<unknown>, atOnce = AT_ONCE) => {
    let next = 0
    const worker = async () => {
      for (let at = next++; at < share; at = next++) {
        await work(at)
        if (at % 250 === 249) console.log(`  ${Math.round((performance.now() - began) / 1000)} s: ${at + 1} ${what}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }
  const links: number[] = []
  await Promise.all([
    many('receipts', (at) =>
      must(
        ask('POST', '/payments/take', {
          ...{ key: `bench-cash-${at}`, idDesk: place.idDesk, idCustomer: customer(at) },
          parts: [{ method: 'cash', sum: (10_000 + at) / 100 }],
        }),
      ),
    ),
    many(
      'payments',
      async (at) => {
        const key = `bench-link-${at}`
        const link = await must(
          ask('POST', '/payment-links/make', {
            key,
            idDesk: place.idOnline,
            idCustomer: customer(at),
            sum: 200,
            days: 1,
          }),
        )
        links.push(link.id)
        const path = new URL(link.url).pathname
        for (let tries = 0; tries < 200; tries++) {
          const answer = await fetch(door + path, { redirect: 'manual' }).catch(() => undefined)
          const id = answer?.headers.get('location')?.split('/').at(-1)
          if (id && kassa.payments.has(id)) {
            kassa.pay(id)
            await fetch(`${door}/yookassa/notices`, { method: 'POST', body: JSON.stringify({ object: { id } }) }).catch(
              () => {},
            )
            return
          }
          await sleep(300)
        }
      },
      PAYMENTS_AT_ONCE,
    ),
    many('messages', (at) =>
      client.query(
        `insert into messages ("idCustomer", "event", "idTemplate", "key", "phone", "status")
          select p."id", 'custom', $1, 'bench-' || $2::text, p."phone", 'queued' from customers p where p."id" = $3`,
        [place.template, at, customer(at)],
      ),
    ),
    many('calls', async (at) => {
      for (const told of shuffled(callOf(at), at)) await tellMango(door, told)
    }),
  ])
  const stated = async (text: string) => Number((await client.query<{ n: string }>(text)).rows[0]?.n)
  const waiting = `(select count(*) from fiscal_tasks where "status" in ('queued', 'sending', 'unknown'))
    + (select count(*) from payment_links where "status" = 'waiting') + (select count(*) from messages where "status" = 'queued')`
  for (let left = -1; performance.now() - began < WAIT_MS; ) {
    // Skips the pauses; claims of a killed server expire by themselves.
    await client.query(`update payment_link_states set "dateAsked" = null`)
    await client.query(`update messages set "dateDue" = null where "status" = 'queued'`)
    for (const { rows } of [
      await client.query<{ id: number }>(`select "id" from payment_links where "status" = 'waiting' limit 50`),
    ])
      await Promise.all(rows.map(({ id }) => ask('POST', `/payment-links/${id}/ask`)))
    const now = await stated(`select ${waiting} as n`)
    if (now !== left) console.log(`  ${Math.round((performance.now() - began) / 1000)} s: ${now} wait`)
    left = now
    if (now === 0) break
    await ask('POST', `/cash-desks/${place.idDesk}/queue`, { act: 'repeat' })
    await sleep(3_000)
  }
  const seconds = (performance.now() - began) / 1000
  isOver = true
  for (const timer of timers) clearInterval(timer)
  kkt.mood = 'works'
  await killing

  const sells = kkt.documents.slice(printedBefore).filter(({ kind }) => kind === 'sell')
  const keys = new Set(sells.map(({ key }) => key))
  const cash = await stated(
    `select count(*) as n from payments p where p."idDesk" = ${place.idDesk} and p."idStatus" = 2`,
  )
  const told = await stated(
    `select count(*) as n from fiscal_tasks where "idDesk" = ${place.idDesk} and "kind" = 'sell' and "status" = 'done'`,
  )
  const conflicts = await stated(`select count(*) as n from fiscal_tasks where "status" in ('conflict', 'failed')`)
  const paid = await stated(`select count(*) as n from payments where "idDesk" = ${place.idOnline} and "idStatus" = 2`)
  const remote = [...kassa.payments.values()].filter(({ status }) => status === 'succeeded').length
  const texts = new Map<string, number>()
  for (const { id } of carriers.messages) texts.set(id, (texts.get(id) ?? 0) + 1)
  const unknown = await stated(`select count(*) as n from messages where "status" = 'unknown' and "key" like 'bench-%'`)
  const messages = await stated(
    `select count(*) as n from messages where "key" like 'bench-%' and "status" <> 'queued'`,
  )
  const accepted = await stated(
    `select count(*) as n from messages where "key" like 'bench-%' and "status" in ('accepted', 'delivered', 'read')`,
  )
  const calls = await stated(`select count(*) as n from calls where "idCallSession" like 'bench-call-%'`)
  const ended = await stated(
    `select count(*) as n from calls where "idCallSession" like 'bench-call-%' and "dateEnd" is not null`,
  )
  const exactly = (what: string, found: number, wanted: number): Line => ({
    what,
    product: String(found),
    goal: { text: `${wanted}`, met: found === wanted },
  })
  const none = (what: string, found: number) => exactly(what, found, 0)
  return [
    { what: 'the storm', product: `${Math.round(seconds)} s, ${kills} servers and ${agentKills} agents killed` },
    exactly('payments in cash in the ledger', cash, share + RECEIPTS),
    exactly('their receipts, as the house has them', told, share + RECEIPTS),
    exactly('their receipts on the paper of the register', keys.size, share),
    none('receipts that were printed twice', sells.length - keys.size),
    { what: 'receipts that wait for a person', product: String(conflicts) },
    exactly('payments by links in the ledger, beside those of ЮKassa', paid, remote),
    exactly('payments of ЮKassa, one a link', remote, share),
    exactly('messages that are told of', messages, share),
    { what: 'messages whose fate nobody knows, listed', product: String(unknown) },
    none(
      'messages that the provider has and the house does not',
      Math.max(
        0,
        carriers.messages.length -
          accepted -
          unknown -
          (await stated(`select count(*) as n from messages where "key" like 'bench-%' and "status" = 'failed'`)),
      ),
    ),
    none('messages that were sent twice', [...texts.values()].filter((count) => count > 1).length),
    exactly('calls, one a conversation', calls, share),
    exactly('calls that have ended', ended, share),
  ]
}

/** Events of a call that is answered and transferred. */
function callOf(at: number): object[] {
  const start = Math.floor(Date.now() / 1000) - 200
  const side = (extension: string) => ({
    from: { number: `7916${String(at).padStart(7, '0')}` },
    to: { extension, line_number: '74951234567' },
  })
  const state = (call_id: string, seq: number, call_state: string, after: number, extension: string) => ({
    ...{ entry_id: `bench-call-${at}`, call_id, seq, call_state, timestamp: start + after, location: 'abonent' },
    ...side(extension),
  })
  return [
    state('a', 1, 'Appeared', 0, '201'),
    state('a', 2, 'Connected', 6, '201'),
    state('a', 3, 'Disconnected', 60, '201'),
    state('b', 1, 'Appeared', 58, '202'),
    state('b', 2, 'Connected', 61, '202'),
    state('b', 3, 'Disconnected', 120, '202'),
  ]
}

/** Reordered and partly duplicated, reproducibly by number. */
function shuffled(events: object[], at: number): object[] {
  const all = at % 3 === 0 ? [...events, ...events.slice(0, 3)] : events
  const by = (index: number) => createHash('sha1').update(`${at}/${index}`).digest('hex')
  return at % 2 === 0
    ? all
    : all
        .map((one, index) => [by(index), one] as const)
        .sort((a, b) => (a[0] < b[0] ? -1 : 1))
        .map(([, one]) => one)
}

async function tellMango(door: string, told: object): Promise<void> {
  const json = JSON.stringify(told)
  const sign = createHash('sha256').update(`${SALT.key}${json}${SALT.secret}`).digest('hex')
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`${door}/telephony/mango/events/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ vpbx_api_key: SALT.key, sign, json }).toString(),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined)
    await answer?.text().catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(200)
  }
  throw new Error('the events of a call were not taken')
}

/** From the button to «напечатан», with a cash register that prints instantly. */
async function timeOfReceipts(ask: Ask, { client }: BenchClinic, kkt: Storm['kkt'], place: Place): Promise<Line[]> {
  kkt.mood = 'works'
  kkt.printMs = 0
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await client.query(`select 1 from desk_agents where "dateSeen" > now() - interval '1 minute'`)
    if (rows.length) break
    await sleep(200)
  }
  const times: number[] = []
  const taken: number[] = []
  const own: number[] = []
  for (let at = 0; at < RECEIPTS; at++) {
    own.push(await timeOfRegister(kkt.url))
    const began = performance.now()
    const { id } = await must(
      ask('POST', '/payments/take', {
        ...{ key: `bench-time-${at}`, idDesk: place.idDesk, idCustomer: place.customers[0] },
        parts: [{ method: 'cash', sum: 10 }],
      }),
    )
    taken.push(performance.now() - began)
    for (;;) {
      const { rows } = await client.query(`select 1 from fiscal_tasks where "idPayment" = $1 and "status" = 'done'`, [
        id,
      ])
      if (rows.length) break
      if (performance.now() - began > 60_000) throw new Error('a receipt was not printed within a minute')
      await sleep(5)
    }
    times.push(performance.now() - began)
  }
  const [whole, self] = [median(times), median(own)]
  const over = whole - self
  return [
    {
      what: 'a receipt: the button → printed, above the register’s own time, median',
      product: ms(over),
      yardstick: ms(self),
      ratio: whole / self,
      goal: { text: `≤ ${OVER_MS} ms`, met: over <= OVER_MS },
    },
    { what: 'of it until the payment is taken', product: ms(median(taken)) },
  ]
}

/** The register alone, asked directly as a receipt asks it: its state, then a document; each is posted and read. */
async function timeOfRegister(url: string): Promise<number> {
  const began = performance.now()
  for (const types of [['getFnInfo', 'getFnStatus', 'getShiftStatus'], ['getFnStatus']]) {
    const uuid = randomUUID()
    const body = JSON.stringify({ uuid, request: types.map((type) => ({ type })) })
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${url}/api/v2/requests`, { method: 'POST', headers, body })).text()
    await (await fetch(`${url}/api/v2/requests/${uuid}`)).text()
  }
  return performance.now() - began
}

/** 300 agents on one server: memory per connection, and no leak after reconnects. */
async function crowdOfAgents({ client }: BenchClinic, server: Process, token: string): Promise<Line[]> {
  const tokens: string[] = []
  for (let at = 0; at < AGENTS; at++) tokens.push(createHash('sha256').update(`${token}/${at}`).digest('base64url'))
  const { rows } = await client.query<{ id: number }>(
    `insert into desk_agents ("name", "active") select 'Замер ' || i, true from generate_series(1, $1::int) i returning "id"`,
    [AGENTS],
  )
  await client.query(
    `insert into desk_agent_lines ("idAgent", "tokenHash")
      select a, t from unnest($1::bigint[], $2::text[]) as x(a, t) on conflict ("idAgent") do update set "tokenHash" = excluded."tokenHash"`,
    [rows.map(({ id }) => id), tokens.map((one) => createHash('sha256').update(one).digest('hex'))],
  )
  const before = await heldBytes(server)
  const held: number[] = []
  for (let round = 0; round < 3; round++) {
    const lines = await Promise.all(
      tokens.map(
        (own) =>
          new Promise<WebSocket>((resolve, reject) => {
            const line = new WebSocket(`${server.url.replace('http', 'ws')}/agent/ws`, {
              headers: { authorization: `Bearer ${own}` },
              perMessageDeflate: false,
            })
            hold(() => line.terminate())
            line.once('open', () => resolve(line))
            line.once('error', reject)
          }),
      ),
    )
    await sleep(3_000)
    const open = lines.filter(({ readyState }) => readyState === WebSocket.OPEN).length
    if (open < AGENTS) throw new Error(`${AGENTS - open} of ${AGENTS} agents were not let in`)
    held.push((await heldBytes(server)) - before)
    for (const line of lines) line.terminate()
    await sleep(1_500)
  }
  const [first = 0, , last = 0] = held
  return [
    {
      what: `memory of one of ${AGENTS} agents on the server`,
      product: bytes(first / AGENTS),
      goal: { text: `≤ ${bytes(AGENT_BYTES)}`, met: first / AGENTS <= AGENT_BYTES },
    },
    {
      what: 'what three rounds of them leave, per agent',
      product: bytes(Math.max(0, last - first) / AGENTS),
      goal: { text: '≤ 8 kB', met: last - first <= AGENTS * 8 * 1024 },
    },
  ]
}
