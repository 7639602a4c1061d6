import { Skeleton } from '@mantine/core'
import classes from '../Calendar.module.css'

const COLUMNS = [0, 1, 2, 3, 4]

/** The grid's frame while loading. */
export function GridSkeleton() {
  return (
    <div className={classes.area} role="status" aria-label="Загрузка данных">
      <div className={classes.skeleton}>
        {COLUMNS.map((column) => (
          <div key={column} className={classes.skeletonColumn}>
            <Skeleton height={36} radius="md" />
            <Skeleton height={72 + column * 12} mt={24} radius="md" />
            <Skeleton height={48} mt={12 + column * 8} radius="md" />
            <Skeleton height={96 - column * 8} mt={32} radius="md" />
          </div>
        ))}
      </div>
    </div>
  )
}
