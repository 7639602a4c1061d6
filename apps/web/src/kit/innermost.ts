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

/**
 * Later ones stand after earlier ones in the document; those that are only moving out are no more open. A window or a menu
 * of Mantine's own is one of them too, by the button that has opened it: it knows the key only while the focus is within,
 * and in its first moment the focus is not there yet.
 */
const innermost = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[data-innermost], [role="dialog"][id], [role="menu"][id]')].findLast(
    ({ dataset, id }) =>
      dataset.innermost === undefined
        ? document.querySelector(`[aria-controls="${CSS.escape(id)}"][aria-expanded="true"]`) !== null
        : opened.has(dataset.innermost),
  )

/** A list or a menu that stands open, or what else answers the key itself; of Mantine's own, the link of a rich text. */
const keepsKey = (target: HTMLElement): boolean =>
  target.closest(
    '[data-mantine-stop-propagation="true"], [role="menu"], [role="listbox"], [role="dialog"]:not([data-innermost]), [aria-haspopup="listbox"][aria-expanded="true"]',
  ) !== null

/** To what answers the key itself. */
const handOn = (to: HTMLElement): void =>
  void to.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))

/** A list that stands open under a field: an Enter chooses of it, and where it has nothing to choose it sends no form. */
const chooses = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !(ctrlKey || metaKey) &&
  target instanceof HTMLInputElement &&
  target.matches('[aria-haspopup="listbox"][aria-expanded="true"]')

// One for all: what has closed at a press would else leave the same press to the one beneath.
if (typeof window !== 'undefined') {
  // Asked before the press reaches anything: a list or a menu closes at it, and then looks as if it had never been open.
  let kept = false
  let top: HTMLElement | undefined
  let isChoice = false
  window.addEventListener(
    'keydown',
    (event) => {
      const isEscape = event.key === 'Escape' && event.target instanceof HTMLElement
      kept = isEscape && keepsKey(event.target)
      top = isEscape ? innermost() : undefined
      isChoice = chooses(event)
    },
    { capture: true },
  )
  window.addEventListener('keydown', (event) => {
    if (isChoice) event.preventDefault()
    if (event.key !== 'Escape' || kept || event.isComposing || !(event.target instanceof HTMLElement)) return
    // The editor of rich text calls every Escape handled.
    if (event.defaultPrevented && !event.target.isContentEditable) return
    if (!top) return
    event.preventDefault()
    if (top.dataset.innermost === undefined) handOn(top)
    else opened.get(top.dataset.innermost)?.current()
  })
}
