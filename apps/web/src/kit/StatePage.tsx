import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './StatePage.module.css'

interface Props {
  icon: TablerIcon
  title: string
  text?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** 'page' is centred in the page, and its title is the page's heading. */
  size?: 'page' | 'block'
}

/** An icon, a sentence and what to do: empty lists, failures, refusals. */
export function StatePage({ icon: Icon, title, text, actions, children, size = 'page' }: Props) {
  const Heading = size === 'page' ? 'h1' : 'div'
  return (
    <div className={classes.state} data-size={size}>
      <span className={classes.icon}>
        <Icon size={size === 'page' ? 32 : 24} stroke={1.5} aria-hidden />
      </span>
      <Heading className={classes.title}>{title}</Heading>
      {text && <div className={classes.text}>{text}</div>}
      {children}
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
