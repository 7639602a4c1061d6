import { Group } from '@mantine/core'
import { IconFolder, IconMessage } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { IconButton } from '../../../kit/IconButton.tsx'
import type { BoardMenuProps } from '../board/menuProps.ts'

const ResourcesPanel = lazy(() => import('./ResourcesPanel.tsx'))
const TalkPanel = lazy(() => import('./TalkPanel.tsx'))

/** What is often at hand, in the head of the board; a small screen has it in the menu. */
export function WorkspaceButtons({ data, board, rights, show }: BoardMenuProps) {
  const close = () => show(undefined)
  return (
    <Group gap={4} wrap="nowrap" visibleFrom="sm">
      <IconButton
        icon={IconMessage}
        label="Обсуждение пространства"
        title="Обсуждение"
        onClick={() =>
          show(
            <Suspense>
              <TalkPanel board={board} members={data.members} onClose={close} />
            </Suspense>,
          )
        }
      />
      <IconButton
        icon={IconFolder}
        label="Материалы пространства"
        title="Материалы"
        onClick={() =>
          show(
            <Suspense>
              <ResourcesPanel board={board} mayEdit={rights.editBoard} onClose={close} />
            </Suspense>,
          )
        }
      />
    </Group>
  )
}
