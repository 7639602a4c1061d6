import { day } from '#base/addressValues.ts'
import { formatDate, midnight } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import classes from '#kit/FilterPanel.module.css'
import type { FilterKind } from './filters.ts'

/** Days, `YYYY-MM-DD`, inclusive. */
export interface Period {
  From: string
  To: string
}

/** Days of a date or, in the user's zone, of a moment. Parameters `createdFrom` and `createdTo`, unless `names` is given. */
export function period<const R extends Partial<Record<keyof Period, string>> = object>(
  field: string,
  { label, names }: { label?: string; names?: R } = {},
): FilterKind<Period, R, unknown, unknown> {
  return {
    field,
    label,
    names,
    parts: { From: day, To: day },
    conditions: ({ From: from, To: to }, { f }) => {
      const ofMoments = f?.days === 'moment'
      return [
        ...(from ? [{ [field]: { gte: ofMoments ? midnight(from) : from } }] : []),
        ...(to ? [{ [field]: ofMoments ? { lt: midnight(to, 1) } : { lte: to } }] : []),
      ]
    },
    text: ({ From: from, To: to }, context) => `${context.label} ${periodText(from, to)}`,
    input: (props) => (
      <Days
        label={`${props.label} с`}
        inline={props.inline}
        from={props.value.From}
        to={props.value.To}
        onFrom={(From) => props.onChange({ From })}
        onTo={(To) => props.onChange({ To })}
      />
    ),
  }
}

/** «с 01.03.2026 по 31.03.2026» */
export const periodText = (from: string | undefined, to: string | undefined): string =>
  [from && `с ${formatDate(from)}`, to && `по ${formatDate(to)}`].filter(Boolean).join(' ')

interface DaysProps {
  label: string
  /** In a toolbar the labels are inside the fields. */
  inline?: boolean
  from?: string
  to?: string
  onFrom: (day: string | undefined) => void
  onTo: (day: string | undefined) => void
}

/** Both ends of a period; an incomplete date is ignored. */
export function Days({ label, inline, from, to, onFrom, onTo }: DaysProps) {
  const face = (words: string) => (inline ? { 'aria-label': words, placeholder: words } : { label: words })
  return (
    <div className={inline ? classes.days : classes.pair} data-wide>
      <DateField {...face(label)} value={from} onChange={(value) => onFrom(dayOrNone(value))} />
      <DateField {...face('По')} value={to} onChange={(value) => onTo(dayOrNone(value))} />
    </div>
  )
}

const dayOrNone = (value: string | null): string | undefined => (isDay(value) ? value : undefined)
