import type { Frame, Page, Request } from 'playwright/test'

/** Automatic findings on a page in its current state; each list names places by their text. */
export interface Sight {
  /** Text cut off by its box without «…». */
  cut: string[]
  /** Controls covered by something else, or cut by the window. */
  covered: string[]
  /** Pixels by which the page is wider than the window. */
  sideways: number
  /** A dialog is open and the focus is not in it. */
  focusLost: boolean
  /** Forms that opened with the caret elsewhere than in their first empty required field, since the last sight. */
  carets: string[]
}

/** Layout shifts without user input (https://web.dev/articles/cls). */
export interface Shift {
  sum: number
  /** Each of them, with the elements that moved. */
  moved: string[]
}

const watched = new WeakSet<Page>()

/** Call before the page is loaded: layout shifts, and the fields in which forms begin, are recorded as they happen. */
export async function watch(page: Page): Promise<void> {
  if (watched.has(page)) return
  watched.add(page)
  await page.addInitScript(() => {
    const FIELDS =
      'textarea, [contenteditable="true"], input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"])'
    const begun = new WeakSet<Element>()
    const marked = window as unknown as { carets: string[] }
    marked.carets = []
    const nameOf = (field: HTMLElement): string =>
      ((field as HTMLInputElement).labels?.[0]?.innerText ?? field.getAttribute('aria-label') ?? field.tagName).trim()
    const isEmpty = (field: HTMLElement): boolean => {
      // A choice shows its record once the name is loaded, or as a pill.
      if (field.hasAttribute('data-filled') || field.parentElement?.querySelector('.mantine-Pill-root')) return false
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return field.textContent === ''
      const isFixed = field.disabled || (field.readOnly && !field.hasAttribute('aria-haspopup'))
      return field.value === '' && !isFixed
    }
    document.addEventListener('focusin', ({ target }) => {
      const form = target instanceof HTMLElement && target.matches(FIELDS) ? target.closest('form') : null
      if (!form || begun.has(form)) return
      begun.add(form)
      const required = [...form.querySelectorAll<HTMLElement>(FIELDS)].filter(
        (field) => field.matches('[required], [aria-required="true"]') && field.checkVisibility(),
      )
      const first = required.find(isEmpty)
      if (!first || first === target) return
      marked.carets.push(`«${nameOf(target as HTMLElement)}» instead of «${nameOf(first)}»`)
    })
  })
  await page.addInitScript(() => {
    const marked = window as unknown as { shifted: number; shifts: string[] }
    marked.shifted = 0
    marked.shifts = []
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources?: { node: Node | null }[] }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue
        marked.shifted += entry.value
        const moved = (entry.sources ?? []).map(({ node }) => (node?.textContent ?? '').slice(0, 40))
        marked.shifts.push(`${Math.round(entry.startTime)} ms, ${entry.value.toFixed(3)}: ${moved.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Layout shifts since the last call, or since the page load. */
export const shiftOf = (page: Page): Promise<Shift> =>
  page.evaluate(() => {
    const marked = window as unknown as { shifted?: number; shifts?: string[] }
    const found = { sum: Math.round((marked.shifted ?? 0) * 1000) / 1000, moved: marked.shifts ?? [] }
    marked.shifted = 0
    marked.shifts = []
    return found
  })

export function sight(page: Page): Promise<Sight> {
  return page.evaluate(() => {
    const SLACK = 1.5
    const words = (element: Element): string => {
      const label = element.getAttribute('aria-label') ?? (element as HTMLElement).innerText ?? ''
      return `${element.tagName.toLowerCase()} «${label.replace(/\s+/g, ' ').trim().slice(0, 60)}»`
    }
    const layer = [...document.querySelectorAll('[role=dialog]')].filter((one) => one.checkVisibility()).at(-1)
    const shown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
    /** Visually hidden, for screen readers. */
    const forEar = ({ width, height }: DOMRect): boolean => width <= 2 || height <= 2

    /** The surrounding box that clips the element: not a scrollable one. */
    const cutter = (element: Element): Element | undefined => {
      for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
        const { overflowX } = getComputedStyle(up)
        if (overflowX === 'hidden' || overflowX === 'clip') return up
        if (overflowX !== 'visible') return
      }
      return
    }

    const cut: string[] = []
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())) continue
      const style = getComputedStyle(element)
      const hides = (way: string) => way === 'hidden' || way === 'clip'
      if (!hides(style.overflowX) && !hides(style.overflowY)) {
        // «…» applies to text directly in a box; a nested box is clipped as it is.
        if (style.display === 'inline' || !shown(element)) continue
        const box = element.getBoundingClientRect()
        const frame = cutter(element)?.getBoundingClientRect()
        if (frame && !forEar(box) && !forEar(frame) && box.left < frame.right && box.right > frame.right + SLACK)
          cut.push(words(element))
        continue
      }
      if (!shown(element) || forEar(element.getBoundingClientRect())) continue
      const wide = hides(style.overflowX) && element.scrollWidth > element.clientWidth + SLACK
      const high = hides(style.overflowY) && element.scrollHeight > element.clientHeight + 4
      const clamped = style.webkitLineClamp !== 'none'
      if ((wide && style.textOverflow !== 'ellipsis' && !clamped) || (high && !clamped)) cut.push(words(element))
    }

    const covered: string[] = []
    const CONTROLS =
      'a[href], button, input:not([type=hidden]):not([type=file]), select, textarea, [role=button], [role=tab], [role=switch]'
    for (const control of (layer ?? document.body).querySelectorAll<HTMLElement>(CONTROLS)) {
      if (!shown(control) || control.matches(':disabled')) continue
      const box = control.getBoundingClientRect()
      if (forEar(box)) continue
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      let clipped = false
      for (let up = control.parentElement; up; up = up.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(up)
        if (overflowX === 'visible' && overflowY === 'visible') continue
        const frame = up.getBoundingClientRect()
        if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) clipped = true
      }
      // Scrolled out of view, in its own box or with the page: not cut.
      if (clipped || y < 0 || y > innerHeight) continue
      if (x < 0 || x > innerWidth) {
        covered.push(`${words(control)} за краем окна`)
        continue
      }
      const top = document.elementFromPoint(x, y)
      if (!top || control.contains(top) || top.contains(control)) continue
      const label = (control as HTMLInputElement).labels?.[0]
      if (label && (label.contains(top) || top.contains(label))) continue
      // A control of the kit is often drawn beside its actual input.
      if (control.matches('input') && control.parentElement?.parentElement?.contains(top)) continue
      covered.push(`${words(control)} под ${words(top)}`)
    }

    const root = document.documentElement
    const { carets = [] } = window as unknown as { carets?: string[] }
    const modal = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].filter(shown).at(-1)
    return {
      cut: [...new Set(cut)],
      covered: [...new Set(covered)],
      sideways: Math.max(0, root.scrollWidth - root.clientWidth),
      focusLost: modal !== undefined && document.activeElement === document.body,
      carets: carets.splice(0),
    }
  })
}

/** Calls of a page load, and the length of their sequential chain. */
export interface Waterfall {
  calls: number
  steps: number
}

export interface Calls {
  /** URLs of calls without an answer yet. */
  pending: () => string[]
  waterfall: () => Waterfall
  /** The page is used for another check. */
  stop: () => void
}

/** Counts the page's calls of the server from now on. */
export function watchCalls(page: Page): Calls {
  const all: { began: number; ended: number }[] = []
  const pending = new Set<Request>()
  const listeners = {
    request: (request: Request) => void (isCall(request) && pending.add(request)),
    requestfailed: (request: Request) => void pending.delete(request),
    // Requests of the previous page are never answered.
    framenavigated: (frame: Frame) => void (frame === page.mainFrame() && pending.clear()),
    requestfinished(request: Request) {
      if (!pending.delete(request)) return
      const { startTime, responseEnd } = request.timing()
      all.push({ began: startTime, ended: startTime + Math.max(0, responseEnd) })
    },
  }
  const events = Object.entries(listeners) as [never, never][]
  for (const [event, listener] of events) page.on(event, listener)
  return {
    pending: () => [...pending].map((request) => request.url()),
    waterfall: () => waterfall(all),
    stop: () => {
      for (const [event, listener] of events) page.off(event, listener)
    },
  }
}

/** The web polls the server's health; no screen waits for that. */
export const isCall = (request: Request): boolean =>
  ['fetch', 'xhr'].includes(request.resourceType()) && !request.url().endsWith('/health')

function waterfall(all: readonly { began: number; ended: number }[]): Waterfall {
  const steps: number[] = []
  const inOrder = all.toSorted((a, b) => a.began - b.began)
  for (const [at, { began }] of inOrder.entries()) {
    const before = inOrder.slice(0, at).flatMap(({ ended }, i) => (ended <= began ? [steps[i] ?? 0] : []))
    steps.push(1 + Math.max(0, ...before))
  }
  return { calls: all.length, steps: Math.max(0, ...steps) }
}
