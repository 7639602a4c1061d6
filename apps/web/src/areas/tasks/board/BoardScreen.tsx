import { Box, Button } from '@mantine/core'
import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import { palette } from '@ordinator/model/palette'
import { IconLayoutKanban, IconLock, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useCommands } from '#base/commands.ts'
import { usePreference } from '#base/preferences.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { BoardSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { readLook } from '#records/board/boardLook.ts'
import { useSave } from '#records/writes.ts'
import { type BoardView, boardViews, noBoard, useTasksAddress } from '../address.ts'
import { cardFilter } from '../cards.ts'
import { useBoardTags } from '../TagPicker.tsx'
import { taskFilters } from '../taskFilters.tsx'
import { groupsOf } from '../views/groups.ts'
import { BoardFilters } from './BoardFilters.tsx'
import { BoardHead } from './BoardHead.tsx'
import classes from './BoardScreen.module.css'
import { BoardStore } from './boardStore.ts'
import { JoinBoard } from './JoinBoard.tsx'
import { Kanban } from './Kanban.tsx'
import { Lanes } from './Lanes.tsx'
import { type BoardData, type ColumnRow, useBoardData } from './useBoardData.ts'

const CardDialog = part(() => import('../card/CardDialog.tsx'))
const waiting = <Box flex={1} aria-busy="true" />
const ListView = part(() => import('../views/ListView.tsx'), waiting)
const TableView = part(() => import('../views/TableView.tsx'), waiting)
const CalendarView = part(() => import('../calendar/CalendarView.tsx'), waiting)

/** A workspace as a board. */
export function BoardScreen({ idBoard }: { idBoard: number }) {
  const data = useBoardData(idBoard)
  const { board, columns, rights } = data
  useRecordTitle(board.data?.name)
  const [, setAddress] = useTasksAddress()
  const toList = <ActionButton label="Все пространства" variant="light" onClick={() => setAddress(noBoard)} />
  if (board.isError) {
    const hidden = board.error instanceof ApiError && (board.error.status === 404 || board.error.status === 403)
    return hidden ? (
      <StatePage
        icon={IconLock}
        title="Пространство не найдено"
        text="Его удалили, или у вас нет к нему доступа."
        actions={toList}
      />
    ) : (
      <StatePage
        icon={IconLayoutKanban}
        title="Пространство не загрузилось"
        text={errorMessage(board.error)}
        actions={<Button onClick={() => void board.refetch()}>Повторить</Button>}
      />
    )
  }
  if (board.data && rights && !rights.on.isOwner && !rights.on.bypass && !board.data.isMember)
    return <JoinBoard board={board.data} back={toList} />
  if (!board.data || !rights || !columns.data || data.people.isPending) return <Waiting />
  return <OpenBoard key={idBoard} idBoard={idBoard} data={data} />
}

function OpenBoard({ idBoard, data }: { idBoard: number; data: BoardData }) {
  const { members, me, idUser } = data
  const rights = data.rights as NonNullable<BoardData['rights']>
  const columns = data.columns.data?.items as ColumnRow[]
  const board = data.board.data as NonNullable<BoardData['board']['data']>
  const [address, setAddress] = useTasksAddress()
  const client = useQueryClient()
  const [look, setLook] = usePreference('board-look', readLook, 'device')
  const view = address.view ?? 'board'
  const grouping = address.group ?? (view === 'list' ? 'column' : undefined)
  const inLanes = view === 'board' && grouping !== undefined && grouping !== 'column'
  const grouped = view === 'list' || inLanes
  const tags = useBoardTags(idBoard, grouped && grouping === 'tag')

  const wanted = JSON.stringify(taskFilters.read(address))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment at which the filter was set
  const now = useMemo(() => new Date(), [wanted, view])
  const asker = { idUser, idMember: me?.id, now }
  const filter = cardFilter(address, asker)
  const groups = useMemo(
    () => (grouped && grouping ? groupsOf(grouping, { columns, members, tags, idUser, now }) : []),
    [grouped, grouping, columns, members, tags, idUser, now],
  )

  // Only a board has its own cards; in other views the open card writes through an idle store.
  const idle = useMemo(() => new BoardStore(client, { idBoard, filter: {}, columns: [] }), [client, idBoard])
  const [store, setStore] = useState<BoardStore>()
  const opened = address.assignedColumn
  const open = useCallback((id: number) => setAddress({ assignedColumn: id }), [setAddress])
  useCommands(
    (Object.keys(boardViews) as BoardView[]).map((one) => ({
      id: `view-${one}`,
      group: 'Вид доски',
      label: boardViews[one],
      words: 'вид показать',
      run: () => setAddress({ view: one === 'board' ? undefined : one, group: undefined }),
    })),
  )

  const kanban = { idBoard, data, rights, columns, filter, address, open, onStore: setStore }
  return (
    <VStack gap={0} h="100%" mih={0} data-compact={look.compact || undefined}>
      <BoardHead data={data} board={board} rights={rights} address={address} setAddress={setAddress} />
      <BoardFilters
        idBoard={idBoard}
        members={members}
        address={address}
        setAddress={setAddress}
        compact={look.compact}
        onCompact={(compact) => setLook({ compact })}
      />
      {columns.length === 0 && !rights.editColumns ? (
        <StatePage
          size="block"
          icon={IconLayoutKanban}
          title="На доске нет колонок"
          text="Их добавит тот, кто ведёт это пространство."
        />
      ) : inLanes && grouping ? (
        <Lanes key={grouping} {...kanban} grouping={grouping} groups={groups} />
      ) : view === 'board' ? (
        <Kanban
          {...kanban}
          label={`Доска «${board.name}»`}
          end={rights.editColumns && !address.archive && <NewColumn idBoard={idBoard} count={columns.length} />}
        />
      ) : view === 'list' ? (
        <ListView idBoard={idBoard} groups={groups} columns={columns} filter={filter} address={address} />
      ) : view === 'table' ? (
        <TableView data={data} rights={rights} columns={columns} filter={filter} setAddress={setAddress} />
      ) : (
        <CalendarView
          idBoard={idBoard}
          columns={columns}
          rights={rights}
          filter={{ and: taskFilters.conditions(address, asker) }}
          cardFilter={filter}
          address={address}
          setAddress={setAddress}
        />
      )}
      {opened !== undefined && (
        <CardDialog
          key={opened}
          idCard={opened}
          data={data}
          rights={rights}
          store={view === 'board' && store ? store : idle}
          onClose={() => setAddress({ assignedColumn: undefined })}
        />
      )}
    </VStack>
  )
}

function NewColumn({ idBoard, count }: { idBoard: number; count: number }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const save = useSave(BoardColumn)
  const create = () => {
    const wanted = name.trim()
    if (!wanted || save.isPending) return
    const color = palette[count % palette.length]?.value
    save.mutate({ name: wanted, idBoard, ...(color && { color }) }, { onSuccess: () => setName('') })
  }
  if (!open)
    return (
      <button type="button" className={classes.newColumn} onClick={() => setOpen(true)}>
        <IconPlus size={18} aria-hidden /> Добавить колонку
      </button>
    )
  return (
    <form
      className={classes.newColumnForm}
      onSubmit={(event) => {
        event.preventDefault()
        create()
      }}
    >
      <input
        className={classes.newColumnName}
        aria-label="Название новой колонки"
        placeholder="Название колонки"
        maxLength={64}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      />
      <ActionButton label="Добавить" type="submit" size="compact-md" disabled={!name.trim()} loading={save.isPending} />
    </form>
  )
}

function Waiting() {
  return (
    <VStack gap={0} h="100%" mih={0} aria-busy="true">
      <Box h={112} flex="none" />
      <BoardSkeleton />
    </VStack>
  )
}
