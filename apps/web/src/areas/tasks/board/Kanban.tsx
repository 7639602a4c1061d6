import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Board } from '#kit/board/Board.tsx'
import type { BoardController, BoardRules } from '#kit/board/controller.ts'
import type { Place } from '#kit/board/pages.ts'
import { useBoardKeys } from '#kit/board/useBoardKeys.ts'
import type { CardActionsHandle } from '#records/board/cardActions.tsx'
import { useBoardController } from '#records/board/useBoardController.ts'
import { useMove } from '#records/writes.ts'
import type { TasksAddress } from '../address.ts'
import type { Card, CardFilter } from '../cards.ts'
import { taskFilters } from '../taskFilters.tsx'
import { BoardStore } from './boardStore.ts'
import { CardActions } from './CardActions.tsx'
import { DeleteColumn } from './DeleteColumn.tsx'
import { TaskCard } from './TaskCard.tsx'
import { TaskColumn } from './TaskColumn.tsx'
import { TaskSelection } from './TaskSelection.tsx'
import type { BoardData, BoardRights, ColumnRow } from './useBoardData.ts'
import { useBoardEvents } from './useBoardEvents.ts'

/** Props of a board that is one of several lanes. */
export interface LaneProps {
  family: symbol
  /** Called when a card of this lane is dropped on another one. */
  onLeave: (card: Card, store: BoardStore, there: BoardController, place: Place) => void
  onTotal: (idColumn: number, total: number) => void
  onReady: (controller: BoardController, store: BoardStore) => () => void
}

interface Props {
  idBoard: number
  label: string
  data: BoardData
  rights: BoardRights
  columns: readonly ColumnRow[]
  filter: CardFilter
  address: TasksAddress
  open: (id: number) => void
  /** Receives the store that the open card writes through. */
  onStore: (store: BoardStore) => void
  lane?: LaneProps
  /** Single-key shortcuts apply to this board. */
  active?: boolean
  /** Content after the last column. */
  end?: ReactNode
}

/** Cards of a workspace in columns: all, or those of a lane. */
export function Kanban(props: Props) {
  const { idBoard, label, data, rights, columns, filter, address, open, onStore, lane, active = true, end } = props
  const client = useQueryClient()
  const filterText = JSON.stringify(filter)
  const { order } = address
  const store = useMemo(
    () => new BoardStore(client, { idBoard, filter: JSON.parse(filterText), order, columns: [] }),
    [client, idBoard, filterText, order],
  )
  store.scope.columns = columns
  useEffect(() => () => store.close(), [store])
  useEffect(() => onStore(store), [store, onStore])
  useBoardEvents(store)

  const latest = useRef({ rights, open, lane })
  latest.current = { rights, open, lane }
  const given = useMemo((): BoardRules => {
    const card = (id: number) => store.cards.find(id)?.card
    return {
      items: (column) => store.cards.cards(column),
      total: (column) => store.cards.total(column),
      cardName: (id) => card(id)?.task.name ?? '',
      canMove: () => latest.current.rights.drag,
      whyNot: () => 'У вас нет права перемещать карточки на этой доске',
      preview: (id, place) => store.cards.move(id, place),
      save: (id, from, to) => void store.save(id, from, to),
      open: (id) => latest.current.open(id),
      leave: (id, there, place) => {
        const found = card(id)
        if (found) latest.current.lane?.onLeave(found, store, there, place)
      },
    }
  }, [store])
  const opened = address.assignedColumn
  const { controller, rules } = useBoardController(given, store, opened, lane?.family)
  const onReady = lane?.onReady
  useEffect(() => onReady?.(controller, store), [onReady, controller, store])

  const actions = useRef<CardActionsHandle>(null)
  const [editing, setEditing] = useState<number>()
  const keys = { enabled: active && opened === undefined && editing === undefined, group: 'Доска' }
  useBoardKeys(controller, keys)

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

  const moveColumn = useMove(BoardColumn)
  const [deleting, setDeleting] = useState<ColumnRow>()
  const shift = (at: number, way: 'left' | 'right') => {
    const column = columns[at]
    const other = columns[at + (way === 'left' ? -1 : 1)]
    if (column && other)
      moveColumn.mutate({ id: column.id, ...(way === 'left' ? { before: other.id } : { after: other.id }) })
  }

  return (
    <>
      <Board
        label={label}
        columns={columns}
        rules={rules}
        controller={controller}
        lane={lane !== undefined}
        onMoveColumn={rights.editColumns ? (id, place) => moveColumn.mutate({ id, ...place }) : undefined}
        onKey={(pressed, id) => actions.current?.press(pressed, id) ?? false}
      >
        {columns.map((column, at) => (
          <TaskColumn
            key={column.id}
            column={column}
            store={store}
            rights={rights}
            filtered={lane !== undefined || taskFilters.count(address) > 0}
            archive={address.archive === true}
            isFirst={at === 0}
            isLast={at === columns.length - 1}
            renderCard={renderCard}
            onMove={(way) => shift(at, way)}
            onDelete={() => setDeleting(column)}
            onTotal={lane?.onTotal}
          />
        ))}
        {end}
      </Board>
      <CardActions
        ref={actions}
        controller={controller}
        store={store}
        data={data}
        rights={rights}
        enabled={keys.enabled}
        onEdit={setEditing}
      />
      <TaskSelection controller={controller} store={store} data={data} rights={rights} />
      {deleting && <DeleteColumn column={deleting} columns={[...columns]} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
