/**
 * Cost of reads as the table grows: one request at a time, over HTTP, as a member who sees a part of all tasks. Measures
 * the best time and the CPU time of the server and of PostgreSQL, which other load on the machine disturbs least. The
 * goals apply to the best time, the growth limit to the CPU time.
 */
import { overdueToDo, toDo } from '@ordinator/model/areas/tasks/mine'
import { Task } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, type Filter, listPath } from '@ordinator/model/client'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { ownCpu } from './cpu.ts'
import { type Line, median, ms, type Part } from './table.ts'

export const GROWTH_SIZES = [20_000, 200_000, 2_000_000]
const CALLS = 25
/** The first executions of a statement on a connection are planned anew; they are not representative. */
const WARM_UP = 8
const MAX_GROWTH = 1.5

const TASKS = '/tasks-management/tasks'
const CARDS = '/tasks-management/assigned'

interface Times {
  best: number
  usual: number
  /** CPU time of one call in milliseconds, the median. */
  server: number
  postgres: number
}

interface Read {
  what: string
  path(clinic: BenchClinic): string
  /** Milliseconds at the middle size. */
  goal?: number
}

const search = (text: string) => `${TASKS}?limit=20&filter[name][ilike]=${encodeURIComponent(text)}`
const column = (idColumn: number | undefined) =>
  `${CARDS}?filter[idColumn]=${idColumn}&filter[isArchive]=0&filter[task.isArchive]=0&sort=order&limit=50&count=1&expand=task.executors,task.tags`

const NOW = `${new Date().toISOString().slice(0, 16)}:00Z`
const of = (filter: AnyFilter) => filter as Filter<typeof Task>

const reads: Read[] = [
  { what: 'select 1', path: () => '/health' },
  { what: 'list of 50, 2 expands', path: () => `${TASKS}?limit=50&expand=executors,tags` },
  { what: 'list of 50, 2 expands, count', path: () => `${TASKS}?limit=50&expand=executors,tags&count=1`, goal: 25 },
  {
    what: 'list of 50 that are not done, count',
    path: () => `${TASKS}?limit=50&filter[isCompleted]=0&expand=executors,tags&count=1`,
  },
  { what: 'search: a word of one in twenty', path: () => search('анализ'), goal: 30 },
  { what: 'search: a name of one in fifty', path: () => search('Ильин'), goal: 30 },
  { what: 'search: two words, of one in 2,000', path: () => search('Ильина, УЗИ брюш'), goal: 30 },
  { what: 'search: what is not there', path: () => search('ыъыъыъ'), goal: 30 },
  {
    what: 'column of 1,000 cards, count (level all)',
    path: ({ data }) => column(data.bigBoard.idColumns[0]),
    goal: 15,
  },
  {
    what: 'column of a growing board, count (level my)',
    path: ({ data }) => column(data.boards[4]?.idColumns[0]),
    goal: 15,
  },
  {
    what: 'own overdue tasks: the number of the menu',
    path: ({ data }) =>
      listPath(Task, { filter: of(overdueToDo(Number(data.idUsers[0]), NOW)), limit: 0, count: true, fields: ['id'] }),
  },
  {
    what: 'own tasks that are due, 10 with their boards, count',
    path: ({ data }) =>
      listPath(Task, {
        filter: of({ and: [toDo(Number(data.idUsers[0])), { dateEnd: { gte: NOW } }] }),
        ...{ sort: 'dateEnd', limit: 10, count: true, expand: ['assigned.column.board'] },
      }),
  },
]

export async function measureGrowth(sizes: number[]): Promise<Part> {
  const notes: string[] = []
  const times: Times[][] = reads.map(() => [])
  for (const tasks of sizes) {
    const clinic = await startClinic({ tasks, durable: false })
    notes.push(
      `${tasks.toLocaleString('en')} tasks: ${clinic.data.rows.toLocaleString('en')} rows in ${clinic.data.seconds.toFixed(0)} s`,
    )
    const token = await clinic.signIn('bench-1')
    for (const [i, read] of reads.entries()) times[i]?.push(await alone(clinic, read.path(clinic), token))
    await release()
  }
  const lines = reads.map(({ what, goal }, i): Line => {
    const found = times[i] as Times[]
    const [middle, large] = [found[1], found[2]]
    const isQuick = !goal || !middle || middle.best <= goal
    const growth = middle && large ? own(large) / own(middle) : undefined
    notes.push(`${what}: medians ${found.map(({ usual }) => ms(usual)).join(' / ')}`)
    return {
      what,
      product: found.map(({ best }) => ms(best)).join(' / '),
      yardstick: found.map(({ server, postgres }) => `${server.toFixed(1)} + ${postgres.toFixed(1)}`).join(' / '),
      ...(growth === undefined ? {} : { ratio: growth }),
      goal: {
        text: [goal ? `≤ ${goal} ms` : [], growth === undefined ? [] : `≤ ${MAX_GROWTH}×`].flat().join(', '),
        met: isQuick && (growth ?? 1) <= MAX_GROWTH,
      },
    }
  })
  return {
    title: `Growth at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')} tasks: the best of ${CALLS} calls (product); the processor's ms, server + PostgreSQL (yardstick)`,
    lines,
    notes,
  }
}

const own = ({ server, postgres }: Times): number => server + postgres

export async function alone({ product, db }: BenchClinic, path: string, token: string): Promise<Times> {
  const times: number[] = []
  const call = async () => {
    const began = performance.now()
    const response = await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    times.push(performance.now() - began)
  }
  for (let i = 0; i < WARM_UP; i++) await call()
  times.length = 0
  const spent = await ownCpu(product.pid, db)
  // Measured per call, so that occasional server work (garbage collection, compilation) does not count.
  const costs: { server: number; postgres: number }[] = []
  let before = spent()
  for (let i = 0; i < CALLS; i++) {
    await call()
    const now = spent()
    costs.push({ server: now.server - before.server, postgres: now.postgres - before.postgres })
    before = now
  }
  return {
    best: Math.min(...times),
    usual: median(times),
    server: median(costs.map(({ server }) => server)),
    postgres: median(costs.map(({ postgres }) => postgres)),
  }
}
