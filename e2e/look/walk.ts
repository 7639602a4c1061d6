import { expect, type Page } from 'playwright/test'
import { type Scheme, violations } from './axe.ts'
import { pressAll } from './press.ts'
import type { Look } from './share.ts'
import { type Calls, type Shift, type Sight, shiftOf, sight, type Waterfall, watch, watchCalls } from './sight.ts'
import type { State } from './states/common.ts'
import type { World } from './world.ts'

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }
/** The narrowest supported window. */
const NARROWEST = { width: 360, height: 740 }

export interface Capture {
  look: Look
  axe: string[]
  sight: Sight
  picture?: Buffer
}

export interface Walked {
  screens: Capture[]
  opening: Waterfall
  /** Layout shifts until the page stands, as it was opened. */
  shift: Shift
  /** Escape has closed the dialog and the focus was lost; checked only when screenshots are taken. */
  focusFell?: boolean
  /** Controls pressed, and one line for each that does nothing. */
  pressed: number
  idle: string[]
}

interface Ways {
  looks: readonly Look[]
  pictures: boolean
  /** The window shows another page of the app: no page load. */
  inside: boolean
  /** Whether a control is pressed in this run. */
  presses: (kind: string) => boolean
}

/** Opens the state and checks it in the given variants, with at most one page load. */
export async function walk(page: Page, state: State, address: string, world: World, ways: Ways): Promise<Walked> {
  const calls = watchCalls(page)
  try {
    return await walked(page, state, address, world, ways, calls)
  } finally {
    calls.stop()
  }
}

async function walked(
  page: Page,
  state: State,
  address: string,
  world: World,
  { looks, pictures, inside, presses }: Ways,
  calls: Calls,
): Promise<Walked> {
  await watch(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(state.only === 'narrow' ? NARROW : WIDE)
  if (inside) await shiftOf(page)
  await (inside ? turnTo(page, address) : page.goto(address))
  await settled(page, calls)
  const opening = calls.waterfall()
  const shift = await shiftOf(page)
  const unfold = async () => {
    await state.open?.(page, world)
    await settled(page, calls)
  }
  await unfold()
  const screens: Capture[] = []
  const widths = new Set<string>()
  for (const look of looks) {
    const [width, scheme] = look.split(' ') as ['wide' | 'narrow', Scheme]
    if (state.only && state.only !== width) continue
    await page.setViewportSize(width === 'wide' ? WIDE : NARROW)
    await paint(page, scheme)
    const now = await sight(page)
    // Findings at this width in the other scheme apply here too: only the colours differ.
    const whole = !widths.has(width)
    widths.add(width)
    const axe = await violations(page, scheme, whole ? 'all' : 'colours')
    screens.push({ look, axe, sight: now, ...(pictures ? { picture: await page.screenshot() } : {}) })
  }
  if (!state.only) {
    await page.setViewportSize(NARROWEST)
    const beyond = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(beyond, `${NARROWEST.width} px`).toBe(0)
  }
  const focusFell = pictures ? { focusFell: await fellOnClosing(page) } : {}
  await page.setViewportSize(state.only === 'narrow' ? NARROW : WIDE)
  await drawn(page)
  const again = async () => {
    await page.goto('about:blank')
    await page.goto(address)
    await settled(page, calls)
    await unfold()
  }
  const { faults, pressed } = await pressAll(page, { isTurn: presses, again })
  return { screens, opening, shift, ...focusFell, pressed, idle: faults }
}

/** Opens another page of the app as its links do, without loading the app again. */
export async function turnTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    // What axe has seen on the former page.
    delete (window as { judged?: unknown }).judged
    history.pushState({}, '', to)
  }, address)
  await page.waitForFunction(() => {
    const { state, latestLocation } = (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
    return state.status === 'idle' && state.resolvedLocation?.href === latestLocation.href
  })
  await drawn(page)
}

/** The part of the app's router that reports when a page is drawn. */
interface Router {
  state: { status: string; resolvedLocation?: { href: string } }
  latestLocation: { href: string }
}

async function fellOnClosing(page: Page): Promise<boolean> {
  await page.setViewportSize(WIDE)
  await drawn(page)
  const open = await page.getByRole('dialog').count()
  await page.keyboard.press('Escape')
  await drawn(page)
  const left = await page.getByRole('dialog').count()
  return left < open && (await page.evaluate(() => document.activeElement === document.body))
}

async function paint(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const root = page.locator('html[data-mantine-color-scheme]')
  if (await root.count()) await expect(root).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  await drawn(page)
}

/** Short polling intervals: most of the awaited elements exist at once. */
const SOON = { intervals: [20, 50, 100] }

/** All requested data have arrived, and there is no loading indicator. */
async function settled(page: Page, calls: Calls): Promise<void> {
  await expect(page.locator('h1, [role=dialog], main').first()).toBeVisible()
  await expect
    .poll(async () => {
      await drawn(page)
      const busy = page.locator('[aria-busy=true]:visible, .mantine-Skeleton-root:visible')
      return [...calls.pending(), ...(await busy.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 100))))]
    }, SOON)
    .toEqual([])
}

/** Changes are painted in the frame after the next. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
