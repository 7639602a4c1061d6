import { byDays, daysOf } from '@ordinator/model/areas/eln/rules'
import { formatDay } from '@ordinator/model/format'
import { dayKindOf } from '@ordinator/model/workingTime'
import { plusDays } from '@ordinator/model/zone'
import { useLayoutEffect, useRef } from 'react'
import { today } from '#kit/clock.ts'
import { Fine } from '#kit/Words.tsx'
import classes from './Eln.module.css'
import type { PeriodRow } from './leave.ts'

/** Days drawn before the first and after the last, and their maximum. */
const AROUND = 3
const MOST = 240
const months = 'янв,фев,мар,апр,май,июн,июл,авг,сен,окт,ноя,дек'.split(',')
const noCalendar = new Map()

interface Props {
  periods: readonly PeriodRow[]
  /** Last day that the doctor certifies without the commission. */
  aloneUntil: string | null
  workFrom: string | null
}

/** Days of a sheet as a strip: periods, start of the commission, today. */
export function Strip({ periods, aloneUntil, workFrom }: Props) {
  const ordered = byDays(periods)
  const [first, last] = [ordered[0], ordered.at(-1)]
  const frame = useRef<HTMLDivElement>(null)
  const now = today()
  useLayoutEffect(() => {
    const cell = frame.current?.querySelector<HTMLElement>('[data-today]') ?? frame.current?.lastElementChild
    if (cell instanceof HTMLElement && frame.current)
      frame.current.scrollLeft = cell.offsetLeft - frame.current.clientWidth / 2
  }, [])
  if (!first || !last) return null
  const from = plusDays(first.dateFrom, -AROUND)
  const end = [last.dateTo, workFrom ?? '', now > last.dateTo && daysOf(last.dateTo, now) < 20 ? now : '']
    .toSorted()
    .at(-1) as string
  const count = Math.min(MOST, daysOf(from, plusDays(end, AROUND)))
  const days = Array.from({ length: count }, (_, at) => plusDays(from, at))
  const until = aloneUntil !== null && aloneUntil < '9000' ? aloneUntil : null
  return (
    <figure className={classes.strip} aria-label="Дни листа">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <div className={classes.days} ref={frame} tabIndex={0}>
        {days.map((day) => {
          const at = ordered.findIndex(({ dateFrom, dateTo }) => dateFrom <= day && day <= dateTo)
          const of = at < 0 ? undefined : ordered[at]
          const isFirst = of?.dateFrom === day
          return (
            <div
              key={day}
              className={classes.day}
              data-period={at < 0 ? undefined : at}
              data-begins={isFirst || undefined}
              data-ends={of?.dateTo === day || undefined}
              data-commission={of?.idChairman ? true : undefined}
              data-missing={(of && !of.idChairman && until !== null && day > until) || undefined}
              data-off={dayKindOf(day, noCalendar) === 'off' || undefined}
              data-today={day === now || undefined}
              data-limit={day === until || undefined}
              data-work={day === workFrom || undefined}
              title={dayWords(day, of, at, day === workFrom, day === until)}
            >
              <span className={classes.month}>
                {day.endsWith('-01') || day === from ? months[Number(day.slice(5, 7)) - 1] : ''}
              </span>
              <span>{Number(day.slice(8))}</span>
            </div>
          )
        })}
      </div>
      <figcaption>
        <Fine>
          {until ? `Врач один — по ${formatDay(until)}; дальше нужна ВК` : 'Комиссия для этого листа не нужна'}
          {workFrom && ` · к работе ${formatDay(workFrom)}`}
        </Fine>
      </figcaption>
    </figure>
  )
}

const dayWords = (day: string, of: PeriodRow | undefined, at: number, isWork: boolean, isLimit: boolean): string =>
  [
    formatDay(day),
    of && `период ${at + 1}${of.idChairman ? ', с ВК' : ''}`,
    isLimit && 'последний день врача без ВК',
    isWork && 'приступить к работе',
  ]
    .filter(Boolean)
    .join(', ')
