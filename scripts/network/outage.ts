/**
 * `npm run network -- --kill`: people write through the balancer while every part is killed, paused or cut off in turn.
 * Each write has a key and is repeated until it is acknowledged; afterwards each is looked for in the database and in S3.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Line, printTable, type Part as Table } from '../../bench/table.ts'
import { RESTART_MS, type State, until } from './network.ts'
import type { Secrets } from './parts.ts'
import { at, HOST, PORTS } from './ports.ts'
import { atMoment } from './restore.ts'
import { clusterOf, redisMaster } from './roles.ts'
import { isWhole } from './start.ts'

/** Logins of the demo clinic: those who write, and those who upload. Requests of one person are limited. */
const WRITERS = ['admin', 'admin', 'manager', 'manager']
const UPLOADERS = ['registrar', 'operator', 'doctor', 'nurse']
/** Of each writer, between an answer and the next write. */
const PACE_MS = 50
/** A write without an answer is repeated after this time; a browser waits longer than the balancers may. */
const GIVE_UP_MS = 30_000
const AGAIN_MS = 100
/** Between uploads and tries of one person, who may upload sixty files a minute. */
const FILE_PACE_MS = 1_100
/** The longest that people may wait for the answer of a write. */
const GOAL_MS = 10_000
const CALM_MS = 3_000
/** A machine is back after this time, once another has taken over. */
const AWAY_MS = 8_000
const WHOLE_MS = 120_000
/** Begins the text of each write. */
const MARK = 'Проверка отказа'

const WEB = `http://${at(PORTS.web)}`

interface Running {
  /** Folder of the network. */
  root: string
  secrets: Secrets
  /** User of the engines. */
  uid: number
  /** Part of the name of the rounds to run: `primary`; absent: all. */
  only: string | undefined
}

interface Round {
  what: string
  by: 'kill' | 'pause' | 'cut'
  /** The part that has this role now. */
  part(): Promise<string> | string
  /** Milliseconds; a process is started again at once, as by systemd, a machine stays away. */
  away: number
}

const baseBy = (role: string) => async () => {
  const name = (await clusterOf()).find((one) => one.role === role)?.name
  if (!name) throw new Error(`no base is ${role}`)
  return name
}
const poolerOfPrimary = async () => (await baseBy('leader')()).replace('base', 'pooler')

const rounds: Round[] = [
  { what: 'a server', by: 'kill', part: () => 'server-1', away: RESTART_MS },
  { what: 'the balancer of people', by: 'kill', part: () => 'balancer-web', away: RESTART_MS },
  { what: 'the balancer of the base and Redis', by: 'kill', part: () => 'balancer-base', away: RESTART_MS },
  { what: 'PgBouncer of the primary', by: 'kill', part: poolerOfPrimary, away: RESTART_MS },
  { what: 'the master of Redis', by: 'kill', part: redisMaster, away: AWAY_MS },
  { what: 'the S3 simulator', by: 'kill', part: () => 's3', away: RESTART_MS },
  { what: 'one etcd of three', by: 'kill', part: () => 'etcd-1', away: AWAY_MS },
  { what: 'the asynchronous replica', by: 'kill', part: baseBy('replica'), away: AWAY_MS },
  { what: 'the synchronous replica', by: 'kill', part: baseBy('sync_standby'), away: AWAY_MS },
  { what: 'the primary', by: 'kill', part: baseBy('leader'), away: AWAY_MS },
  { what: 'the primary', by: 'pause', part: baseBy('leader'), away: AWAY_MS + GOAL_MS },
  { what: 'the primary', by: 'cut', part: baseBy('leader'), away: AWAY_MS + GOAL_MS },
  { what: 'a server', by: 'pause', part: () => 'server-2', away: AWAY_MS },
  { what: 'a server', by: 'cut', part: () => 'server-3', away: AWAY_MS },
]

/**
 * Breaks the running network by the calls of its page.
 * @returns true if nothing is lost or doubled and no request took longer than the goal
 */
export async function killAll({ root, secrets, uid, only = '' }: Running): Promise<boolean> {
  const load = await startLoad()
  const lines: Line[] = []
  let moment = 0
  try {
    await sleep(CALM_MS)
    const chosen = rounds.filter(({ what }) => what.includes(only))
    for (const round of chosen) {
      const name = await round.part()
      console.log(`${round.by}: ${round.what} (${name})`)
      const began = Date.now()
      const before = load.done()
      await act(round.by, name)
      await sleep(round.away)
      await act('raise', name)
      await until('the network is whole', isWell, WHOLE_MS).catch(async (error) => {
        throw new Error(`${error.message}; not well: ${(await unwell()).join('; ')}`)
      })
      await sleep(CALM_MS)
      const { writes, files, failed } = load.since(began)
      const longest = (waits: readonly number[]) => Math.max(0, ...waits)
      // A moment among the rounds, to which the archive must lead.
      if (lines.length === Math.floor(chosen.length / 2)) moment = Date.now()
      lines.push({
        what: `${round.by} ${round.what}`,
        product: `${seconds(longest(writes))}; files ${seconds(longest(files))}`,
        goal: { text: `≤ ${GOAL_MS / 1000} s`, met: longest([...writes, ...files]) <= GOAL_MS },
      })
      console.log(
        `  ${lines.at(-1)?.product}, ${load.done() - before} writes, repeated: ${failed || 'none'}; whole after ${seconds(Date.now() - began - CALM_MS)}`,
      )
    }
  } finally {
    await load.end()
  }
  lines.push(...(await compare(load, secrets)))
  lines.push(
    ...(await atMoment({ root, secrets, uid, moment: new Date(moment) }, (client) => compareAt(moment, load, client))),
  )
  const table: Table = {
    title: `Every part killed under load: the longest wait for the answer of a write, and of a file`,
    lines,
    notes: [
      `${load.keys.length} writes and ${load.files.size} files were acknowledged, ${load.repeated()} tries were repeated with their key`,
      ...load.strange,
    ],
  }
  printTable([table])
  return lines.every(({ goal }) => goal?.met !== false)
}

const PAGE = `http://${at(PORTS.page)}`

async function act(action: Round['by'] | 'raise', name: string): Promise<void> {
  const { status } = await fetch(`${PAGE}/${action}/${name}`, { method: 'POST', redirect: 'manual' })
  if (status !== 303) throw new Error(`${action} ${name}: ${status}`)
}

/** True when all parts run and speak, and the bases have their roles again. */
const isWell = async (): Promise<boolean> => (await unwell()).length === 0

/** What is not well, in words. */
async function unwell(): Promise<string[]> {
  const answer = await fetch(`${PAGE}/state`)
  const rows = (await answer.json()) as { name: string; state: State; role?: string }[]
  const ill = rows.filter(({ state, role }) => state !== 'running' || role === undefined)
  const members = await clusterOf()
  return [
    ...ill.map(({ name, state, role }) => `${name} ${state} ${role ?? 'silent'}`),
    ...(isWhole(members) ? [] : members.map(({ name, role, state }) => `${name} ${role} ${state}`)),
  ]
}

interface Done {
  kind: 'write' | 'file'
  /** Of the first try, and of the answer. */
  began: number
  ended: number
  /** Why earlier tries failed: a status, or `none` without an answer. */
  failed: string[]
}

async function startLoad() {
  const tokens = new Map<string, string>()
  for (const login of new Set([...WRITERS, ...UPLOADERS])) tokens.set(login, await signIn(login))
  const authorizationOf = (login: string) => `Bearer ${tokens.get(login)}`
  const customers = await listCustomers(authorizationOf('admin'))
  const done: Done[] = []
  /** Acknowledged writes: key, begin of the first try, answer. */
  const keys: { key: string; began: number; ended: number }[] = []
  /** By id of an acknowledged file: its text, and who may read it. */
  const files = new Map<number, { text: string; authorization: string }>()
  const strange: string[] = []
  let over = false

  /** Repeats a request until it is acknowledged. @returns the body of the answer */
  const insist = async (kind: Done['kind'], again: number, ask: () => Promise<Response>) => {
    const began = Date.now()
    const failed: string[] = []
    for (;;) {
      const answer = await ask().catch(() => undefined)
      const body = await answer?.json().catch(() => undefined)
      if (answer?.status === 201 && body) {
        done.push({ kind, began, ended: Date.now(), failed })
        return body
      }
      failed.push(String(answer?.status ?? 'none'))
      if (answer && ![429, 502, 503, 504].includes(answer.status))
        strange.push(`${kind}: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`)
      await sleep(again)
    }
  }

  const write = async (authorization: string, idCustomer: number) => {
    const key = randomUUID()
    const began = Date.now()
    const body = JSON.stringify({ key, kind: 'add', sum: 1, reason: `${MARK} ${key}` })
    await insist('write', AGAIN_MS, () =>
      fetch(`${WEB}/customers/${idCustomer}/bonuses`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(GIVE_UP_MS),
      }),
    )
    keys.push({ key, began, ended: Date.now() })
  }
  const upload = async (authorization: string) => {
    const text = `${MARK} ${randomUUID()}`
    const { id } = await insist('file', FILE_PACE_MS, () => {
      const form = new FormData()
      form.append('file', new Blob([text]), 'proof.txt')
      return fetch(`${WEB}/tasks-management/files`, {
        method: 'POST',
        headers: { authorization },
        body: form,
        signal: AbortSignal.timeout(GIVE_UP_MS),
      })
    })
    files.set(Number(id), { text, authorization })
  }
  const worker = async (run: () => Promise<void>, pace: number) => {
    while (!over) {
      await run()
      await sleep(pace)
    }
  }
  const workers = [
    ...WRITERS.map((login, n) => worker(() => write(authorizationOf(login), customers[n] as number), PACE_MS)),
    ...UPLOADERS.map((login) => worker(() => upload(authorizationOf(login)), FILE_PACE_MS)),
  ]
  return {
    keys,
    files,
    strange,
    done: () => done.length,
    repeated: () => done.reduce((sum, { failed }) => sum + failed.length, 0),
    since(from: number) {
      const met = done.filter(({ ended }) => ended >= from)
      const waits = (kind: Done['kind']) => met.filter((one) => one.kind === kind).map((one) => one.ended - one.began)
      return {
        writes: waits('write'),
        files: waits('file'),
        failed: counted(met.flatMap(({ kind, failed }) => failed.map((why) => `${kind} ${why}`))),
      }
    },
    async end() {
      over = true
      await Promise.all(workers)
    },
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>

async function signIn(login: string): Promise<string> {
  const answer = await fetch(`${WEB}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: 'demo', forceLogin: true }),
  })
  return ((await answer.json()) as { accessToken: string }).accessToken
}

async function listCustomers(authorization: string): Promise<number[]> {
  const answer = await fetch(`${WEB}/customers?limit=${WRITERS.length}&fields=id`, { headers: { authorization } })
  const { items } = (await answer.json()) as { items: { id: number }[] }
  return items.map(({ id }) => id)
}

/** Looks for each acknowledged write in the database, and for each file through a server. */
async function compare(load: Load, secrets: Secrets): Promise<Line[]> {
  const client = new pg.Client({
    host: HOST,
    port: PORTS.primary,
    user: 'ordinator',
    password: secrets.base,
    database: 'ordinator',
  })
  await client.connect()
  const found = await writesIn(client)
  await client.end()
  let lostFiles = 0
  for (const [id, { text, authorization }] of load.files) {
    const answer = await fetch(`${WEB}/files/${id}`, { headers: { authorization } })
    if (!answer.ok || (await answer.text()) !== text) lostFiles++
  }
  return [
    none('acknowledged writes that are not there', load.keys.filter(({ key }) => !found.has(key)).length),
    none('writes that are there twice', [...found.values()].filter((count) => count > 1).length),
    none('acknowledged files that cannot be read', lostFiles),
  ]
}

/** Compares the database restored at a moment with what was answered before it and begun after it. */
async function compareAt(moment: number, load: Load, client: pg.Client): Promise<Line[]> {
  const found = await writesIn(client)
  const before = load.keys.filter(({ ended }) => ended <= moment)
  return [
    none(
      `restored at a moment: of ${before.length} writes answered before it, not there`,
      before.filter(({ key }) => !found.has(key)).length,
    ),
    none(
      'restored at a moment: writes begun after it, there',
      load.keys.filter(({ key, began }) => began > moment && found.has(key)).length,
    ),
  ]
}

/** How often each write is in a database, by key. */
async function writesIn(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ key: string; count: number }>(
    `select substr("reason", $2) as key, count(*)::int as count from bonuses where "reason" like $1 group by 1`,
    [`${MARK} %`, MARK.length + 2],
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}

const none = (what: string, count: number): Line => ({
  what,
  product: String(count),
  goal: { text: '0', met: count === 0 },
})

/** `write 503 × 4, file none × 1` */
const counted = (whys: readonly string[]): string =>
  Object.entries(Object.groupBy(whys, (why) => why))
    .map(([why, same]) => `${why} × ${same?.length}`)
    .join(', ')

const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`
