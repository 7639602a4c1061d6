import { Button } from '@mantine/core'
import { Column } from '@ordinator/model/areas/tasks/board'
import { IconLayoutKanban, IconLock, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../../app/apiError.ts'
import { usePageTitle } from '../../../app/title.ts'
import { Board } from '../../../kit/board/Board.tsx'
import { BoardController, type BoardRules } from '../../../kit/board/controller.ts'
import { palette } from '../../../kit/color.ts'
import { StatePage } from '../../../kit/StatePage.tsx'
import { useMove, useSave } from '../../../records/writes.ts'
import { isFiltered, noFilters, useTasksAddress } from '../address.ts'
import { type Card, cardFilter } from '../cards.ts'
import { BoardFilters } from './BoardFilters.tsx'
import { BoardHead } from './BoardHead.tsx'
import classes from './BoardScreen.module.css'
import { BoardStore } from './boardStore.ts'
import { CardActions, type CardActionsHandle } from './CardActions.tsx'
import { DeleteColumn } from './DeleteColumn.tsx'
import { JoinBoard } from './JoinBoard.tsx'
import { TaskCard } from './TaskCard.tsx'
import { TaskColumn } from './TaskColumn.tsx'
import { type BoardData, type ColumnRow, useBoardData } from './useBoardData.ts'
import { useBoardEvents } from './useBoardEvents.ts'

const CardDialog = lazy(() => import('../card/CardDialog.tsx'))

/** One workspace as a board. */
export function BoardScreen({ idBoard }: { idBoard: number }) {
  const data = useBoardData(idBoard)
  const { board, columns, rights } = data
  usePageTitle(board.data?.name)
  const [, setAddress] = useTasksAddress()
  const toList = (
    <Button variant="light" onClick={() => setAddress({ board: undefined, assignedColumn: undefined, ...noFilters })}>
      Все пространства
    </Button>
  )
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
  const list = data.columns.data?.items as ColumnRow[]
  const board = data.board.data as NonNullable<BoardData['board']['data']>
  const [address, setAddress] = useTasksAddress()
  const client = useQueryClient()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment of switching the filter on
  const now = useMemo(() => new Date().toISOString(), [address.overdue])
  const filterText = JSON.stringify(cardFilter(address, { idUser, idMember: me?.id }, now))
  const store = useMemo(
    () => new BoardStore(client, { idBoard, filter: JSON.parse(filterText), columns: [] }),
    [client, idBoard, filterText],
  )
  store.scope.columns = list
  useEffect(() => () => store.close(), [store])
  useBoardEvents(store)

  const latest = useRef({ rights, setAddress })
  latest.current = { rights, setAddress }
  const opener = useRef<number | null>(null)
  const open = useCallback((id: number) => {
    opener.current = id
    latest.current.setAddress({ assignedColumn: id })
  }, [])

  const rules = useMemo((): BoardRules => {
    const card = (id: number) => store.cards.find(id)?.card
    return {
      items: (column) => store.cards.cards(column),
      total: (column) => store.cards.total(column),
      cardName: (id) => card(id)?.task.name ?? '',
      canMove: () => latest.current.rights.drag,
      whyNot: () => 'У вас нет права перемещать карточки на этой доске',
      preview: (id, place) => store.cards.move(id, place),
      save: (id, from, to) => void store.save(id, from, to),
      open,
    }
  }, [store, open])
  const [controller] = useState(() => new BoardController(rules))
  controller.rules = rules
  useEffect(
    () =>
      controller.subscribe(() => {
        store.held = controller.picked?.id ?? null
      }),
    [controller, store],
  )

  // The card that was open gets the focus back.
  const opened = address.assignedColumn
  useEffect(() => {
    if (opened !== undefined || opener.current === null) return
    controller.focus(opener.current)
    opener.current = null
  }, [opened, controller])

  const actions = useRef<CardActionsHandle>(null)
  const [editing, setEditing] = useState<number>()
  const rename = useCallback(
    (id: number, name: string | undefined) => {
      setEditing(undefined)
      controller.focus(id)
      const wanted = name?.trim()
      if (wanted && wanted !== store.cards.find(id)?.card.task.name) void store.saveTask(id, { name: wanted })
    },
    [store, controller],
  )
  const renderCard = useCallback(
    (card: Card) => (
      <TaskCard
        card={card}
        editing={card.id === editing}
        onName={rename}
        onMenu={(id, button) => actions.current?.menu(id, button.getBoundingClientRect())}
      />
    ),
    [editing, rename],
  )

  const moveColumn = useMove(Column)
  const [deleting, setDeleting] = useState<ColumnRow>()
  const shift = (at: number, way: 'left' | 'right') => {
    const column = list[at]
    const other = list[at + (way === 'left' ? -1 : 1)]
    if (column && other)
      moveColumn.mutate({ id: column.id, ...(way === 'left' ? { before: other.id } : { after: other.id }) })
  }

  return (
    <div className={classes.screen}>
      <BoardHead data={data} board={board} rights={rights} address={address} setAddress={setAddress} />
      <BoardFilters idBoard={idBoard} members={members} address={address} setAddress={setAddress} />
      {list.length === 0 && !rights.editColumns ? (
        <StatePage
          size="block"
          icon={IconLayoutKanban}
          title="На доске нет колонок"
          text="Их добавит тот, кто ведёт это пространство."
        />
      ) : (
        <Board
          label={`Доска «${board.name}»`}
          columns={list}
          rules={rules}
          controller={controller}
          onMoveColumn={rights.editColumns ? (id, place) => moveColumn.mutate({ id, ...place }) : undefined}
          onKey={(keys, id) => actions.current?.press(keys, id) ?? false}
        >
          {list.map((column, at) => (
            <TaskColumn
              key={column.id}
              column={column}
              store={store}
              rights={rights}
              filtered={isFiltered(address)}
              archive={address.archive === true}
              isFirst={at === 0}
              isLast={at === list.length - 1}
              renderCard={renderCard}
              onMove={(way) => shift(at, way)}
              onDelete={() => setDeleting(column)}
            />
          ))}
          {rights.editColumns && !address.archive && <NewColumn idBoard={idBoard} count={list.length} />}
        </Board>
      )}
      <CardActions
        ref={actions}
        controller={controller}
        store={store}
        data={data}
        rights={rights}
        enabled={opened === undefined && editing === undefined}
        onEdit={setEditing}
      />
      {deleting && <DeleteColumn column={deleting} columns={list} onClose={() => setDeleting(undefined)} />}
      {opened !== undefined && (
        <Suspense>
          <CardDialog
            key={opened}
            idCard={opened}
            data={data}
            rights={rights}
            store={store}
            onClose={() => setAddress({ assignedColumn: undefined })}
          />
        </Suspense>
      )}
    </div>
  )
}

function NewColumn({ idBoard, count }: { idBoard: number; count: number }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const save = useSave(Column)
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
      <Button type="submit" size="compact-md" disabled={!name.trim()} loading={save.isPending}>
        Добавить
      </Button>
    </form>
  )
}

function Waiting() {
  return (
    <div className={classes.screen} aria-busy="true">
      <div className={classes.waitingHead} />
      <div className={classes.waiting}>
        {[0, 1, 2, 3].map((i) => (
          <div key={i} className={classes.waitingColumn} />
        ))}
      </div>
    </div>
  )
}
