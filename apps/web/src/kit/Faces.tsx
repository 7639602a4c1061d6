import { initials } from '@ordinator/model/format'
import type { CSSProperties } from 'react'
import classes from './Faces.module.css'
import { hueOf, type PersonLike, personName } from './UserAvatar.tsx'

const MAX_FACES = 3

interface Props {
  /** Accessible name: «Исполнители». */
  label: string
  people: readonly PersonLike[]
}

/** Small avatars of a few people. Plain elements: a board renders hundreds of these. */
export function Faces({ label, people }: Props) {
  const words = `${label}: ${people.map(personName).join(', ')}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of faces is no set of fields
    <span className={classes.people} role="group" aria-label={words}>
      {people.slice(0, MAX_FACES).map((user, i) => {
        const full = [user.surname, user.name].filter(Boolean).join(' ') || user.shortFio || ''
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the same person may occur twice, and has no state
            key={i}
            className={classes.person}
            style={{ '--hue': hueOf(full) } as CSSProperties}
            data-person={user.id}
            aria-label={personName(user)}
            role="img"
          >
            {user.avatar ? <img src={user.avatar} alt="" loading="lazy" /> : initials(full) || '?'}
          </span>
        )
      })}
      {people.length > MAX_FACES && (
        <span className={classes.person} data-rest title={words}>
          +{people.length - MAX_FACES}
        </span>
      )}
    </span>
  )
}
