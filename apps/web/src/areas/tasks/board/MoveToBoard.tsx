import { Select, Text } from '@mantine/core'
import { BoardRelation } from '@ordinator/model/areas/tasks/board'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { useList } from '#records/reads.ts'
import { useTasksAddress } from '../address.ts'
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

/** «В другое пространство»: along a relation of this workspace, or to one where the user has the right. */
export function MoveToBoard({ card, store, onClose }: Props) {
  const here = store.scope.idBoard
  const relations = useList(BoardRelation, { filter: { idBoard: here }, limit: 100 }, { forbidden: 'silent' })
  const related = relations.data?.items ?? []
  const [to, setTo] = useState<string | null>(null)
  const relation = related.find((one) => `r${one.id}` === to)
  const idBoard = to?.startsWith('b') ? Number(to.slice(1)) : undefined
  const [column, setColumn] = useState<number | null>(null)
  const { boards, columns } = useBoardChoice(idBoard)
  const [, setAddress] = useTasksAddress()

  const run = async () => {
    if (relation)
      await api(
        'POST /tasks-management/assigned/:id/relation',
        { params: { id: card.id }, body: { idRelation: relation.id } },
        { forbidden: 'toast' },
      )
    else await records.move(Assigned, card.id, { at: 'first', to: { idColumn: column as number } })
    store.cards.remove(card.id)
    store.refresh([card.id])
    setAddress({ assignedColumn: undefined })
    const back = async () => {
      const undone = relation
        ? api('DELETE /tasks-management/assigned/:id/relation', { params: { id: card.id } }, { forbidden: 'toast' })
        : records.move(Assigned, card.id, { at: 'first', to: { idColumn: card.idColumn } })
      await undone.catch(notifyBoardFailure)
      store.refresh([card.id])
    }
    notify.undo(`Перенесено в «${relation?.nameRelationBoard ?? 'другое пространство'}»`, back)
  }

  const others = boards.filter((board) => Number(board.value) !== here)
  const data = [
    {
      group: 'Связанные',
      items: related.map((one) => ({ value: `r${one.id}`, label: one.nameRelationBoard ?? 'Без названия' })),
    },
    { group: 'Мои пространства', items: others.map((one) => ({ value: `b${one.value}`, label: one.label })) },
  ].filter((group) => group.items.length > 0)
  return (
    <ActionDialog
      title="Перенести в другое пространство"
      size={480}
      action="Перенести"
      disabled={!relation && !column}
      run={run}
      onClose={onClose}
    >
      {relations.isSuccess && data.length === 0 ? (
        <Text c="dimmed">Переносить некуда: у пространства нет связей, и других пространств у вас нет.</Text>
      ) : (
        <Select
          label="Куда"
          required
          data-autofocus
          searchable
          nothingFoundMessage="Совпадений не найдено"
          placeholder="Выберите пространство"
          data={data}
          value={to}
          onChange={(value) => {
            setTo(value)
            setColumn(null)
          }}
        />
      )}
      {relation && (
        <Text size="sm" c="dimmed">
          {relation.nameColumn ? `Задача придёт в колонку «${relation.nameColumn}».` : 'Задача придёт в колонку новых.'}{' '}
          Исполнители, которых там нет, будут сняты.
        </Text>
      )}
      {idBoard !== undefined && (
        <Select
          label="Колонка"
          required
          placeholder="Выберите колонку"
          data={columns}
          value={column ? String(column) : null}
          onChange={(value) => setColumn(Number(value))}
        />
      )}
    </ActionDialog>
  )
}
