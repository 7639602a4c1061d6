import { useEffect, useSyncExternalStore } from 'react'
import { noteRecent } from './recent.ts'

/** The window's title: the page's own, or what a screen says of the open record, and the product's name. */

export const PRODUCT = 'Ординатор'

/** A record that was open for less was passed by. */
const LOOKED_AT_MS = 1_000

/** What the open screens say, the innermost last: a card stands over its board. */
let told: readonly { title: string }[] = []
const listeners = new Set<() => void>()

function tell(next: typeof told): void {
  told = next
  for (const listener of listeners) listener()
}

/** A screen's more exact title. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    const own = { title }
    tell([...told, own])
    return () => tell(told.filter((one) => one !== own))
  }, [title])
}

/** The name of the record that a screen shows: the window's title, and one of those opened last. */
export function useRecordTitle(title: string | undefined): void {
  usePageTitle(title)
  useEffect(() => {
    if (!title) return
    const timer = setTimeout(() => {
      // A board under the card that it was opened with is not what was looked at.
      if (told.at(-1)?.title !== title) return
      noteRecent({ link: (location.pathname + location.search).replace(/^\/app/, ''), title })
    }, LOOKED_AT_MS)
    return () => clearTimeout(timer)
  }, [title])
}

/** What the window is called now, without the product's name. */
export const shownTitle = (): string => document.title.replace(/ · [^·]+$/, '')

/** For the root alone. */
export function useWindowTitle(pageTitle: string | undefined, product: string | undefined): void {
  const screen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => told.at(-1)?.title,
  )
  const text = [screen ?? pageTitle, product || PRODUCT].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = text
  }, [text])
}
