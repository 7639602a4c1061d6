/** Receipts, payments, messages and calls while servers and the agent are killed; then what was lost or repeated. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { startKktSimulator } from '../apps/server/src/testing/kktSimulator.ts'
import type { startCarriersSimulator } from '../apps/server/src/testing/smsProvidersSimulator.ts'
import type { startYookassaSimulator } from '../apps/server/src/testing/yookassaSimulator.ts'
import type { BenchClinic, Process } from './clinic.ts'
import { type Ask, type keepAgent, must, type Place } from './connectPlace.ts'
import { RECEIPTS } from './connectReceipts.ts'
import { callOf, postMango, shuffled } from './mangoCalls.ts'
import type { Line } from './table.ts'

const KILL_SERVER_MS = 30_000
const KILL_AGENT_MS = 7_000
const MOOD_MS = 1_500
const WAIT_MS = 90 * 60_000
/** Concurrency per kind. */
const AT_ONCE = 4
/** A payment waits for ЮKassa's silence most of its time. */
const PAYMENTS_AT_ONCE = 16

interface Storm {
  clinic: BenchClinic
  servers: Process[]
  ask: Ask
  place: Place
  agent: ReturnType<typeof keepAgent>
  kkts: Awaited<ReturnType<typeof startKktSimulator>>[]
  kassa: Awaited<ReturnType<typeof startYookassaSimulator>>
  carriers: Awaited<ReturnType<typeof startCarriersSimulator>>
  url: string
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

export async function storm(world: Storm, items: number): Promise<Line[]> {
  const { clinic, servers, ask, place, agent, kkts, kassa, carriers, url } = world
  const { client } = clinic
  const share = Math.max(1, Math.floor(items / 4))
  const printedBefore = kkts.map(({ documents }) => documents.length)
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
      for (const [at, kkt] of kkts.entries())
        kkt.mood = moods.kkt[(turn + at) % moods.kkt.length] as (typeof moods.kkt)[number]
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
          ...{ key: `bench-cash-${at}`, idDesk: place.idDesks[at % place.idDesks.length], idCustomer: customer(at) },
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
          const answer = await fetch(url + path, { redirect: 'manual' }).catch(() => undefined)
          const id = answer?.headers.get('location')?.split('/').at(-1)
          if (id && kassa.payments.has(id)) {
            kassa.pay(id)
            await fetch(`${url}/yookassa/notices`, { method: 'POST', body: JSON.stringify({ object: { id } }) }).catch(
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
      for (const body of shuffled(callOf(at), at)) await postMango(url, body)
    }),
  ])
  const stated = async (text: string) => Number((await client.query<{ n: string }>(text)).rows[0]?.n)
  const waiting = `select
    (select count(*)::int from fiscal_tasks where "status" in ('queued', 'sending', 'unknown')) as receipts,
    (select count(*)::int from payment_links where "status" = 'waiting') as links,
    (select count(*)::int from messages where "status" = 'queued') as messages`
  for (let left = ''; performance.now() - began < WAIT_MS; ) {
    // Skips the pauses; claims of a killed server expire by themselves.
    await client.query(`update payment_link_states set "dateAsked" = null`)
    await client.query(`update messages set "dateDue" = null where "status" = 'queued'`)
    await client.query(`update outbox set "dateDue" = now() where "adapter" = 'sms' and "state" = 'waiting'`)
    await client.query('delete from outbox_lanes')
    for (const { rows } of [
      await client.query<{ id: number }>(`select "id" from payment_links where "status" = 'waiting' limit 50`),
    ])
      await Promise.all(rows.map(({ id }) => ask('POST', `/payment-links/${id}/ask`)))
    const {
      receipts = 0,
      links = 0,
      messages = 0,
    } = (await client.query<{ receipts: number; links: number; messages: number }>(waiting)).rows[0] ?? {}
    const now = `${receipts} receipts, ${links} payments, ${messages} messages wait`
    if (now !== left) console.log(`  ${Math.round((performance.now() - began) / 1000)} s: ${now}`)
    left = now
    if (receipts + links + messages === 0) break
    await Promise.all(place.idDesks.map((id) => ask('POST', `/cash-desks/${id}/queue`, { act: 'repeat' })))
    await sleep(3_000)
  }
  const seconds = (performance.now() - began) / 1000
  isOver = true
  for (const timer of timers) clearInterval(timer)
  for (const kkt of kkts) kkt.mood = 'works'
  await killing

  const sells = kkts.flatMap(({ documents }, at) =>
    documents.slice(printedBefore[at]).filter(({ kind }) => kind === 'sell'),
  )
  const keys = new Set(sells.map(({ key }) => key))
  const cash = await stated(
    `select count(*) as n from payments p where p."idDesk" in (${place.idDesks}) and p."idStatus" = 2`,
  )
  const printed = await stated(
    `select count(*) as n from fiscal_tasks where "idDesk" in (${place.idDesks}) and "kind" = 'sell' and "status" = 'done'`,
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
    exactly('their receipts, as the server has them', printed, share + RECEIPTS),
    exactly('their receipts on the paper of the register', keys.size, share),
    none('receipts that were printed twice', sells.length - keys.size),
    { what: 'receipts that wait for a person', product: String(conflicts) },
    exactly('payments by links in the ledger, beside those of ЮKassa', paid, remote),
    exactly('payments of ЮKassa, one a link', remote, share),
    exactly('messages with notices', messages, share),
    { what: 'messages whose fate nobody knows, listed', product: String(unknown) },
    none(
      'messages that the provider has and the server does not',
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
