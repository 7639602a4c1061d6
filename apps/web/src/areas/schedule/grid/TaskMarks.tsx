import { Menu } from '@mantine/core'
import { counted } from '@ordinator/model/format'
import { IconChecklist } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import type { GridMark } from '#kit/dayGrid/grid.ts'
import classes from './TaskMarks.module.css'
import type { TaskMark } from './useTasks.ts'

/** Tasks due around one time, behind an icon, each with a link. */
export function TaskMarks({ marks }: { marks: readonly GridMark[] }) {
  const go = useGo()
  const [first] = marks as readonly TaskMark[]
  const label = marks.length === 1 ? `Задача: ${first?.name}` : counted(marks.length, ['задача', 'задачи', 'задач'])
  return (
    <ActionMenu label={label} icon={IconChecklist} size={24} variant="light" width={280} className={classes.mark}>
      <Menu.Label>Срок подходит</Menu.Label>
      {(marks as readonly TaskMark[]).map(({ id, name, card }) => (
        <MenuItem
          key={id}
          label={<span className={classes.name}>{name}</span>}
          disabled={!card}
          onClick={() => card && go({ page: 'tasks', search: card })}
        />
      ))}
    </ActionMenu>
  )
}
