/**
 * Presses the controls of a page one after another: a control that changes neither text, state, value, scroll position nor
 * address, and causes no request, is a fault. Links are left out (the address is their effect), and so are controls that
 * are chosen already. Writing requests are refused meanwhile: nothing of the clinic changes.
 */
import type { ElementHandle, Page, Request, Route } from 'playwright/test'
import { isCall } from './sight.ts'

/** Time for an effect to show, ms; only a control that does nothing takes all of it. */
const EFFECT_MS = 5_000
/** Time for the pointer to reach a control: one that is covered fails. */
const REACH_MS = 15_000

interface Control {
  /** Equal for the controls of all rows of a list: one of them is pressed. */
  kind: string
  /** For a report. */
  words: string
  at: number
}

interface Ways {
  /** Whether the control of this kind has its turn. */
  isTurn: (kind: string) => boolean
  /** Opens the page anew. */
  again: () => Promise<void>
}

/** @returns one line for each control that does nothing; `pressed` is false when no control had its turn */
export async function pressAll(page: Page, { isTurn, again }: Ways): Promise<{ faults: string[]; pressed: number }> {
  const kinds = (await controls(page)).filter(({ kind }) => isTurn(kind))
  const faults: string[] = []
  let isFresh = true
  for (const { kind, words } of kinds) {
    if (!isFresh) await again()
    const control = (await controls(page)).find((one) => one.kind === kind)
    // Shown by a state that is not there each time, such as a toast.
    if (!control) continue
    const before = await drawing(page)
    const effect = await press(page, control)
    if (effect === 'none') faults.push(`does nothing: ${words}`)
    else if (effect === 'covered') faults.push(`cannot be pressed: ${words}`)
    isFresh = effect !== 'left' && (await putAway(page, before))
  }
  if (!isFresh) await again()
  return { faults, pressed: kinds.length }
}

/** Closes what a press has opened. @returns whether the page is as before */
async function putAway(page: Page, before: number): Promise<boolean> {
  if ((await drawing(page)) === before) return true
  await page.keyboard.press('Escape')
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return (await drawing(page)) === before
}

/** `left`: the page was changed beyond what can be compared. */
type Effect = 'seen' | 'none' | 'covered' | 'left'

async function press(page: Page, { at }: Control): Promise<Effect> {
  const handle = (await page.evaluateHandle((at) => (window as unknown as Listed).listed?.[at], at)).asElement()
  if (!handle) return 'left'
  let asked = 0
  const listeners = {
    request: (request: Request) => void (asked += Number(isCall(request))),
    popup(other: Page) {
      asked++
      void other.close()
    },
    dialog(dialog: { dismiss(): Promise<void> }) {
      asked++
      void dialog.dismiss()
    },
    download: () => void asked++,
    filechooser: () => void asked++,
  }
  const events = Object.entries(listeners) as [never, never][]
  const refuse = (route: Route) =>
    ['GET', 'HEAD'].includes(route.request().method())
      ? route.fallback()
      : route.fulfill({ status: 400, json: { name: 'BadRequest', message: 'Проверка нажатий', status: 400 } })
  try {
    await (handle as ElementHandle<HTMLElement>).hover({ timeout: REACH_MS })
  } catch {
    return 'covered'
  }
  await page.route('**/*', refuse)
  for (const [event, listener] of events) page.on(event, listener)
  try {
    const before = await drawing(page)
    await page.mouse.down()
    await page.mouse.up()
    const until = Date.now() + EFFECT_MS
    while (Date.now() < until) {
      if (asked > 0 || (await drawing(page)) !== before) return 'seen'
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    return 'none'
  } catch {
    // The page was replaced meanwhile: an effect too.
    return 'left'
  } finally {
    for (const [event, listener] of events) page.off(event, listener)
    await page.unroute('**/*', refuse)
  }
}

interface Listed {
  listed?: HTMLElement[]
}

/** The controls in the page's own part, else in the dialog on top, in their order. */
async function controls(page: Page): Promise<Control[]> {
  const found = await page.evaluate(() => {
    const CONTROLS =
      'button, summary, [role=button], [role=tab], [role=switch], [role=checkbox], [role=menuitem], input[type=checkbox], input[role=combobox], input[aria-haspopup]'
    const CHOSEN = '[aria-selected=true], [aria-current]:not([aria-current=false]), [role=radio][aria-checked=true]'
    /** The chosen one of several. */
    const isChosen = (one: Element): boolean =>
      one.matches(CHOSEN) ||
      (one.matches('[aria-pressed=true]') &&
        (one.closest('fieldset, [role=group], ul, ol') ?? one.parentElement)?.querySelector('[aria-pressed=false]') !=
          null)
    const layer = [...document.querySelectorAll('[role=dialog]')].filter((one) => one.checkVisibility()).at(-1)
    const frame = layer ?? document.querySelector('main') ?? document.body
    const listed = [...frame.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => {
      const { width, height } = one.getBoundingClientRect()
      const isShown =
        one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 2 && height > 2
      return isShown && !one.matches(':disabled, [aria-disabled=true], [data-disabled]') && !isChosen(one)
    })
    ;(window as unknown as { listed?: HTMLElement[] }).listed = listed
    return listed.map((one, at) => {
      const label = (one.getAttribute('aria-label') ?? one.innerText ?? '') || one.getAttribute('name') || ''
      const words = `${one.tagName.toLowerCase()} «${label.replace(/\s+/g, ' ').trim().slice(0, 80)}»`
      const row = one.closest('tr, li, [role=row], [role=listitem], [role=gridcell], [data-card], [data-item]')
      // Names of rows differ in the record alone: «Действия: Иванов».
      const name = row
        ? `${row.tagName} ${label.split(/[\s:«]/)[0]}`
        : label.replace(/:.*/s, '').replace(/«.*?»/gs, '').replace(/\d+/g, '')
      return { kind: `${one.tagName} ${one.getAttribute('role') ?? ''} ${name}`.replace(/\s+/g, ' ').trim(), words, at }
    })
  })
  return [...new Map(found.toReversed().map((one) => [one.kind, one])).values()].toReversed()
}

/** A number of everything that a press may change; tooltips come with the pointer. */
function drawing(page: Page): Promise<number> {
  return page.evaluate(() => {
    const SHOWN = ['class', 'disabled', 'open', 'src', 'title', 'placeholder', 'd']
    const parts: unknown[] = [location.href, document.title, Math.round(scrollX), Math.round(scrollY)]
    // A press moves the focus to the control itself; into a field it is an effect.
    const field = document.activeElement
    const isField = field?.matches('input:not([type=checkbox], [type=radio]), textarea, [contenteditable=true]')
    for (const one of document.body.querySelectorAll<HTMLInputElement & HTMLMediaElement>('*')) {
      if (one.closest('[role=tooltip], script, style')) continue
      parts.push(one.tagName)
      for (const { name, value } of one.attributes)
        if (SHOWN.includes(name) || (name.startsWith('aria-') && name !== 'aria-describedby')) parts.push(name, value)
      for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) parts.push(node.textContent)
      if (one.matches('input, textarea, select')) parts.push(one.value, one.checked)
      if (one.matches('audio, video')) parts.push(one.paused)
      if (one.scrollTop || one.scrollLeft) parts.push(Math.round(one.scrollTop), Math.round(one.scrollLeft))
      if (isField && one === field) parts.push('caret')
    }
    const text = parts.join('\u0001')
    let sum = 0
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum, 31) + text.charCodeAt(at)
    return sum
  })
}
