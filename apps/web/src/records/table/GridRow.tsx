import { Checkbox } from '@mantine/core'
import type { MouseEvent } from 'react'
import type { AnyRow } from '../fields/ui.ts'
import { CellContent } from './CellContent.tsx'
import classes from './Grid.module.css'
import { OpenLink } from './OpenLink.tsx'
import type { MenuPlace } from './RowMenu.tsx'
import type { RowsProps } from './rowsProps.ts'

interface RowProps extends Pick<RowsProps, 'onOpen' | 'hrefOf' | 'isMuted' | 'selected'> {
  row: AnyRow
  /** Place on the page. */
  index: number
  columns: RowsProps['columns']
  virtual: boolean
  /** The one row reached by Tab. */
  focusable: boolean
  select: (index: number, isRange?: boolean) => void
  onActive: () => void
  onMenu: (place: MenuPlace) => void
}

/** One row of the table: opens by a click, is selected by its box or with Shift. */
export function GridRow(props: RowProps) {
  const { row, index, columns, virtual, focusable, onOpen, hrefOf, isMuted, selected, select, onActive, onMenu } = props
  return (
    <tr
      data-index={index}
      data-row={row.id}
      data-open={onOpen ? true : undefined}
      data-muted={isMuted?.(row) || undefined}
      aria-rowindex={virtual ? index + 2 : undefined}
      aria-selected={selected ? selected.has(row.id) : undefined}
      tabIndex={focusable ? 0 : -1}
      className={classes.row}
      onFocus={(event) => event.target === event.currentTarget && onActive()}
      onClick={(event) => {
        if (event.shiftKey && selected) select(index, true)
        else if (onOpen && isPlainClick(event)) onOpen(row)
      }}
      onMouseDown={(event) => {
        // A range of rows, not of text.
        if (event.shiftKey && selected) event.preventDefault()
      }}
      onContextMenu={(event) => {
        if (!isPlainClick(event) || event.shiftKey) return
        event.preventDefault()
        onMenu({ row, rect: new DOMRect(event.clientX, event.clientY, 0, 0) })
      }}
    >
      {selected && (
        <td className={classes.check}>
          <Checkbox
            size="xs"
            aria-label={`Выбрать № ${row.id}`}
            tabIndex={focusable ? 0 : -1}
            checked={selected.has(row.id)}
            onChange={({ nativeEvent }) => select(index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
          />
        </td>
      )}
      {columns.map((column, c) =>
        c === 0 ? (
          <th key={column.key} scope="row" className={classes.cell} data-cell data-align={column.align}>
            <OpenLink row={row} onOpen={onOpen} hrefOf={hrefOf} tabIndex={-1}>
              <CellContent column={column} row={row} />
            </OpenLink>
          </th>
        ) : (
          <td key={column.key} className={classes.cell} data-cell data-align={column.align}>
            <CellContent column={column} row={row} />
          </td>
        ),
      )}
    </tr>
  )
}

/** A click on a control, or the end of a text selection, does not open the row. */
function isPlainClick(event: MouseEvent<HTMLElement>): boolean {
  const target = event.target as HTMLElement
  return !target.closest('a, button, input, label, [role="menu"]') && !window.getSelection()?.toString()
}
