/** Part 1: the records engine against hand-written SQL behind a bare Fastify, in turns on the same database. */
import autocannon from 'autocannon'
import type { BenchClinic } from './clinic.ts'
import { type Line, median, ms, type Part, percentile } from './table.ts'
import { paragraph, searchText, seeded, taskName } from './words.ts'

const CONNECTIONS = 32
/** Turns: product, bare, bare, product, … so that neither has the machine's better moments. */
const TURNS = 4
/** What takes long alone is asked for over fewer connections and in longer turns, or none would ever end. */
const PACES: { upToMs: number; connections: number; seconds: number; turns: number }[] = [
  { upToMs: 15, connections: CONNECTIONS, seconds: 2, turns: TURNS },
  { upToMs: 80, connections: CONNECTIONS, seconds: 4, turns: TURNS },
  { upToMs: 500, connections: 4, seconds: 4, turns: TURNS },
  { upToMs: Number.POSITIVE_INFINITY, connections: 1, seconds: 9, turns: 2 },
]
const WARM_UP_SECONDS = 2
/** Different paths or bodies in turn. */
const VARIETY = 2_000

const MIN_THROUGHPUT = 0.8
const MAX_P99 = 1.5

const TASKS = '/tasks-management/tasks'

interface Scenario {
  what: string
  method: 'GET' | 'POST'
  /** Each connection takes the next one. */
  paths: string[]
  bodies?: string[]
}

interface Rounds {
  seconds: number
  /** Milliseconds of each request. */
  times: number[]
}

export async function measureEngine(clinic: BenchClinic): Promise<Part> {
  const lines: Line[] = []
  const notes: string[] = []
  const people = [
    { login: 'bench-1', id: clinic.data.idUsers[0] as number, all: false, label: 'user' },
    { login: 'bench-admin', id: clinic.data.idAdmin, all: true, label: 'admin' },
  ]
  for (const { login, id, all, label } of people) {
    const token = await clinic.signIn(login)
    await post(`${clinic.bare.url}/people`, { token, id, all })
    for (const scenario of await scenarios(clinic, token)) {
      await sameAnswer(clinic, scenario, token)
      lines.push(...(await measure(clinic, scenario, token, label, notes)))
    }
  }
  return { title: `Engine against bare Fastify + the same SQL by hand, ${CONNECTIONS} connections`, lines, notes }
}

async function scenarios(clinic: BenchClinic, token: string): Promise<Scenario[]> {
  const seen = await get(`${clinic.product.url}${TASKS}?limit=500&fields=id`, token)
  const ids = (JSON.parse(seen).items as { id: number }[]).map(({ id }) => id)
  const random = seeded(11)
  const search = () => `${TASKS}?limit=20&filter[name][ilike]=${encodeURIComponent(searchText(random))}`
  const body = () =>
    JSON.stringify({
      name: taskName(random),
      description: `<p>${paragraph(random)}</p>`,
      importance: 1 + random.below(10),
    })
  return [
    { what: 'view by id', method: 'GET', paths: ids.map((id) => `${TASKS}/${id}`) },
    { what: 'list 50, 2 expands, count', method: 'GET', paths: [`${TASKS}?limit=50&expand=executors,tags&count=1`] },
    { what: 'search by name (ilike)', method: 'GET', paths: Array.from({ length: VARIETY }, search) },
    { what: 'create', method: 'POST', paths: [TASKS], bodies: Array.from({ length: VARIETY }, body) },
  ]
}

/** A yardstick that answers something else measures nothing. */
async function sameAnswer(clinic: BenchClinic, { what, method, paths }: Scenario, token: string): Promise<void> {
  if (method !== 'GET') return
  const path = paths[0] as string
  const [ours, theirs] = await Promise.all([get(clinic.product.url + path, token), get(clinic.bare.url + path, token)])
  if (ours !== theirs)
    throw new Error(`${what}: the two answers differ\n${ours.slice(0, 1500)}\n${theirs.slice(0, 1500)}`)
}

async function measure(
  clinic: BenchClinic,
  scenario: Scenario,
  token: string,
  label: string,
  notes: string[],
): Promise<Line[]> {
  const urls = { product: clinic.product.url, bare: clinic.bare.url }
  const alone = Math.max(await aloneMs(urls.product, scenario, token), await aloneMs(urls.bare, scenario, token))
  const { connections, seconds, turns } = PACES.find(({ upToMs }) => alone <= upToMs) as (typeof PACES)[number]
  const found = { product: none(), bare: none() }
  for (const which of ['product', 'bare'] as const)
    await load(urls[which], scenario, token, connections, WARM_UP_SECONDS, none())
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? (['product', 'bare'] as const) : (['bare', 'product'] as const)
    for (const which of order) await load(urls[which], scenario, token, connections, seconds, found[which])
  }
  if (connections < CONNECTIONS) {
    const over = connections === 1 ? 'one connection' : `${connections} connections`
    notes.push(`${scenario.what} (${label}): one request alone takes ${ms(alone)}, so only ${over}`)
  }
  const [product, bare] = [summary(found.product), summary(found.bare)]
  const rates = product.rate / bare.rate
  const p99 = product.p99 / bare.p99
  return [
    {
      what: `${scenario.what} (${label}), req/s`,
      product: rate(product.rate),
      yardstick: rate(bare.rate),
      ratio: rates,
      goal: { text: `≥ ${MIN_THROUGHPUT}`, met: rates >= MIN_THROUGHPUT },
    },
    {
      what: '  p50 / p99',
      product: `${ms(product.p50)} / ${ms(product.p99)}`,
      yardstick: `${ms(bare.p50)} / ${ms(bare.p99)}`,
      ratio: p99,
      goal: { text: `p99 ≤ ${MAX_P99}×`, met: p99 <= MAX_P99 },
    },
  ]
}

const rate = (value: number): string => (value < 20 ? value.toFixed(1) : String(Math.round(value)))
const none = (): Rounds => ({ seconds: 0, times: [] })

function summary({ times, seconds }: Rounds) {
  const sorted = Float64Array.from(times).sort()
  return { rate: times.length / seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

async function aloneMs(url: string, { method, paths, bodies }: Scenario, token: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const began = performance.now()
    const path = url + paths[i % paths.length]
    await (method === 'GET' ? get(path, token) : post(path, JSON.parse(bodies?.[i] as string), token))
    times.push(performance.now() - began)
  }
  return median(times)
}

async function load(
  url: string,
  scenario: Scenario,
  token: string,
  connections: number,
  seconds: number,
  into: Rounds,
) {
  const { method, paths, bodies } = scenario
  const variety = Math.max(paths.length, bodies?.length ?? 0)
  let next = 0
  let failed = 0
  const began = performance.now()
  let done = 0
  await new Promise<void>((resolve, reject) => {
    const running = autocannon(
      {
        url,
        connections,
        duration: seconds,
        timeout: 60,
        headers: { authorization: `Bearer ${token}`, ...(bodies ? { 'content-type': 'application/json' } : {}) },
        requests: [
          {
            method,
            setupRequest: (request: object) => {
              const i = next++ % variety
              return { ...request, path: paths[i % paths.length], ...(bodies ? { body: bodies[i] } : {}) }
            },
          },
        ],
      },
      (error: Error | null) => (error ? reject(error) : resolve()),
    )
    running.on('response', (_client: unknown, status: number, _bytes: number, time: number) => {
      if (status >= 300) failed++
      done++
      into.times.push(time)
    })
  })
  const took = (performance.now() - began) / 1000
  if (failed > 0) throw new Error(`${scenario.what}: ${failed} of ${done} answers at ${url} were no success`)
  into.seconds += took
}

async function get(url: string, token: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`)
  return text
}

async function post(url: string, body: unknown, token?: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`)
}
