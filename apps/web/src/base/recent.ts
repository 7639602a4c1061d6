import { stored, write } from './stored.ts'

/** Records that were opened last in this browser, the latest first; gone with the sign-out. */
export interface Recent {
  /** Inner address. */
  link: string
  title: string
}

const KEY = 'ordinator:recent'
const MAX_KEPT = 30

export function recent(): Recent[] {
  const kept = stored(KEY)
  return Array.isArray(kept) ? (kept as Recent[]) : []
}

/** Puts a record first, by its name of today. */
export function noteRecent(one: Recent): void {
  write(KEY, [one, ...recent().filter(({ link }) => link !== one.link)].slice(0, MAX_KEPT))
}
