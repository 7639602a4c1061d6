import { useEffect, useId, useRef } from 'react'

/** What stands open over the page, by its mark: dialogs, panels and popovers. */
const opened = new Map<string, { current: () => void }>()

/**
 * Escape closes the innermost of what is open, and only it: Mantine's own dialogs all hear the key at once. Switch their
 * `closeOnEscape` off and put the answer on the content. A list or a menu that stands open takes the key first.
 */
export function useInnermost(isOpen: boolean, onEscape: () => void): { 'data-innermost': string } {
  const id = useId()
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    if (!isOpen) return
    opened.set(id, latest)
    return () => void opened.delete(id)
  }, [id, isOpen])
  return { 'data-innermost': id }
}

/** Later ones stand after earlier ones in the document; those that are only moving out are no more open. */
const innermost = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[data-innermost]')].findLast(({ dataset }) =>
    opened.has(dataset.innermost ?? ''),
  )

/** A list or a menu that stands open, or what else answers the key itself; of Mantine's own, the link of a rich text. */
const keepsKey = (target: HTMLElement): boolean =>
  target.closest(
    '[data-mantine-stop-propagation="true"], [role="menu"], [role="listbox"], [role="dialog"]:not([data-innermost]), [aria-haspopup="listbox"][aria-expanded="true"]',
  ) !== null

/** The menu that a button has opened and that has not got the focus yet. */
const menuOf = (target: HTMLElement): HTMLElement | null | undefined => {
  const id = target.closest('[aria-haspopup="menu"][aria-expanded="true"]')?.getAttribute('aria-controls')
  return id === undefined || id === null ? undefined : document.getElementById(id)
}

// One for all: what has closed at a press would else leave the same press to the one beneath.
if (typeof window !== 'undefined') {
  // Asked before the press reaches anything: a list closes at it, and then looks as if it had never been open.
  let kept = false
  window.addEventListener(
    'keydown',
    ({ key, target }) => {
      kept = key === 'Escape' && target instanceof HTMLElement && keepsKey(target)
    },
    { capture: true },
  )
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || kept || event.isComposing || !(event.target instanceof HTMLElement)) return
    // The editor of rich text calls every Escape handled.
    if (event.defaultPrevented && !event.target.isContentEditable) return
    const menu = menuOf(event.target)
    if (menu) return void menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    const top = innermost()
    if (!top) return
    event.preventDefault()
    opened.get(top.dataset.innermost ?? '')?.current()
  })
}
