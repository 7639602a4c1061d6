/**
 * The public site: the weight of the demo clinic's home page, the time to its first paint while 200 requests a second are
 * answered, and the cost of a cached page against the same page as a file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { openTab } from './browser.ts'
import { freePort, hold, type Process, removeData, startProcess } from './clinic.ts'
import { bytes, type Line, median, ms, type Part } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
/** The demo data is created at the first start. */
const START_MS = 240_000
const RATE = 200
const PAINTS = 9
const TURN_S = 4
const TURNS = 4
const CONNECTIONS = 16
const MAX_BYTES = 100_000
const MAX_PAINT_MS = 1_000
const MAX_RATIO = 1.5
const PATH = '/site'

export async function measureSite(): Promise<Part> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const dir = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => removeData(dir))
  const product = await start('apps/server/src/main.ts', START_MS, (port) => ({
    DATA_DIR: dir,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DATABASE_URL: '',
    PUBLIC_URL: '',
    REDIS_URL: '',
    FILES: '',
    SECRET: '',
  }))
  const html = await (await fetch(product.url + PATH)).text()
  const folder = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'home.html'), html)
  writeFileSync(join(folder, 'home.html.gz'), gzipSync(html))
  const file = await start('bench/bareFile.ts', 10_000, (port) => ({ BARE_PORT: String(port), BARE_FOLDER: folder }))

  const tab = await openTab({ product })
  await tab.page.goto(PATH, { waitUntil: 'networkidle' })
  await tab.traffic.settled()
  const weight = tab.traffic.bytes
  const { requests } = tab.traffic
  await tab.close()

  const quiet = await paints(product)
  const crowd = autocannon({
    url: product.url + PATH,
    connections: CONNECTIONS,
    duration: 600,
    overallRate: RATE,
    headers,
  })
  const busy = await paints(product)
  const crowded = new Promise<{ requests: { average: number }; non2xx: number }>((resolve) => crowd.on('done', resolve))
  crowd.stop()
  const { non2xx, ...had } = await crowded

  // In turns, so that other load on the machine affects both.
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    theirs.push(await perSecond(`${file.url}/home.html`))
    ours.push(await perSecond(product.url + PATH))
  }
  const ratio = median(theirs) / median(ours)
  const lines: Line[] = [
    {
      what: `home page with all it needs, ${requests} requests`,
      product: bytes(weight),
      goal: { text: '≤ 100 kB', met: weight <= MAX_BYTES },
    },
    { what: 'first paint, quiet', product: ms(median(quiet)) },
    {
      what: `first paint at ${had.requests.average.toFixed(0)} req/s${non2xx > 0 ? `, ${non2xx} refused` : ''}`,
      product: ms(median(busy)),
      goal: { text: '< 1 s', met: median(busy) < MAX_PAINT_MS && non2xx === 0 },
    },
    {
      what: 'cached page, requests a second',
      product: median(ours).toFixed(0),
      yardstick: `${median(theirs).toFixed(0)} as a file`,
      ratio,
      goal: { text: '≤ 1.5×', met: ratio <= MAX_RATIO },
    },
  ]
  return { title: 'The public site', lines }
}

const headers = { 'accept-encoding': 'gzip' }

async function start(file: string, startMs: number, env: (port: number) => Record<string, string>): Promise<Process> {
  const port = await freePort()
  return startProcess(file, `http://127.0.0.1:${port}`, [], env(port), startMs)
}

/** Milliseconds to the first contentful paint, each in a tab with an empty cache. */
async function paints(product: Process): Promise<number[]> {
  const found: number[] = []
  for (let i = 0; i < PAINTS; i++) {
    const tab = await openTab({ product })
    await tab.page.goto(PATH, { waitUntil: 'load' })
    found.push(
      await tab.page.evaluate(async () => {
        const paintedAt = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
        while (paintedAt() === undefined) await new Promise((resolve) => requestAnimationFrame(resolve))
        return paintedAt() as number
      }),
    )
    await tab.close()
  }
  return found
}

const perSecond = (url: string): Promise<number> =>
  new Promise((resolve, reject) =>
    autocannon(
      { url, connections: CONNECTIONS, duration: TURN_S, headers },
      (error: Error | null, { requests, non2xx }: { requests: { average: number }; non2xx: number }) =>
        error || non2xx > 0 ? reject(error ?? new Error(`${non2xx} refused`)) : resolve(requests.average),
    ),
  )
