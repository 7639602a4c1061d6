/**
 * Load test of a clinic's connections: receipts through the desk agent, payments by links, SMS and calls of a cloud exchange,
 * with all faults of their simulators, while servers and the agent are killed. Then: a receipt from the button to
 * «напечатан», and 300 agents on one server.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startKktSimulator } from '../apps/server/src/testing/kktSimulator.ts'
import { startCarriersSimulator } from '../apps/server/src/testing/smsProvidersSimulator.ts'
import { startYookassaSimulator } from '../apps/server/src/testing/yookassaSimulator.ts'
import { type BenchClinic, hold, type Process, startClinic } from './clinic.ts'
import { asker, keepAgent, openEntry, setUp } from './connectPlace.ts'
import { timeOfReceipts } from './connectReceipts.ts'
import { storm } from './connectStorm.ts'
import { heldBytes } from './memory.ts'
import { bytes, type Line, type Part } from './table.ts'

/** Each desk has a register of its own: a register prints one receipt after another. */
const REGISTERS = 8
const AGENTS = 300
/** Maximum bytes of the server per agent connection. */
const AGENT_BYTES = 200 * 1024

/** @param items of the load: receipts, payments, messages and calls together */
export async function measureConnect(items: number): Promise<Part> {
  const [kkts, kassa, carriers] = await Promise.all([
    Promise.all(Array.from({ length: REGISTERS }, () => startKktSimulator())),
    startYookassaSimulator(),
    startCarriersSimulator(),
  ])
  for (const one of [...kkts, kassa, carriers]) hold(() => one.close())
  const clinic = await startClinic({
    tasks: 500,
    users: 3,
    durable: false,
    env: { YOOKASSA_URL: kassa.url, SMSC_URL: `${carriers.url}/smsc` },
  })
  const servers: Process[] = [clinic.product, await clinic.another()]
  const entry = await openEntry(() => servers)
  const token = await clinic.signIn('bench-admin')
  const ask = asker(entry, token, () => clinic.signIn('bench-admin', entry))
  const place = await setUp(
    clinic,
    ask,
    entry,
    kkts.map(({ url }) => url),
  )
  const agent = keepAgent(place.agent)
  const time = await timeOfReceipts(ask, clinic, kkts, place)
  const lines =
    items > 0 ? await storm({ clinic, servers, ask, place, agent, kkts, kassa, carriers, url: entry }, items) : []
  agent.stop()
  const crowd = await crowdOfAgents(clinic, servers[0] as Process, token)
  return {
    title: `Connected: ${items.toLocaleString('en')} receipts, payments, messages and calls while servers and the agent are killed`,
    lines: [...lines, ...time, ...crowd],
    notes: [
      `2 servers, 1 agent of ${REGISTERS} registers, 1 PostgreSQL; every mood of the register, of ЮKassa and of SMSC, changed each 1.5 s`,
      'a register, a payment and a message that nobody knows the fate of wait for a person: they are counted, and none is repeated',
    ],
  }
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
