import { Tooltip, VisuallyHidden } from '@mantine/core'
import { linkKind } from '@ordinator/model/linkKind'
import { Link } from '@tanstack/react-router'
import { Fragment, type MouseEvent, type ReactNode, useContext } from 'react'
import { InLinkContext, usePeople } from './people.ts'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserLink.module.css'

/** Of spec §9: pixels, milliseconds. */
export const TIP_WIDTH = 468
export const TIP_DELAY_MS = 100

interface Props {
  user: PersonLike
  /** Path of the entity whose record it is, that of the colleagues unless told. */
  of?: string
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

/** A name that stands where no link may, in a button: who it is, is told over it (`PersonTips`). */
export const PersonName = ({ user, className }: { user: PersonLike; className?: string }) => (
  <span data-person={user.id} className={className}>
    {personName(user)}
  </span>
)

/**
 * A person's name: a way to the person's page, with who it is behind it. Whose number is not known is only named; in a
 * link to something else it is no way, and tells who it is.
 */
export function UserLink({ user, of = 'users', to, children = personName(user), className }: Props) {
  const way = usePeople().ways[of]
  const isInLink = useContext(InLinkContext)
  const address = to ?? (user.id === undefined ? '' : (way?.addressOf(user.id) ?? ''))
  const classNames = [classes.name, className].filter(Boolean).join(' ')
  if (user.id === undefined || !way || !address)
    return (
      <span className={classNames} title={user.fio ?? undefined}>
        {children}
      </span>
    )
  return (
    <Tooltip
      multiline
      maw={TIP_WIDTH}
      openDelay={TIP_DELAY_MS}
      events={{ hover: true, focus: true, touch: false }}
      label={<way.Facts id={user.id} />}
    >
      {isInLink ? (
        <span className={classNames}>{children}</span>
      ) : linkKind(address) === 'internal' ? (
        <Link to={address} className={classNames} onClick={stay}>
          {children}
        </Link>
      ) : (
        <a href={address} target="_blank" rel="noopener" className={classNames} onClick={stay}>
          {children}
        </a>
      )}
    </Tooltip>
  )
}

/** Several people in a line of words. @param of as of one */
export const UserLinks = ({ users, of }: { users: readonly PersonLike[]; of?: string }) =>
  users.map((user, at) => (
    <Fragment key={user.id ?? at}>
      {at > 0 && ', '}
      <UserLink user={user} of={of} />
    </Fragment>
  ))

/** What the name stands in is not opened as well. */
const stay = (event: MouseEvent) => event.stopPropagation()
