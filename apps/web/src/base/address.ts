import { type PageKey, type PageParams, pagePath } from '@ordinator/model/pages'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Search } from './redirect.ts'

/**
 * A place in the app, by the page list: `{ page: 'funnel', params: { id: 5 } }`. Without a page: the current one.
 * Parameters missing in `search` are removed; as a function it gets the current ones.
 */
export type To<K extends PageKey = PageKey> = { search?: Search | ((now: Search) => Search) } & (
  | { page?: undefined; params?: undefined }
  | (keyof PageParams<K> extends never ? { page: K; params?: undefined } : { page: K; params: PageParams<K> })
)

/** A place in the router's form. The router's types know no routes, since these are data: the cast is only here. */
export const routeTo = ({ page, params, search = {} }: AnyTo): { to: string; search: never } => ({
  to: page === undefined ? '.' : pagePath(page, params),
  search: search as never,
})
/** A place on any page. */
interface AnyTo {
  page?: PageKey
  params?: Readonly<Record<string, string | number>>
  search?: To['search']
}

/** Navigates to a page: `go({ page: 'deals', search: { lead: 7 } })`. */
export function useGo() {
  const { navigate } = useRouter()
  return useCallback(
    <K extends PageKey>(to: To<K>, options?: { replace?: boolean }) => navigate({ ...routeTo(to), ...options }),
    [navigate],
  )
}

export interface SetAddressOptions {
  /** Replaces the history entry instead of adding one; for typing in a filter. */
  replace?: boolean
}

/**
 * The search part of the URL as state: filters, the open record, the view. `read` takes anything and must not throw: an
 * invalid parameter is dropped, it never breaks a page. A zod schema with `catch` fits: `useAddress(schema.parse)`.
 * Setting keeps the parameters that are not named; undefined removes one.
 */
export function useAddress<T extends object>(
  read: (search: Search) => T,
): [T, (patch: Partial<T>, options?: SetAddressOptions) => void] {
  const search = useSearch({ strict: false }) as Search
  const { navigate } = useRouter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reader is a constant of its screen
  const value = useMemo(() => read(search), [search])
  const set = useCallback(
    (patch: Partial<T>, options?: SetAddressOptions) => {
      void navigate({
        ...routeTo({ search: (now) => ({ ...now, ...patch }) }),
        replace: options?.replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [value, set]
}
