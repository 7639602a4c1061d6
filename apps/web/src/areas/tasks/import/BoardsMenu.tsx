import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'

/** Menu of the workspaces page: import from a file. */
export function BoardsMenu() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionMenu label="Другие действия" variant="default" size={36} width={260}>
        <MenuItem label="Импорт доски из JSON…" icon={IconFileUpload} onClick={() => setOpened(true)} />
      </ActionMenu>
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
