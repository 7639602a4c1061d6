/**
 * Part 7: opening a page in a real browser with its own profile, cold and warm: the time until content shows, the number
 * of requests and the length of their chain, the work of the main thread. Compared with another build, in turns.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium } from 'playwright'
import { SELLER } from './bigDeals.ts'
import { browserOptions, signInto } from './browser.ts'
import type { BenchClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

/** Openings before the warm ones are measured: the browser caches compiled script from the second on. */
const WARMING = 3
const WARM = 5
const COLD = 3
const WAIT_MS = 30_000
/** Requests within this time after the page shows count as part of the opening; later ones follow changes of others. */
const AFTER_MS = 1_000
const GOAL = 0.5
const MAX_CALLS = 6
const MAX_STEPS = 2
const MEMBER = 'bench-2'

type Side = Pick<BenchClinic, 'product' | 'data'>

interface Place {
  what: string
  login: string
  path(side: Side): string
  /** Columns that must show cards; 0: the page's list or its empty state. */
  columns: number
}

const places: readonly Place[] = [
  {
    what: 'board of 10 × 1,000',
    login: MEMBER,
    path: ({ data }) => `/app/tasks?board=${data.bigBoard.id}`,
    columns: 10,
  },
  {
    what: 'deals, a funnel of 20,000',
    login: SELLER,
    path: ({ data }) => `/app/deals?funnel=${data.bigFunnel.id}`,
    columns: 6,
  },
  { what: 'regulations', login: MEMBER, path: () => '/app/regulations', columns: 0 },
  { what: 'dashboard', login: MEMBER, path: () => '/app', columns: 0 },
]

interface Opened {
  /** Milliseconds from navigation to the cards or the list. */
  shown: number
  requests: number
  calls: number
  /** The longest chain of requests in which each began after the previous one had ended. */
  steps: number
  /** Milliseconds of the main thread, and the share of script in them. */
  main: number
  script: number
}

interface Measured {
  cold: Opened
  warm: Opened
}

/** @param before the clinic of another build; without it the lines have no yardstick */
export async function measureOpenings(clinic: Side, before?: Side): Promise<Part> {
  const lines: Line[] = []
  for (const place of places) {
    const [product, yardstick] = await measurePlace(place, before ? [clinic, before] : [clinic])
    if (product) lines.push({ what: place.what, product: '' }, ...linesOf(product, yardstick))
  }
  return {
    title: `Openings${before ? ': this build (product) beside the one before (yardstick), in turns' : ''}`,
    lines,
    notes: [`medians of ${WARM} warm openings and ${COLD} cold ones`],
  }
}

async function measurePlace(place: Place, sides: readonly Side[]): Promise<Measured[]> {
  const cold: Opened[][] = sides.map(() => [])
  const warm: Opened[][] = sides.map(() => [])
  for (let i = 0; i < COLD; i++) {
    const browsers = []
    for (const side of sides) browsers.push(await openBrowser(side, place.login))
    for (const [at, side] of sides.entries())
      cold[at]?.push(await openPage(browsers[at]?.context as BrowserContext, place, side))
    // The last profile is reused for the warm openings.
    if (i === COLD - 1)
      for (let round = 0; round < WARMING + WARM; round++)
        for (const [at, side] of sides.entries()) {
          const opened = await openPage(browsers[at]?.context as BrowserContext, place, side)
          if (round >= WARMING) warm[at]?.push(opened)
        }
    for (const one of browsers) await one.close()
  }
  return sides.map((_, at) => ({ cold: medians(cold[at] as Opened[]), warm: medians(warm[at] as Opened[]) }))
}

function linesOf({ cold, warm }: Measured, before: Measured | undefined): Line[] {
  const whole = (value: number) => String(Math.round(value))
  const line = (what: string, of: 'cold' | 'warm', key: keyof Opened, show: (value: number) => string): Line => {
    const value = (of === 'cold' ? cold : warm)[key]
    const other = before?.[of][key]
    return {
      what: `  ${what}`,
      product: show(value),
      ...(other === undefined ? {} : { yardstick: show(other), ratio: value / other }),
    }
  }
  const half = (one: Line): Line =>
    one.ratio === undefined ? one : { ...one, goal: { text: `≤ ${GOAL}×`, met: one.ratio <= GOAL } }
  const most = (one: Line, value: number, limit: number): Line => ({
    ...one,
    goal: { text: `≤ ${limit}`, met: value <= limit },
  })
  return [
    line('cold: until it shows', 'cold', 'shown', ms),
    half(line('warm: until it shows', 'warm', 'shown', ms)),
    half(line('  main thread', 'warm', 'main', ms)),
    line('  of it script', 'warm', 'script', ms),
    line('  requests', 'warm', 'requests', whole),
    most(line('  calls', 'warm', 'calls', whole), warm.calls, MAX_CALLS),
    most(line('  one after another', 'warm', 'steps', whole), warm.steps, MAX_STEPS),
  ]
}

const medians = (all: readonly Opened[]): Opened => {
  const of = (key: keyof Opened) => median(all.map((one) => one[key]))
  return {
    shown: of('shown'),
    requests: of('requests'),
    calls: of('calls'),
    steps: of('steps'),
    main: of('main'),
    script: of('script'),
  }
}

async function openBrowser({ product }: Side, login: string) {
  const profile = mkdtempSync(join(tmpdir(), 'ordinator-bench-'))
  const { launch, context: options } = browserOptions(product.url)
  const context = await chromium.launchPersistentContext(profile, { ...launch, ...options })
  await signInto(context, login)
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

interface Asked {
  isCall: boolean
  from: number
  to: number
}

async function openPage(context: BrowserContext, { path, columns, what }: Place, side: Side): Promise<Opened> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const asked = await watchNetwork(cdp)
  await page.addInitScript(watchShown, columns)
  await page.goto(path(side))
  await page
    .waitForFunction(() => (window as unknown as Watched).shownAt, undefined, { timeout: WAIT_MS })
    .catch(() => {
      throw new Error(`${what}: nothing shown within ${WAIT_MS / 1000} s`)
    })
  await page.waitForTimeout(AFTER_MS)
  const { metrics } = await cdp.send('Performance.getMetrics')
  const metric = (name: string) => (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1000
  const shown = await page.evaluate(() => (window as unknown as Required<Watched>).shownAt)
  await page.close()
  const begun = Math.min(...[...asked.values()].map(({ from }) => from))
  const all = [...asked.values()].filter(({ from }) => (from - begun) * 1000 <= shown + AFTER_MS)
  const calls = all.filter(({ isCall }) => isCall)
  return {
    shown,
    requests: all.length,
    calls: calls.length,
    steps: stepsOf(calls),
    main: metric('TaskDuration'),
    script: metric('ScriptDuration'),
  }
}

async function watchNetwork(cdp: CDPSession): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>()
  await cdp.send('Network.enable')
  cdp.on('Network.requestWillBeSent', ({ requestId, timestamp, type }) =>
    asked.set(requestId, { isCall: type === 'Fetch' || type === 'XHR', from: timestamp, to: Number.POSITIVE_INFINITY }),
  )
  cdp.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const one = asked.get(requestId)
    if (one) one.to = timestamp
  })
  return asked
}

/** Length of the longest chain of requests in which each began after the previous one had ended. */
function stepsOf(calls: readonly Asked[]): number {
  const depth = new Map<Asked, number>()
  for (const call of [...calls].sort((a, b) => a.from - b.from)) {
    const before = [...depth].filter(([{ to }]) => to <= call.from).map(([, steps]) => steps)
    depth.set(call, 1 + Math.max(0, ...before))
  }
  return Math.max(0, ...depth.values())
}

interface Watched {
  shownAt?: number
}

/** Runs in the page: records the time when the expected content has been painted. */
function watchShown(columns: number): void {
  const look = () => {
    const filled = [...document.querySelectorAll('[data-column]')].filter((one) => one.querySelector('[data-card]'))
    const main = document.querySelector('#main')
    const isThere =
      columns > 0
        ? filled.length >= columns
        : main?.querySelector('h1') && !main.querySelector('[aria-busy=true], .mantine-Skeleton-root')
    if (isThere) (window as unknown as Watched).shownAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
