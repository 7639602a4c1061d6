import { useEffect, useRef } from 'react'
import { focusIsNowhere } from './useReturnFocus.ts'

/**
 * For a list whose rows open as forms in place: closing the form removes the focus, and the button that opened it
 * (`data-opens` with the same value, inside the returned ref) reappears only then.
 * @param opened the row that is open
 */
export function useFocusBack<T extends HTMLElement>(opened: number | string | undefined) {
  const root = useRef<T>(null)
  const before = useRef(opened)
  useEffect(() => {
    const last = before.current
    before.current = opened
    if (opened === undefined && last !== undefined && focusIsNowhere())
      root.current?.querySelector<HTMLElement>(`[data-opens="${last}"]`)?.focus()
  }, [opened])
  return root
}
