import { Menu } from '@mantine/core'
import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import {
  IconArrowLeft,
  IconArrowRight,
  IconGauge,
  IconPencil,
  IconPlus,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { CardColumn } from '#kit/board/CardColumn.tsx'
import { ColorRow } from '#kit/ColorRow.tsx'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import quickAdd from '#records/board/QuickAdd.module.css'
import { QuickAdd } from '#records/board/QuickAdd.tsx'
import { useColumnCards } from '#records/board/useColumnCards.tsx'
import { useSave } from '#records/writes.ts'
import type { Card } from '../cards.ts'
import { CREATE_FAILED, useMakeTask, useOpenTask } from '../newTask.ts'
import type { BoardStore } from './boardStore.ts'
import { cardLabel } from './TaskCard.tsx'
import classes from './TaskColumn.module.css'
import type { BoardRights, ColumnRow } from './useBoardData.ts'
import { WipLimit } from './WipLimit.tsx'

const TemplatesPanel = part(() => import('../templates/TemplatesPanel.tsx'))

interface Props {
  column: ColumnRow
  store: BoardStore
  rights: BoardRights
  filtered: boolean
  archive: boolean
  isFirst: boolean
  isLast: boolean
  renderCard: (card: Card) => React.ReactNode
  onMove: (way: 'left' | 'right') => void
  onDelete: () => void
  /** In a lane: without a header; reports the total to the lane. */
  onTotal?: (idColumn: number, total: number) => void
}

/** A column: endless list, header and quick add. */
export function TaskColumn({
  column,
  store,
  rights,
  filtered,
  archive,
  isFirst,
  isLast,
  renderCard,
  onMove,
  onDelete,
  onTotal,
}: Props) {
  const cards = useColumnCards<Card>(store, column.id)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState(false)
  const [templates, setTemplates] = useState(false)
  const [limiting, setLimiting] = useState(false)
  const save = useSave(BoardColumn)
  const makeTask = useMakeTask()
  const openTask = useOpenTask()
  const mayAdd = rights.createTask && !archive
  // One hotkey per board, regardless of lanes.
  const isKeyed = mayAdd && isFirst && !adding && onTotal === undefined
  useHotkey('n', () => setAdding(true), { enabled: isKeyed, label: 'Новая задача', group: 'Доска' })
  const { total } = cards
  useEffect(() => {
    if (total !== undefined) onTotal?.(column.id, total)
  }, [column.id, total, onTotal])

  const rename = (name: string) => {
    setRenaming(false)
    if (name.trim() && name.trim() !== column.name) save.mutate({ id: column.id, name: name.trim() })
  }

  return (
    <CardColumn
      {...cards}
      name={column.name}
      color={column.color}
      limit={archive || filtered ? null : column.wipLimit}
      headless={onTotal !== undefined}
      movable={rights.editColumns && !renaming && !onTotal}
      renderCard={renderCard}
      cardLabel={cardLabel}
      title={
        renaming ? (
          <input
            className={classes.rename}
            aria-label="Название колонки"
            defaultValue={column.name}
            maxLength={64}
            // biome-ignore lint/a11y/noAutofocus: the person has just asked to rename
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            onBlur={(event) => rename(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur()
              if (event.key === 'Escape') {
                event.stopPropagation()
                setRenaming(false)
              }
            }}
          />
        ) : undefined
      }
      actions={
        <>
          {mayAdd && (
            <IconButton
              icon={IconPlus}
              size={28}
              label={`Добавить задачу в «${column.name}»`}
              onClick={() => setAdding(true)}
            />
          )}
          {rights.editColumns && (
            <ActionMenu label={`Действия с колонкой «${column.name}»`} size={28} width={236} returnFocus={!renaming}>
              <MenuItem label="Переименовать" icon={IconPencil} onClick={() => setRenaming(true)} />
              <MenuItem label="Сдвинуть влево" icon={IconArrowLeft} disabled={isFirst} onClick={() => onMove('left')} />
              <MenuItem
                label="Сдвинуть вправо"
                icon={IconArrowRight}
                disabled={isLast}
                onClick={() => onMove('right')}
              />
              <MenuItem
                label={column.wipLimit ? `Предел задач: ${column.wipLimit}` : 'Предел задач…'}
                icon={IconGauge}
                onClick={() => setLimiting(true)}
              />
              <Menu.Divider />
              <Menu.Label>Цвет</Menu.Label>
              <ColorRow inMenu value={column.color} onChange={(color) => save.mutate({ id: column.id, color })} />
              <Menu.Divider />
              <MenuItem label="Удалить колонку…" icon={IconTrash} danger onClick={onDelete} />
            </ActionMenu>
          )}
        </>
      }
      top={
        limiting ? (
          <WipLimit column={column} onClose={() => setLimiting(false)} />
        ) : adding ? (
          <>
            <QuickAdd
              draft={`task:${column.id}`}
              label={`Новая задача в колонке «${column.name}»`}
              placeholder="Название задачи"
              create={async (name) => {
                const task = await makeTask({ name, idColumn: column.id })
                if (!task) return false
                store.refreshTasks([task.id])
                return task.id
              }}
              open={(idTask) => void openTask(idTask, store.scope.idBoard)}
              failure={CREATE_FAILED}
              start={
                <button type="button" className={quickAdd.button} onClick={() => setTemplates(true)}>
                  <IconTemplate size={14} aria-hidden /> Из шаблона
                </button>
              }
              onClose={() => setAdding(false)}
            />
            {templates && (
              <TemplatesPanel
                idBoard={store.scope.idBoard}
                columns={store.scope.columns}
                rights={rights}
                idColumn={column.id}
                onClose={() => setTemplates(false)}
              />
            )}
          </>
        ) : undefined
      }
      empty={
        onTotal ? null : archive ? (
          'В архиве пусто'
        ) : filtered ? (
          'Под фильтр ничего не подходит'
        ) : mayAdd && !adding ? (
          <ActionButton
            label="Добавить задачу"
            size="compact-sm"
            variant="subtle"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          />
        ) : adding ? null : (
          'Задач нет'
        )
      }
    />
  )
}
