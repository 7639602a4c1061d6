import { focusIsNowhere } from './useReturnFocus.ts'

/**
 * The focus is never nowhere: when what has it goes away, is put elsewhere or is switched off, it passes to what stands
 * in its place, so that the keyboard does not begin anew at the top of the page. Whoever knows better has focused
 * something before. One for all.
 */

const FOCUSABLE =
  'a[href], button:enabled, input:enabled:not([type="hidden"], [type="file"]), select:enabled, textarea:enabled, [contenteditable="true"], [tabindex]:not([tabindex="-1"])'
/** Opens the keyboard of a phone: taken only where there is nothing else. */
const TYPED_IN = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable="true"]'
/** Dialogs and menus give the focus back in this time, milliseconds. */
const OTHERS_FIRST_MS = 40
/** A row that is scrolled away is no more in the document either, and nobody misses it. */
const SCROLL_MS = 300
const REMEMBERED = 6

/** Where something has been taken out of the document. */
interface Gap {
  parent: Node
  before: Node | null
  after: Node | null
  /** Which of the controls of what went had the focus: the same of the neighbour gets it. */
  nth: number
}

/** Who had the focus, the last one first. */
let held: HTMLElement[] = []
let gap: Gap | undefined
let waiting: ReturnType<typeof setTimeout> | undefined
/** How often something has got the focus. */
let turn = 0
let scrolled = 0

const focusables = (root: Node | null): HTMLElement[] =>
  root instanceof HTMLElement
    ? [...(root.matches(FOCUSABLE) ? [root] : []), ...root.querySelectorAll<HTMLElement>(FOCUSABLE)]
    : []
const isUsable = (element: HTMLElement) =>
  element.isConnected && element.matches(FOCUSABLE) && element.getClientRects().length > 0

/** A line of a menu goes with its menu: the button that has opened it stays, or has gone already. */
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
  // One that was busy comes back, and has lost the focus meanwhile.
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
  // A button that is busy comes back.
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
  // Somebody has left it on purpose, by a press beside: there is nothing to keep. Not so when the focus has gone on and
  // been lost from there since, as from a line of a menu that was chosen at once.
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
