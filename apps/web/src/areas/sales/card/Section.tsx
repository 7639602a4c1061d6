import { type ReactNode, useId } from 'react'
import classes from './Lead.module.css'

interface Props {
  title: string
  count?: number
  /** On the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of the open deal. */
export function Section({ title, count, actions, children }: Props) {
  const heading = useId()
  return (
    <section className={classes.section} aria-labelledby={heading}>
      <div className={classes.head}>
        <h3 id={heading} className={classes.title}>
          {title} {count ? <span className={classes.count}>{count}</span> : null}
        </h3>
        {actions}
      </div>
      {children}
    </section>
  )
}
