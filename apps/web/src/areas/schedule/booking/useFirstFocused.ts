import { type RefObject, useEffect, useRef } from 'react'

/**
 * The first time of a list has the focus as soon as the answer to a question stands there: once a question, so that who
 * walks the list stays where they are when it is read again.
 * @param question what was asked, as text
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
