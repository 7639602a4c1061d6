import { Dot } from '#kit/Stacks.tsx'
import type { PersonLike } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import classes from './ColumnHead.module.css'
import { type Load, percentOf } from './sheet.ts'

interface Props {
  title: string
  /** Person of the column. */
  who?: PersonLike | undefined
  more?: string | null
  /** Colour of the doctor. */
  color?: string | null | undefined
  load: Load | undefined
  /** Highlighted: today. */
  marked?: boolean
}

/** Header of a column: person or room, and load. */
export function ColumnHead({ title, who, more, color, load, marked }: Props) {
  const percent = percentOf(load)
  return (
    <div className={classes.head} data-marked={marked || undefined}>
      <div className={classes.line}>
        {color && <Dot color={color} />}
        <strong className={classes.title} title={who ? undefined : title}>
          {who ? <UserLink user={who} /> : title}
        </strong>
        {percent === undefined ? (
          <span className={classes.none}>нет смены</span>
        ) : (
          <span className={`${classes.percent} tabular`} title="Занято времени смены">
            {percent}&nbsp;%
          </span>
        )}
      </div>
      <span className={classes.more} title={more ?? undefined}>
        {more || '\u00a0'}
      </span>
      <span className={classes.track} aria-hidden>
        <span
          className={classes.fill}
          data-full={(percent ?? 0) >= 100 || undefined}
          style={{ width: `${Math.min(100, percent ?? 0)}%` }}
        />
      </span>
    </div>
  )
}
