import { IconPinFilled } from '@tabler/icons-react'
import classes from './NewsList.module.css'

/** Stands first in the feed. */
export function Pinned() {
  return <IconPinFilled size={16} className={classes.pin} role="img" aria-label="Закреплена" />
}

/** Not read by the person yet. */
export function Unread() {
  return <span className={classes.unread} role="img" aria-label="Не прочитана" title="Не прочитана" />
}
