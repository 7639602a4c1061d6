import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { IconSubtask } from '@tabler/icons-react'
import { HStack } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'
import { useTasksAddress } from '../address.ts'
import { cardAddress } from './placedTask.ts'
import classes from './Subtasks.module.css'

const MAX_SHOWN = 20

/** Parents of the task; inaccessible ones only by name. */
export function ParentTasks({ idTask, idBoard }: { idTask: number; idBoard: number }) {
  const [, setAddress] = useTasksAddress()
  const list = useList(
    Subtask,
    { filter: { idTask }, expand: ['parentTask.assigned.column'], sort: 'id', limit: MAX_SHOWN },
    { forbidden: 'silent' },
  )
  const links = (list.data?.items ?? []).filter((link) => link.nameParentTask)
  if (links.length === 0) return null
  return (
    <HStack component="nav" gap={4} wrap mb={4} c="dimmed" fz={12} lh="20px" aria-label="Родительские задачи">
      <IconSubtask size={14} aria-hidden />
      Часть задачи:
      {links.map((link, at) => {
        const address = link.parentTask && cardAddress(link.parentTask, idBoard)
        const name = `${link.nameParentTask}${at < links.length - 1 ? ',' : ''}`
        return address ? (
          <button key={link.id} type="button" className={classes.parent} onClick={() => setAddress(address)}>
            {name}
          </button>
        ) : (
          <span key={link.id} className={classes.parent}>
            {name}
          </span>
        )
      })}
    </HStack>
  )
}
