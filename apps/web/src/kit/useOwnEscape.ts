import { useEffect, useRef } from 'react'

/**
 * Escape pressed in a dialog itself. Mantine's dialogs all hear it at once, so that one opened over another closes both:
 * switch `closeOnEscape` off, put `ownEscape` on the content, and close by this. A list or a calendar that stands open
 * in the dialog takes the key first.
 * @param name value of the mark, for a dialog that opens over another one with this mark
 */
export function useOwnEscape(onEscape: () => void, name = 'true'): void {
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !(event.target instanceof HTMLElement)) return
      // The editor of rich text calls every Escape handled.
      if (event.defaultPrevented && !event.target.isContentEditable) return
      // As Mantine's own dialogs do: what has the focus keeps the key to itself.
      if (event.target.getAttribute('data-mantine-stop-propagation') === 'true') return
      if (event.target.closest('[aria-haspopup][aria-expanded="true"]')) return
      const marked =
        event.target === document.body
          ? [...document.querySelectorAll('[data-own-escape]')].at(-1)
          : event.target.closest('[data-own-escape]')
      if (marked?.getAttribute('data-own-escape') === name) latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [name])
}

/** The mark of the content. */
export const ownEscape = { 'data-own-escape': true } as const
