import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserChip.module.css'

interface Props {
  user: PersonLike
  /** Inner address to open; a plain chip without it. */
  to?: string
  /** Under the name: the post. */
  hint?: ReactNode
  online?: boolean
  size?: number
}

/** A person: the avatar and the short name. */
export function UserChip({ user, to, hint, online, size = 24 }: Props) {
  const inner = (
    <>
      <UserAvatar user={user} size={size} online={online} />
      <span className={classes.text}>
        <span className={classes.name}>{personName(user)}</span>
        {hint && <span className={classes.hint}>{hint}</span>}
      </span>
    </>
  )
  const title = user.fio ?? undefined
  return to ? (
    <Link to={to} className={classes.chip} title={title}>
      {inner}
    </Link>
  ) : (
    <span className={classes.chip} title={title}>
      {inner}
    </span>
  )
}
