import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import { recordKeys } from './keys.ts'

interface Item {
  id: number
}
interface Listed {
  items: Item[]
}

/** Former cached answers, to restore them when the server refuses. */
export type Snapshot = [QueryKey, unknown][]

/** Changes the cached lists of a path, paged and infinite; returns their former state. */
export async function changeLists(
  cache: QueryClient,
  path: string,
  change: (items: Item[]) => Item[],
): Promise<Snapshot> {
  const queryKey = recordKeys.lists(path)
  await cache.cancelQueries({ queryKey })
  const before: Snapshot = cache.getQueriesData({ queryKey })
  cache.setQueriesData({ queryKey }, (data: unknown) => {
    if (isListed(data)) return { ...data, items: change(data.items) }
    if (isEndless(data)) return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }
    return data
  })
  return before
}

/** Changes a record wherever it is cached. */
export async function changeRecord(
  cache: QueryClient,
  path: string,
  id: number,
  values: Record<string, unknown>,
): Promise<Snapshot> {
  const lists = await changeLists(cache, path, (items) =>
    items.some((item) => item.id === id)
      ? items.map((item) => (item.id === id ? { ...item, ...values } : item))
      : items,
  )
  const queryKey = [...recordKeys.views(path), id]
  await cache.cancelQueries({ queryKey })
  const views: Snapshot = cache.getQueriesData({ queryKey })
  cache.setQueriesData({ queryKey }, (data: unknown) => (data ? { ...data, ...values } : data))
  return [...lists, ...views]
}

export function putBack(cache: QueryClient, snapshot: Snapshot): void {
  for (const [key, data] of snapshot) cache.setQueryData(key, data)
}

const isListed = (data: unknown): data is Listed => Array.isArray((data as Listed | undefined)?.items)
const isEndless = (data: unknown): data is InfiniteData<Listed> =>
  Array.isArray((data as InfiniteData<Listed> | undefined)?.pages)

/** The items with one moved next to another, or to an end; unchanged when its target is not among them. */
export function placed<T extends Item>(
  items: T[],
  id: number,
  place: { before?: number; after?: number; at?: 'first' | 'last' },
): T[] {
  const moved = items.find((item) => item.id === id)
  if (!moved) return items
  const rest = items.filter((item) => item.id !== id)
  const neighbour = place.before ?? place.after
  if (neighbour !== undefined) {
    const at = rest.findIndex((item) => item.id === neighbour)
    if (at < 0) return items
    return rest.toSpliced(place.before === undefined ? at + 1 : at, 0, moved)
  }
  if (place.at) return place.at === 'first' ? [moved, ...rest] : [...rest, moved]
  return items
}
