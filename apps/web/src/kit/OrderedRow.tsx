import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { ActionMenu, MenuItem } from './ActionMenu.tsx'
import classes from './OrderedRow.module.css'
import { onSortKeys, type SortPlace, stepPlace, useSortable } from './useSortable.ts'

interface Props {
  /** Only rows of the same kind can be reordered together. */
  kind: string
  row: { id: number }
  rows: readonly { id: number }[]
  /** Name of the row, for its menu. */
  name: string
  mayEdit: boolean
  onPut: (id: number, place: SortPlace) => void
  /** More menu items. */
  menu?: ReactNode
  children: ReactNode
}

/** A row that can be reordered: by its grip, by Ctrl+Shift+↑ and ↓, by its menu. */
export function OrderedRow({ kind, row, rows, name, mayEdit, onPut, menu, children }: Props) {
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind,
    id: row.id,
    disabled: !mayEdit,
    handle: grip,
    onPut,
  })
  const step = (way: 'up' | 'down') => {
    const place = stepPlace(rows, row.id, way)
    if (place) onPut(row.id, place)
  }
  return (
    <li
      ref={ref}
      className={classes.row}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      onKeyDown={mayEdit ? onSortKeys(step) : undefined}
    >
      <span ref={grip} className={classes.grip} data-movable={mayEdit || undefined} aria-hidden>
        {mayEdit && <IconGripVertical size={16} />}
      </span>
      {children}
      {mayEdit && (
        <ActionMenu label={`Действия: ${name}`} size={28} width={232}>
          <MenuItem label="Выше" icon={IconArrowUp} disabled={rows[0]?.id === row.id} onClick={() => step('up')} />
          <MenuItem
            label="Ниже"
            icon={IconArrowDown}
            disabled={rows.at(-1)?.id === row.id}
            onClick={() => step('down')}
          />
          {menu}
        </ActionMenu>
      )}
    </li>
  )
}
