/**
 * The contact centre under full load: 200 operators and 2,000 visitors on one server. Measures the time from a visitor's
 * message to the operator's open chat, and from a ringing phone to the caller's card: on simulated screens and in a real
 * browser among them. Also the cost of a silent visitor.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAmiSimulator } from '../apps/server/src/testing/amiSimulator.ts'
import { freshWeb, openTab } from './browser.ts'
import { OPERATORS, openScreen, RIGHTS, type Screen, tokenOf, VISITORS, Visitor, WAIT_MS } from './centreScreen.ts'
import { type BenchClinic, hold, release, startClinic } from './clinic.ts'
import { heldBytes } from './memory.ts'
import { bytes, type Line, median, ms, type Part, percentile } from './table.ts'

/** Rate of all visitors together: each once in two minutes. */
const WORDS_IN_SECOND = 17
const WORDS = 600
/** Warm-up: the first executions on a connection are not representative. */
const WARM_UP = 150
/** They connect one after another within this time. */
const COMING_MS = 20_000
const RINGS = 60
const [WORD_GOAL, RING_GOAL] = [150, 300]
const HOST_LOADS = 9

export async function measureCentre(): Promise<Part> {
  freshWeb()
  const ami = await startAmiSimulator()
  const clinic = await startClinic({
    tasks: 2_000,
    users: OPERATORS + 1,
    env: { AMI_URL: ami.url, TRUST_PROXY: '127.0.0.1' },
  })
  hold(() => ami.close())
  await fillCentre(clinic, { visitors: VISITORS, operators: OPERATORS })
  const screens: Screen[] = []
  for (let at = 0; at < OPERATORS; at++) {
    const token = await clinic.signIn(`bench-${at + 1}`)
    const own = Array.from({ length: (VISITORS - 1 - at) / OPERATORS }, (_, n) => at + 1 + n * OPERATORS)
    screens.push(await openScreen(clinic, token, clinic.data.idUsers[at] as number, own))
  }
  const before = await heldBytes(clinic.product)
  const visitors = Array.from({ length: VISITORS }, (_, at) => new Visitor(clinic.product.url, at + 1))
  for (const one of visitors) {
    void one.listen()
    await sleep(COMING_MS / VISITORS)
  }
  await sleep(2_000)
  const perVisitor = ((await heldBytes(clinic.product)) - before) / VISITORS
  await sleep(2_000)

  const page = await (async () => {
    const tab = await openTab(clinic, `bench-${OPERATORS + 1}`)
    await tab.page.goto(`/app/live-assist?chat=${PAINTED}`)
    await tab.page.getByRole('log').waitFor()
    await tab.page.waitForLoadState('networkidle')
    return tab.page
  })()
  await sleep(3_000)
  const painted = { words: [] as number[], rings: [] as number[] }
  /** @param digits compares digits only */
  const shown = (text: string, digits = false) =>
    page.waitForFunction(
      ([wanted, only]) => {
        const all = document.body.textContent ?? ''
        return (only ? all.replace(/\D/g, '') : all).includes(wanted)
      },
      [text, digits] as const,
      { polling: 'raf', timeout: WAIT_MS },
    )

  const words: number[] = []
  const lists: number[] = []
  const refused = new Map<number, number>()
  let answered = 0
  await Promise.all(
    Array.from({ length: WARM_UP + WORDS }, async (_, at) => {
      await sleep((at * 1_000) / WORDS_IN_SECOND)
      // Every second message goes to an open chat, every twenty-fifth to the browser's.
      const isPainted = at % 25 === 24
      const to = isPainted
        ? PAINTED
        : at % 2 === 0
          ? (at % OPERATORS) + 1
          : OPERATORS + 1 + ((at * 7) % (VISITORS - OPERATORS - 1))
      const text = `слово-${at}`
      const watched = isPainted ? shown(text) : undefined
      const began = performance.now()
      const screen = at % 2 === 0 && !isPainted ? screens[(to - 1) % OPERATORS] : undefined
      const arrived = screen?.waitForText(text)
      const shownAt = screens[(at * 13) % OPERATORS]?.changed(to)
      const status = await (visitors[to - 1] as Visitor).say(text)
      if (status !== 201) refused.set(status, (refused.get(status) ?? 0) + 1)
      else answered++
      const took = [await arrived, await shownAt].map((moment) => moment && moment - began)
      await watched
      if (at < WARM_UP) return
      if (took[0]) words.push(took[0])
      if (took[1]) lists.push(took[1])
      if (watched) painted.words.push(performance.now() - began)
    }),
  )

  const rings: number[] = []
  for (let at = 0; at < RINGS; at++) {
    const isPainted = at % 4 === 3
    const of = isPainted ? OPERATORS : (at * 7) % OPERATORS
    const phone = `+7905${String(1_000_000 + at)}`
    const watched = isPainted ? shown(phone.slice(2), true) : undefined
    const arrived = isPainted ? undefined : screens[of]?.rings(phone)
    const began = performance.now()
    ring(ami, `bench-${at}`, phone, String(2_000 + of))
    if (arrived) rings.push((await arrived) - began)
    if (watched) {
      await watched
      painted.rings.push(performance.now() - began)
    }
    for (const Uniqueid of [`bench-${at}o`, `bench-${at}`]) ami.emit('Hangup', { Uniqueid, Cause: '16' })
    await sleep(150)
  }
  for (const one of visitors) one.leave()
  for (const one of screens) one.close()
  const host = await hostLines(clinic)
  await release()
  const line = (what: string, times: number[], goal?: number): Line => {
    const sorted = times.toSorted((a, b) => a - b)
    const p95 = percentile(sorted, 0.95)
    return {
      what: `${what} (${times.length}): p95`,
      product: ms(p95),
      yardstick: `median ${ms(median(times))}`,
      ...(goal !== undefined && { goal: { text: `≤ ${goal} ms`, met: p95 <= goal } }),
    }
  }
  return {
    title: `Contact centre: ${OPERATORS} operators and ${VISITORS} visitors connected, ${WORDS_IN_SECOND} words a second`,
    lines: [
      line('a visitor’s word → read by the screen that has the chat open', words, WORD_GOAL),
      line('  painted by a real browser among them', painted.words),
      line('  the event at any other screen', lists),
      line('ring → the card of who calls, read', rings, RING_GOAL),
      line('  painted by a real browser among them', painted.rings),
      { what: 'server memory per visitor who says nothing (heap + buffers)', product: bytes(perVisitor) },
      ...host,
    ],
    notes: [
      `${answered} of ${WARM_UP + WORDS} words taken, the first ${WARM_UP} warm it up${[...refused].map(([status, count]) => `, ${status}: ${count}`).join('')}`,
    ],
  }
}

/** Cost of the closed widget for a page of a site, beside the same page without it. */
async function hostLines(clinic: BenchClinic): Promise<Line[]> {
  const loads = [true, false].map((has) => ({ has, main: [] as number[], requests: 0, bytes: 0 }))
  for (let round = 0; round < HOST_LOADS; round++)
    for (const load of loads) {
      const tab = await openTab(clinic)
      if (!load.has) await tab.page.route('**/widget.js*', (route) => route.fulfill({ body: '' }))
      await tab.cdp.send('Performance.enable')
      await tab.page.goto('/live-assist/demo')
      await tab.page.waitForLoadState('networkidle')
      const { metrics } = await tab.cdp.send('Performance.getMetrics')
      await tab.traffic.settled()
      load.main.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000)
      load.requests = tab.traffic.requests
      load.bytes = tab.traffic.bytes
      await tab.close()
    }
  const [own, bare] = loads as [(typeof loads)[0], (typeof loads)[0]]
  return [
    {
      what: 'a site’s page with the unopened widget, and without it: main thread',
      product: ms(median(own.main)),
      yardstick: ms(median(bare.main)),
      ratio: median(own.main) / median(bare.main),
    },
    {
      what: '  requests and bytes over the wire',
      product: `${own.requests}, ${bytes(own.bytes)}`,
      yardstick: `${bare.requests}, ${bytes(bare.bytes)}`,
    },
  ]
}

/** The visitor, and chat, opened by the browser's operator. */
const PAINTED = VISITORS

/** Visitors, each with a chat of an operator; operators with rights and telephones. */
export async function fillCentre(
  { client, data }: BenchClinic,
  { visitors, operators }: { visitors: number; operators: number },
): Promise<void> {
  const users = data.idUsers
  await client.query(
    `insert into "user_permissions" ("idUser", "permission") select u, p from unnest($1::bigint[]) u, unnest($2::text[]) p
      on conflict do nothing`,
    [users, RIGHTS],
  )
  await client.query(
    `update users set "sipPhone" = (2000 + at - 1)::text from unnest($1::bigint[]) with ordinality o(id, at) where o.id = users."id"`,
    [users],
  )
  await client.query(
    `insert into live_assist_domains ("id", "name", "key", "idUser") values (1, 'bench.example', 'w_bench', $1)`,
    [users[0]],
  )
  await client.query(
    `insert into live_assist_visitors ("id", "name", "idDomain", "consentVersion", "consentAt", "consentIp")
     select n, 'Гость ' || n, 1, 1, now(), '10.0.' || n / 250 || '.' || n % 250 from generate_series(1, $1::bigint) n`,
    [visitors],
  )
  await client.query(
    `insert into live_assist_tokens ("hash", "idVisitor") select * from unnest($1::text[], $2::bigint[])`,
    [
      Array.from({ length: visitors }, (_, at) =>
        createHash('sha256')
          .update(tokenOf(at + 1))
          .digest('hex'),
      ),
      Array.from({ length: visitors }, (_, at) => at + 1),
    ],
  )
  // The last one belongs to the browser.
  await client.query(
    `insert into live_assist ("id", "name", "status", "handler", "idUser", "lastUser", "idVisitor", "idDomain", "source",
       "sourceName", "dateLast")
     select n, 'Гость ' || n, 'active', 'human', u, u, n, 1, 'widget', 'Сайт', now()
     from generate_series(1, $1::bigint) n,
       lateral (select case when n = $1 then ($2::bigint[])[$3 + 1] else ($2::bigint[])[1 + (n - 1) % $3] end as u) o`,
    [visitors, users, operators],
  )
  for (const table of ['live_assist', 'live_assist_visitors', 'live_assist_domains']) {
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max("id") from ${table}))`)
  }
  await client.query('analyze')
}

function ring(ami: Awaited<ReturnType<typeof startAmiSimulator>>, session: string, phone: string, sip: string): void {
  ami.emit('Newchannel', {
    Uniqueid: session,
    Linkedid: session,
    Channel: `PJSIP/trunk-${session}`,
    CallerIDNum: phone,
    Exten: '84950000000',
  })
  ami.emit('Newchannel', { Uniqueid: `${session}o`, Linkedid: session, Channel: `PJSIP/${sip}-0000000a` })
}
