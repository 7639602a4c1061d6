import { Group } from '@mantine/core'
import { IconFolder, IconMessage } from '@tabler/icons-react'
import { part } from '#kit/chunk.ts'
import { IconButton } from '#kit/IconButton.tsx'
import type { BoardMenuProps } from '../board/menuProps.ts'

const ResourcesPanel = part(() => import('./ResourcesPanel.tsx'))
const TalkPanel = part(() => import('./TalkPanel.tsx'))

/** Frequent actions in the board's header; in the menu on small screens. */
export function WorkspaceButtons({ data, board, rights, show }: BoardMenuProps) {
  const close = () => show(undefined)
  return (
    <Group gap={4} wrap="nowrap" visibleFrom="sm">
      <IconButton
        icon={IconMessage}
        label="Обсуждение пространства"
        title="Обсуждение"
        onClick={() => show(<TalkPanel board={board} members={data.members} onClose={close} />)}
      />
      <IconButton
        icon={IconFolder}
        label="Материалы пространства"
        title="Материалы"
        onClick={() => show(<ResourcesPanel board={board} mayEdit={rights.editBoard} onClose={close} />)}
      />
    </Group>
  )
}
