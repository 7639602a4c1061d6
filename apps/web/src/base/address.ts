import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Search } from './redirect.ts'

export interface SetAddressOptions {
  /** Replace the entry of the history instead of adding one; for typing in a filter. */
  replace?: boolean
}

/**
 * The search part of the address as state: filters, the open record, the view. `read` takes anything and must not
 * throw: a wrong parameter is left out, it never breaks a page. A zod schema with `catch` fits: `useAddress(schema.parse)`.
 * Setting keeps the parameters that are not named; undefined removes one.
 */
export function useAddress<T extends object>(
  read: (search: Search) => T,
): [T, (patch: Partial<T>, options?: SetAddressOptions) => void] {
  const search = useSearch({ strict: false }) as Search
  const navigate: (options: object) => Promise<void> = useRouter().navigate as never
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reader is a constant of its screen
  const value = useMemo(() => read(search), [search])
  const set = useCallback(
    (patch: Partial<T>, options?: SetAddressOptions) => {
      void navigate({
        to: '.',
        search: (previous: Search) => ({ ...previous, ...patch }),
        replace: options?.replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [value, set]
}
