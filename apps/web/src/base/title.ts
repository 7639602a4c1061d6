import { useEffect, useSyncExternalStore } from 'react'

/** The window's title: the page's own, or what a screen says of the open record, and the product's name. */

export const PRODUCT = 'Ординатор'

let own: string | undefined
const listeners = new Set<() => void>()

function setOwn(title: string | undefined): void {
  own = title
  for (const listener of listeners) listener()
}

/** A screen's more exact title, such as the name of the open record. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    setOwn(title)
    return () => setOwn(undefined)
  }, [title])
}

/** For the root alone. */
export function useWindowTitle(pageTitle: string | undefined, product: string | undefined): void {
  const screen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => own,
  )
  const text = [screen ?? pageTitle, product || PRODUCT].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = text
  }, [text])
}
