import { usePreference } from '#base/preferences.ts'
import { briefAt } from './declarations.ts'

type Last = Readonly<Record<string, number>>

const readLast = (stored: unknown): Last =>
  Object.fromEntries(
    Object.entries(typeof stored === 'object' && stored !== null ? stored : {}).filter(([, id]) =>
      Number.isSafeInteger(id),
    ),
  )

/**
 * The record of a kind that this person chose last, at any workplace, where the kind is declared `recalled`: a branch, a
 * desk, a warehouse. Forms propose it where nothing else determines it; it may meanwhile be closed.
 */
export function useLastChoice(path: string): { id: number | undefined; keep: (id: number) => void } {
  const isRecalled = briefAt(path)?.recalled === true
  const [last, setLast] = usePreference('last-choices', readLast, isRecalled ? 'account' : 'device')
  return {
    id: isRecalled ? last[path] : undefined,
    keep: (id) => {
      if (isRecalled && last[path] !== id) setLast({ ...last, [path]: id })
    },
  }
}
