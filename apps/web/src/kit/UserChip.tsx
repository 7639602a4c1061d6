import type { ReactNode } from 'react'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserChip.module.css'
import { UserLink } from './UserLink.tsx'

interface Props {
  user: PersonLike
  /** Internal path to open, default: the person's page. */
  to?: string
  /** Without a link: the parent is one. */
  plain?: boolean
  /** Below the name: the position. */
  hint?: ReactNode
  online?: boolean
  size?: number
}

/** A person: avatar and short name. */
export function UserChip({ user, to, plain, hint, online, size = 24 }: Props) {
  const inner = (
    <>
      <UserAvatar user={user} size={size} online={online} />
      <span className={classes.text}>
        <span className={classes.name}>{personName(user)}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </span>
    </>
  )
  return plain ? (
    <span className={classes.chip} title={user.fio ?? undefined}>
      {inner}
    </span>
  ) : (
    <UserLink user={user} to={to} className={classes.chip}>
      {inner}
    </UserLink>
  )
}
