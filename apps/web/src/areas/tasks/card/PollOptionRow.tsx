import { ActionIcon, Menu } from '@mantine/core'
import type { PollOption } from '@ordinator/model/areas/tasks/poll'
import type { Row } from '@ordinator/model/entity'
import {
  IconArrowDown,
  IconArrowUp,
  IconCircle,
  IconCircleCheckFilled,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconSquare,
  IconSquareCheckFilled,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { EditableText } from '../../../kit/EditableText.tsx'
import { type PersonLike, personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { onSortKeys, type SortPlace, useSortable } from '../../../kit/useSortable.ts'
import classes from './Things.module.css'

const MAX_FACES = 4

interface Props {
  option: Row<typeof PollOption>
  isMultiple: boolean
  /** Of all votes, 0 to 1. */
  share: number
  /** Who chose it. */
  people: PersonLike[]
  mine: boolean
  /** Why nobody may vote now. */
  closed: string | undefined
  busy: boolean
  mayEdit: boolean
  isFirst: boolean
  isLast: boolean
  onChoose: () => void
  onName: (name: string) => void
  onPut: (id: number, place: SortPlace) => void
  onStep: (step: 'up' | 'down') => void
  onRemove: () => void
}

/** What may be chosen in a poll: pressed to vote, pressed again to take the vote back. */
export function PollOptionRow(props: Props) {
  const { option, isMultiple, share, people, mine, closed, busy, mayEdit, onStep } = props
  const [naming, setNaming] = useState(false)
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind: `poll-options-${option.idPoll}`,
    id: option.id,
    disabled: !mayEdit,
    handle: grip,
    onPut: props.onPut,
  })
  const [Off, On] = isMultiple ? [IconSquare, IconSquareCheckFilled] : [IconCircle, IconCircleCheckFilled]
  const Mark = mine ? On : Off
  const names = people.map(personName).join(', ')
  return (
    <li
      ref={ref}
      className={classes.option}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      data-movable={mayEdit || undefined}
      data-mine={mine || undefined}
      onKeyDown={mayEdit ? onSortKeys(onStep) : undefined}
    >
      <span ref={grip} className={classes.grip} aria-hidden>
        {mayEdit && <IconGripVertical size={16} />}
      </span>
      {naming ? (
        <EditableText
          value={option.name}
          label="Вариант ответа"
          maxLength={255}
          fresh
          onSave={props.onName}
          onDone={() => setNaming(false)}
        />
      ) : (
        <button
          type="button"
          className={classes.choice}
          aria-pressed={mine}
          disabled={closed !== undefined || busy}
          title={closed ?? (mine ? 'Отозвать голос' : 'Проголосовать')}
          onClick={props.onChoose}
        >
          <span className={classes.bar} style={{ width: `${share * 100}%` }} />
          <Mark size={18} className={classes.mark} aria-hidden />
          <span className={classes.choiceName}>{option.name}</span>
          {people.length > 0 && (
            <span className={classes.faces} title={names} aria-hidden>
              {people.slice(0, MAX_FACES).map((person) => (
                <UserAvatar key={person.id} user={person} size={20} />
              ))}
              {people.length > MAX_FACES && <span className={classes.rest}>+{people.length - MAX_FACES}</span>}
            </span>
          )}
          <span className={`${classes.votes} tabular`}>{option.resultsCount}</span>
        </button>
      )}
      {mayEdit && (
        <Menu position="bottom-end" width={216}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              className={classes.more}
              aria-label={`Действия с вариантом «${option.name}»`}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setNaming(true)}>
              Переименовать
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowUp size={16} />} disabled={props.isFirst} onClick={() => onStep('up')}>
              Выше
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowDown size={16} />} disabled={props.isLast} onClick={() => onStep('down')}>
              Ниже
            </Menu.Item>
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} />}
              onClick={props.onRemove}
            >
              Удалить
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}
