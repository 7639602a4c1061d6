import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses the first item of a list when its results arrive, once per question, so that a reload does not move the
 * focus.
 * @param question the query, as text
 * @returns the list's ref
 */
export function useFirstFocused(ready: boolean, question: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const answered = useRef<string>(undefined)
  useEffect(() => {
    if (!ready || answered.current === question) return
    answered.current = question
    if (!list.current?.contains(document.activeElement)) list.current?.querySelector<HTMLElement>('button')?.focus()
  }, [ready, question])
  return list
}
