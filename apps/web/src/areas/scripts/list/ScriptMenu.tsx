import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useScriptActs } from './useScriptActs.ts'

interface Props {
  script: { id: number; name: string }
  onRemoved?: () => void
  /** More items, on top. */
  children?: ReactNode
}

/** What can be done with one script. */
export function ScriptMenu({ script, onRemoved, children }: Props) {
  const { copy, remove } = useScriptActs()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Действия: ${script.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy(script)}>
          Дублировать
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          color="var(--mantine-color-error)"
          onClick={() => void remove([script]).then((removed) => removed && onRemoved?.())}
        >
          Удалить
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
