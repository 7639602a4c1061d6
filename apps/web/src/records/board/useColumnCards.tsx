import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { type CardPage, type ColumnData, cardsOf, totalOf } from '#kit/board/pages.ts'
import { retries } from '../reads.ts'

interface Store<C> {
  prefix: readonly unknown[]
  page: (column: number, after: string | undefined, signal: AbortSignal) => Promise<CardPage<C>>
}

/** The infinite list of a column, as props of `CardColumn`. */
export function useColumnCards<C extends { id: number }>(store: Store<C>, column: number) {
  const query = useInfiniteQuery<CardPage<C>, Error, ColumnData<C>, readonly unknown[], string | undefined>({
    queryKey: [...store.prefix, column],
    queryFn: ({ pageParam, signal }) => store.page(column, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next,
    // Events keep the list up to date; a closed board is re-read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: retries,
  })
  const items = useMemo(() => cardsOf(query.data), [query.data])
  const failed = query.isError && items.length === 0
  return {
    id: column,
    items,
    total: totalOf(query.data),
    loading: query.isPending,
    error: failed ? <Failed error={query.error} onRetry={() => void query.refetch()} /> : undefined,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    onMore: query.fetchNextPage as () => void,
  }
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <>
      <p>{errorMessage(error)}</p>
      <ActionButton label="Повторить" mt={8} size="compact-sm" variant="light" onClick={onRetry} />
    </>
  )
}
