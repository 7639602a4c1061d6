import { type ReactNode, useId } from 'react'
import classes from './NewsView.module.css'

interface Props {
  title: string
  /** Beside the title: «5 из 12». */
  count?: string
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of the open item. */
export function Section({ title, count, actions, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <div className={classes.sectionHead}>
        <h2 id={heading} className={classes.sectionTitle}>
          {title} {count && <span className={classes.count}>{count}</span>}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
