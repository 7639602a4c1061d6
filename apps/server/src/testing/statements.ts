import pg from 'pg'

interface Statements {
  count: number
  /** Count of each statement, by its beginning; the most frequent first. */
  texts(): [text: string, times: number][]
}

const BEGINNING = 120

/** Counts the statements that this process sends to PostgreSQL during the work. */
export async function statements(work: () => Promise<unknown>): Promise<Statements> {
  const own = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query') as PropertyDescriptor
  const times = new Map<string, number>()
  let count = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count++
    const asked = args[0] as string | { text?: string }
    const text = (typeof asked === 'string' ? asked : (asked.text ?? '')).replaceAll(/\s+/g, ' ').slice(0, BEGINNING)
    times.set(text, (times.get(text) ?? 0) + 1)
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    Object.defineProperty(pg.Client.prototype, 'query', own)
  }
  return { count, texts: () => [...times].sort((a, b) => b[1] - a[1]) }
}
