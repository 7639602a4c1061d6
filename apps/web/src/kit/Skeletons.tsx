import { Skeleton } from '@mantine/core'
import classes from './Skeletons.module.css'

/** Skeleton of a table: rows of 40 px, so that nothing shifts when the data arrive. */
export function TableSkeleton({ rows = 10, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label="Загрузка данных">
      {keys(rows).map((row) => (
        <div key={row} className={classes.row}>
          {keys(columns).map((column) => (
            <Skeleton key={column} height={12} radius="sm" width={`${45 + ((row * 7 + column * 13) % 45)}%`} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Skeleton of a text or a form. */
export function LinesSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes.lines} role="status" aria-label="Загрузка данных">
      {keys(lines).map((line) => (
        <Skeleton key={line} height={14} radius="sm" width={`${60 + ((line * 17) % 40)}%`} />
      ))}
    </div>
  )
}

/** Skeleton of the columns of a board. */
export const BoardSkeleton = () => (
  <div className={classes.board} aria-busy="true">
    {keys(4).map((column) => (
      <div key={column} />
    ))}
  </div>
)

/** Skeleton of the cards of a board or a catalogue. */
export function CardsSkeleton({ cards = 6, height = 112 }: { cards?: number; height?: number }) {
  return (
    <div className={classes.cards} role="status" aria-label="Загрузка данных">
      {keys(cards).map((card) => (
        <Skeleton key={card} height={height} radius="md" />
      ))}
    </div>
  )
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => index)
