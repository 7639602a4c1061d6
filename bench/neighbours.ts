/**
 * The effect of one overloading user on a colleague: times of a short read, a write, an event and `/health`, quiet and
 * during each storm, in turns; the memory of the server and of each PostgreSQL backend; the answers the user receives.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { WebSocket } from 'ws'
import { type BenchClinic, hold } from './clinic.ts'
import { childrenOf, ownBytes, rss } from './memory.ts'
import type { Counts } from './neighbourStorms.ts'
import { bytes, type Line, ms, type Part, percentile, withGoal } from './table.ts'

/** With two rounds the 99th percentile is the third largest value, which means little. */
const ROUNDS = 4
const QUIET_MS = 5_000
const STORM_MS = 8_000
/** Delay before the measurement of a storm begins, and after its end. */
const BEGIN_MS = 1_000
const CALM_MS = 2_000
/** Delay between two calls of the colleague. */
const PACE_MS = 25
const EVENT_WAIT_MS = 10_000
const SAMPLE_MS = 200
const WARM_UP_MS = 3_000

const MAX_RATIO = 3
/** Bytes above the quiet peak. */
const MAX_SERVER = 300 * 1024 * 1024
const MAX_BACKEND = 200 * 1024 * 1024
const TASKS = '/tasks-management/tasks'

const STORMS = {
  filters: 'costly filters, 24 at once',
  exports: 'exports that nobody reads, 12 at once',
  listeners: '3,000 listeners by costly filters',
  archives: 'archive bombs, 6 at once',
  uploads: 'files of 100 MB, 5 at once',
  bodies: 'deep and endless bodies, 16 at once',
  connections: '5,000 connections',
  strangers: 'services and free times by 100 addresses',
  signIns: 'wrong passwords by 400 addresses',
  codes: 'codes asked for by 100 addresses',
  visitors: '300 connections of 60 visitors of a chat',
  moving: 'a clinic moves in, a table after another',
} as const
export type Storm = keyof typeof STORMS

const KINDS = ['read', 'write', 'event', 'health'] as const
type Times = Record<(typeof KINDS)[number], number[]>
interface Peaks {
  server: number
  helper: number
  backend: number
}

export async function measureNeighbours(clinic: BenchClinic): Promise<Part> {
  const only = process.argv.find((arg) => arg.startsWith('--storms='))?.slice(9)
  const storms = (only?.split(',') ?? Object.keys(STORMS)) as Storm[]
  // Further processes of the same clinic, as a larger one has: the storm is spread over all of them.
  const servers = Number(process.argv.find((arg) => arg.startsWith('--servers='))?.slice(10) ?? 1)
  const urls = [clinic.product.url]
  while (urls.length < servers) urls.push((await clinic.another()).url)
  const colleague = await openColleague(clinic, 'bench-2')
  const token = await clinic.signIn('bench-admin')
  // Enables the patient portal, so that the storms without login can book.
  await fetch(`${clinic.product.url}/settings/common`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ portalActive: true }),
  })
  await colleague.work(WARM_UP_MS)
  // All quiet phases form one yardstick: a few seconds alone mean little for the percentiles.
  const quiet = noTimes()
  const measured: ((quiet: Times) => Line[])[] = []
  const notes: string[] = []
  for (const storm of storms) {
    const busy = noTimes()
    const peaks: { quiet: Peaks; busy: Peaks } = { quiet: noPeaks(), busy: noPeaks() }
    const counts: Counts = {}
    for (let round = 0; round < ROUNDS; round++) {
      add(quiet, await watched(clinic, peaks.quiet, () => colleague.work(QUIET_MS)))
      const worker = new Worker(new URL('./neighbourStorms.ts', import.meta.url), {
        workerData: { storm, urls, token },
      })
      hold(() => worker.terminate())
      const done = new Promise<Counts>((resolve, reject) => worker.once('message', resolve).once('error', reject))
      add(
        busy,
        await watched(clinic, peaks.busy, async () => {
          await sleep(BEGIN_MS)
          return colleague.work(STORM_MS)
        }),
      )
      worker.postMessage('stop')
      for (const [answer, times] of Object.entries(await done)) counts[answer] = (counts[answer] ?? 0) + times
      await worker.terminate()
      await sleep(CALM_MS)
    }
    measured.push((quiet) => [{ what: STORMS[storm], product: '' }, ...linesOf(quiet, busy, peaks)])
    const answers = Object.entries(counts).sort(([, a], [, b]) => b - a)
    notes.push(`${STORMS[storm]}: ${answers.map(([answer, times]) => `${times} × ${answer}`).join('; ')}`)
  }
  colleague.close()
  if (colleague.failed.size > 0)
    notes.push(`the colleague was refused: ${[...colleague.failed].map(([why, n]) => `${n} × ${why}`).join(', ')}`)
  return {
    title: `Neighbours: p99 and median of a colleague while one person storms (product), and quiet beside it in turns (yardstick), ${servers} server processes`,
    lines: measured.flatMap((lines) => lines(quiet)),
    notes,
  }
}

function linesOf(quiet: Times, busy: Times, peaks: { quiet: Peaks; busy: Peaks }): Line[] {
  const times = KINDS.map((kind): Line => {
    const [during, before] = [p99(busy[kind]), p99(quiet[kind])]
    return withGoal(
      { what: `  ${kind} (${busy[kind].length})`, product: ms(during), yardstick: ms(before), ratio: during / before },
      MAX_RATIO,
    )
  })
  const medians = KINDS.map((kind): Line => {
    const [during, before] = [median(busy[kind]), median(quiet[kind])]
    const line = { what: `  ${kind}, median`, product: ms(during), yardstick: ms(before), ratio: during / before }
    return withGoal(line, MAX_RATIO)
  })
  const memory = (what: string, of: keyof Peaks, most?: number): Line => ({
    what: `  ${what}`,
    product: bytes(peaks.busy[of]),
    yardstick: bytes(peaks.quiet[of]),
    ...(most ? { goal: { text: `+${bytes(most)} at most`, met: peaks.busy[of] - peaks.quiet[of] <= most } } : {}),
  })
  return [
    ...times,
    ...medians,
    memory('server, peak', 'server', MAX_SERVER),
    memory('a process beside it, peak', 'helper'),
    memory('a PostgreSQL backend, peak', 'backend', MAX_BACKEND),
  ]
}

const p99 = (values: number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.99,
  )
const median = (values: number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
const noTimes = (): Times => ({ read: [], write: [], event: [], health: [] })
const noPeaks = (): Peaks => ({ server: 0, helper: 0, backend: 0 })

function add(to: Times, more: Times): void {
  for (const kind of KINDS) to[kind].push(...more[kind])
}

/** Runs the function and records the peak memory of the processes meanwhile. */
async function watched<T>({ product, client }: BenchClinic, peaks: Peaks, run: () => Promise<T>): Promise<T> {
  let over = false
  const watching = (async () => {
    while (!over) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      peaks.server = Math.max(peaks.server, rss(product.pid))
      peaks.helper = Math.max(peaks.helper, ...childrenOf(product.pid).map(rss))
      peaks.backend = Math.max(peaks.backend, ...rows.map(({ pid }) => ownBytes(pid)))
      await sleep(SAMPLE_MS)
    }
  })()
  try {
    return await run()
  } finally {
    over = true
    await watching
  }
}

/** A colleague who reads a list, changes a task and waits for the event, and a supervisor who calls `/health`. */
async function openColleague({ product, data, signIn }: BenchClinic, login: string) {
  const token = await signIn(login)
  const failed = new Map<string, number>()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async (path: string, init: RequestInit = {}) => {
    const began = performance.now()
    const response = await fetch(product.url + path, { headers, ...init })
    const text = await response.text()
    if (!response.ok) failed.set(`${response.status} ${path}`, (failed.get(`${response.status} ${path}`) ?? 0) + 1)
    return { took: performance.now() - began, ok: response.ok, text }
  }
  const put = (id: number, importance: number) =>
    call(`${TASKS}/${id}`, { method: 'PUT', body: JSON.stringify({ importance }) })

  const { id: idBoard } = data.bigBoard
  const cards = await call(`/tasks-management/assigned?filter[column.idBoard]=${idBoard}&limit=100&fields=idTask`)
  let own: number | undefined
  for (const { idTask } of (JSON.parse(cards.text) as { items: { idTask: number }[] }).items)
    if ((own = (await put(idTask, 1)).ok ? idTask : undefined)) break
  if (own === undefined) throw new Error(`${login} may change no task`)
  failed.clear()
  const id = own

  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`)
  hold(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  // The subscription of a board.
  const filter = { 'assigned.column.idBoard': idBoard }
  socket.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: TASKS.slice(1), filter } }))
  const answer = await new Promise<Buffer>((resolve) => socket.once('message', resolve))
  if (answer.includes('"isError":true')) throw new Error(answer.toString())
  let onEvent: (() => void) | undefined
  socket.on('message', (text: Buffer) => {
    if (text.includes(`"id":${id},`)) onEvent?.()
  })
  const ping = setInterval(() => socket.ping(), 10_000)

  let changes = 0
  async function change(times: Times): Promise<void> {
    const began = performance.now()
    const event = new Promise<void>((resolve) => (onEvent = resolve))
    // Always a new value: an unchanged one would cause no event.
    const { took } = await put(id, 2 + (changes++ % 8))
    times.write.push(took)
    await Promise.race([event, sleep(EVENT_WAIT_MS, undefined, { ref: false })])
    times.event.push(performance.now() - began)
  }

  return {
    failed,
    close() {
      clearInterval(ping)
      socket.terminate()
    },
    async work(forMs: number): Promise<Times> {
      const times = noTimes()
      const end = performance.now() + forMs
      const repeat = async (run: () => Promise<unknown>) => {
        while (performance.now() < end) {
          await run()
          await sleep(PACE_MS)
        }
      }
      await Promise.all([
        repeat(async () => times.read.push((await call(`${TASKS}?limit=20&fields=id,name,importance`)).took)),
        repeat(() => change(times)),
        repeat(async () => times.health.push((await call('/health')).took)),
      ])
      return times
    },
  }
}
