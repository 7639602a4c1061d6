import { IconCopy, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useScriptActs } from './useScriptActs.ts'

interface Props {
  script: { id: number; name: string }
  onRemoved?: () => void
  /** Further items, at the top. */
  children?: ReactNode
}

/** Menu of a script. */
export function ScriptMenu({ script, onRemoved, children }: Props) {
  const { copy, remove } = useScriptActs()
  return (
    <ActionMenu label={`Действия: ${script.name}`} width={200}>
      {children}
      <MenuItem label="Дублировать" icon={IconCopy} onClick={() => void copy(script)} />
      <MenuItem
        label="Удалить"
        icon={IconTrash}
        danger
        onClick={() => void remove([script]).then((removed) => removed && onRemoved?.())}
      />
    </ActionMenu>
  )
}
