import { useEffect, useId, useRef } from 'react'

/** Open layers by id: dialogs, panels and popovers. */
const opened = new Map<string, { current: () => void }>()

/**
 * Escape closes only the topmost layer: Mantine's dialogs would all handle the key at once. Disable their `closeOnEscape`
 * and put the returned attribute on the content. An open list or menu handles the key first.
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
 * Later layers come later in the document; closing ones do not count. A window or menu of Mantine is a layer too, found by
 * the button that opened it: it handles the key only while it contains the focus, which is not yet so in its first
 * moment.
 */
const innermost = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[data-innermost], [role="dialog"][id], [role="menu"][id]')].findLast(
    ({ dataset, id }) =>
      dataset.innermost === undefined
        ? document.querySelector(`[aria-controls="${CSS.escape(id)}"][aria-expanded="true"]`) !== null
        : opened.has(dataset.innermost),
  )

/** True when an open list, a menu or another element handles the key itself; in Mantine, the link editor of rich text. */
const keepsKey = (target: HTMLElement): boolean =>
  target.closest(
    '[data-mantine-stop-propagation="true"], [role="menu"], [role="listbox"], [role="dialog"]:not([data-innermost]), [aria-haspopup="listbox"][aria-expanded="true"]',
  ) !== null

/** Passes the key to an element that handles it. */
const handOn = (to: HTMLElement): void =>
  void to.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))

/** An open list of a field: Enter selects from it, and does not submit the form when there is nothing to select. */
const chooses = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !(ctrlKey || metaKey) &&
  target instanceof HTMLInputElement &&
  target.matches('[aria-haspopup="listbox"][aria-expanded="true"]')

// One handler for all: otherwise a layer closed by a key would leave the same key to the one below.
if (typeof window !== 'undefined') {
  // In the capture phase: a list or menu closes on the key, and then looks as if it had not been open.
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
    // The rich text editor marks every Escape as handled.
    if (event.defaultPrevented && !event.target.isContentEditable) return
    if (!top) return
    event.preventDefault()
    if (top.dataset.innermost === undefined) handOn(top)
    else opened.get(top.dataset.innermost)?.current()
  })
}
