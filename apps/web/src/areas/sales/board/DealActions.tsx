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
import { type Ref, useState } from 'react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Anchored } from '#kit/Anchored.tsx'
import type { BoardController } from '#kit/board/controller.ts'
import { copyLink } from '#kit/copyLink.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { type CardActionsHandle, CardMenu, useCardActions } from '#records/board/cardActions.tsx'
import { MoveCard } from '#records/board/MoveCard.tsx'
import { DealTagPicker } from '../views/DealTagPicker.tsx'
import { useToggleTag } from '../views/tags.ts'
import type { DealStore } from './dealStore.ts'
import { dealPath, type StageRow, stageOf } from './deals.ts'
import { RenameDeal } from './RenameDeal.tsx'

interface Props {
  ref: Ref<CardActionsHandle>
  controller: BoardController
  store: DealStore
  stages: readonly StageRow[]
  mayEdit: boolean
  enabled: boolean
}

/** Actions on a card without opening it: menu and single-key shortcuts. One instance per board. */
export function DealActions({ ref, controller, store, stages, mayEdit, enabled }: Props) {
  const may = (): boolean => {
    if (!mayEdit) notify.info('У вас нет права изменять сделки', { id: 'card-right' })
    return mayEdit
  }
  const actions = useCardActions<'tags' | 'move' | 'rename'>({
    ref,
    controller,
    enabled,
    onRemove: (id) => void (may() && store.remove(id)),
  })
  const { open, show, close, rectOf, key, on } = actions
  const [, redraw] = useState(0)
  const deal = open && store.cards.find(open.id)?.card
  const toggleTag = useToggleTag(store)
  useHotkey(
    'e',
    key((id) => may() && show('rename', id)),
    { ...on, label: 'Переименовать' },
  )
  useHotkey(
    't',
    key((id) => may() && show('tags', id)),
    { ...on, label: 'Метки' },
  )
  useHotkey(
    'm',
    key((id) => may() && show('move', id)),
    { ...on, label: 'Переместить…' },
  )

  const here = deal && stages.find((stage) => stage.id === deal.idStage)
  return (
    <>
      <CardMenu
        opened={open?.kind === 'menu' && deal !== undefined}
        rect={open?.rect}
        label={deal ? `Действия со сделкой «${deal.title}»` : 'Действия со сделкой'}
        onClose={actions.closeMenu}
      >
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
              onClick={() => void copyLink(dealPath(store.scope.idFunnel, deal.id), 'Ссылка на сделку')}
            />
            {mayEdit && (
              <>
                <Menu.Divider />
                <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => void store.remove(deal.id)} />
              </>
            )}
          </>
        )}
      </CardMenu>
      <Anchored rect={rectOf('tags')} onClose={close} label="Метки">
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
      <Anchored rect={rectOf('rename')} onClose={close} label="Название сделки">
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
            actions.drop()
            controller.put(deal.id, place)
          }}
          onClose={close}
        />
      )}
    </>
  )
}
