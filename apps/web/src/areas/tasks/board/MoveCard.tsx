import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Place } from '../../../kit/board/pages.ts'
import type { Card } from '../cards.ts'
import type { ColumnRow } from './useBoardData.ts'

/** Neighbours offered by name; a place further down is reached by dragging or by keys. */
const MAX_NEIGHBOURS = 100

interface Props {
  card: Card
  columns: readonly ColumnRow[]
  cardsOf: (column: number) => readonly Card[]
  onMove: (place: Place) => void
  onClose: () => void
}

/** «Переместить»: the column and the place by choice, for those who neither drag nor carry by keys. */
export function MoveCard({ card, columns, cardsOf, onMove, onClose }: Props) {
  const [column, setColumn] = useState(card.idColumn)
  const [at, setAt] = useState('first')
  const neighbours = cardsOf(column)
    .filter((c) => c.id !== card.id)
    .slice(0, MAX_NEIGHBOURS)
  return (
    <Modal opened onClose={onClose} title="Переместить задачу" size={440}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onMove(at === 'first' || at === 'last' ? { column, at } : { column, after: Number(at) })
        }}
      >
        <Stack>
          <Select
            label="Колонка"
            data-autofocus
            allowDeselect={false}
            data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
            value={String(column)}
            onChange={(value) => {
              setColumn(Number(value))
              setAt('first')
            }}
          />
          <Select
            label="Место"
            allowDeselect={false}
            searchable
            data={[
              { value: 'first', label: 'В начало' },
              { value: 'last', label: 'В конец' },
              ...neighbours.map((c) => ({ value: String(c.id), label: `После «${c.task.name}»` })),
            ]}
            value={at}
            onChange={(value) => setAt(value ?? 'first')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Отмена
            </Button>
            <Button type="submit">Переместить</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
