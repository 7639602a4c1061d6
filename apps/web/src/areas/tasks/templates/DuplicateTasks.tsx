import { Select } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { notify } from '#kit/notify.tsx'
import { useTemplateCalls } from './calls.ts'

interface Props {
  cards: readonly { id: number; task: { name: string; dateEnd: string | null } }[]
  /** Default column of copies; the source's state is not copied. */
  idColumn: number
  columns: readonly { id: number; name: string }[]
  onClose: () => void
}

/** Duplicates tasks with another due date; start and subtasks are shifted equally. */
export function DuplicateTasks({ cards, idColumn, columns, onClose }: Props) {
  const [first] = cards
  const { duplicate, removeMade } = useTemplateCalls()
  const [column, setColumn] = useState(idColumn)
  const [date, setDate] = useState<string | null>(first?.task.dateEnd ?? null)
  const fault = date && !isMoment(date) ? 'Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ' : undefined
  const run = async () => {
    const made = await duplicate(
      cards.map((card) => card.id),
      { date, idColumn: column },
    )
    if (!made) return false
    const text = made.length === 1 ? `Продублирована задача «${first?.task.name}»` : `Продублировано: ${made.length}`
    notify.undo(text, () => removeMade(made.map((card) => card.idTask)))
  }
  return (
    <ActionDialog
      title="Дублировать"
      size={440}
      action="Дублировать"
      disabled={fault !== undefined}
      run={run}
      onClose={onClose}
    >
      <div>{cards.length === 1 ? first?.task.name : `Задач: ${cards.length}`}</div>
      <Select
        label="Колонка"
        data={columns.map((one) => ({ value: String(one.id), label: one.name }))}
        value={String(column)}
        onChange={(value) => setColumn(Number(value))}
      />
      <DateTimeField
        label="Новый срок"
        description="Начало и сроки подзадач сдвинутся на столько же. Пусто — сроки прежние"
        defaultTime="18:00"
        value={date}
        error={fault}
        onChange={setDate}
      />
    </ActionDialog>
  )
}
