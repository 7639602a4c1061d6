import { CloseButton } from '@mantine/core'
import { CardField, CardPicker } from '#kit/CardField.tsx'
import { contrastColor } from '#kit/color.ts'
import { NamedIcon } from '#kit/NamedIcon.tsx'
import classes from '#kit/openCard.module.css'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import type { BoardStore } from '../board/boardStore.ts'
import type { Card } from '../cards.ts'
import { PeoplePicker } from '../PeoplePicker.tsx'
import type { MemberRow } from '../people.ts'
import { TagPicker } from '../TagPicker.tsx'
import { type PeopleKind, useTaskParts } from '../taskParts.ts'
import type { FullCard } from './fullCard.ts'

interface Props {
  card: FullCard
  store: BoardStore
  mayEdit: boolean
  /** Its picker is open. */
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** Executors or responsible people of the task. */
export function PeopleField({
  kind,
  label,
  members,
  card,
  store,
  mayEdit,
  isOpen,
  onOpen,
}: Props & { kind: PeopleKind; label: string; members: readonly MemberRow[] }) {
  const parts = useTaskParts(store)
  const people = card.task[kind]
  return (
    <CardField label={label}>
      <div className={classes.chips}>
        {people.map((person) => (
          <span key={person.id} className={classes.chip}>
            <UserAvatar user={person.member?.user ?? {}} size={22} />
            <UserLink user={person.member?.user ?? {}} className={classes.chipText} />
            {mayEdit && (
              <CloseButton
                size="xs"
                aria-label={`Убрать: ${personName(person.member?.user ?? {})}`}
                onClick={() => void parts.togglePerson(card, kind, memberOf(members, person))}
              />
            )}
          </span>
        ))}
        {mayEdit && (
          <CardPicker label={label} opened={isOpen} onChange={onOpen}>
            <PeoplePicker
              label={label}
              members={members}
              chosen={people.map((p) => p.idMember)}
              onToggle={(member) => void parts.togglePerson(card, kind, member)}
            />
          </CardPicker>
        )}
        {!mayEdit && people.length === 0 && <span className={classes.nothing}>Не назначены</span>}
      </div>
    </CardField>
  )
}

/** Tags of the task. */
export function TagsField({ card, store, mayEdit, isOpen, onOpen }: Props) {
  const parts = useTaskParts(store)
  const { tags } = card.task
  return (
    <CardField label="Метки">
      <div className={classes.chips}>
        {tags.map((tag) => (
          <span key={tag.id} className={classes.chip}>
            {tag.icon ? (
              <span className={classes.tagIcon} style={{ background: tag.color }}>
                <NamedIcon name={tag.icon} size={12} color={contrastColor(tag.color)} />
              </span>
            ) : (
              <span className={classes.tagDot} style={{ background: tag.color }} />
            )}
            <span className={classes.chipText}>{tag.name}</span>
            {mayEdit && (
              <CloseButton
                size="xs"
                aria-label={`Убрать метку «${tag.name}»`}
                onClick={() => void parts.toggleTag(card, tag)}
              />
            )}
          </span>
        ))}
        {mayEdit && (
          <CardPicker label="Метки" opened={isOpen} onChange={onOpen}>
            <TagPicker idBoard={store.scope.idBoard} tags={tags} onToggle={(tag) => void parts.toggleTag(card, tag)} />
          </CardPicker>
        )}
        {!mayEdit && tags.length === 0 && <span className={classes.nothing}>Нет</span>}
      </div>
    </CardField>
  )
}

function memberOf(members: readonly MemberRow[], person: Card['task']['executors'][number]): MemberRow {
  return members.find((m) => m.id === person.idMember) ?? ({ ...person.member, id: person.idMember } as MemberRow)
}
