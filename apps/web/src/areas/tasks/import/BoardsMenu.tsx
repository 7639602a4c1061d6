import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '../../imports/index.ts'

/** What is done with all workspaces: one comes from a file. */
export function BoardsMenu() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="Другие действия">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileUpload size={16} />} onClick={() => setOpened(true)}>
            Импорт доски из JSON…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened && (
        <ImportDialog
          kind="trello"
          title="Импорт доски из JSON"
          extensions={['json']}
          hint="Файл, который Trello сохраняет командой «Экспорт в JSON». Доска станет вашим новым пространством"
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}
