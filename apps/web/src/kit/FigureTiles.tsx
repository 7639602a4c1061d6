import type { ReactNode } from 'react'
import classes from './FigureTiles.module.css'

export interface FigureTile {
  label: string
  value: ReactNode
  /** Below the value; where one tile has it, the others keep its line. */
  note?: ReactNode
  tone?: 'good' | 'bad' | undefined
}

/** Totals above a table or a chart, a tile each. @param label of the list, for screen readers */
export function FigureTiles({ label, tiles }: { label?: string; tiles: readonly FigureTile[] }) {
  const hasNotes = tiles.some(({ note }) => note !== undefined)
  return (
    <dl className={classes.tiles} aria-label={label}>
      {tiles.map((tile) => (
        <div key={tile.label}>
          <dt>{tile.label}</dt>
          <dd className={`${classes.value} tabular`} data-tone={tile.tone}>
            {tile.value}
          </dd>
          {hasNotes && <dd className={classes.note}>{tile.note || '\u00a0'}</dd>}
        </div>
      ))}
    </dl>
  )
}
