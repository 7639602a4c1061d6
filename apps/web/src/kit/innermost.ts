import { useEffect, useId, useRef } from 'react'

/** What stands open over the page, by its mark: dialogs and panels. */
const opened = new Map<string, { current: () => void }>()

/**
 * Escape closes the innermost of what is open, and only it: Mantine's own dialogs all hear the key at once. Switch their
 * `closeOnEscape` off and put the answer on the content. A list, a menu or a calendar that stands open takes the key
 * first.
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

/** A list that stands open, or what else keeps the key to itself, as for Mantine's own dialogs. */
const keepsKey = (target: HTMLElement): boolean =>
  target.getAttribute('data-mantine-stop-propagation') === 'true' ||
  target.closest('[aria-haspopup][aria-expanded="true"]') !== null

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
    const top = innermost()
    if (!top || (event.target !== document.body && !top.contains(event.target))) return
    event.preventDefault()
    opened.get(top.dataset.innermost ?? '')?.current()
  })
}
