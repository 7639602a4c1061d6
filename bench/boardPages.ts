/** Measures two boards in a real browser, alternating: shared by the parts for tasks and deals. */
import { openTab, type Tab } from './browser.ts'
import type { BenchClinic } from './clinic.ts'
import { bytes, type Line, median, ms, withGoal } from './table.ts'

const WARMING = 2
const LOADS = 5
const DRAGS = 7
const COUNTS = 3
const WHEELS = 60
const WHEEL_PX = 240
const FRAME_MS = 1000 / 60
const WAIT_MS = 15_000

/** A board's page as a person opens it. */
export interface BoardPage {
  login: string
  /** Within the app, such as `/app/tasks?board=5`. */
  path: string
  /** Cards are dragged between the first two, the third is scrolled. */
  idColumns: readonly number[]
}

interface Load {
  firstCards: number
  allColumns: number
  requests: number
  bytes: number
}

interface Figures extends Load {
  statements: number
  drag: number
  dropped: number
  frames: number
  worst: number
  scrolled: number
  heap: number
  cards: number
}

/**
 * Measures the large board beside the small one.
 * @param limit goal for the ratios of times; absent: none
 * @returns lines of a part, and its notes
 */
export async function measurePages(
  clinic: BenchClinic,
  big: BoardPage,
  small: BoardPage,
  limit?: number,
): Promise<{ lines: Line[]; notes: string[] }> {
  const pages = [big, small] as const
  const loads = new Map<BoardPage, Load[]>(pages.map((page) => [page, []]))
  // Alternating, so that neither profits from cached plans or a quieter machine.
  for (let i = 0; i < WARMING + LOADS; i++) {
    for (const page of pages) {
      const tab = await openBoard(clinic, page)
      if (i >= WARMING) loads.get(page)?.push(await loadOf(tab))
      await tab.close()
    }
  }
  const figures = { big: await figuresOf(clinic, big, loads), small: await figuresOf(clinic, small, loads) }
  const note = `cards in the page at a time: ${figures.big.cards}; longest gap between frames while scrolling ${ms(figures.big.worst)}`
  return { lines: linesOf(figures.big, figures.small, limit), notes: [note] }
}

function linesOf(big: Figures, small: Figures, limit: number | undefined): Line[] {
  const line = (what: string, key: keyof Figures, show: (value: number) => string): Line => ({
    what,
    product: show(big[key]),
    yardstick: show(small[key]),
    ratio: big[key] / small[key],
  })
  const time = (what: string, key: keyof Figures): Line => withGoal(line(what, key, ms), limit)
  const whole = (value: number) => String(Math.round(value))
  return [
    time('from address to first cards', 'firstCards'),
    time('from address to cards in all columns', 'allColumns'),
    line('requests', 'requests', whole),
    line('bytes over the wire', 'bytes', bytes),
    line('SQL statements of the opening', 'statements', whole),
    time('drag: from drop to painted', 'drag'),
    {
      what: 'scrolling by wheel: frames dropped',
      product: `${big.dropped} of ${big.frames}`,
      yardstick: `${small.dropped} of ${small.frames}`,
    },
    { what: '  pixels scrolled', product: whole(big.scrolled), yardstick: whole(small.scrolled) },
    line('script heap of the tab after it all', 'heap', bytes),
  ]
}

async function loadOf({ page, traffic }: Tab): Promise<Load> {
  const { cardsFirst, cardsAll } = await page.evaluate(() => {
    const { cardsFirst, cardsAll } = window as unknown as Required<Watched>
    return { cardsFirst, cardsAll }
  })
  return { firstCards: cardsFirst, allColumns: cardsAll, requests: traffic.requests, bytes: traffic.bytes }
}

async function figuresOf(
  clinic: BenchClinic,
  board: BoardPage,
  loads: ReadonlyMap<BoardPage, Load[]>,
): Promise<Figures> {
  const tab = await openBoard(clinic, board)
  const counts: number[] = []
  for (let i = 0; i < COUNTS; i++) {
    counts.push(
      await clinic.countStatements(async () => {
        await tab.page.goto(board.path)
        await tab.page.waitForFunction(() => (window as unknown as Watched).cardsAll, undefined, { timeout: WAIT_MS })
        await tab.page.waitForLoadState('networkidle')
      }),
    )
  }
  const drag = await dragTimes(tab, board)
  const scroll = await scrollColumn(tab, board)
  await tab.cdp.send('HeapProfiler.collectGarbage')
  await tab.cdp.send('Performance.enable')
  const { metrics } = await tab.cdp.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  const cards = await tab.page.locator('[data-card]').count()
  await tab.close()
  const of = (key: keyof Load) => median((loads.get(board) ?? []).map((load) => load[key]))
  return {
    firstCards: of('firstCards'),
    allColumns: of('allColumns'),
    requests: of('requests'),
    bytes: of('bytes'),
    // Other work of the server can only add statements.
    statements: Math.min(...counts),
    drag,
    ...scroll,
    heap,
    cards,
  }
}

/** A new tab with the board, once all columns show cards and no request is running. */
async function openBoard(clinic: BenchClinic, { login, path, idColumns }: BoardPage): Promise<Tab> {
  const tab = await openTab(clinic, login)
  await tab.page.addInitScript(watchCards, idColumns.length)
  await tab.page.goto(path)
  const shownAt = await tab.page
    .waitForFunction(() => (window as unknown as Watched).cardsAll, undefined, { timeout: WAIT_MS })
    .catch(() => undefined)
  if (!shownAt) throw new Error(`no cards within ${WAIT_MS / 1000} s at ${path}: is the screen there yet?`)
  await tab.page.waitForLoadState('networkidle')
  return tab
}

interface Watched {
  cardsFirst?: number
  cardsAll?: number
  dropAt?: number
  dropPainted?: number
  frames?: number[]
}

/** Runs in the page: records when the first card, and a card in every column, have been painted. */
function watchCards(columns: number): void {
  const watched = window as unknown as Watched
  const look = () => {
    const filled = [...document.querySelectorAll('[data-column]')].filter((column) =>
      column.querySelector('[data-card]'),
    )
    const shownAt = performance.now()
    // What a frame callback sees is painted before the next one.
    if (filled.length > 0 && watched.cardsFirst === undefined) watched.cardsFirst = shownAt
    if (filled.length >= columns) watched.cardsAll = shownAt
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Drags the top card of one column into the next, by the mouse. */
async function dragTimes({ page }: Tab, board: BoardPage): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < DRAGS; i++) {
    const from = `[data-column="${board.idColumns[i % 2]}"]`
    const to = `[data-column="${board.idColumns[(i + 1) % 2]}"]`
    await page.locator(`${from} [data-list]`).evaluate((list) => list.scrollTo({ top: 0 }))
    await page.waitForTimeout(200)
    const card = page.locator(`${from} [data-card]`).first()
    const id = await card.getAttribute('data-card')
    const start = await card.boundingBox()
    const target = await page.locator(`${to} [data-card]`).nth(1).boundingBox()
    if (!id || !start || !target) throw new Error('no card to drag')
    await page.evaluate(
      ({ wanted, column }) => {
        const watched = window as unknown as Watched
        watched.dropAt = watched.dropPainted = undefined
        window.addEventListener(
          'drop',
          () => {
            watched.dropAt = performance.now()
          },
          { capture: true, once: true },
        )
        const look = () => {
          const there = watched.dropAt !== undefined && document.querySelector(`${column} [data-card="${wanted}"]`)
          if (there)
            requestAnimationFrame(() => {
              watched.dropPainted = performance.now()
            })
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      },
      { wanted: id, column: to },
    )
    await page.mouse.move(start.x + 60, start.y + 12)
    await page.mouse.down()
    await page.mouse.move(start.x + 80, start.y + 20, { steps: 4 })
    await page.mouse.move(target.x + 60, target.y + 6, { steps: 12 })
    await page.mouse.move(target.x + 62, target.y + 8)
    await page.mouse.up()
    await page.waitForFunction(() => (window as unknown as Watched).dropPainted, undefined, { timeout: WAIT_MS })
    times.push(
      await page.evaluate(() => {
        const { dropAt, dropPainted } = window as unknown as Required<Watched>
        return dropPainted - dropAt
      }),
    )
    await page.waitForTimeout(300)
  }
  return median(times)
}

async function scrollColumn(
  { page }: Tab,
  board: BoardPage,
): Promise<{ dropped: number; frames: number; worst: number; scrolled: number }> {
  const list = page.locator(`[data-column="${board.idColumns[2]}"] [data-list]`)
  const box = await list.boundingBox()
  if (!box) throw new Error('no column to scroll')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(() => {
    const watched = window as unknown as Watched
    const frames: number[] = []
    watched.frames = frames
    const tick = (at: number) => {
      if (watched.frames !== frames) return
      frames.push(at)
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  for (let i = 0; i < WHEELS; i++) {
    await page.mouse.wheel(0, WHEEL_PX)
    await page.waitForTimeout(FRAME_MS)
  }
  await page.waitForTimeout(300)
  const frames = await page.evaluate(() => {
    const watched = window as unknown as Watched
    const found = watched.frames ?? []
    watched.frames = undefined
    return found
  })
  const scrolled = await list.evaluate((element) => element.scrollTop)
  const gaps = frames.slice(1).map((at, i) => at - (frames[i] as number))
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0)
  return { dropped, frames: gaps.length + dropped, worst: Math.max(...gaps), scrolled }
}
