import { Checkbox } from '@mantine/core'
import { stateText } from '@ordinator/model/areas/tasks/states'
import { IconArrowDown, IconArrowUp, IconEye, IconEyeOff, IconGripVertical, IconLinkOff } from '@tabler/icons-react'
import { useRef } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserFace } from '#kit/UserLink.tsx'
import { onSortKeys, type SortPlace, useSortable } from '#kit/useSortable.ts'
import { Muted } from '#kit/Words.tsx'
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
        mt={4}
        flex="none"
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
      <HStack component="span" gap={4} display="inline-flex" fz={12} mih={24} flex="none">
        {(task.isWaitCheck || task.isNeedChange) && !task.isCompleted && (
          <Muted className="nowrap">{stateText(task)}</Muted>
        )}
        {due && (
          <span className={classes.due} data-state={due.state}>
            {due.text}
          </span>
        )}
        {people.slice(0, MAX_PEOPLE).map((user, at) => (
          <UserFace key={task.executors[at]?.id} user={user} size={22} />
        ))}
        {people.length > MAX_PEOPLE && <Muted className="nowrap">+{people.length - MAX_PEOPLE}</Muted>}
        {mayEdit && (
          <ActionMenu label={`Действия с подзадачей «${task.name}»`} size={24} className={things.more} width={264}>
            <MenuItem label="Выше" icon={IconArrowUp} disabled={isFirst} onClick={() => onStep('up')} />
            <MenuItem label="Ниже" icon={IconArrowDown} disabled={isLast} onClick={() => onStep('down')} />
            <MenuItem
              label={link.canViewUpperTask ? 'Не показывать родительскую' : 'Показывать родительскую'}
              icon={link.canViewUpperTask ? IconEyeOff : IconEye}
              onClick={() => props.onShowParent(!link.canViewUpperTask)}
            />
            <MenuItem label="Убрать из подзадач" icon={IconLinkOff} onClick={props.onUnlink} />
          </ActionMenu>
        )}
      </HStack>
    </li>
  )
}
