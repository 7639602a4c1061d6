import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Counted } from './Counted.tsx'
import { NumberTile } from './NumberTile.tsx'
import { useRevealDelay } from './RevealTogether.tsx'
import { LinesSkeleton } from './Skeletons.tsx'
import { Tiles } from './Stacks.tsx'
import { WidgetCard } from './WidgetCard.tsx'

interface CountTile {
  count: number | undefined
  label: string
  /** Overdue. */
  late?: boolean
  /** Link to the counted records, rendered with this face. */
  to: (face: { className: string | undefined; children: ReactNode }) => ReactNode
}

interface Props {
  title: string
  icon: ReactNode
  answer: Pick<UseQueryResult, 'data' | 'isLoading' | 'isError' | 'error' | 'isFetching' | 'dataUpdatedAt' | 'refetch'>
  tiles: readonly CountTile[]
  /** Text when nothing is waiting. */
  none: string
  children?: ReactNode
}

/** A dashboard block with the pending work of an area: each number links to its records. */
export function CountsCard({ title, icon, answer, tiles, none, children }: Props) {
  const { data, isLoading, isFetching, dataUpdatedAt } = answer
  useRevealDelay(isLoading)
  const refresh = () => void answer.refetch()
  const waits = tiles.filter(({ count }) => count)
  return (
    <WidgetCard title={title} icon={icon} busy={isLoading} load={answer}>
      {data === undefined ? (
        <LinesSkeleton lines={2} />
      ) : (
        <>
          {waits.length > 0 ? (
            <Tiles tile={156} gap={8} pt={4}>
              {waits.map(({ count, label, late, to }) => (
                <NumberTile key={label} count={count} label={label} {...(late && { late })}>
                  {to}
                </NumberTile>
              ))}
            </Tiles>
          ) : (
            <p>{none}</p>
          )}
          {children}
          <Counted of={title} at={dataUpdatedAt} busy={isFetching} onRefresh={refresh} />
        </>
      )}
    </WidgetCard>
  )
}
