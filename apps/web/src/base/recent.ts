import { stored, write } from './stored.ts'

/** Records opened last in this browser, latest first; cleared at the sign-out. */
export interface Recent {
  /** Internal path. */
  link: string
  title: string
}

const KEY = 'ordinator:recent'
const MAX_KEPT = 30

export function recent(): Recent[] {
  const kept = stored(KEY)
  return Array.isArray(kept) ? (kept as Recent[]) : []
}

/** Moves a record to the front, with its current name. */
export function noteRecent(one: Recent): void {
  write(KEY, [one, ...recent().filter(({ link }) => link !== one.link)].slice(0, MAX_KEPT))
}
