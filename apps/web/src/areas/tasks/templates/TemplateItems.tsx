import { mayMakeTemplates } from '@ordinator/model/areas/tasks/rights'
import { IconCopyPlus, IconTemplate } from '@tabler/icons-react'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { notify } from '#kit/notify.tsx'
import { useTasksAddress } from '../address.ts'
import type { BoardMenuProps, CardMenuProps } from '../board/menuProps.ts'
import { useTemplateCalls } from './calls.ts'

const DuplicateTasks = part(async () => ({ default: (await import('./DuplicateTasks.tsx')).DuplicateTasks }))
const TemplatesPanel = part(() => import('./TemplatesPanel.tsx'))

/** «Дублировать…» and «Сохранить как шаблон» of a card. */
export function TemplateItems({ card, data, rights, show }: CardMenuProps) {
  const { makeTemplates, removeMade } = useTemplateCalls()
  const [, setAddress] = useTasksAddress()
  if ((card.task as { isTemplate?: boolean }).isTemplate) return null
  const save = async () => {
    const made = await makeTemplates([card.id])
    const [template] = made ?? []
    if (!template) return
    notify.undo(`Шаблон «${card.task.name}» сохранён`, async () => {
      setAddress({ assignedColumn: undefined })
      await removeMade([template.idTask])
    })
  }
  return (
    <>
      {rights.createTask && (
        <MenuItem
          label="Дублировать…"
          icon={IconCopyPlus}
          onClick={() =>
            show(
              <DuplicateTasks
                cards={[card]}
                idColumn={data.board.data?.idColumnNew ?? card.idColumn}
                columns={data.columns.data?.items ?? []}
                onClose={() => show(undefined)}
              />,
            )
          }
        />
      )}
      {mayMakeTemplates(rights.on) && (
        <MenuItem label="Сохранить как шаблон" icon={IconTemplate} onClick={() => void save()} />
      )}
    </>
  )
}

/** Menu item «Шаблоны» of a workspace. */
export function TemplatesItem({ data, board, rights, show }: BoardMenuProps) {
  return (
    <MenuItem
      label="Шаблоны"
      icon={IconTemplate}
      onClick={() =>
        show(
          <TemplatesPanel
            idBoard={board.id}
            columns={data.columns.data?.items ?? []}
            rights={rights}
            onClose={() => show(undefined)}
          />,
        )
      }
    />
  )
}
