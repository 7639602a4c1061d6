/**
 * Part 1: the records engine against hand-written SQL behind a bare Fastify, in alternating turns on the same database; and,
 * with `--before`, against another checkout of the product on a data set of its own, in the same turns.
 */
import autocannon from 'autocannon'
import type { BenchClinic, Process } from './clinic.ts'
import { spent } from './cpu.ts'
import { type Line, median, ms, type Part, percentile } from './table.ts'
import { paragraph, searchText, seeded, taskName } from './words.ts'

/** Two groups of this size are created: users with a row scope, and users with the administrator's rights. */
const CONNECTIONS = 24
/**
 * One connection per user: a user with several busy connections is treated as a storm by the admission queue
 * (platform/admission.ts), which makes them wait on purpose.
 */
const PEOPLE = CONNECTIONS
/** Turns: product, bare, bare, product, … so that a faster moment of the machine favours neither. */
const TURNS = 4
/** Slow requests use fewer connections and longer turns; otherwise none would finish within a turn. */
const PACES: { upToMs: number; connections: number; seconds: number; turns: number }[] = [
  { upToMs: 15, connections: CONNECTIONS, seconds: 2, turns: TURNS },
  { upToMs: 80, connections: CONNECTIONS, seconds: 4, turns: TURNS },
  { upToMs: 500, connections: 4, seconds: 4, turns: TURNS },
  { upToMs: Number.POSITIVE_INFINITY, connections: 1, seconds: 9, turns: 2 },
]
const WARM_UP_SECONDS = 2
/** Number of different paths or bodies, used in rotation. */
const VARIETY = 2_048

const MIN_THROUGHPUT = 0.8
const MAX_P99 = 1.5
/** A change of the engine may cost no more than two runs of one version differ. */
const MIN_OF_FORMER = 0.95

const TASKS = '/tasks-management/tasks'

interface Call {
  token: string
  path: string
  body?: string
}

interface Scenario {
  what: string
  method: 'GET' | 'POST'
  /** Each connection takes the next call; consecutive calls belong to different users. */
  calls: Call[]
}

interface Rounds {
  seconds: number
  /** Milliseconds of each request. */
  times: number[]
  /** CPU time of the server process, in milliseconds. */
  cpu: number
}

/**
 * @param only prefixes of the scenarios to measure; absent: all
 * @param before the clinic of another checkout
 */
export async function measureEngine(
  clinic: BenchClinic,
  only?: readonly string[],
  before?: BenchClinic,
): Promise<Part> {
  const lines: Line[] = []
  const notes: string[] = []
  const { users, admins } = peopleOf(clinic)
  await makeAdmins(clinic, admins)
  if (before) await makeAdmins(before, peopleOf(before).admins)
  for (const [label, ids] of Object.entries({ user: users, admin: admins })) {
    const tokens = await tokensOf(clinic, ids)
    for (const [at, token] of tokens.entries())
      await post(`${clinic.bare.url}/people`, { token, id: ids[at], all: label === 'admin' })
    const former = before && (await scenarios(before, await tokensOf(before, peopleOf(before)[`${label as 'user'}s`])))
    for (const [at, scenario] of (await scenarios(clinic, tokens)).entries()) {
      if (only && !only.some((what) => scenario.what.startsWith(what))) continue
      await sameAnswer(clinic, scenario)
      const other = before && former && { process: before.product, scenario: former[at] as Scenario }
      lines.push(...(await measure(clinic, scenario, label, notes, other)))
    }
  }
  return {
    title: `Engine against bare Fastify + the same SQL by hand, ${CONNECTIONS} people, a connection each`,
    lines,
    notes,
  }
}

/** Two groups of equal size: with a row scope, and with the administrator's rights once `makeAdmins` has run. */
function peopleOf({ data }: BenchClinic) {
  const [first, ...others] = data.idUsers
  return {
    users: [first as number, ...others.slice(0, PEOPLE - 1)],
    admins: [data.idAdmin, ...others.slice(-PEOPLE + 1)],
  }
}

async function tokensOf(clinic: BenchClinic, ids: readonly number[]): Promise<string[]> {
  const tokens: string[] = []
  for (const id of ids) tokens.push(await clinic.signIn(await loginOf(clinic, id)))
  return tokens
}

/** Gives the other users the roles of the first one. */
async function makeAdmins({ client }: BenchClinic, [first, ...others]: number[]): Promise<void> {
  await client.query(
    `insert into user_roles ("idUser", "idRole")
    select o.id, r."idRole" from unnest($2::bigint[]) o(id) cross join user_roles r where r."idUser" = $1`,
    [first, others],
  )
}

export async function loginOf({ client }: BenchClinic, id: number): Promise<string> {
  const { rows } = await client.query<{ login: string }>('select login from users where id = $1', [id])
  return (rows[0] as { login: string }).login
}

export async function scenarios(clinic: BenchClinic, tokens: string[]): Promise<Scenario[]> {
  const random = seeded(11)
  const body = () =>
    JSON.stringify({
      name: taskName(random),
      description: `<p>${paragraph(random)}</p>`,
      importance: 1 + random.below(10),
    })
  /** Calls of all users in rotation. */
  const calls = (make: (token: string, i: number) => Omit<Call, 'token'>) =>
    Array.from({ length: VARIETY }, (_, i): Call => {
      const token = tokens[i % tokens.length] as string
      return { token, ...make(token, Math.floor(i / tokens.length)) }
    })
  const seen = new Map<string, number[]>()
  for (const token of tokens) {
    const { items } = JSON.parse(await get(`${clinic.product.url}${TASKS}?limit=500&fields=id`, token))
    seen.set(
      token,
      items.map(({ id }: { id: number }) => id),
    )
  }
  const idOf = (token: string, i: number) => {
    const ids = seen.get(token) as number[]
    return ids[i % ids.length]
  }
  return [
    { what: 'view by id', method: 'GET', calls: calls((token, i) => ({ path: `${TASKS}/${idOf(token, i)}` })) },
    {
      what: 'list 50, 2 expands, count',
      method: 'GET',
      calls: calls(() => ({ path: `${TASKS}?limit=50&expand=executors,tags&count=1` })),
    },
    {
      what: 'search by name (ilike)',
      method: 'GET',
      calls: calls(() => ({ path: `${TASKS}?limit=20&filter[name][ilike]=${encodeURIComponent(searchText(random))}` })),
    },
    { what: 'create', method: 'POST', calls: calls(() => ({ path: TASKS, body: body() })) },
  ]
}

/** Checks for each user that product and yardstick return the same answer; otherwise the comparison is meaningless. */
async function sameAnswer(clinic: BenchClinic, { what, method, calls }: Scenario): Promise<void> {
  if (method !== 'GET') return
  for (const { path, token } of calls.slice(0, PEOPLE)) {
    const [ours, theirs] = await Promise.all([
      get(clinic.product.url + path, token),
      get(clinic.bare.url + path, token),
    ])
    if (ours !== theirs)
      throw new Error(`${what}: the two answers differ\n${ours.slice(0, 1500)}\n${theirs.slice(0, 1500)}`)
  }
}

/** Another version of the product, with the same scenario for its own people. */
interface Former {
  process: Process
  scenario: Scenario
}

async function measure(
  clinic: BenchClinic,
  scenario: Scenario,
  label: string,
  notes: string[],
  former?: Former,
): Promise<Line[]> {
  const alone = Math.max(await aloneMs(clinic.product.url, scenario), await aloneMs(clinic.bare.url, scenario))
  const { connections, seconds, turns } = PACES.find(({ upToMs }) => alone <= upToMs) as (typeof PACES)[number]
  const sides = [
    { process: clinic.product, scenario, found: none() },
    { process: clinic.bare, scenario, found: none() },
    ...(former ? [{ ...former, found: none() }] : []),
  ]
  for (const side of sides) await load(side.process, side.scenario, connections, WARM_UP_SECONDS, none())
  for (let turn = 0; turn < turns; turn++)
    for (const side of turn % 2 === 0 ? sides : sides.toReversed())
      await load(side.process, side.scenario, connections, seconds, side.found)
  if (connections < CONNECTIONS) {
    const over = connections === 1 ? 'one connection' : `${connections} connections`
    notes.push(`${scenario.what} (${label}): one request alone takes ${ms(alone)}, so only ${over}`)
  }
  const [product, bare, past] = sides.map((side) => summary(side.found)) as [Summary, Summary, Summary | undefined]
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
    {
      what: '  the server’s processor for one',
      product: micro(product.cpu),
      yardstick: micro(bare.cpu),
      ratio: product.cpu / bare.cpu,
    },
    ...(past ? besideFormer(product, past) : []),
  ]
}

type Summary = ReturnType<typeof summary>

/** The version before in the place of the yardstick. */
function besideFormer(product: Summary, past: Summary): Line[] {
  const rates = product.rate / past.rate
  return [
    {
      what: '  beside the version before, req/s',
      product: rate(product.rate),
      yardstick: rate(past.rate),
      ratio: rates,
      goal: { text: `≥ ${MIN_OF_FORMER}`, met: rates >= MIN_OF_FORMER },
    },
    {
      what: '  the server’s processor for one',
      product: micro(product.cpu),
      yardstick: micro(past.cpu),
      ratio: product.cpu / past.cpu,
    },
  ]
}

const rate = (value: number): string => (value < 20 ? value.toFixed(1) : String(Math.round(value)))
const micro = (value: number): string => `${Math.round(value * 1000)} µs`
export const none = (): Rounds => ({ seconds: 0, times: [], cpu: 0 })

export function summary({ times, seconds, cpu }: Rounds) {
  const sorted = Float64Array.from(times).sort()
  return {
    cpu: cpu / times.length,
    rate: times.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

async function aloneMs(url: string, { method, calls }: Scenario): Promise<number> {
  const times: number[] = []
  for (const { path, body, token } of calls.slice(0, 3)) {
    const began = performance.now()
    await (method === 'GET' ? get(url + path, token) : post(url + path, JSON.parse(body as string), token))
    times.push(performance.now() - began)
  }
  return median(times)
}

export async function load(
  { url, pid }: Process,
  { what, method, calls }: Scenario,
  connections: number,
  seconds: number,
  into: Rounds,
) {
  let next = 0
  let failed = 0
  const statuses = new Set<number>()
  const spentBefore = spent(pid)
  const began = performance.now()
  let done = 0
  await new Promise<void>((resolve, reject) => {
    const running = autocannon(
      {
        url,
        connections,
        duration: seconds,
        timeout: 60,
        requests: [
          {
            method,
            setupRequest: (request: object) => {
              const { path, body, token } = calls[next++ % calls.length] as Call
              const headers = {
                authorization: `Bearer ${token}`,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              }
              return { ...request, path, headers, ...(body === undefined ? {} : { body }) }
            },
          },
        ],
      },
      (error: Error | null) => (error ? reject(error) : resolve()),
    )
    running.on('response', (_client: unknown, status: number, _bytes: number, time: number) => {
      if (status >= 300) {
        failed++
        statuses.add(status)
      }
      done++
      into.times.push(time)
    })
  })
  const took = (performance.now() - began) / 1000
  if (failed > 0)
    throw new Error(`${what}: ${failed} of ${done} answers at ${url} were no success: ${[...statuses].join()}`)
  into.seconds += took
  into.cpu += spent(pid) - spentBefore
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
