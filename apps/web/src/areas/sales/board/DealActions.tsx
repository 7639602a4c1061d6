import { Menu } from '@mantine/core'
import { mayGo } from '@ordinator/model/areas/sales/rules'
import {
  IconArrowsMove,
  IconExternalLink,
  IconLink,
  IconPencil,
  IconSquareCheck,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import { type Ref, useImperativeHandle, useState } from 'react'
import { MenuItem } from '../../../kit/ActionMenu.tsx'
import { Anchored, Spot } from '../../../kit/Anchored.tsx'
import type { BoardController } from '../../../kit/board/controller.ts'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { notify } from '../../../kit/notify.tsx'
import { MoveCard } from '../../../records/board/MoveCard.tsx'
import { DealTagPicker } from '../views/DealTagPicker.tsx'
import { useToggleTag } from '../views/tags.ts'
import type { DealStore } from './dealStore.ts'
import { dealLink, type StageRow, stageOf } from './deals.ts'
import { RenameDeal } from './RenameDeal.tsx'

export interface DealActionsHandle {
  menu: (id: number, rect: DOMRect) => void
  /** A key on a focused card. True: it was one of ours. */
  press: (combination: string, id: number) => boolean
}

interface Props {
  ref: Ref<DealActionsHandle>
  controller: BoardController
  store: DealStore
  stages: readonly StageRow[]
  mayEdit: boolean
  enabled: boolean
}

type Open = { kind: 'menu' | 'tags' | 'move' | 'rename'; id: number; rect: DOMRect }

const GROUP = 'Карточка'

/** What can be done with a deal without opening it: by its menu and by single keys. One for the whole board. */
export function DealActions({ ref, controller, store, stages, mayEdit, enabled }: Props) {
  const [open, setOpen] = useState<Open>()
  const [, redraw] = useState(0)
  const deal = open && store.cards.find(open.id)?.card
  const toggleTag = useToggleTag(store)
  const close = () => {
    if (open) controller.focus(open.id)
    setOpen(undefined)
  }
  const show = (kind: Open['kind'], id: number) => {
    const element = document.querySelector(`[data-card="${id}"]`)
    if (element) setOpen({ kind, id, rect: element.getBoundingClientRect() })
  }
  const may = (): boolean => {
    if (!mayEdit) notify.info('У вас нет права изменять сделки', { id: 'card-right' })
    return mayEdit
  }
  useImperativeHandle(ref, () => ({
    menu: (id, rect) => setOpen({ kind: 'menu', id, rect }),
    press: (combination, id) => {
      if (combination === 'delete') {
        if (may()) void store.remove(id)
      } else if (combination === 'shift+f10' || combination === 'contextmenu') show('menu', id)
      else return false
      return true
    },
  }))
  const key = (kind: Open['kind']) => () => {
    const id = controller.target()
    if (id !== null && may()) show(kind, id)
  }
  const on = { enabled: enabled && !open, group: GROUP }
  useHotkey('e', key('rename'), { ...on, label: 'Переименовать' })
  useHotkey('t', key('tags'), { ...on, label: 'Метки' })
  useHotkey('m', key('move'), { ...on, label: 'Переместить…' })
  // Listed only: the focused card answers to these itself. Capitals never match a pressed key.
  useHotkey('Enter', noop, { ...on, label: 'Открыть' })
  useHotkey('Пробел', noop, { ...on, label: 'Взять и нести стрелками; ещё раз — поставить' })
  useHotkey('mod+shift+← ↑ → ↓', noop, { ...on, label: 'Переместить сразу' })
  useHotkey('Del', noop, { ...on, label: 'Удалить' })

  const here = deal && stages.find((stage) => stage.id === deal.idStage)
  return (
    <>
      <Menu
        opened={open?.kind === 'menu' && deal !== undefined}
        onChange={(opened) => !opened && setOpen((current) => (current?.kind === 'menu' ? undefined : current))}
        position="bottom-end"
        width={232}
        returnFocus={false}
      >
        <Menu.Target>
          <Spot rect={open?.rect} label={deal ? `Действия со сделкой «${deal.title}»` : 'Действия со сделкой'} />
        </Menu.Target>
        <Menu.Dropdown>
          {deal && (
            <>
              <MenuItem label="Открыть" icon={IconExternalLink} onClick={() => controller.rules.open(deal.id)} />
              {mayEdit && (
                <>
                  <MenuItem label="Переименовать" icon={IconPencil} onClick={() => show('rename', deal.id)} />
                  <MenuItem label="Переместить…" icon={IconArrowsMove} onClick={() => show('move', deal.id)} />
                  <MenuItem label="Метки" icon={IconTag} onClick={() => show('tags', deal.id)} />
                  <MenuItem
                    label={controller.selected.has(deal.id) ? 'Снять выбор' : 'Выбрать'}
                    icon={IconSquareCheck}
                    onClick={() => controller.toggleSelected(deal.id)}
                  />
                </>
              )}
              <MenuItem
                label="Скопировать ссылку"
                icon={IconLink}
                onClick={() => void copyLink(store.scope.idFunnel, deal.id)}
              />
              {mayEdit && (
                <>
                  <Menu.Divider />
                  <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => void store.remove(deal.id)} />
                </>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Anchored rect={open?.kind === 'tags' ? open.rect : undefined} onClose={close} label="Метки">
        {deal && (
          <DealTagPicker
            tags={deal.tags}
            onToggle={(tag) => {
              void toggleTag(deal, tag)
              redraw((n) => n + 1)
            }}
          />
        )}
      </Anchored>
      <Anchored rect={open?.kind === 'rename' ? open.rect : undefined} onClose={close} label="Название сделки">
        {deal && (
          <RenameDeal
            title={deal.title}
            onSave={(title) => {
              if (title && title !== deal.title) void store.rename(deal.id, title)
              close()
            }}
          />
        )}
      </Anchored>
      {open?.kind === 'move' && deal && (
        <MoveCard
          title="Переместить сделку"
          columnLabel="Этап"
          card={deal}
          column={stageOf(deal)}
          columns={stages.filter((stage) => stage.id === here?.id || mayGo(here?.nextStages, stage.id))}
          cardsOf={(column) => store.cards.cards(column)}
          nameOf={(one) => one.title}
          onMove={(place) => {
            setOpen(undefined)
            controller.put(deal.id, place)
          }}
          onClose={close}
        />
      )}
    </>
  )
}

const noop = () => {}

async function copyLink(idFunnel: number, id: number): Promise<void> {
  const link = dealLink(idFunnel, id)
  try {
    // Absent on a clinic's network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title: 'Ссылка на сделку', timeout: 10_000 })
  }
}
