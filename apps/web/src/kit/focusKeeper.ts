import { focusIsNowhere } from './useReturnFocus.ts'

/**
 * Keeps the focus in the document: when the focused element is removed, moved or disabled, the focus goes to the element
 * in its place, so that keyboard users do not start again at the top of the page. Does nothing if other code has set the
 * focus. One instance for the app.
 */

const FOCUSABLE =
  'a[href], button:enabled, input:enabled:not([type="hidden"], [type="file"]), select:enabled, textarea:enabled, [contenteditable="true"], [tabindex]:not([tabindex="-1"])'
/** Opens the keyboard of a phone: used only when nothing else is available. */
const TYPED_IN = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable="true"]'
/** Dialogs and menus restore the focus within this time, milliseconds. */
const OTHERS_FIRST_MS = 40
/** A row removed by scrolling a virtual list needs no replacement. */
const SCROLL_MS = 300
const REMEMBERED = 6

/** Position of a removed element. */
interface Gap {
  parent: Node
  before: Node | null
  after: Node | null
  /** Index of the focused control within the removed element: the same one of its neighbour gets the focus. */
  nth: number
}

/** Recently focused elements, the latest first. */
let held: HTMLElement[] = []
let gap: Gap | undefined
let waiting: ReturnType<typeof setTimeout> | undefined
/** Number of focus changes. */
let turn = 0
let scrolled = 0

const focusables = (root: Node | null): HTMLElement[] =>
  root instanceof HTMLElement
    ? [...(root.matches(FOCUSABLE) ? [root] : []), ...root.querySelectorAll<HTMLElement>(FOCUSABLE)]
    : []
const isUsable = (element: HTMLElement) =>
  element.isConnected && element.matches(FOCUSABLE) && element.getClientRects().length > 0

/** A menu item disappears with its menu: use the button that opened the menu. */
const lasting = (target: HTMLElement): HTMLElement | null => {
  const opener = target.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return opener ? document.getElementById(opener) : target
}

function watch(records: readonly MutationRecord[]): void {
  const [last] = held
  if (!last) return
  for (const { removedNodes, target, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      const isLast = node.contains(last)
      if (isLast || (gap && node.contains(gap.parent)))
        gap = {
          parent: target,
          before: previousSibling,
          after: nextSibling,
          nth: isLast ? Math.max(0, focusables(node).indexOf(last)) : 0,
        }
    }
  // A busy button is enabled again, but has lost the focus meanwhile.
  const back = records.some(({ type, target }) => type === 'attributes' && target === last)
  if ((gap || back || last.matches(':disabled')) && focusIsNowhere()) wait()
}

function wait(): void {
  clearTimeout(waiting)
  waiting = setTimeout(settle, OTHERS_FIRST_MS)
}

function settle(): void {
  const [last] = held
  if (!last || !focusIsNowhere() || Date.now() - scrolled < SCROLL_MS) return
  // A busy button comes back.
  if (last.isConnected && last.matches('[data-loading]')) return
  const next = isUsable(last) ? last : (inPlaceOf(last) ?? held.find(isUsable))
  const frame = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1) ?? document.getElementById('main')
  const taken = next && (!frame || frame.contains(next)) ? next : frame
  taken?.focus({ preventScroll: true })
}

function inPlaceOf(last: HTMLElement): HTMLElement | undefined {
  const nth = gap?.nth ?? 0
  if (gap)
    for (const near of [gap.after, gap.before]) {
      const found = focusables(near).filter(isUsable)
      if (found.length) return found[Math.min(nth, found.length - 1)]
    }
  const parent = gap?.parent ?? last.parentNode
  for (let around = parent instanceof HTMLElement ? parent : null; around; around = around.parentElement) {
    if (around.id === 'main' || around === document.body) return undefined
    const found = focusables(around).filter(isUsable)
    const taken = found.find((one) => !one.matches(TYPED_IN)) ?? found[0]
    if (taken) return taken
    if (around.matches('[role="dialog"]')) return undefined
  }
  return undefined
}

if (typeof window !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    turn++
    if (!(target instanceof HTMLElement) || target.matches('main, [role="dialog"]')) return
    const now = lasting(target)
    if (!now) return
    held = [now, ...held.filter((one) => one !== now)].slice(0, REMEMBERED)
    gap = undefined
  })
  // Clicking elsewhere leaves the element on purpose: nothing to keep. Unless the focus has moved on and was lost there,
  // as from a menu item chosen at once.
  document.addEventListener('focusout', ({ target }) => {
    const left = turn
    setTimeout(() => {
      const nowhere = left === turn && document.activeElement === document.body
      if (target === held[0] && !gap && nowhere && isUsable(held[0] as HTMLElement)) held = []
    })
  })
  for (const way of ['wheel', 'touchmove'])
    document.addEventListener(way, () => void (scrolled = Date.now()), { capture: true, passive: true })
  new MutationObserver(watch).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'data-loading'],
  })
}
