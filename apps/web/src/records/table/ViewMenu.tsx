import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { IconBookmark, IconCheck, IconChevronDown, IconDeviceFloppy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../kit/notify.tsx'
import { isSame, MAX_VIEW_NAME, MAX_VIEWS, type SavedView, type ViewContents } from './views.ts'

interface Props {
  views: SavedView[]
  /** Key of the opened one; '' for none. */
  opened: string
  /** The list as it stands now. */
  current: ViewContents
  onOpen: (view: SavedView | undefined) => void
  onChange: (views: SavedView[]) => void
  compact?: boolean
}

/** Named sets of filter, sort and columns. */
export function ViewMenu({ views, opened, current, onOpen, onChange, compact }: Props) {
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const view = views.find((v) => v.key === opened)
  const changed = view !== undefined && !isSame(view, current)
  const create = () => {
    const made: SavedView = { key: crypto.randomUUID?.() ?? String(Date.now()), name: name.trim(), ...current }
    onChange([...views, made])
    onOpen(made)
    setNaming(false)
  }
  const remove = (gone: SavedView) => {
    onChange(views.filter((v) => v.key !== gone.key))
    if (gone.key === opened) onOpen(undefined)
    notify.undo(`Вид «${gone.name}» удалён`, () => onChange(views))
  }
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          {compact ? (
            <ActionIcon variant="default" size={32} aria-label={`Виды${view ? `: ${view.name}` : ''}`}>
              <IconBookmark size={18} />
            </ActionIcon>
          ) : (
            <Button
              variant="default"
              leftSection={<IconBookmark size={18} />}
              rightSection={<IconChevronDown size={16} />}
              maw={240}
            >
              {view ? `${view.name}${changed ? ' •' : ''}` : 'Виды'}
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={opened ? <span style={{ width: 18 }} /> : <IconCheck size={18} />}
            onClick={() => onOpen(undefined)}
          >
            Все записи
          </Menu.Item>
          {views.map((v) => (
            <Menu.Item
              key={v.key}
              leftSection={v.key === opened ? <IconCheck size={18} /> : <span style={{ width: 18 }} />}
              onClick={() => onOpen(v)}
            >
              {v.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {view && changed && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={18} />}
              onClick={() => onChange(views.map((v) => (v.key === view.key ? { ...v, ...current } : v)))}
            >
              Сохранить в «{view.name}»
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconPlus size={18} />}
            disabled={views.length >= MAX_VIEWS}
            onClick={() => {
              setName('')
              setNaming(true)
            }}
          >
            Сохранить как новый вид…
          </Menu.Item>
          {view && (
            <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => remove(view)}>
              Удалить «{view.name}»
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title="Новый вид" size="sm">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            if (name.trim()) create()
          }}
        >
          <TextInput
            label="Название"
            description="Запомнит поиск, условия, порядок и столбцы"
            value={name}
            maxLength={MAX_VIEW_NAME}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" mt="md" gap={8}>
            <Button variant="default" onClick={() => setNaming(false)}>
              Отмена
            </Button>
            <Button type="submit" disabled={!name.trim()}>
              Сохранить
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}
