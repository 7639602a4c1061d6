import type { ReactNode } from 'react'
import { ErrorState } from './ErrorState.tsx'
import { MoreRows } from './LoadMore.tsx'
import { LinesSkeleton } from './Skeletons.tsx'

/** A list that is read in portions: the result of `useEndlessList`. */
export interface PortionedList<R> {
  items: R[]
  isPending: boolean
  isError: boolean
  error: Error | null
  refetch: () => unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

interface Props<R> {
  list: PortionedList<R>
  /** Title of the error. */
  failed: string
  empty: ReactNode
  /** Default: lines. */
  waiting?: ReactNode
  /** The rows, once there are any. @param more loads the next portion, at their end */
  children: (rows: R[], more: ReactNode) => ReactNode
}

/** A list in each of its states: loading, failed, empty, with more to load. */
export function ListStates<R>({ list, failed, empty, waiting, children }: Props<R>) {
  if (list.isPending) return waiting ?? <LinesSkeleton lines={4} />
  if (list.isError && list.items.length === 0)
    return <ErrorState title={failed} error={list.error} onRetry={() => void list.refetch()} />
  if (list.items.length === 0) return empty
  return children(list.items, <MoreRows list={list} />)
}
