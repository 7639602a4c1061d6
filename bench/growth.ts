/**
 * What reads cost as the table grows: one request alone, over HTTP, as a member who sees a part of all tasks. The median,
 * which goals are held to, and the best, which other work on the machine disturbs least.
 */
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

export const GROWTH_SIZES = [20_000, 200_000, 2_000_000]
const CALLS = 25
/** A connection's first statements of a shape are planned anew: they are not what stays. */
const WARM_UP = 8
const MAX_GROWTH = 1.5

const TASKS = '/tasks-management/tasks'
const CARDS = '/tasks-management/assigned'

interface Times {
  usual: number
  best: number
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

const reads: Read[] = [
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
]

export async function measureGrowth(sizes: number[]): Promise<Part> {
  const notes: string[] = []
  const times: Times[][] = reads.map(() => [])
  for (const tasks of sizes) {
    const clinic = await startClinic({ tasks })
    notes.push(
      `${tasks.toLocaleString('en')} tasks: ${clinic.data.rows.toLocaleString('en')} rows in ${clinic.data.seconds.toFixed(0)} s`,
    )
    const token = await clinic.signIn('bench-1')
    for (const [i, read] of reads.entries()) times[i]?.push(await alone(clinic.product.url + read.path(clinic), token))
    await release()
  }
  const lines = reads.map(({ what, goal }, i): Line => {
    const found = times[i] as Times[]
    const [middle, large] = [found[1]?.usual ?? 0, found[2]?.usual ?? 0]
    const isQuick = !goal || middle <= goal
    const joined = (of: keyof Times) => found.map((one) => ms(one[of])).join(' / ')
    return {
      what,
      product: joined('usual'),
      yardstick: joined('best'),
      ...(large ? { ratio: large / middle } : {}),
      goal: {
        text: [goal ? `≤ ${goal} ms` : [], large ? `≤ ${MAX_GROWTH}×` : []].flat().join(', '),
        met: isQuick && large <= MAX_GROWTH * middle,
      },
    }
  })
  return {
    title: `Growth: medians of ${CALLS} (product) and the best of them (yardstick) at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')} tasks`,
    lines,
    notes,
  }
}

async function alone(url: string, token: string): Promise<Times> {
  const times: number[] = []
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`)
    if (i >= WARM_UP) times.push(performance.now() - began)
  }
  return { usual: median(times), best: Math.min(...times) }
}
