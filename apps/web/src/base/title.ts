import { useEffect, useSyncExternalStore } from 'react'
import { APP } from '#kit/root.ts'
import { noteRecent } from './recent.ts'

/** The window's title: of the page, or of the open record, and the product's name. */

export const PRODUCT = 'Ординатор'

/** A record open for less does not count as viewed. */
const LOOKED_AT_MS = 1_000

/** Titles of the open screens, the innermost last: a card over its board. */
let titles: readonly { title: string }[] = []
const listeners = new Set<() => void>()

function setTitles(next: typeof titles): void {
  titles = next
  for (const listener of listeners) listener()
}

/** Sets a more specific title. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    const own = { title }
    setTitles([...titles, own])
    return () => setTitles(titles.filter((one) => one !== own))
  }, [title])
}

/** The name of the open record: for the window's title and the list of recent records. */
export function useRecordTitle(title: string | undefined): void {
  usePageTitle(title)
  useEffect(() => {
    if (!title) return
    const timer = setTimeout(() => {
      // A board below the card it was opened with was not viewed itself.
      if (titles.at(-1)?.title !== title) return
      noteRecent({ link: (location.pathname + location.search).slice(APP.length), title })
    }, LOOKED_AT_MS)
    return () => clearTimeout(timer)
  }, [title])
}

/** The current title without the product's name. */
export const shownTitle = (): string => document.title.replace(/ · [^·]+$/, '')

/** Used only by the root. */
export function useWindowTitle(pageTitle: string | undefined, product: string | undefined): void {
  const screen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => titles.at(-1)?.title,
  )
  const text = [screen ?? pageTitle, product || PRODUCT].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = text
  }, [text])
}
