import { UnstyledButton } from '@mantine/core'
import { formatNumber, formatSpan } from '@ordinator/model/format'
import { IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { dayOf, formatDate, formatTime, today } from '#kit/clock.ts'
import { ListStates, type PortionedList } from '#kit/ListStates.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import classes from './list.module.css'
import threadClasses from './thread.module.css'

interface TabsProps<T extends string> {
  label: string
  tabs: Readonly<Record<T, string>>
  tab: T
  countOf: (tab: T) => number
  /** Marked while it has a count. */
  hot: T
  onTab: (tab: T) => void
}

/** Tabs of a list of conversations, with their counts. */
export const TalkTabs = <T extends string>({ label, tabs, tab, countOf, hot, onTab }: TabsProps<T>) => (
  <fieldset className={classes.tabs} aria-label={label}>
    {(Object.keys(tabs) as T[]).map((one) => {
      const count = countOf(one)
      return (
        <UnstyledButton
          key={one}
          className={classes.tab}
          aria-pressed={one === tab}
          data-hot={(one === hot && count > 0) || undefined}
          onClick={() => onTab(one)}
        >
          {tabs[one]}
          {count > 0 && <span className="tabular"> {formatNumber(count)}</span>}
        </UnstyledButton>
      )
    })}
  </fieldset>
)

interface LinesProps<R> {
  label: string
  /** Title of the error. */
  failed: string
  empty: ReactNode
  list: PortionedList<R>
  children: (row: R) => ReactNode
}

/** A list of conversations or of their messages, in each of its states. */
export const TalkLines = <R extends { id: number }>({ label, children, ...states }: LinesProps<R>) => (
  <ListStates {...states} waiting={<TalkSkeleton lines={8} />}>
    {(rows, more) => (
      <div className={threadClasses.scroll}>
        <ul aria-label={label}>
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
        {more}
      </div>
    )}
  </ListStates>
)

export const TalkSkeleton = ({ lines }: { lines: number }) => (
  <div className={threadClasses.pad}>
    <LinesSkeleton lines={lines} />
  </div>
)

interface LineProps {
  name: string
  /** Of the last message. */
  moment: string
  last: string | null
  unread: number
  current: boolean
  onOpen: () => void
  /** Facts below the last message. */
  children: ReactNode
}

/** A conversation in a list. */
export const TalkLine = ({ name, moment, last, unread, current, onOpen, children }: LineProps) => (
  <button
    type="button"
    className={classes.line}
    aria-current={current || undefined}
    data-unread={unread > 0 || undefined}
    onClick={onOpen}
  >
    <UserAvatar user={{ name }} size={36} />
    <span className={classes.lineText}>
      <span className={classes.lineTop}>
        <span className={classes.name}>{name}</span>
        <span className={`${classes.time} tabular`}>{momentOf(moment)}</span>
      </span>
      <span className={classes.lineTop}>
        <span className={classes.last}>{last || 'Ещё ничего не написано'}</span>
        {unread > 0 && (
          <span className={`${classes.badge} tabular`} title={`Непрочитанных: ${unread}`}>
            {unread}
          </span>
        )}
      </span>
      <span className={classes.facts}>{children}</span>
    </span>
  </button>
)

interface WaitProps {
  /** Moment since when the other side waits. */
  since: string
  /** Milliseconds. */
  now: number
  late: boolean
  /** Half of the norm has passed. */
  soon?: boolean
}

/** How long an answer has been awaited. */
export const Waits = ({ since, now, late, soon = false }: WaitProps) => (
  <span className={classes.fact} data-late={late || undefined} data-soon={(soon && !late) || undefined}>
    <IconClock size={14} aria-hidden /> ждёт {waitText(now - Date.parse(since))}
  </span>
)

/** A time of today, else a day. */
export const momentOf = (moment: string): string =>
  dayOf(moment) === today() ? formatTime(moment) : formatDate(moment).slice(0, 5)

/** «меньше минуты», «5 мин», «2 ч 10 мин», «3 д 4 ч». @param ms of waiting */
export const waitText = (ms: number): string => formatSpan(Math.max(0, ms) / 1_000)
