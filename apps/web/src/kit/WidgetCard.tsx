import { formatNumber } from '@ordinator/model/format'
import type { ReactNode } from 'react'
import { FailedLoad, type Load } from './FailedLoad.tsx'
import classes from './WidgetCard.module.css'

interface Props {
  title: string
  icon?: ReactNode
  tone?: 'overdue'
  /** Total number; zero is not shown. */
  count?: number
  busy?: boolean
  /** Shown instead of the children. */
  none?: ReactNode
  /** What the block shows: while it has failed without any data, the failure and a retry replace the children. */
  load?: Load | undefined
  children?: ReactNode
}

/** A block of the dashboard. */
export function WidgetCard({ title, icon, tone, count, busy, none, load, children }: Props) {
  return (
    <section className={classes.card} aria-label={title} aria-busy={busy}>
      <h2 className={classes.heading} data-tone={tone}>
        {icon} {title}
        {count ? <span className={classes.count}>{formatNumber(count)}</span> : null}
      </h2>
      {load?.isError && load.data === undefined ? (
        <FailedLoad load={load} />
      ) : none ? (
        <p className={classes.none}>{none}</p>
      ) : (
        children
      )}
    </section>
  )
}
