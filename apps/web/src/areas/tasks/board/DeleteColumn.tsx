import { Select, Text } from '@mantine/core'
import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { notifyBoardFailure } from './boardStore.ts'
import type { ColumnRow } from './useBoardData.ts'

interface Props {
  column: ColumnRow
  columns: readonly ColumnRow[]
  onClose: () => void
}

/** Deletes a column after moving its cards, including archived ones. */
export function DeleteColumn({ column, columns, onClose }: Props) {
  const others = columns.filter((c) => c.id !== column.id)
  const [target, setTarget] = useState<string | null>(others[0] ? String(others[0].id) : null)
  const client = useQueryClient()
  const inside = useList(
    Assigned,
    { filter: { idColumn: column.id }, limit: 1, count: 'exact', fields: ['idColumn'] },
    { staleTime: 0 },
  )
  const count = inside.data?._meta.totalCount
  const run = async () => {
    await api(
      'POST /tasks-management/columns/:id/delete',
      { params: { id: column.id }, body: count ? { idColumn: Number(target) } : {} },
      { forbidden: 'toast' },
    )
    await invalidateRecords(client, BoardColumn.path)
    if (count)
      void client.refetchQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'board-cards' && queryKey.at(-1) === Number(target),
      })
    notify.undo(`Колонка «${column.name}» удалена`, async () => {
      await records.restore(BoardColumn, column.id).catch(notifyBoardFailure)
      await invalidateRecords(client, BoardColumn.path)
    })
  }
  return (
    <ActionDialog
      title={`Удалить колонку «${column.name}»?`}
      size={440}
      action="Удалить"
      danger
      disabled={count === undefined || (count > 0 && !target)}
      run={run}
      onClose={onClose}
    >
      {count === undefined ? (
        <Text c="dimmed">Считаем карточки…</Text>
      ) : count === 0 ? (
        <Text>В колонке нет карточек.</Text>
      ) : others.length === 0 ? (
        <Text>
          В колонке {counted(count, cardForms)}, и других колонок нет. Сначала добавьте колонку, куда их перенести.
        </Text>
      ) : (
        <Select
          label={`Куда перенести ${counted(count, cardForms)}`}
          data={others.map((c) => ({ value: String(c.id), label: c.name }))}
          value={target}
          onChange={setTarget}
        />
      )}
    </ActionDialog>
  )
}

const cardForms = ['карточку', 'карточки', 'карточек'] as const
