import { Skeleton } from '@mantine/core'
import { formatNumber } from '@ordinator/model/format'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { type PersonLike, UserAvatar } from '#kit/UserAvatar.tsx'
import classes from './ListSection.module.css'

interface Props {
  title: string
  color?: string
  user?: PersonLike | null
  tone?: 'late'
  closed: boolean
  onToggle: () => void
  total: number | undefined
  /** After the count: a sum. */
  note?: string
  loading: boolean
  error: Error | null
  onRetry: () => void
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
  /** The rows. */
  children: ReactNode
  /** Shown when there are none. */
  empty: string
}

/** A group of a list: its name, the number of records, and the records. */
export function ListSection(props: Props) {
  const { title, closed, total, loading, error } = props
  const Arrow = closed ? IconChevronRight : IconChevronDown
  return (
    <section className={classes.section} aria-label={title} aria-busy={loading && !closed}>
      <h2 className={classes.title} data-tone={props.tone}>
        <button type="button" className={classes.toggle} aria-expanded={!closed} onClick={props.onToggle}>
          <Arrow size={16} aria-hidden />
          {props.user && <UserAvatar user={props.user} size={24} />}
          {props.color && <span className={classes.dot} style={{ background: props.color }} />}
          {title}
          {total !== undefined && <span className={classes.count}>{formatNumber(total)}</span>}
          {props.note && <span className={classes.count}>{props.note}</span>}
        </button>
      </h2>
      {!closed &&
        (loading ? (
          <div className={classes.rows}>
            <Skeleton height={16} m={12} width="60%" />
            <Skeleton height={16} m={12} width="45%" />
          </div>
        ) : error ? (
          <div className={classes.note} role="alert">
            {errorMessage(error)}{' '}
            <ActionButton label="Повторить" size="compact-sm" variant="light" onClick={props.onRetry} />
          </div>
        ) : total === 0 ? (
          <p className={classes.note}>{props.empty}</p>
        ) : (
          <>
            <ul className={classes.rows}>{props.children}</ul>
            {props.hasMore && (
              <ActionButton
                label="Показать ещё"
                className={classes.more}
                variant="subtle"
                size="compact-md"
                loading={props.loadingMore}
                onClick={props.onMore}
              />
            )}
          </>
        ))}
    </section>
  )
}
