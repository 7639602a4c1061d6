import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import type { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import type { Row } from '@ordinator/model/entity'
import {
  IconArrowDown,
  IconArrowRight,
  IconArrowUp,
  IconCalendarEvent,
  IconDots,
  IconGripVertical,
  IconSubtask,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { EditableText } from '../../../kit/EditableText.tsx'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { onSortKeys, useSortable } from '../../../kit/useSortable.ts'
import { dueOf } from '../dueDate.ts'
import type { TaskPerson } from '../people.ts'
import classes from './Things.module.css'

export type ItemRow = Row<typeof CheckListItem> & { executor: TaskPerson['member'] }

/** What can be done with an item. */
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
  /** The task's other lists. */
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
        className={classes.tick}
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
      <span className={classes.facts}>
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
          <Menu position="bottom-end" width={240}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                className={classes.more}
                aria-label={`Действия с пунктом «${name}»`}
              >
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconArrowUp size={16} />}
                disabled={isFirst}
                onClick={() => acts.step(item, 'up')}
              >
                Выше
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowDown size={16} />}
                disabled={isLast}
                onClick={() => acts.step(item, 'down')}
              >
                Ниже
              </Menu.Item>
              {others.map((list) => (
                <Menu.Item
                  key={list.id}
                  leftSection={<IconArrowRight size={16} />}
                  onClick={() => acts.put(id, list.id, { at: 'last' })}
                >
                  В список «{list.name}»
                </Menu.Item>
              ))}
              <Menu.Item leftSection={<IconSubtask size={16} />} onClick={() => acts.toSubtask(item)}>
                Сделать подзадачей
              </Menu.Item>
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} />}
                onClick={() => acts.remove(id)}
              >
                Удалить
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
    </li>
  )
}
