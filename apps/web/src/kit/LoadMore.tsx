import { Center } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ActionButton } from './ActionButton.tsx'

interface Props {
  label: string
  loading: boolean
  onMore: () => void
}

/** Loads more when it scrolls into view; a button for those who do not scroll. */
export function LoadMore({ label, loading, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(onMore)
  latest.current = onMore
  useEffect(() => {
    if (loading || !end.current) return
    // Recreated after each page, so that it reports its position again even if unchanged.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current())
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [loading])
  return (
    <Center ref={end} p={8}>
      <ActionButton label={label} variant="subtle" size="compact-sm" loading={loading} onClick={onMore} />
    </Center>
  )
}

interface MoreProps {
  /** Result of `useEndlessList`. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  label?: string
}

/** Loads the next portion of a list, while there is one. */
export const MoreRows = ({ list, label = 'Показать ещё' }: MoreProps) =>
  list.hasNextPage && (
    <LoadMore label={label} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
  )
