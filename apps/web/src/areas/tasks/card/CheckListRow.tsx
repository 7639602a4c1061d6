import { Checkbox } from '@mantine/core'
import type { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import type { Row } from '@ordinator/model/entity'
import {
  IconArrowDown,
  IconArrowRight,
  IconArrowUp,
  IconCalendarEvent,
  IconGripVertical,
  IconSubtask,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { EditableText } from '#kit/EditableText.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { onSortKeys, useSortable } from '#kit/useSortable.ts'
import { dueOf } from '../dueDate.ts'
import type { TaskPerson } from '../people.ts'
import classes from './Things.module.css'

export type ItemRow = Row<typeof CheckListItem> & { executor: TaskPerson['member'] }

/** Actions of an item. */
export interface ItemActs {
  check: (id: number, isCheck: boolean) => void
  rename: (id: number, name: string) => void
  put: (id: number, idCheckList: number, place: { before?: number; after?: number; at?: 'last' }) => void
  step: (item: ItemRow, step: 'up' | 'down') => void
  pick: (what: 'executor' | 'date', id: number, rect: DOMRect) => void
  toSubtask: (item: ItemRow) => void
  remove: (id: number) => void
}

interface Props {
  item: ItemRow
  acts: ItemActs
  mayEdit: boolean
  mayTick: boolean
  isFirst: boolean
  isLast: boolean
  /** Other lists of the task. */
  others: { id: number; name: string }[]
}

export function CheckListRow({ item, acts, mayEdit, mayTick, isFirst, isLast, others }: Props) {
  const { id, name, isCheck } = item
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind: 'check-list-items',
    id,
    disabled: !mayEdit,
    handle: grip,
    onPut: (dragged, place) => acts.put(dragged, item.idCheckList, place as { before?: number }),
  })
  const due = dueOf({ dateEnd: item.dateEnd, isCompleted: isCheck })
  const person = item.executor?.user
  const pick = (what: 'executor' | 'date') => {
    const rect = ref.current?.querySelector(`[data-pick="${what}"]`)?.getBoundingClientRect()
    if (rect) acts.pick(what, id, rect)
  }
  return (
    <li
      ref={ref}
      className={classes.row}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      data-movable={mayEdit || undefined}
      onKeyDown={mayEdit ? onSortKeys((step) => acts.step(item, step)) : undefined}
    >
      <span ref={grip} className={classes.grip} aria-hidden>
        {mayEdit && <IconGripVertical size={16} />}
      </span>
      <Checkbox
        size="xs"
        mt={4}
        flex="none"
        checked={isCheck}
        disabled={!mayTick}
        aria-label={name}
        title={mayTick ? undefined : 'Отмечает исполнитель пункта или тот, кто может изменять задачу'}
        onChange={(event) => acts.check(id, event.currentTarget.checked)}
      />
      <EditableText
        value={name}
        label="Пункт чек-листа"
        maxLength={1000}
        disabled={!mayEdit}
        done={isCheck}
        onSave={(written) => acts.rename(id, written)}
      />
      <HStack component="span" gap={4} display="inline-flex" fz={12} mih={24} flex="none">
        {(due || mayEdit) && (
          <button
            type="button"
            data-pick="date"
            className={classes.fact}
            data-state={due?.state}
            data-empty={!due || undefined}
            disabled={!mayEdit}
            aria-label={due ? `Срок: ${due.text}` : 'Поставить срок'}
            title={due?.state === 'overdue' ? 'Срок прошёл' : 'Срок'}
            onClick={() => pick('date')}
          >
            {due ? due.text : <IconCalendarEvent size={16} aria-hidden />}
          </button>
        )}
        {(person || mayEdit) && (
          <button
            type="button"
            data-pick="executor"
            className={classes.fact}
            data-empty={!person || undefined}
            disabled={!mayEdit}
            aria-label={person ? `Исполнитель: ${personName(person)}` : 'Назначить исполнителя'}
            title={person ? personName(person) : 'Исполнитель'}
            onClick={() => pick('executor')}
          >
            {person ? <UserAvatar user={person} size={22} /> : <IconUserPlus size={16} aria-hidden />}
          </button>
        )}
        {mayEdit && (
          <ActionMenu label={`Действия с пунктом «${name}»`} size={24} className={classes.more} width={240}>
            <MenuItem label="Выше" icon={IconArrowUp} disabled={isFirst} onClick={() => acts.step(item, 'up')} />
            <MenuItem label="Ниже" icon={IconArrowDown} disabled={isLast} onClick={() => acts.step(item, 'down')} />
            {others.map((list) => (
              <MenuItem
                label={`В список «${list.name}»`}
                key={list.id}
                icon={IconArrowRight}
                onClick={() => acts.put(id, list.id, { at: 'last' })}
              />
            ))}
            <MenuItem label="Сделать подзадачей" icon={IconSubtask} onClick={() => acts.toSubtask(item)} />
            <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => acts.remove(id)} />
          </ActionMenu>
        )}
      </HStack>
    </li>
  )
}
