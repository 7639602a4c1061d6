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

// One for all: what has closed at a press would else leave the same press to the one beneath.
if (typeof window !== 'undefined')
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof HTMLElement)) return
    // The editor of rich text calls every Escape handled.
    if (event.defaultPrevented && !event.target.isContentEditable) return
    // As Mantine's own dialogs do: what has the focus keeps the key to itself.
    if (event.target.getAttribute('data-mantine-stop-propagation') === 'true') return
    if (event.target.closest('[aria-haspopup][aria-expanded="true"]')) return
    const top = innermost()
    if (!top || (event.target !== document.body && !top.contains(event.target))) return
    event.preventDefault()
    opened.get(top.dataset.innermost ?? '')?.current()
  })
