import type { ReactNode } from 'react'
import { badgeText } from './badgeText.ts'
import classes from './NumberTile.module.css'

interface Props {
  /** Nothing stands here for none. */
  count: number | undefined
  label: string
  /** It should have been done already. */
  late?: boolean
  /** What leads to what is counted, with this face. */
  children: (face: { className: string | undefined; children: ReactNode }) => ReactNode
}

/** How many there are of something, and the way to them; a tile among `Tiles`. */
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
