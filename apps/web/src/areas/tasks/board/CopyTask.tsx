import { Checkbox, Select, TextInput } from '@mantine/core'
import { Task } from '@ordinator/model/areas/tasks/task'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import type { Card } from '../cards.ts'
import { type BoardStore, notifyBoardFailure } from './boardStore.ts'
import { useBoardChoice } from './useBoardChoice.ts'
import type { BoardData } from './useBoardData.ts'

interface Props {
  card: Card
  data: BoardData
  store: BoardStore
  onClose: () => void
}

const MAX_NAME = 255

/** «Копировать»: task with description, people, tags, check lists and files, here or into another workspace. */
export function CopyTask({ card, data, store, onClose }: Props) {
  const here = store.scope.idBoard
  const { task } = card
  // The open card has no counters.
  const subtasks = task.subtasksCount ?? store.cards.find(card.id)?.card.task.subtasksCount
  const [name, setName] = useState(`${task.name} (копия)`.slice(0, MAX_NAME))
  const [board, setBoard] = useState(here)
  const [column, setColumn] = useState<number | null>(data.board.data?.idColumnNew ?? card.idColumn)
  const [withSubtasks, setWithSubtasks] = useState(Boolean(subtasks))
  const { boards, columns } = useBoardChoice(board)

  const run = async () => {
    const made = await api(
      'POST /tasks-management/tasks/:id/copy',
      { params: { id: card.idTask }, body: { idColumn: column as number, name: name.trim(), withSubtasks } },
      { forbidden: 'toast' },
    )
    store.refreshTasks([made.idTask])
    notify.undo(board === here ? 'Задача скопирована' : 'Задача скопирована в другое пространство', async () => {
      await records.remove(Task, made.idTask).catch(notifyBoardFailure)
      store.refreshTasks([made.idTask])
    })
  }

  return (
    <ActionDialog
      title="Копировать задачу"
      size={480}
      action="Копировать"
      failed="Ошибка при дублировании задач"
      disabled={!column || !name.trim()}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Название"
            required
            maxLength={MAX_NAME}
            value={name}
            error={name.trim() ? errorOf('name') : messages.required}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Рабочее пространство"
            searchable
            nothingFoundMessage="Совпадений не найдено"
            data={boards}
            value={String(board)}
            onChange={(value) => {
              setBoard(Number(value))
              setColumn(null)
            }}
          />
          <Select
            label="Колонка"
            required
            placeholder="Выберите колонку"
            data={columns}
            value={column ? String(column) : null}
            onChange={(value) => setColumn(Number(value))}
          />
          <Checkbox
            label="С подзадачами"
            disabled={!subtasks}
            checked={withSubtasks}
            onChange={(event) => setWithSubtasks(event.currentTarget.checked)}
          />
        </>
      )}
    </ActionDialog>
  )
}
