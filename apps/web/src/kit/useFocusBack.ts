import { useEffect, useRef } from 'react'
import { focusIsNowhere } from './useReturnFocus.ts'

/**
 * For a list whose rows open as forms where they stand: a form that goes takes the focus with it, and what has opened it
 * (`data-opens` with the same word, inside of the answered ref) comes back only then.
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
