import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type DragEvent, type PointerEvent, useRef, useState } from 'react'
import type { AnyRow } from '../fields/ui.ts'
import type { Column } from './columns.ts'
import classes from './Grid.module.css'

const MIN_WIDTH = 60
const MAX_WIDTH = 900
const KIND = 'text/x-column'

export interface Arranging {
  /** Pixels set by the user; undefined: back to the usual width. */
  onWidth: (key: string, width: number | undefined) => void
  /** A column was dropped before another. */
  onMove: (moved: string, before: string) => void
}

interface Props extends Arranging {
  column: Column<AnyRow>
  sort: string
  onSort: (sort: string) => void
}

/** A heading: sorts by a click, is dragged to another place, its right edge sets the width (a double click resets it). */
export function Head({ column, sort, onSort, onWidth, onMove }: Props) {
  const { key: name, label, align } = column
  const cell = useRef<HTMLTableCellElement>(null)
  const [over, setOver] = useState(false)
  const [dragged, setDragged] = useState<number>()
  const frame = {
    scope: 'col',
    ref: cell,
    className: classes.title,
    'data-align': align,
    'data-over': over || undefined,
    title: label,
    draggable: dragged === undefined && !column.actions,
    onDragStart: (event: DragEvent) => {
      if (dragged !== undefined) return event.preventDefault()
      event.dataTransfer.setData(KIND, name)
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(KIND)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      const moved = event.dataTransfer.getData(KIND)
      if (moved && moved !== name) onMove(moved, name)
    },
  } as const
  const edge = (
    // biome-ignore lint/a11y/noStaticElementInteractions: the column menu is the way by keyboard
    <span
      className={classes.edge}
      data-on={dragged !== undefined || undefined}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(event.clientX - (cell.current?.offsetWidth ?? column.width))
      }}
      onPointerMove={(event) => {
        if (dragged !== undefined)
          onWidth(name, Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, Math.round(event.clientX - dragged))))
      }}
      onPointerUp={() => setDragged(undefined)}
      onPointerCancel={() => setDragged(undefined)}
      onDoubleClick={() => onWidth(name, undefined)}
    />
  )
  const key = column.sort
  if (!key)
    return (
      <th {...frame}>
        {label}
        {edge}
      </th>
    )
  const first = sort.split(',')[0]
  const way = first === key ? 'ascending' : first === `-${key}` ? 'descending' : undefined
  const Arrow = way === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <th {...frame} aria-sort={way ?? 'none'}>
      <button type="button" className={classes.sort} onClick={() => onSort(way === 'ascending' ? `-${key}` : key)}>
        <span className={classes.sortText}>{label}</span>
        <Arrow size={14} className={classes.arrow} data-on={way ? true : undefined} aria-hidden />
      </button>
      {edge}
    </th>
  )
}
