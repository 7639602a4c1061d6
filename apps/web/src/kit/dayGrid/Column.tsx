import { VisuallyHidden } from '@mantine/core'
import { type ComponentType, memo } from 'react'
import classes from './DayGrid.module.css'
import type { GridGround, GridItem, GridMark } from './grid.ts'
import { type Lane, lanesOf } from './lanes.ts'
import { type Scale, topOf } from './scale.ts'
import { GAP, heapsOf, heightOf, MARK } from './sheet.ts'

interface ColumnProps {
  left: number
  width: number
  name: string
  scale: Scale
  grounds: readonly GridGround[]
  items: readonly GridItem[]
  face: ComponentType<{ item: GridItem; lines: number }>
  marks: readonly GridMark[]
  mark: ComponentType<{ marks: readonly GridMark[] }> | undefined
  stretch: boolean
  /** The item whose ghost is shown. */
  gone: number | undefined
}

/** One column; re-renders only when its own data change. */
export const Column = memo(
  function Column({
    left,
    width,
    name,
    scale,
    grounds,
    items,
    face: Face,
    marks,
    mark: Mark,
    stretch,
    gone,
  }: ColumnProps) {
    const lanes = lanesOf(items)
    return (
      <section className={classes.column} style={{ left, width }} aria-label={name}>
        {grounds.map(({ key, kind, word, ...span }) => (
          <div
            key={key}
            className={classes.ground}
            data-kind={kind}
            style={{ top: topOf(scale, span.from), height: heightOf(scale, span) }}
          >
            {word && <span>{word}</span>}
          </div>
        ))}
        {items.map((item) => {
          const { lane, lanes: count } = lanes.get(item.id) as Lane
          const height = heightOf(scale, item) - GAP
          const share = (width - 6 - (marks.length && Mark ? MARK : 0)) / count
          return (
            <button
              key={item.id}
              type="button"
              tabIndex={-1}
              data-item={item.id}
              data-gone={item.id === gone || undefined}
              data-dim={item.dim || undefined}
              className={classes.item}
              style={{ top: topOf(scale, item.from) + 1, height, left: 2 + lane * share, width: share - GAP }}
            >
              <VisuallyHidden>{item.name}</VisuallyHidden>
              <span className={classes.face} aria-hidden>
                <Face item={item} lines={Math.max(1, Math.floor((height - 4) / 16))} />
              </span>
              {stretch && item.movable && !item.fixed && <span className={classes.edge} data-edge />}
            </button>
          )
        })}
        {Mark &&
          heapsOf(marks, scale).map(({ top, heap }) => (
            <div key={top} className={classes.mark} data-mark style={{ top, width: MARK, height: MARK }}>
              <Mark marks={heap} />
            </div>
          ))}
      </section>
    )
  },
  (a, b) =>
    a.left === b.left &&
    a.width === b.width &&
    a.name === b.name &&
    a.scale === b.scale &&
    a.face === b.face &&
    a.stretch === b.stretch &&
    a.mark === b.mark &&
    sameAll(a.marks, b.marks) &&
    sameAll(a.items, b.items) &&
    sameAll(a.grounds, b.grounds) &&
    (a.gone === b.gone || !a.items.some(({ id }) => id === a.gone || id === b.gone)),
)

const sameAll = <T,>(a: readonly T[], b: readonly T[]) =>
  a.length === b.length && a.every((one, at) => one === b[at] || JSON.stringify(one) === JSON.stringify(b[at]))
