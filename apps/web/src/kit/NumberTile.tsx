import type { ReactNode } from 'react'
import { badgeText } from './badgeText.ts'
import classes from './NumberTile.module.css'

interface Props {
  /** Renders nothing for zero. */
  count: number | undefined
  label: string
  /** Overdue. */
  late?: boolean
  /** Link to the counted records, rendered with this face. */
  children: (face: { className: string | undefined; children: ReactNode }) => ReactNode
}

/** A number with a link to the counted records; a tile in `Tiles`. */
export function NumberTile({ count, label, late, children }: Props) {
  if (!count) return null
  return children({
    className: classes.tile,
    children: (
      <>
        <span className={classes.count} data-late={late || undefined}>
          {badgeText(count)}
        </span>
        <span>{label}</span>
      </>
    ),
  })
}
