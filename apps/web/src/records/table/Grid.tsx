import { Checkbox, Skeleton } from '@mantine/core'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import type { AnyRow } from '../fields/ui.ts'
import { tableText, withRange } from './choice.ts'
import { CHECK_WIDTH, type Column, roomyColumn } from './columns.ts'
import classes from './Grid.module.css'
import { GridRow } from './GridRow.tsx'
import { type Arranging, Head } from './Head.tsx'
import type { MenuPlace } from './RowMenu.tsx'
import { type RowsProps, toggled } from './rowsProps.ts'
import { useShownRows } from './useShownRows.ts'

const RowMenu = part(() => import('./RowMenu.tsx'))

interface Props extends RowsProps, Arranging {
  sort: string
  onSort: (sort: string) => void
}

/**
 * The rows as a table: sticky head and first column, keys j k x Enter and arrows; a range by Shift, all by Ctrl+A, the
 * chosen ones are copied as a table by Ctrl+C, the right button or the menu key opens the actions of a row.
 */
export function Grid({
  columns,
  rows,
  loading,
  stale,
  limit,
  onOpen,
  hrefOf,
  isMuted,
  selected,
  onSelect,
  onSelectAll,
  actions = [],
  label,
  sort,
  onSort,
  onWidth,
  onMove,
}: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(-1)
  const { virtual, first, shown, before, after, scrollTo } = useShownRows(rows, frame)
  const at = Math.min(active, rows.length - 1)

  const go = (index: number) => {
    if (rows.length === 0) return
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    scrollTo(next)
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
  }
  /** The row from which a range is chosen. */
  const anchor = useRef(-1)
  const [menu, setMenu] = useState<MenuPlace>()
  const select = (index: number, isRange = false) => {
    const row = rows[index]
    if (!row || !selected) return
    const from = anchor.current
    anchor.current = index
    onSelect(
      isRange && from >= 0 && from < rows.length ? withRange(selected, rows, from, index) : toggled(selected, row),
    )
  }
  /** The focus returns to the row, unless an action has opened something that took it. */
  const closeMenu = () => {
    const id = menu?.row.id
    setMenu(undefined)
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        frame.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus()
    })
  }
  const drawn = (row: AnyRow, column: number): string | undefined =>
    frame.current?.querySelector<HTMLElement>(`[data-row="${row.id}"]`)?.querySelectorAll<HTMLElement>('[data-cell]')[
      column
    ]?.innerText
  const onCopy = (event: ClipboardEvent) => {
    if (!selected?.size || window.getSelection()?.toString() || event.target instanceof HTMLInputElement) return
    event.clipboardData.setData('text/plain', tableText(columns, [...selected.values()], drawn))
    event.preventDefault()
  }
  useHotkey('j', () => go(at + 1), { label: 'Следующая строка', group: 'Список' })
  useHotkey('k', () => go(at < 0 ? 0 : at - 1), { label: 'Предыдущая строка', group: 'Список' })
  useHotkey('x', () => select(at), { label: 'Выбрать строку', group: 'Список', enabled: selected !== undefined })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = event.target as HTMLElement
    if (row.dataset.index === undefined) return
    const index = Number(row.dataset.index)
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && event.code === 'KeyA' && selected) {
      onSelectAll?.()
      return event.preventDefault()
    }
    if (event.shiftKey && ['ArrowDown', 'ArrowUp'].includes(event.key) && selected) {
      const next = index + (event.key === 'ArrowDown' ? 1 : -1)
      if (anchor.current < 0) select(index)
      select(next, true)
      go(next)
      return event.preventDefault()
    }
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      setMenu({ row: rows[index] as AnyRow, rect: row.getBoundingClientRect() })
      return event.preventDefault()
    }
    const moves: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }
    if (event.key in moves) go(moves[event.key] as number)
    else if (event.key === 'Enter' && onOpen) onOpen(rows[index] as AnyRow)
    else if (event.key === ' ' && selected) select(index)
    else return
    event.preventDefault()
  }

  const width = columns.reduce((sum, column) => sum + column.width, selected ? CHECK_WIDTH : 0)
  const roomy = roomyColumn(columns)
  const onPage = selected ? rows.filter((row) => selected.has(row.id)).length : 0
  return (
    <div ref={frame} className={classes.frame} data-select={selected ? true : undefined} onCopy={onCopy}>
      {menu && (
        <RowMenu
          place={menu}
          onClose={closeMenu}
          onOpen={onOpen}
          hrefOf={hrefOf}
          onSelect={selected && ((row) => onSelect(toggled(selected, row)))}
          textOf={(row) => tableText(columns, [row], drawn)}
          actions={selected ? actions : []}
        />
      )}
      <table
        className={classes.table}
        style={{ minWidth: width }}
        aria-label={label}
        aria-busy={loading || stale}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
      >
        <colgroup>
          {selected && <col style={{ width: CHECK_WIDTH }} />}
          {columns.map((column) => (
            <col key={column.key} style={column.key === roomy ? undefined : { width: column.width }} />
          ))}
        </colgroup>
        <thead className={classes.head}>
          <tr aria-rowindex={virtual ? 1 : undefined}>
            {selected && (
              <th className={classes.check} scope="col">
                <Checkbox
                  size="xs"
                  aria-label="Выбрать все на странице"
                  checked={rows.length > 0 && onPage === rows.length}
                  indeterminate={onPage > 0 && onPage < rows.length}
                  disabled={rows.length === 0}
                  onChange={() => onSelect(withPage(selected, rows, onPage < rows.length))}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} {...{ column, sort, onSort, onWidth, onMove }} />
            ))}
          </tr>
        </thead>
        <tbody className={classes.body} data-stale={stale || undefined} onKeyDown={onKeyDown}>
          {loading && <SkeletonRows columns={columns} rows={limit} check={selected !== undefined} />}
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {shown.map((row, i) => {
            const index = first + i
            return (
              <GridRow
                key={row.id}
                {...{ row, index, columns, virtual, selected, onOpen, hrefOf, isMuted, select }}
                focusable={index === Math.max(0, at)}
                onActive={() => setActive(index)}
                onMenu={setMenu}
              />
            )
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

function withPage(selected: ReadonlyMap<number, AnyRow>, rows: AnyRow[], add: boolean): Map<number, AnyRow> {
  const next = new Map(selected)
  for (const row of rows) {
    if (add) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

function SkeletonRows({ columns, rows, check }: { columns: Column<AnyRow>[]; rows: number; check: boolean }) {
  return Array.from({ length: rows }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
    <tr key={i} className={classes.row} aria-hidden>
      {check && <td className={classes.check} />}
      {columns.map((column, c) => (
        <td key={column.key} className={classes.cell}>
          <Skeleton height={12} radius="sm" width={`${40 + ((i * 7 + c * 13) % 50)}%`} />
        </td>
      ))}
    </tr>
  ))
}
