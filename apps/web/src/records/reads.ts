import type { AnyListQuery, Expanded, ExpandName, List, ListQuery, ViewQuery } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import {
  type InfiniteData,
  keepPreviousData,
  queryOptions,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { ApiError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import type { CallOptions } from '#base/http.ts'
import { useActor } from '#base/session.ts'
import { briefs, loadDeclarations } from './declarations.ts'
import type { AnyRow } from './fields/ui.ts'
import { recordKeys } from './keys.ts'
import { fillOmitted, reachable } from './reachable.ts'

const MAX_RETRIES = 2

export interface ReadOptions {
  /** false: not yet (an id is missing, a dialog is closed). */
  enabled?: boolean
  /** Milliseconds for which a cached answer is used without a request. */
  staleTime?: number
  /** Handling of a refusal; 'page' (default) opens the error page, 'silent' leaves it to `error`. */
  forbidden?: CallOptions['forbidden']
  /** The screen reports failures itself: no common toast. */
  reportsFailure?: boolean
  /** Without patients' data: the dashboard shows the last known answer at once (base/knownAnswers.ts). */
  known?: boolean
  /** Paths of records that computed fields depend on, or a single record (and its fields): refetched with their changes too. */
  live?: readonly (string | { path: string; id: number; fields?: readonly string[] })[]
}

const metaOf = ({ reportsFailure, known, live }: ReadOptions) =>
  reportsFailure || known || live
    ? { ...(reportsFailure && { reportsFailure }), ...(known && ({ known } as const)), ...(live && { live }) }
    : undefined

/**
 * A query without relations the user may not see, with a function that fills them with empty values, so that the rest of
 * the data still loads.
 */
function useReachable<X extends string, Q extends { expand?: readonly X[] | undefined }>(entity: Entity, asked: Q) {
  const actor = useActor()
  const names = asked.expand ?? []
  const expand = reachable(actor, entity, names)
  const left = names.filter((name) => !expand.includes(name))
  const query: Q = asked.expand ? { ...asked, expand } : asked
  const fill = <R>(row: R): R => fillOmitted(entity, row, left)
  return { query, fill: left.length > 0 ? fill : undefined }
}

/** One page of a list. While another page or filter loads, the previous one stays. */
export function useList<E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
  entity: E,
  asked: ListQuery<E, X, F> = {},
  options: ReadOptions = {},
): UseQueryResult<List<Expanded<E, X, F>>> {
  const { query, fill } = useReachable(entity, asked)
  return useQuery({
    ...listQuery(entity, query, options),
    select: fill && ((list: List<Expanded<E, X, F>>) => ({ ...list, items: list.items.map(fill) })),
  })
}

/** The same as query options, for several at once. */
export function listQuery<E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
  entity: E,
  query: ListQuery<E, X, F>,
  options: ReadOptions,
) {
  return queryOptions({
    queryKey: recordKeys.list(entity.path, query),
    queryFn: ({ signal }) => recordsWith({ forbidden: options.forbidden }).list(entity, query, { signal }),
    placeholderData: keepPreviousData,
    retry: retries,
    enabled: options.enabled,
    staleTime: options.staleTime,
    meta: metaOf(options),
  })
}

/** An infinite list by `fetchNextPage`, with keyset paging: rows that come or go meanwhile are neither repeated nor lost. */
export function useEndlessList<E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
  entity: E,
  asked: Omit<ListQuery<E, X, F>, 'page' | 'after'> = {},
  options: ReadOptions = {},
): UseInfiniteQueryResult<InfiniteData<List<Expanded<E, X, F>>>> & { items: Expanded<E, X, F>[] } {
  const { query, fill } = useReachable(entity, asked)
  const result = useInfiniteQuery({
    queryKey: recordKeys.endless(entity.path, query as AnyListQuery),
    queryFn: ({ signal, pageParam }) =>
      recordsWith({ forbidden: options.forbidden }).list(
        entity,
        // The total is counted once, with the first page.
        { ...query, after: pageParam, count: query.count && pageParam === '' } as ListQuery<E, X, F>,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last._meta.hasMore ? last._meta.next : undefined),
    select:
      fill && ((data) => ({ ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(fill) })) })),
    placeholderData: keepPreviousData,
    retry: retries,
    enabled: options.enabled,
    staleTime: options.staleTime,
    meta: metaOf(options),
  })
  const items = distinct(result.data?.pages.flatMap((page) => page.items) ?? [])
  return { ...result, items }
}

/** A record moved past the cursor comes again with a later page: its first place is kept. */
function distinct<T>(items: T[]): T[] {
  const byId = new Map<unknown, T>()
  for (const item of items) {
    const { id } = item as { id: number }
    if (!byId.has(id)) byId.set(id, item)
  }
  return [...byId.values()]
}

/**
 * Rows of an entity as typed by a component: links, comments. The component declares their fields, since the types know
 * none for an entity given by its path.
 */
export const asRows = <R extends { id: number }>(items: readonly AnyRow[] | undefined) => (items ?? []) as readonly R[]

/** One record. Without an id no request is sent. */
export function useRecord<E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
  entity: E,
  id: number | undefined,
  asked: ViewQuery<E, X, F> = {},
  options: ReadOptions = {},
): UseQueryResult<Expanded<E, X, F>> {
  const { query, fill } = useReachable(entity, asked)
  return useQuery({
    queryKey: recordKeys.view(entity.path, id ?? 0, query as object),
    queryFn: ({ signal }) =>
      recordsWith({ forbidden: options.forbidden }).view(entity, id as number, query, { signal }),
    select: fill,
    retry: retries,
    enabled: id !== undefined && options.enabled !== false,
    staleTime: options.staleTime,
    meta: metaOf(options),
  }) as UseQueryResult<Expanded<E, X, F>>
}

export interface HistoryOptions extends ReadOptions {
  /** Lines per page, default 20. */
  limit?: number
  /** Includes the history of parts of this record. */
  parts?: boolean
  /** Only changes of this field. */
  field?: string
}

/** Changes of one record, newest first. */
export function useHistory(entity: Entity, id: number | undefined, options: HistoryOptions = {}) {
  const { limit = 20, parts, field } = options
  return useInfiniteQuery({
    queryKey: recordKeys.history(entity.path, id ?? 0, { limit, parts, field }),
    queryFn: async ({ signal, pageParam }) => {
      const asked = { limit, parts, field, page: pageParam }
      const client = recordsWith({ forbidden: options.forbidden ?? 'silent' })
      const read = await client.history(entity, id as number, asked, { signal })
      // The texts of lines need the declarations of their entities.
      await loadDeclarations(read.items.map(({ path }) => path))
      return read
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last._meta.hasMore ? last._meta.currentPage + 1 : undefined),
    retry: retries,
    enabled: id !== undefined && options.enabled !== false,
    meta: parts ? { live: partsOf(entity) } : undefined,
  })
}

/** Paths of the entities within this one. */
const partsOf = ({ path }: Entity): string[] =>
  briefs.flatMap((part) => {
    const within = part.within && part.fields[part.within]
    return within && isRef(within) && within.to === path ? [part.path] : []
  })

/** Only temporary failures are retried: no connection, or a server that is starting. */
export function retries(count: number, error: Error): boolean {
  return (
    count < MAX_RETRIES &&
    error instanceof ApiError &&
    ((error.status === 0 && error.code === 'network') || error.status === 503)
  )
}
