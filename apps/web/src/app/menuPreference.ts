import { usePreference } from '../base/preferences.ts'

/** A starred place: its inner address and the name that the window had there. */
export interface Starred {
  link: string
  title: string
}

export interface MenuPreference {
  starred: readonly Starred[]
  /** Sections that the person has opened or folded; the others are as the screen has room for. */
  folds: Readonly<Record<string, boolean>>
}

const MAX_STARRED = 20

/** What the person has made of the menu; kept in the account, so that it is the same on another machine. */
export const useMenuPreference = (): [MenuPreference, (value: MenuPreference) => void] =>
  usePreference('menu', readPreference, 'account')

export const canStarMore = ({ starred }: MenuPreference): boolean => starred.length < MAX_STARRED

/** Stars the place, or takes its star away. */
export function toggleStar(value: MenuPreference, { link, title }: Starred): MenuPreference {
  const without = value.starred.filter((one) => one.link !== link)
  return { ...value, starred: without.length < value.starred.length ? without : [...without, { link, title }] }
}

/** Moves a starred place by some places up (negative) or down. */
export function moveStar(value: MenuPreference, link: string, to: number): MenuPreference {
  const one = value.starred.find((starred) => starred.link === link)
  if (!one) return value
  const rest = value.starred.filter((starred) => starred !== one)
  const at = Math.max(0, Math.min(rest.length, to))
  return { ...value, starred: [...rest.slice(0, at), one, ...rest.slice(at)] }
}

export function readPreference(stored: unknown): MenuPreference {
  const { starred, folds } = (stored ?? {}) as { starred?: unknown; folds?: unknown }
  return {
    starred: Array.isArray(starred) ? starred.filter(isStarred).slice(0, MAX_STARRED) : [],
    folds:
      folds && typeof folds === 'object'
        ? Object.fromEntries(Object.entries(folds).filter(([, open]) => typeof open === 'boolean'))
        : {},
  }
}

/** An address inside the product alone: what is stored must not lead out of it. */
const isStarred = (one: unknown): one is Starred =>
  typeof one === 'object' &&
  one !== null &&
  /^\/(?!\/)/.test(String((one as Starred).link)) &&
  typeof (one as Starred).title === 'string'
