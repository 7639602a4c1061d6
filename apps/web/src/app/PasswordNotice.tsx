import { IconKey } from '@tabler/icons-react'
import { PageLink } from '../base/PageLink.tsx'
import { useAccount } from '../base/session.ts'
import classes from './PasswordNotice.module.css'

/** Stands above every page while the password is one that somebody else has made. */
export function PasswordNotice() {
  const { specials } = useAccount().user
  if (!specials.mustChangePassword) return null
  return (
    <div className={classes.notice} role="status">
      <IconKey size={18} aria-hidden />
      <span>У вас временный пароль.</span>
      <PageLink page="profile" search={{ tab: 'security' }}>
        Задать свой
      </PageLink>
    </div>
  )
}
