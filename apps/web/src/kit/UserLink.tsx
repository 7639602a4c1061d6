import { Tooltip, VisuallyHidden } from '@mantine/core'
import { linkKind } from '@ordinator/model/linkKind'
import { Link } from '@tanstack/react-router'
import { Fragment, type MouseEvent, type ReactNode, useContext } from 'react'
import { InLinkContext, usePeople } from './people.ts'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserLink.module.css'

/** From spec §9: pixels, milliseconds. */
export const TIP_WIDTH = 468
export const TIP_DELAY_MS = 100

interface Props {
  user: PersonLike
  /** Path of the person's entity, default: colleagues. */
  of?: string
  /** Internal path to open, default: the person's page. */
  to?: string
  /** Content other than the name. */
  children?: ReactNode
  className?: string
}

/** Only the avatar, with the name for screen readers. */
export const UserFace = ({ user, size }: { user: PersonLike; size: number }) => (
  <UserLink user={user}>
    <UserAvatar user={user} size={size} />
    <VisuallyHidden>{personName(user)}</VisuallyHidden>
  </UserLink>
)

/** A name where no link is possible, in a button: its tooltip comes from `PersonTips`. */
export const PersonName = ({ user, className }: { user: PersonLike; className?: string }) => (
  <span data-person={user.id} className={className}>
    {personName(user)}
  </span>
)

/**
 * A person's name: a link to the person's page, with a tooltip. Without an id only the name is shown; inside another link
 * it is not a link but keeps the tooltip.
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

/** Several people in a line of text. @param of as for one */
export const UserLinks = ({ users, of }: { users: readonly PersonLike[]; of?: string }) =>
  users.map((user, at) => (
    <Fragment key={user.id ?? at}>
      {at > 0 && ', '}
      <UserLink user={user} of={of} />
    </Fragment>
  ))

/** Does not open the surrounding element as well. */
const stay = (event: MouseEvent) => event.stopPropagation()
