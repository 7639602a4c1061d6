import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { byMatch } from '#kit/byMatch.ts'
import { OptionSearch } from '#kit/OptionSearch.tsx'
import classes from '#kit/optionList.module.css'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { walkOptions } from '#kit/walkOptions.ts'
import type { MemberRow } from './people.ts'

interface Props {
  label: string
  members: readonly MemberRow[]
  /** Ids of the chosen members. */
  chosen: readonly number[]
  onToggle: (member: MemberRow) => void
}

/** Multiple choice of workspace members. */
export function PeoplePicker({ label, members, chosen, onToggle }: Props) {
  const [text, setText] = useState('')
  const sought = text.trim().toLowerCase()
  const found = byMatch(
    members.filter(
      (m) => !sought || m.user?.fio?.toLowerCase().includes(sought) || m.user?.post?.toLowerCase().includes(sought),
    ),
    text,
    (m) => m.user?.fio ?? '',
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows between the real controls inside
    <div onKeyDown={walkOptions}>
      <OptionSearch
        label={`${label}: поиск`}
        placeholder="Имя или должность"
        value={text}
        onChange={setText}
        onEnter={() => {
          if (!found[0]) return
          onToggle(found[0])
          setText('')
        }}
      />
      <fieldset className={classes.list} aria-label={label}>
        {found.map((member) => {
          const on = chosen.includes(member.id)
          return (
            // biome-ignore lint/a11y/useSemanticElements: a row with a picture, not a native box
            <button
              key={member.id}
              type="button"
              role="checkbox"
              aria-checked={on}
              className={classes.option}
              onClick={() => onToggle(member)}
            >
              <UserAvatar user={member.user ?? {}} size={24} />
              <PersonName user={member.user ?? {}} className={classes.text} />
              {on && <IconCheck size={16} className={classes.check} aria-hidden />}
            </button>
          )
        })}
        {found.length === 0 && <div className={classes.none}>Совпадений не найдено</div>}
      </fieldset>
    </div>
  )
}
