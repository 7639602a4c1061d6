import { Select } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import type { BoardItem, Place } from '#kit/board/pages.ts'

/** Neighbours offered by name; a place further down is reached by dragging or keys. */
const MAX_NEIGHBOURS = 100

interface Props<C extends BoardItem> {
  title: string
  /** Label of the columns: «Колонка», «Этап». */
  columnLabel: string
  card: C
  /** Its current column. */
  column: number
  columns: readonly { id: number; name: string }[]
  cardsOf: (column: number) => readonly C[]
  nameOf: (card: C) => string
  onMove: (place: Place) => void
  onClose: () => void
}

/** «Переместить»: column and place by select fields, for users who neither drag nor use keys. */
export function MoveCard<C extends BoardItem>(props: Props<C>) {
  const { title, columnLabel, card, columns, cardsOf, nameOf, onMove, onClose } = props
  const [column, setColumn] = useState(props.column)
  const [at, setAt] = useState('first')
  const neighbours = cardsOf(column)
    .filter((c) => c.id !== card.id)
    .slice(0, MAX_NEIGHBOURS)
  return (
    <ActionDialog
      title={title}
      size={440}
      action="Переместить"
      run={() => onMove(at === 'first' || at === 'last' ? { column, at } : { column, after: Number(at) })}
      onClose={onClose}
    >
      <Select
        label={columnLabel}
        data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
        value={String(column)}
        onChange={(value) => {
          setColumn(Number(value))
          setAt('first')
        }}
      />
      <Select
        label="Место"
        searchable
        data={[
          { value: 'first', label: 'В начало' },
          { value: 'last', label: 'В конец' },
          ...neighbours.map((c) => ({ value: String(c.id), label: `После «${nameOf(c)}»` })),
        ]}
        value={at}
        onChange={(value) => setAt(value ?? 'first')}
      />
    </ActionDialog>
  )
}
