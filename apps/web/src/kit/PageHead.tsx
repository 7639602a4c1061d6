import type { ReactNode } from 'react'
import classes from './PageHead.module.css'

interface Props {
  title: ReactNode
  /** One line of help. */
  help?: ReactNode
  /** On the right; below the title on a phone. */
  actions?: ReactNode
  /** Before the title: a back link, an avatar. */
  start?: ReactNode
  /** On a phone the actions stay beside the title, and the help is omitted. */
  tight?: boolean
  /** Filters and tabs, on their own line. */
  children?: ReactNode
}

/** The head of every page: title, one line of help, actions on the right, then filters. */
export function PageHead({ title, help, actions, start, tight, children }: Props) {
  return (
    <header className={classes.head} data-tight={tight || undefined}>
      <div className={classes.line}>
        {start}
        <div className={classes.text}>
          <h1 className={classes.title}>{title}</h1>
          {help !== undefined && <p className={classes.help}>{help}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children && <div className={classes.filters}>{children}</div>}
    </header>
  )
}
