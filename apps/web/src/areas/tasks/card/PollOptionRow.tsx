import { Text } from '@mantine/core'
import type { PollOption } from '@ordinator/model/areas/tasks/poll'
import type { Row } from '@ordinator/model/entity'
import {
  IconArrowDown,
  IconArrowUp,
  IconCircle,
  IconCircleCheckFilled,
  IconGripVertical,
  IconPencil,
  IconSquare,
  IconSquareCheckFilled,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { EditableText } from '#kit/EditableText.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { type PersonLike, personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { onSortKeys, type SortPlace, useSortable } from '#kit/useSortable.ts'
import classes from './Things.module.css'

const MAX_FACES = 4

interface Props {
  option: Row<typeof PollOption>
  isMultiple: boolean
  /** Fraction of all votes, 0 to 1. */
  share: number
  /** Voters. */
  people: PersonLike[]
  mine: boolean
  /** Why voting is closed. */
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

/** An option of a poll: a click votes, another one removes the vote. */
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
          <Text span inherit miw={0} flex={1} className="breaks">
            {option.name}
          </Text>
          {people.length > 0 && (
            <HStack component="span" gap={2} display="inline-flex" flex="none" title={names} aria-hidden>
              {people.slice(0, MAX_FACES).map((person) => (
                <UserAvatar key={person.id} user={person} size={20} />
              ))}
              {people.length > MAX_FACES && (
                <Text span size="xs">
                  +{people.length - MAX_FACES}
                </Text>
              )}
            </HStack>
          )}
          <Text span inherit fw={500} ta="right" miw={16} flex="none" className="tabular">
            {option.resultsCount}
          </Text>
        </button>
      )}
      {mayEdit && (
        <ActionMenu label={`Действия с вариантом «${option.name}»`} size={24} className={classes.more} width={216}>
          <MenuItem label="Переименовать" icon={IconPencil} onClick={() => setNaming(true)} />
          <MenuItem label="Выше" icon={IconArrowUp} disabled={props.isFirst} onClick={() => onStep('up')} />
          <MenuItem label="Ниже" icon={IconArrowDown} disabled={props.isLast} onClick={() => onStep('down')} />
          <MenuItem label="Удалить" danger icon={IconTrash} onClick={props.onRemove} />
        </ActionMenu>
      )}
    </li>
  )
}
