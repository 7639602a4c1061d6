import { Tooltip, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePeople } from './people.ts'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserLink.module.css'

/** Of spec §9: pixels, milliseconds. */
const MAX_WIDTH = 468
const DELAY_MS = 100

interface Props {
  user: PersonLike
  /** Inner address to open, the person's page unless told. */
  to?: string
  /** Other than the name alone. */
  children?: ReactNode
  className?: string
}

/** The picture alone, with the name spoken. */
export const UserFace = ({ user, size }: { user: PersonLike; size: number }) => (
  <UserLink user={user}>
    <UserAvatar user={user} size={size} />
    <VisuallyHidden>{personName(user)}</VisuallyHidden>
  </UserLink>
)

/** A person's name: a way to the person's page, with who it is behind it. Whose number is not known is only named. */
export function UserLink({ user, to, children = personName(user), className }: Props) {
  const { addressOf, Facts } = usePeople()
  const address = to ?? (user.id === undefined ? '' : addressOf(user.id))
  const classNames = [classes.name, className].filter(Boolean).join(' ')
  if (user.id === undefined || !address)
    return (
      <span className={classNames} title={user.fio ?? undefined}>
        {children}
      </span>
    )
  return (
    <Tooltip
      multiline
      maw={MAX_WIDTH}
      openDelay={DELAY_MS}
      events={{ hover: true, focus: true, touch: false }}
      label={<Facts id={user.id} />}
    >
      <Link to={address} className={classNames} onClick={(event) => event.stopPropagation()}>
        {children}
      </Link>
    </Tooltip>
  )
}
