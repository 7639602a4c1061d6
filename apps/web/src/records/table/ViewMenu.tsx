import { Menu, TextInput } from '@mantine/core'
import {
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconHome,
  IconHomeOff,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { MAX_VIEW_NAME, MAX_VIEWS, type NamedView } from './views.ts'

interface Props<C extends object> {
  views: (C & NamedView)[]
  /** Key of the open view; '' for none. */
  opened: string
  /** Current state of the screen. */
  current: C
  isSame: (a: C, b: C) => boolean
  onOpen: (view: (C & NamedView) | undefined) => void
  onChange: (views: (C & NamedView)[]) => void
  /** Name of the screen without a view. */
  plain?: string
  /** What a view stores. */
  about: string
  /** Key of the default view; absent: defaults are not supported. */
  first?: { key: string; onChange: (key: string) => void }
  compact?: boolean
}

/** Saved views of a screen, per user. */
export function ViewMenu<C extends object>(props: Props<C>) {
  const { views, opened, current, isSame, onOpen, onChange, plain = 'Все записи', about, first, compact } = props
  /** Key of the view being named; '' for a new one. */
  const [naming, setNaming] = useState<string>()
  const [name, setName] = useState('')
  const view = views.find((v) => v.key === opened)
  const changed = view !== undefined && !isSame(view, current)
  const ask = (key: string, given: string) => {
    setName(given)
    setNaming(key)
  }
  const save = () => {
    if (naming) onChange(views.map((v) => (v.key === naming ? { ...v, name: name.trim() } : v)))
    else {
      const made = { ...current, key: crypto.randomUUID?.() ?? String(Date.now()), name: name.trim() }
      onChange([...views, made])
      onOpen(made)
    }
  }
  const remove = (gone: C & NamedView) => {
    onChange(views.filter((v) => v.key !== gone.key))
    if (gone.key === opened) onOpen(undefined)
    notify.undo(`Вид «${gone.name}» удалён`, () => onChange(views))
  }
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          {compact ? (
            <IconButton icon={IconBookmark} variant="default" size={32} label={`Виды${view ? `: ${view.name}` : ''}`} />
          ) : (
            <ActionButton
              label={view ? `${view.name}${changed ? ' •' : ''}` : 'Виды'}
              variant="default"
              icon={IconBookmark}
              rightSection={<IconChevronDown size={16} />}
              maw={240}
            />
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={opened ? <span style={{ width: 18 }} /> : <IconCheck size={18} />}
            onClick={() => onOpen(undefined)}
          >
            {plain}
          </Menu.Item>
          {views.map((v) => (
            <Menu.Item
              key={v.key}
              leftSection={v.key === opened ? <IconCheck size={18} /> : <span style={{ width: 18 }} />}
              onClick={() => onOpen(v)}
            >
              {v.name}
              {v.key === first?.key && ' (открывается сразу)'}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {view && changed && (
            <MenuItem
              label={`Сохранить в «${view.name}»`}
              icon={IconDeviceFloppy}
              onClick={() => onChange(views.map((v) => (v.key === view.key ? { ...v, ...current } : v)))}
            />
          )}
          <MenuItem
            label="Сохранить как новый вид…"
            icon={IconPlus}
            disabled={views.length >= MAX_VIEWS}
            onClick={() => ask('', '')}
          />
          {view && first && (
            <MenuItem
              label={first.key === view.key ? 'Не открывать сразу' : 'Открывать сразу'}
              icon={first.key === view.key ? IconHomeOff : IconHome}
              onClick={() => first.onChange(first.key === view.key ? '' : view.key)}
            />
          )}
          {view && (
            <MenuItem
              label={`Переименовать «${view.name}»…`}
              icon={IconPencil}
              onClick={() => ask(view.key, view.name)}
            />
          )}
          {view && <MenuItem label={`Удалить «${view.name}»`} icon={IconTrash} onClick={() => remove(view)} />}
        </Menu.Dropdown>
      </Menu>
      {naming !== undefined && (
        <ActionDialog
          title={naming ? 'Название вида' : 'Новый вид'}
          size="sm"
          action="Сохранить"
          disabled={!name.trim()}
          run={save}
          onClose={() => setNaming(undefined)}
        >
          <TextInput
            label="Название"
            description={naming ? undefined : about}
            value={name}
            maxLength={MAX_VIEW_NAME}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </ActionDialog>
      )}
    </>
  )
}
