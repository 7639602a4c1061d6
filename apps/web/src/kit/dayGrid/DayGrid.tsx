import { Tooltip } from '@mantine/core'
import { type ComponentType, type CSSProperties, type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { Spot } from '../Anchored.tsx'
import { Column } from './Column.tsx'
import classes from './DayGrid.module.css'
import type { DayGridProps, GridItem } from './grid.ts'
import { ColumnHeads, GhostBox, NowLine, TimeAxis } from './SheetParts.tsx'
import { clockOf, perMinute, topOf } from './scale.ts'
import { boxOf, HEAD, itemAt, TIMES } from './sheet.ts'
import { useDrag } from './useDrag.ts'
import { useHint } from './useHint.ts'
import { useKeys } from './useKeys.ts'
import { useMove } from './useMove.ts'
import { usePointed } from './usePointed.ts'
import { useViewport } from './useViewport.ts'

/**
 * A grid of columns and minutes with items that can be moved and resized by mouse and keys (arrows, Enter, `M`, `S`,
 * Escape). Only items and visible columns are elements, so that thirty columns cost the same as three. Independent of any
 * entity.
 */
export function DayGrid<I extends GridItem>(props: DayGridProps<I>) {
  const { label, columns, grounds, items, face, now, columnWidth = 176, start, whole, sought } = props
  const sheet = useRef<HTMLDivElement>(null)
  const view = useViewport({ scale: props.scale, count: columns.length, columnWidth, whole, start })
  const { scale, wide, first, last } = view
  const high = topOf(scale, scale.to)
  const shown = columns.slice(first, last)
  const index = useMemo(() => new Map(columns.map(({ key }, at) => [key, at])), [columns])
  const byColumn = useMemo(() => Map.groupBy(items, ({ column }) => column), [items])
  const groundsOf = useMemo(() => Map.groupBy(grounds, ({ column }) => column), [grounds])
  const marksOf = useMemo(() => Map.groupBy(props.marks ?? none, ({ column }) => column), [props.marks])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is looked for
  useLayoutEffect(() => {
    const item = items.find(({ id }) => id === sought)
    const at = item && index.get(item.column)
    if (item && at !== undefined) view.reveal({ column: at, from: item.from, to: item.to })
  }, [sought])

  const move = useMove(props, index)
  const { cursor, setCursor, onKeyDown, freeText } = useKeys({ props, sheet, index, view, move })
  const drag = useDrag({
    scroller: view.scroller,
    sheet,
    scale,
    wide,
    count: columns.length,
    grabbed: (id) => {
      const item = items.find((one) => one.id === id)
      return item?.movable && props.onMove ? move.placeOf(item) : undefined
    },
    onGhost: (id, place) => move.setGhost(place && { id, place, byKeys: false }),
    onDrop: move.drop,
  })
  const { hint, freeAt, onPointer } = usePointed(sheet, view, columns.length, props.onFree !== undefined)
  const hinted = useHint(sheet)
  const about = items.find(({ id }) => id === hinted.at?.id)
  const Hint = props.hint

  const onClick = (event: MouseEvent) => {
    // A click by a key never ends a drag.
    if (event.detail > 0 && drag.hasDragged()) return
    const id = itemAt(event.target)
    if (id !== undefined) return props.onOpen(id)
    const at = freeAt(event)
    if (!at || !props.onFree) return
    setCursor(at)
    props.onFree(columns[at.column]?.key as string, at.minute)
  }
  const onContextMenu = (event: MouseEvent) => {
    const id = itemAt(event.target)
    if (id === undefined) return
    event.preventDefault()
    props.onMenu(id, new DOMRect(event.clientX, event.clientY, 0, 0))
  }

  return (
    <div ref={view.scroller} className={classes.scroller} data-grid onScroll={view.onScroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        ref={sheet}
        role="group"
        aria-label={label}
        className={classes.sheet}
        style={
          {
            width: TIMES + wide * columns.length,
            height: HEAD + high,
            '--step': `${perMinute(scale) * scale.step}px`,
            '--hour': `${perMinute(scale) * 60}px`,
          } as CSSProperties
        }
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const item = items.find(({ id }) => id === itemAt(target))
          if (item && item.id !== cursor.item) setCursor({ ...move.placeOf(item), minute: item.from, item: item.id })
        }}
        onBlur={() => move.ghost?.byKeys && move.setGhost(undefined)}
        onPointerDown={drag.onPointerDown}
        onPointerMove={onPointer}
        onPointerLeave={() => onPointer(undefined)}
        onClick={onClick}
        onContextMenu={onContextMenu}
      >
        <ColumnHeads shown={shown} view={view} />
        <div className={classes.body} style={{ height: high }}>
          <TimeAxis scale={scale} now={now} />
          {shown.map((column, at) => (
            <Column
              key={column.key}
              left={TIMES + (first + at) * wide}
              width={wide}
              name={column.name}
              scale={scale}
              grounds={groundsOf.get(column.key) ?? none}
              items={(byColumn.get(column.key) as GridItem[] | undefined) ?? none}
              face={face as ComponentType<{ item: GridItem; lines: number }>}
              marks={marksOf.get(column.key) ?? none}
              mark={props.mark}
              stretch={props.onMove !== undefined}
              gone={move.ghost?.id}
            />
          ))}
          <NowLine now={now} view={view} index={index} />
          <div ref={hint} className={`${classes.hint} tabular`} aria-hidden />
          <button
            type="button"
            data-slot
            className={`${classes.slot} tabular`}
            style={boxOf(scale, wide, {
              column: cursor.column,
              from: cursor.minute,
              to: cursor.minute + scale.step,
            })}
            aria-label={freeText(cursor)}
            onFocus={() => setCursor(({ column, minute }) => ({ column, minute }))}
            onClick={(event) => {
              event.stopPropagation()
              props.onFree?.(columns[cursor.column]?.key as string, cursor.minute)
            }}
          >
            {clockOf(cursor.minute)}
          </button>
          {about && !move.ghost && (
            <Tooltip opened label={<Hint item={about} />} position="right-start" withArrow={false}>
              <Spot rect={hinted.at?.rect} label="" />
            </Tooltip>
          )}
          <GhostBox move={move} view={view} />
        </div>
      </div>
    </div>
  )
}

const none: never[] = []
