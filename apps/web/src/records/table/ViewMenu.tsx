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
  IconUsersGroup,
} from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_VIEW_NAME, type NamedView } from '#base/namedView.ts'
import type { RoleView, Sharing } from '#base/sharedViews.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { MAX_VIEWS } from './views.ts'

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
  /** Views shared with roles; absent: this screen has none. */
  sharing?: Sharing<C>
}

/** Saved views of a screen, per user, and those that are shared with a role of the user. */
export function ViewMenu<C extends object>(props: Props<C>) {
  const {
    views,
    opened,
    current,
    isSame,
    onOpen,
    onChange,
    plain = 'Все записи',
    about,
    first,
    compact,
    sharing,
  } = props
  /** Key of the view being named; '' for a new one. */
  const [naming, setNaming] = useState<string>()
  const [name, setName] = useState('')
  const own = views.find((v) => v.key === opened)
  const common = sharing?.views.find((v) => v.key === opened)
  const view: (C & NamedView) | undefined = own ?? common
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
  const withdraw = (gone: C & RoleView) => {
    void sharing?.remove(gone)
    onOpen(undefined)
  }
  const remove = (gone: C & NamedView) => {
    onChange(views.filter((v) => v.key !== gone.key))
    if (gone.key === opened) onOpen(undefined)
    notify.undo(`Вид «${gone.name}» удалён`, () => onChange(views))
  }
  return (
    <>
      <Menu position="bottom-start" width={280} onOpen={sharing?.onAsk}>
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
          {sharing && sharing.views.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Label>Общие</Menu.Label>
              {sharing.views.map((v) => (
                <Menu.Item
                  key={v.key}
                  leftSection={v.key === opened ? <IconCheck size={18} /> : <IconUsersGroup size={18} />}
                  onClick={() => onOpen(v)}
                >
                  {v.name} · {v.role}
                </Menu.Item>
              ))}
            </>
          )}
          <Menu.Divider />
          {own && changed && (
            <MenuItem
              label={`Сохранить в «${own.name}»`}
              icon={IconDeviceFloppy}
              onClick={() => onChange(views.map((v) => (v.key === own.key ? { ...v, ...current } : v)))}
            />
          )}
          {common?.isMine && changed && (
            <MenuItem
              label={`Сохранить «${common.name}» для всех`}
              icon={IconDeviceFloppy}
              onClick={() => void sharing?.save(common, current)}
            />
          )}
          {common?.isMine && (
            <MenuItem
              label={`Больше не показывать роли «${common.role}»`}
              icon={IconTrash}
              onClick={() => withdraw(common)}
            />
          )}
          <MenuItem
            label="Сохранить как новый вид…"
            icon={IconPlus}
            disabled={views.length >= MAX_VIEWS}
            onClick={() => ask('', '')}
          />
          {own && first && (
            <MenuItem
              label={first.key === own.key ? 'Не открывать сразу' : 'Открывать сразу'}
              icon={first.key === own.key ? IconHomeOff : IconHome}
              onClick={() => first.onChange(first.key === own.key ? '' : own.key)}
            />
          )}
          {own &&
            sharing?.roles.map((role) => (
              <MenuItem
                key={role.id}
                label={`Показать роли «${role.name}»`}
                icon={IconUsersGroup}
                onClick={() => void sharing.share(own, current, role.id)}
              />
            ))}
          {own && (
            <MenuItem label={`Переименовать «${own.name}»…`} icon={IconPencil} onClick={() => ask(own.key, own.name)} />
          )}
          {own && <MenuItem label={`Удалить «${own.name}»`} icon={IconTrash} onClick={() => remove(own)} />}
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
