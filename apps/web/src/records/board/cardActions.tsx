import { Menu } from '@mantine/core'
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import { Spot } from '#kit/Anchored.tsx'
import type { BoardController } from '#kit/board/controller.ts'
import { useHotkey } from '#kit/hotkeys.ts'

/** What a board needs from the actions of its cards. */
export interface CardActionsHandle {
  menu: (id: number, rect: DOMRect) => void
  /** Handles a key on a focused card. Returns true when handled. */
  press: (combination: string, id: number) => boolean
}

interface Open<Kind extends string> {
  kind: Kind | 'menu'
  id: number
  rect: DOMRect
}

const GROUP = 'Карточка'

/**
 * Quick actions on a card without opening it: the card, the action and the position. One for the whole board.
 * @param Kind the small windows for this board's cards, besides the menu
 */
export function useCardActions<Kind extends string>({
  ref,
  controller,
  enabled,
  onRemove,
}: {
  ref: Ref<CardActionsHandle>
  controller: BoardController
  enabled: boolean
  onRemove: (id: number) => void
}) {
  const [open, setOpen] = useState<Open<Kind>>()
  const show = (kind: Kind | 'menu', id: number) => {
    const element = document.querySelector(`[data-card="${id}"]`)
    if (element) setOpen({ kind, id, rect: element.getBoundingClientRect() })
  }
  useImperativeHandle(ref, () => ({
    menu: (id, rect) => setOpen({ kind: 'menu', id, rect }),
    press: (combination, id) => {
      if (combination === 'delete') onRemove(id)
      else if (combination === 'shift+f10' || combination === 'contextmenu') show('menu', id)
      else return false
      return true
    },
  }))
  const on = { enabled: enabled && !open, group: GROUP }
  // Listed in the sheet only: the focused card handles these itself. Capitals never match a pressed key.
  useHotkey('Enter', noop, { ...on, label: 'Открыть' })
  useHotkey('Пробел', noop, { ...on, label: 'Взять и нести стрелками; ещё раз — поставить' })
  useHotkey('mod+shift+← ↑ → ↓', noop, { ...on, label: 'Переместить сразу' })
  useHotkey('Del', noop, { ...on, label: 'Удалить' })
  return {
    open,
    show,
    /** Options for the caller's own hotkeys. */
    on,
    rectOf: (kind: Kind) => (open?.kind === kind ? open.rect : undefined),
    /** Closes without restoring the focus to the card: the focus or the card moves elsewhere. */
    drop: () => setOpen(undefined),
    close: () => {
      if (open) controller.focus(open.id)
      setOpen(undefined)
    },
    /** Does nothing when the menu has been replaced by another window. */
    closeMenu: () => setOpen((current) => (current?.kind === 'menu' ? undefined : current)),
    /** Handler of a hotkey for the hovered or focused card. */
    key: (run: (id: number) => void) => () => {
      const id = controller.target()
      if (id !== null) run(id)
    },
  }
}

const noop = () => {}

/** The menu of a card, beside the card. */
export function CardMenu({
  opened,
  rect,
  label,
  onClose,
  children,
}: {
  opened: boolean
  rect: DOMRect | undefined
  label: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Menu
      opened={opened}
      onChange={(opened) => !opened && onClose()}
      position="bottom-end"
      width={232}
      returnFocus={false}
    >
      <Menu.Target>
        <Spot rect={rect} label={label} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
