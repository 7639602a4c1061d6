import { MAX_STARRED, type Starred } from '@ordinator/model/areas/settings/userSettings'
import { useOwnSettings } from '#base/useOwnSettings.ts'

/** The user's menu settings; stored in the account, so that they are the same on another machine. */
export function useMenuPreference() {
  const [{ menuStarred: starred, menuFolds: folds }, change] = useOwnSettings('main')
  return {
    starred,
    folds,
    canStarMore: starred.length < MAX_STARRED,
    star: (next: readonly Starred[]) => void change({ menuStarred: [...next] }),
    fold: (section: string, open: boolean) => void change({ menuFolds: { ...folds, [section]: open } }),
  }
}

/** Stars or unstars the page. */
export function toggleStar(starred: readonly Starred[], { link, title }: Starred): Starred[] {
  const without = starred.filter((one) => one.link !== link)
  return without.length < starred.length ? without : [...without, { link, title }]
}

/** Moves a starred page to another position, from 0. */
export function moveStar(starred: readonly Starred[], link: string, to: number): Starred[] {
  const one = starred.find((place) => place.link === link)
  if (!one) return [...starred]
  const rest = starred.filter((place) => place !== one)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, one)
}
