import classes from './DayGrid.module.css'
import type { GridColumn, GridItem } from './grid.ts'
import { clockOf, hoursIn, type Scale, spanText, topOf } from './scale.ts'
import { boxOf, HEAD, TIMES } from './sheet.ts'
import type { Move } from './useMove.ts'
import type { Viewport } from './useViewport.ts'

/** Parts of the sheet around its columns. */

interface Now {
  minute: number
  column?: string
}

export function ColumnHeads({ shown, view: { first, wide } }: { shown: readonly GridColumn[]; view: Viewport }) {
  return (
    <div className={classes.head} style={{ height: HEAD }}>
      <div className={classes.corner} style={{ width: TIMES }} />
      {shown.map((column, at) => (
        <div key={column.key} className={classes.name} style={{ left: TIMES + (first + at) * wide, width: wide }}>
          {column.head}
        </div>
      ))}
    </div>
  )
}

export function TimeAxis({ scale, now }: { scale: Scale; now: Now | undefined }) {
  return (
    <div className={classes.times} style={{ width: TIMES, height: topOf(scale, scale.to) }} aria-hidden>
      {hoursIn(scale).map((minute) => (
        <span key={minute} className={`${classes.hour} tabular`} style={{ top: topOf(scale, minute) }}>
          {clockOf(minute)}
        </span>
      ))}
      {now && isIn(scale, now.minute) && (
        <span className={`${classes.nowMark} tabular`} style={{ top: topOf(scale, now.minute) }}>
          {clockOf(now.minute)}
        </span>
      )}
    </div>
  )
}

interface NowLineProps {
  now: Now | undefined
  view: Viewport
  index: ReadonlyMap<string, number>
}

/** The line of the current minute: over all columns, or over the column of today. */
export function NowLine({ now, view: { scale, wide }, index }: NowLineProps) {
  if (!now || !isIn(scale, now.minute)) return null
  const { minute, column } = now
  return (
    <div
      className={classes.now}
      style={{
        top: topOf(scale, minute),
        left: TIMES + (column === undefined ? 0 : (index.get(column) ?? 0) * wide),
        width: column === undefined ? wide * index.size : wide,
      }}
    />
  )
}

export function GhostBox<I extends GridItem>({ move, view }: { move: Move<I>; view: Viewport }) {
  if (!move.ghost) return null
  const { id, place } = move.ghost
  const refusal = move.refusal(id, place)
  return (
    <div
      className={`${classes.ghost} tabular`}
      data-ghost
      data-refused={refusal ? true : undefined}
      style={boxOf(view.scale, view.wide, place)}
    >
      {[spanText(place), refusal].filter(Boolean).join(' · ')}
    </div>
  )
}

const isIn = ({ from, to }: Scale, minute: number) => minute >= from && minute <= to
