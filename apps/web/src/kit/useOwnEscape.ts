import { useEffect, useRef } from 'react'

/**
 * Escape pressed in a dialog itself. Mantine's dialogs all hear it at once, so that one opened over another closes both:
 * switch `closeOnEscape` off, put `ownEscape` on the content, and close by this. A list or a calendar that stands open
 * in the dialog takes the key first.
 */
export function useOwnEscape(onEscape: () => void): void {
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return
      if (event.target.closest('[aria-haspopup][aria-expanded="true"]')) return
      if (event.target.closest('[data-own-escape]') || event.target === document.body) latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** The mark of the content. */
export const ownEscape = { 'data-own-escape': true } as const
