/** Part 2: a board of 10 × 1,000 cards in a real browser, beside one of 10 × 10. */
import type { BenchBoard } from './bigData.ts'
import { freshWeb, openTab, type Tab } from './browser.ts'
import type { BenchClinic } from './clinic.ts'
import { bytes, type Line, median, ms, type Part } from './table.ts'

const WARMING = 2
const LOADS = 3
const DRAGS = 5
const WHEELS = 60
const WHEEL_PX = 240
const FRAME_MS = 1000 / 60
const WAIT_MS = 15_000
/** Whose membership of both boards takes in everything. */
const LOGIN = 'bench-2'

interface Figures {
  firstCards: number
  allColumns: number
  requests: number
  bytes: number
  statements: number
  drag: number
  dropped: number
  frames: number
  worst: number
  scrolled: number
  heap: number
  cards: number
}

export async function measureBoard(clinic: BenchClinic): Promise<Part> {
  const notes: string[] = []
  freshWeb(notes)
  // Neither board is to find the server's plans made by the other one.
  for (let i = 0; i < WARMING; i++)
    for (const board of [clinic.data.bigBoard, clinic.data.smallBoard]) await (await openBoard(clinic, board)).close()
  const big = await figuresOf(clinic, clinic.data.bigBoard)
  const small = await figuresOf(clinic, clinic.data.smallBoard)
  const line = (what: string, key: keyof Figures, show: (value: number) => string): Line => ({
    what,
    product: show(big[key]),
    yardstick: show(small[key]),
    ratio: big[key] / small[key],
  })
  const whole = (value: number) => String(Math.round(value))
  notes.push(
    `cards in the page at a time: ${big.cards} of 10,000; longest gap between frames while scrolling ${ms(big.worst)}`,
  )
  return {
    title: 'Board in chromium: 10 × 1,000 cards (product) beside 10 × 10 (yardstick)',
    lines: [
      line('from address to first cards', 'firstCards', ms),
      line('from address to cards in all columns', 'allColumns', ms),
      line('requests', 'requests', whole),
      line('bytes over the wire', 'bytes', bytes),
      line('SQL statements of the opening', 'statements', whole),
      line('drag: from drop to painted', 'drag', ms),
      {
        what: 'scrolling by wheel: frames dropped',
        product: `${big.dropped} of ${big.frames}`,
        yardstick: `${small.dropped} of ${small.frames}`,
      },
      { what: '  pixels scrolled', product: whole(big.scrolled), yardstick: whole(small.scrolled) },
      line('script heap of the tab after it all', 'heap', bytes),
    ],
    notes,
  }
}

async function figuresOf(clinic: BenchClinic, board: BenchBoard): Promise<Figures> {
  const loads: { first: number; all: number; requests: number; bytes: number }[] = []
  let tab: Tab | undefined
  for (let i = 0; i < LOADS; i++) {
    await tab?.close()
    tab = await openBoard(clinic, board)
    const { cardsFirst: first, cardsAll: all } = await tab.page.evaluate(() => {
      const { cardsFirst, cardsAll } = window as unknown as Watched
      return { cardsFirst, cardsAll }
    })
    loads.push({ first: first as number, all: all as number, requests: tab.traffic.requests, bytes: tab.traffic.bytes })
  }
  const opened = tab as Tab
  const statements = await clinic.countStatements(async () => {
    await opened.page.goto(`/app/tasks?board=${board.id}`)
    await opened.page.waitForFunction(() => (window as unknown as Watched).cardsAll, undefined, { timeout: WAIT_MS })
    await opened.page.waitForLoadState('networkidle')
  })
  const drag = await dragTimes(opened, board)
  const scroll = await scrollColumn(opened, board)
  await opened.cdp.send('HeapProfiler.collectGarbage')
  await opened.cdp.send('Performance.enable')
  const { metrics } = await opened.cdp.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  const cards = await opened.page.locator('[data-card]').count()
  await opened.close()
  const of = (key: keyof (typeof loads)[number]) => median(loads.map((load) => load[key]))
  return {
    firstCards: of('first'),
    allColumns: of('all'),
    requests: of('requests'),
    bytes: of('bytes'),
    statements,
    drag,
    ...scroll,
    heap,
    cards,
  }
}

/** A new tab in which all columns of the board show cards, and nothing is under way any more. */
async function openBoard(clinic: BenchClinic, board: BenchBoard): Promise<Tab> {
  const tab = await openTab(clinic, LOGIN)
  await tab.page.addInitScript(watchCards, board.idColumns.length)
  await tab.page.goto(`/app/tasks?board=${board.id}`)
  const seen = await tab.page
    .waitForFunction(() => (window as unknown as Watched).cardsAll, undefined, { timeout: WAIT_MS })
    .catch(() => undefined)
  if (!seen)
    throw new Error(`no cards within ${WAIT_MS / 1000} s at /app/tasks?board=${board.id}: is the screen there yet?`)
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

/** Runs in the page: notes when the first card, and a card in every column, has been painted. */
function watchCards(columns: number): void {
  const watched = window as unknown as Watched
  const look = () => {
    const filled = [...document.querySelectorAll('[data-column]')].filter((column) =>
      column.querySelector('[data-card]'),
    )
    const seen = performance.now()
    // What a frame callback sees is painted before the next one.
    if (filled.length > 0 && watched.cardsFirst === undefined) watched.cardsFirst = seen
    if (filled.length >= columns) watched.cardsAll = seen
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Drags the top card of one column into the next, by the mouse. */
async function dragTimes({ page }: Tab, board: BenchBoard): Promise<number> {
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
  board: BenchBoard,
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
