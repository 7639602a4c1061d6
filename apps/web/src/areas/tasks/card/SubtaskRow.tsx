import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { stateText } from '@ordinator/model/areas/tasks/states'
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconEye,
  IconEyeOff,
  IconGripVertical,
  IconLinkOff,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { onSortKeys, type SortPlace, useSortable } from '../../../kit/useSortable.ts'
import { dueOf } from '../dueDate.ts'
import { cardAddress } from './placedTask.ts'
import classes from './Subtasks.module.css'
import type { SubtaskLink } from './subtaskLink.ts'
import things from './Things.module.css'

interface Props {
  link: SubtaskLink
  mayEdit: boolean
  isFirst: boolean
  isLast: boolean
  onTick: (done: boolean) => void
  onOpen: () => void
  onPut: (id: number, place: SortPlace) => void
  onStep: (step: 'up' | 'down') => void
  onShowParent: (shown: boolean) => void
  onUnlink: () => void
}

const MAX_PEOPLE = 3

export function SubtaskRow(props: Props) {
  const { link, mayEdit, isFirst, isLast, onTick, onOpen, onStep } = props
  const { task } = link
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind: 'subtasks',
    id: link.id,
    disabled: !mayEdit,
    handle: grip,
    onPut: props.onPut,
  })
  if (!task) return null
  const due = dueOf(task)
  const people = task.executors.map((person) => person.member?.user ?? {})
  const openable = cardAddress(task, 0) !== undefined
  return (
    <li
      ref={ref}
      className={things.row}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      data-movable={mayEdit || undefined}
      onKeyDown={mayEdit ? onSortKeys(onStep) : undefined}
    >
      <span ref={grip} className={things.grip} aria-hidden>
        {mayEdit && <IconGripVertical size={16} />}
      </span>
      <Checkbox
        size="xs"
        className={things.tick}
        checked={task.isCompleted}
        indeterminate={task.isWaitCheck && !task.isCompleted}
        aria-label={`Завершена: ${task.name}`}
        onChange={() => onTick(!task.isCompleted && !task.isWaitCheck)}
      />
      {openable ? (
        <button type="button" className={classes.name} data-done={task.isCompleted || undefined} onClick={onOpen}>
          {task.name}
        </button>
      ) : (
        <span className={classes.name} data-done={task.isCompleted || undefined}>
          {task.name}
        </span>
      )}
      <span className={things.facts}>
        {(task.isWaitCheck || task.isNeedChange) && !task.isCompleted && (
          <span className={classes.state}>{stateText(task)}</span>
        )}
        {due && (
          <span className={classes.due} data-state={due.state}>
            {due.text}
          </span>
        )}
        {people.slice(0, MAX_PEOPLE).map((user, at) => (
          <span key={task.executors[at]?.id} title={personName(user)}>
            <UserAvatar user={user} size={22} />
          </span>
        ))}
        {people.length > MAX_PEOPLE && <span className={classes.state}>+{people.length - MAX_PEOPLE}</span>}
        {mayEdit && (
          <Menu position="bottom-end" width={264}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                className={things.more}
                aria-label={`Действия с подзадачей «${task.name}»`}
              >
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconArrowUp size={16} />} disabled={isFirst} onClick={() => onStep('up')}>
                Выше
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowDown size={16} />} disabled={isLast} onClick={() => onStep('down')}>
                Ниже
              </Menu.Item>
              <Menu.Item
                leftSection={link.canViewUpperTask ? <IconEyeOff size={16} /> : <IconEye size={16} />}
                onClick={() => props.onShowParent(!link.canViewUpperTask)}
              >
                {link.canViewUpperTask ? 'Не показывать родительскую' : 'Показывать родительскую'}
              </Menu.Item>
              <Menu.Item leftSection={<IconLinkOff size={16} />} onClick={props.onUnlink}>
                Убрать из подзадач
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
    </li>
  )
}
