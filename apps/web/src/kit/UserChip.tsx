import type { ReactNode } from 'react'
import { type PersonLike, personName, UserAvatar } from './UserAvatar.tsx'
import classes from './UserChip.module.css'
import { UserLink } from './UserLink.tsx'

interface Props {
  user: PersonLike
  /** Inner address to open, the person's page unless told. */
  to?: string
  /** No link: what it stands in is one. */
  plain?: boolean
  /** Under the name: the post. */
  hint?: ReactNode
  online?: boolean
  size?: number
}

/** A person: the avatar and the short name. */
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
