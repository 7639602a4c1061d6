import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { Board, BoardColumn } from '@ordinator/model/areas/tasks/board'
import { Task } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import { records } from '../../../base/client.ts'
import { http } from '../../../base/http.ts'
import { notify } from '../../../kit/notify.tsx'
import { useList } from '../../../records/reads.ts'
import type { Card } from '../cards.ts'
import { type BoardStore, refused } from './boardStore.ts'
import type { BoardData } from './useBoardData.ts'

interface Props {
  card: Card
  data: BoardData
  store: BoardStore
  onClose: () => void
}

const MAX_NAME = 255

/** «Копировать»: the task with its description, people, tags, check lists and files, here or in another workspace. */
export function CopyTask({ card, data, store, onClose }: Props) {
  const here = store.scope.idBoard
  const { task } = card
  // The open card does not count its parts.
  const subtasks = task.subtasksCount ?? store.cards.find(card.id)?.card.task.subtasksCount
  const [name, setName] = useState(`${task.name} (копия)`.slice(0, MAX_NAME))
  const [board, setBoard] = useState(here)
  const [column, setColumn] = useState<number | null>(data.board.data?.idColumnNew ?? card.idColumn)
  const [withSubtasks, setWithSubtasks] = useState(Boolean(subtasks))
  const [busy, setBusy] = useState(false)
  const { boards, columns } = useBoardChoice(board)
  const fault = name.trim() ? undefined : 'Обязательное поле'

  const run = async () => {
    if (fault || !column) return
    setBusy(true)
    try {
      const made = await http.post<{ idTask: number }>(
        `/tasks-management/tasks/${card.idTask}/copy`,
        { idColumn: column, name: name.trim(), withSubtasks },
        { forbidden: 'toast' },
      )
      store.refreshTasks([made.idTask])
      onClose()
      notify.undo(board === here ? 'Задача скопирована' : 'Задача скопирована в другое пространство', async () => {
        await records.remove(Task, made.idTask).catch(refused)
        store.refreshTasks([made.idTask])
      })
    } catch (error) {
      setBusy(false)
      if (!(error instanceof ApiError && error.status === 403))
        notify.error(errorMessage(error), { title: 'Ошибка при дублировании задач' })
    }
  }

  return (
    <Modal opened onClose={onClose} title="Копировать задачу" size={480}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Название"
            data-autofocus
            required
            maxLength={MAX_NAME}
            value={name}
            error={fault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Рабочее пространство"
            allowDeselect={false}
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
            allowDeselect={false}
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Отмена
            </Button>
            <Button type="submit" loading={busy} disabled={!column}>
              Копировать
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The workspaces that one is a member of, and the columns of the chosen one. */
export function useBoardChoice(idBoard: number | undefined) {
  const boards = useList(Board, { sort: 'name', limit: 500 }, { forbidden: 'silent' })
  const columns = useList(
    BoardColumn,
    { filter: { idBoard: idBoard ?? 0 }, sort: 'order', limit: 100 },
    { enabled: idBoard !== undefined, forbidden: 'silent' },
  )
  return {
    boards: (boards.data?.items ?? [])
      .filter((board) => board.isMember)
      .map((board) => ({ value: String(board.id), label: board.name })),
    columns: (columns.data?.items ?? [])
      .filter((column) => column.idBoard === idBoard)
      .map((column) => ({ value: String(column.id), label: column.name })),
  }
}
