import { Menu } from '@mantine/core'
import { IconFileSpreadsheet, IconFileText, IconFileUpload } from '@tabler/icons-react'
import { ImportDialog } from '#areas/imports/index.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { useTasksAddress } from '../address.ts'
import type { BoardMenuProps } from '../board/menuProps.ts'
import { exportBoard } from './exportBoard.ts'

/** Menu items: import from and export to a table. */
export function TableItems({ data, board, rights, show }: BoardMenuProps) {
  const [address] = useTasksAddress()
  const save = (format: 'xlsx' | 'csv') =>
    void exportBoard(format, board.id, address, { idUser: data.idUser, idMember: data.me?.id })
  return (
    <>
      <Menu.Divider />
      {rights.createTask && (
        <MenuItem
          label="Импорт…"
          icon={IconFileUpload}
          onClick={() =>
            show(
              <ImportDialog
                kind="tasks"
                title={`Импорт задач в «${board.name}»`}
                hint="CSV или XLSX до 10 000 строк, в первой строке — названия колонок"
                params={{ idBoard: board.id }}
                options={
                  rights.editColumns
                    ? [{ param: 'createColumns', label: 'Создавать колонки доски, которых ещё нет' }]
                    : []
                }
                template
                onClose={() => show(undefined)}
              />,
            )
          }
        />
      )}
      <MenuItem label="Экспорт в Excel" icon={IconFileSpreadsheet} onClick={() => save('xlsx')} />
      <MenuItem label="Экспорт в CSV" icon={IconFileText} onClick={() => save('csv')} />
    </>
  )
}
