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
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import { MenuItem } from '../../../kit/ActionMenu.tsx'
import { Anchored, Spot } from '../../../kit/Anchored.tsx'
import type { BoardController } from '../../../kit/board/controller.ts'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { notify } from '../../../kit/notify.tsx'
import { MoveCard } from '../../../records/board/MoveCard.tsx'
import { PeoplePicker } from '../PeoplePicker.tsx'
import { TagPicker } from '../TagPicker.tsx'
import { useTaskParts } from '../taskParts.ts'
import type { BoardStore } from './boardStore.ts'
import { useVerbKeys } from './CardVerbs.tsx'
import { cardMenu } from './menus.ts'
import type { BoardData, BoardRights } from './useBoardData.ts'
import { useVerbs } from './useVerbs.ts'

export interface CardActionsHandle {
  menu: (id: number, rect: DOMRect) => void
  /** A key on a focused card. True: it was one of ours. */
  press: (combination: string, id: number) => boolean
}

interface Props {
  ref: Ref<CardActionsHandle>
  controller: BoardController
  store: BoardStore
  data: BoardData
  rights: BoardRights
  enabled: boolean
  onEdit: (id: number) => void
}

type Open = { kind: 'menu' | 'people' | 'tags' | 'move'; id: number; rect: DOMRect }

const GROUP = 'Карточка'

/** What can be done with a card without opening it: by its menu and by single keys. One for the whole board. */
export function CardActions({ ref, controller, store, data, rights, enabled, onEdit }: Props) {
  const [open, setOpen] = useState<Open>()
  const parts = useTaskParts(store)
  const columns = data.columns.data?.items ?? []
  // The card as the cache has it this moment: toggles show at once.
  const card = open && store.cards.find(open.id)?.card
  const [, redraw] = useState(0)
  const [dialog, setDialog] = useState<ReactNode>()

  const close = () => {
    if (open) controller.focus(open.id)
    setOpen(undefined)
  }
  const show = (kind: Open['kind'], id: number) => {
    const element = document.querySelector(`[data-card="${id}"]`)
    if (element) setOpen({ kind, id, rect: element.getBoundingClientRect() })
  }
  const may = (right: 'edit' | 'assign' | 'delete', id: number): boolean => {
    const task = store.cards.find(id)?.card.task
    const allowed = task !== undefined && rights.task(right, task)
    if (task && !allowed) notify.info(refusals[right], { id: 'card-right' })
    return allowed
  }
  const act = {
    edit: (id: number) => may('edit', id) && onEdit(id),
    tags: (id: number) => may('edit', id) && show('tags', id),
    people: (id: number) => may('assign', id) && show('people', id),
    archive: (id: number) => {
      const found = store.cards.find(id)?.card
      if (found && may('edit', id)) void store.archive(id, !(found.isArchive || found.task.isArchive))
    },
    remove: (id: number) => may('delete', id) && void store.remove(id),
    importance: (id: number, importance: number) => may('edit', id) && void store.saveTask(id, { importance }),
  }

  useImperativeHandle(ref, () => ({
    menu: (id, rect) => setOpen({ kind: 'menu', id, rect }),
    press: (combination, id) => {
      if (combination !== 'delete' && combination !== 'shift+f10' && combination !== 'contextmenu') return false
      if (combination === 'delete') act.remove(id)
      else show('menu', id)
      return true
    },
  }))

  const key = (run: (id: number) => void) => () => {
    const id = controller.target()
    if (id !== null) run(id)
  }
  const on = { enabled: enabled && !open, group: GROUP }
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
  // Listed only: the focused card answers to these itself. Capitals never match a pressed key.
  useHotkey('Enter', noop, { ...on, label: 'Открыть' })
  useHotkey('Пробел', noop, { ...on, label: 'Взять и нести стрелками; ещё раз — поставить' })
  useHotkey('mod+shift+← ↑ → ↓', noop, { ...on, label: 'Переместить сразу' })
  useHotkey('Del', noop, { ...on, label: 'Удалить' })

  const task = card?.task
  const archived = card ? card.isArchive || card.task.isArchive : false
  return (
    <>
      <Menu
        opened={open?.kind === 'menu' && card !== undefined}
        onChange={(opened) => !opened && setOpen((current) => (current?.kind === 'menu' ? undefined : current))}
        position="bottom-end"
        width={232}
        returnFocus={false}
      >
        <Menu.Target>
          <Spot rect={open?.rect} label={task ? `Действия с задачей «${task.name}»` : 'Действия с задачей'} />
        </Menu.Target>
        <Menu.Dropdown>
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
                onClick={() => void copyLink(store.scope.idBoard, card.id)}
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
                onClick={() => act.remove(card.id)}
              />
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Anchored rect={open?.kind === 'people' ? open.rect : undefined} onClose={close} label="Исполнители">
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
      <Anchored rect={open?.kind === 'tags' ? open.rect : undefined} onClose={close} label="Метки">
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
            setOpen(undefined)
          }}
          onClose={close}
        />
      )}
    </>
  )
}

const noop = () => {}
const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const refusals = {
  edit: 'У вас нет права изменять эту задачу',
  assign: 'У вас нет права назначать людей на эту задачу',
  delete: 'У вас нет права удалить эту задачу',
}

export const cardLink = (idBoard: number, id: number): string =>
  `${location.origin}/app/tasks?board=${idBoard}&assignedColumn=${id}`

export async function copyLink(idBoard: number, id: number): Promise<void> {
  const link = cardLink(idBoard, id)
  try {
    // Absent on a clinic's network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title: 'Ссылка на задачу', timeout: 10_000 })
  }
}
