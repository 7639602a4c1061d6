import { Menu } from '@mantine/core'
import {
  IconArchive,
  IconArchiveOff,
  IconArrowsMove,
  IconExternalLink,
  IconLink,
  IconPencil,
  IconSquareCheck,
  IconTag,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react'
import { type ReactNode, type Ref, useState } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Anchored } from '#kit/Anchored.tsx'
import type { BoardController } from '#kit/board/controller.ts'
import { copyLink } from '#kit/copyLink.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { type CardActionsHandle, CardMenu, useCardActions } from '#records/board/cardActions.tsx'
import { MoveCard } from '#records/board/MoveCard.tsx'
import { PeoplePicker } from '../PeoplePicker.tsx'
import { TagPicker } from '../TagPicker.tsx'
import { useTaskParts } from '../taskParts.ts'
import type { BoardStore } from './boardStore.ts'
import { useVerbKeys } from './CardVerbs.tsx'
import { cardMenu } from './menus.ts'
import type { BoardData, BoardRights } from './useBoardData.ts'
import { useVerbs } from './useVerbs.ts'

interface Props {
  ref: Ref<CardActionsHandle>
  controller: BoardController
  store: BoardStore
  data: BoardData
  rights: BoardRights
  enabled: boolean
  onEdit: (id: number) => void
}

/** Actions on a card without opening it: menu and single-key shortcuts. One instance per board. */
export function CardActions({ ref, controller, store, data, rights, enabled, onEdit }: Props) {
  const parts = useTaskParts(store)
  const columns = data.columns.data?.items ?? []
  const [, redraw] = useState(0)
  const [dialog, setDialog] = useState<ReactNode>()
  const may = (right: 'edit' | 'assign' | 'delete', id: number): boolean => {
    const task = store.cards.find(id)?.card.task
    const allowed = task !== undefined && rights.task(right, task)
    if (task && !allowed) notify.info(refusals[right], { id: 'card-right' })
    return allowed
  }
  const remove = (id: number) => void (may('delete', id) && store.remove(id))
  const actions = useCardActions<'people' | 'tags' | 'move'>({ ref, controller, enabled, onRemove: remove })
  const { open, show, close, rectOf, key, on } = actions
  // Current card in the cache, so that toggles show at once.
  const card = open && store.cards.find(open.id)?.card
  const act = {
    edit: (id: number) => may('edit', id) && onEdit(id),
    tags: (id: number) => may('edit', id) && show('tags', id),
    people: (id: number) => may('assign', id) && show('people', id),
    archive: (id: number) => {
      const found = store.cards.find(id)?.card
      if (found && may('edit', id)) void store.archive(id, !(found.isArchive || found.task.isArchive))
    },
    importance: (id: number, importance: number) => may('edit', id) && void store.saveTask(id, { importance }),
  }
  const target = () => {
    const id = controller.target()
    return id === null ? undefined : store.cards.find(id)?.card
  }
  useVerbKeys(target, rights, useVerbs(store, data, rights), on)
  useHotkey('e', key(act.edit), { ...on, label: 'Переименовать' })
  useHotkey('t', key(act.tags), { ...on, label: 'Метки' })
  useHotkey('a', key(act.people), { ...on, label: 'Исполнители' })
  useHotkey('c', key(act.archive), { ...on, label: 'В архив или из архива' })
  for (const digit of digits) {
    const label = digit === 1 ? 'Важность: 1–9, 0 — это 10' : undefined
    // biome-ignore lint/correctness/useHookAtTopLevel: a constant list, the same ten hooks every time
    useHotkey(
      String(digit % 10),
      key((id) => act.importance(id, digit)),
      { ...on, label },
    )
  }
  const task = card?.task
  const archived = card ? card.isArchive || card.task.isArchive : false
  return (
    <>
      <CardMenu
        opened={open?.kind === 'menu' && card !== undefined}
        rect={open?.rect}
        label={task ? `Действия с задачей «${task.name}»` : 'Действия с задачей'}
        onClose={actions.closeMenu}
      >
        {card && task && (
          <>
            <MenuItem label="Открыть" icon={IconExternalLink} onClick={() => controller.rules.open(card.id)} />
            <MenuItem
              label="Переименовать"
              icon={IconPencil}
              disabled={!rights.task('edit', task)}
              onClick={() => onEdit(card.id)}
            />
            <MenuItem
              label="Переместить…"
              icon={IconArrowsMove}
              disabled={!rights.drag}
              onClick={() => show('move', card.id)}
            />
            <MenuItem
              label="Исполнители"
              icon={IconUserPlus}
              disabled={!rights.task('assign', task)}
              onClick={() => show('people', card.id)}
            />
            <MenuItem
              label="Метки"
              icon={IconTag}
              disabled={!rights.task('edit', task)}
              onClick={() => show('tags', card.id)}
            />
            <MenuItem
              label={controller.selected.has(card.id) ? 'Снять выбор' : 'Выбрать'}
              icon={IconSquareCheck}
              onClick={() => controller.toggleSelected(card.id)}
            />
            <MenuItem
              label="Скопировать ссылку"
              icon={IconLink}
              onClick={() => void copyLink(cardPath(store.scope.idBoard, card.id), 'Ссылка на задачу')}
            />
            {cardMenu.map((Items, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
              <Items key={at} card={card} data={data} rights={rights} store={store} show={setDialog} />
            ))}
            <Menu.Divider />
            <MenuItem
              label={archived ? 'Вернуть из архива' : 'В архив'}
              icon={archived ? IconArchiveOff : IconArchive}
              disabled={!rights.task('edit', task)}
              onClick={() => act.archive(card.id)}
            />
            <MenuItem
              label="Удалить"
              danger
              icon={IconTrash}
              disabled={!rights.task('delete', task)}
              onClick={() => remove(card.id)}
            />
          </>
        )}
      </CardMenu>
      <Anchored rect={rectOf('people')} onClose={close} label="Исполнители">
        {card && (
          <PeoplePicker
            label="Исполнители"
            members={data.members}
            chosen={card.task.executors.map((p) => p.idMember)}
            onToggle={(member) => {
              void parts.togglePerson(card, 'executors', member)
              redraw((n) => n + 1)
            }}
          />
        )}
      </Anchored>
      <Anchored rect={rectOf('tags')} onClose={close} label="Метки">
        {card && (
          <TagPicker
            idBoard={store.scope.idBoard}
            tags={card.task.tags}
            onToggle={(tag) => {
              void parts.toggleTag(card, tag)
              redraw((n) => n + 1)
            }}
          />
        )}
      </Anchored>
      {dialog}
      {open?.kind === 'move' && card && (
        <MoveCard
          title="Переместить задачу"
          columnLabel="Колонка"
          card={card}
          column={card.idColumn}
          nameOf={(one) => one.task.name}
          columns={columns}
          cardsOf={(column) => store.cards.cards(column)}
          onMove={(place) => {
            controller.put(card.id, place)
            actions.drop()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const refusals = {
  edit: 'У вас нет права изменять эту задачу',
  assign: 'У вас нет права назначать людей на эту задачу',
  delete: 'У вас нет права удалить эту задачу',
}

export const cardPath = (idBoard: number, id: number): string => `/tasks?board=${idBoard}&assignedColumn=${id}`
