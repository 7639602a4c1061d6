import { Select, Skeleton, Stack, Text } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Board, BoardColumn, BoardMember, BoardRelation } from '@ordinator/model/areas/tasks/board'
import type { Row } from '@ordinator/model/entity'
import { IconTrash } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { BoardRow } from '../board/useBoardData.ts'
import classes from './RelationsDialog.module.css'

const MAX = 500
type RelationRow = Row<typeof BoardRelation>

/** Workspaces to which tasks can be moved from here, with target columns. */
export default function RelationsDialog({ board, onClose }: { board: BoardRow; onClose: () => void }) {
  const list = useList(BoardRelation, { filter: { idBoard: board.id }, limit: MAX }, { forbidden: 'silent' })
  const save = useSave(BoardRelation)
  const related = (list.data?.items ?? []).filter((relation) => relation.nameRelationBoard !== null)
  const offered = useOffered(board.id).filter(
    (other) => other.id !== board.id && !related.some((relation) => relation.idRelationBoard === other.id),
  )
  return (
    <Dialog onClose={onClose} title="Связанные пространства" size={600}>
      <Stack gap={12}>
        <Text c="dimmed">
          В связанное пространство участники с правом переноса отправляют отсюда задачи, даже если сами в нём не
          состоят.
        </Text>
        {list.isPending ? (
          <Skeleton height={40} />
        ) : list.isError ? (
          <ErrorState title="Связи не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : related.length === 0 ? (
          <Text>Связей пока нет.</Text>
        ) : (
          <Block component="ul" rule="top">
            {related.map((relation) => (
              <RelationItem key={relation.id} relation={relation} />
            ))}
          </Block>
        )}
        <Select
          key={related.length}
          label="Добавить связь"
          placeholder={
            offered.length ? 'Выберите пространство' : 'Нет пространств, в которые вам можно переносить задачи'
          }
          searchable
          disabled={offered.length === 0 || save.isPending}
          nothingFoundMessage="Такого пространства нет"
          data={offered.map((other) => ({ value: String(other.id), label: other.name }))}
          value={null}
          onChange={(id) => {
            if (id) save.mutate({ idBoard: board.id, idRelationBoard: Number(id) })
          }}
        />
      </Stack>
    </Dialog>
  )
}

/** Possible targets: own workspaces, and those where the user has the right. */
function useOffered(idBoard: number): { id: number; name: string }[] {
  const actor = useActor()
  const bypass = holds(actor, 'bypassTaskRights')
  const all = useList(Board, { limit: MAX, fields: ['name'] }, { enabled: bypass, forbidden: 'silent' })
  const mine = useList(
    BoardMember,
    { filter: { idUser: actor.id, idBoard: { neq: idBoard } }, expand: ['board'], limit: MAX },
    { enabled: !bypass, forbidden: 'silent' },
  )
  if (bypass) return all.data?.items ?? []
  return (mine.data?.items ?? []).flatMap(({ board, canRelationBoard }) =>
    board && (canRelationBoard || board.idUser === actor.id) ? [board] : [],
  )
}

function RelationItem({ relation }: { relation: RelationRow }) {
  const save = useSave(BoardRelation)
  const remove = useRemove(BoardRelation, { message: `Связь с «${relation.nameRelationBoard}» снята` })
  const columns = useList(
    BoardColumn,
    { filter: { idBoard: relation.idRelationBoard }, sort: 'order', limit: 100 },
    { forbidden: 'silent' },
  )
  const known = columns.data?.items ?? []
  const data = known.map((column) => ({ value: String(column.id), label: column.name }))
  if (relation.idColumn && relation.nameColumn && !known.some((column) => column.id === relation.idColumn))
    data.push({ value: String(relation.idColumn), label: relation.nameColumn })
  return (
    <HStack component="li" rule="bottom" py={4} mih={44}>
      <Text span inherit fw={500} miw={0} flex={1} className="breaks">
        {relation.nameRelationBoard}
      </Text>
      <Select
        className={classes.column}
        size="xs"
        aria-label={`Колонка для задач в «${relation.nameRelationBoard}»`}
        placeholder="Первая колонка"
        clearable
        disabled={!columns.isPending && known.length === 0}
        data={data}
        value={relation.idColumn ? String(relation.idColumn) : null}
        onChange={(id) => save.mutate({ id: relation.id, idColumn: id ? Number(id) : null })}
      />
      <IconButton
        icon={IconTrash}
        label={`Снять связь с «${relation.nameRelationBoard}»`}
        title="Снять связь"
        onClick={() => remove.mutate(relation.id)}
      />
    </HStack>
  )
}
