import { Checkbox, Input, VisuallyHidden } from '@mantine/core'
import {
  type Hours,
  hoursError,
  type Weekday,
  type WorkingHours,
  weekdayNames,
  weekdays,
  weekText,
} from '@ordinator/model/hours'
import { IconCalendarWeek, IconClock24, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { ActionMenu, MenuItem } from './ActionMenu.tsx'
import { TimeField } from './TimeField.tsx'
import classes from './WeekHours.module.css'

interface Props {
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  readOnly?: boolean
  value: WorkingHours | null
  onChange: (value: WorkingHours) => void
  onBlur?: () => void
}

/** Default hours of a day when no day before it is open. */
const USUAL: Hours = { start: '08:00', end: '20:00' }
const WORK_DAYS = weekdayNames.slice(0, 5)

/** Opening hours of a week: each day open or closed, with copying of hours to other days. */
export function WeekHours({ label, description, error, readOnly, value, onChange, onBlur }: Props) {
  const id = useId()
  const week = value ?? {}
  const frame = useRef<HTMLFieldSetElement>(null)
  const put = (days: readonly Weekday[], hours: Hours | null) =>
    onChange(
      Object.fromEntries(
        weekdayNames.flatMap((day) => {
          const next = days.includes(day) ? hours : week[day]
          return next ? [[day, next]] : []
        }),
      ),
    )
  /** Initial hours: those of the nearest open day above. */
  const begin = (day: Weekday): Hours =>
    weekdayNames
      .slice(0, weekdayNames.indexOf(day))
      .flatMap((one) => week[one] ?? [])
      .at(-1) ?? USUAL
  return (
    <fieldset ref={frame} className={classes.week} aria-describedby={`${id}-text`} disabled={readOnly}>
      <legend className={classes.label}>{label}</legend>
      {description && <Input.Description>{description}</Input.Description>}
      <div id={`${id}-text`} className={classes.text}>
        {value ? weekText(value) : 'Не заданы'}
      </div>
      {weekdayNames.map((day) => {
        const hours = week[day]
        const name = weekdays[day]
        const wrong = hours ? hoursError(hours) : undefined
        const side = (which: keyof Hours) => (
          <TimeField
            aria-label={`${name}, ${which === 'start' ? 'с' : 'до'}`}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong && `${id}-${day}`}
            error={wrong !== undefined}
            value={hours?.[which] ?? ''}
            untilMidnight={which === 'end'}
            onChange={(time) => put([day], { ...(hours as Hours), [which]: time })}
            onBlur={onBlur}
          />
        )
        return (
          <div key={day} className={classes.day} data-off={!hours || undefined}>
            <Checkbox
              label={name}
              checked={hours !== undefined && hours !== null}
              onChange={(event) => put([day], event.currentTarget.checked ? begin(day) : null)}
            />
            {hours ? (
              <>
                {side('start')}
                <span aria-hidden>—</span>
                {side('end')}
                {!readOnly && (
                  <ActionMenu label={`${name}: скопировать часы`} icon={IconCopy} size={28} width={232}>
                    <MenuItem label="На будни, пн–пт" icon={IconCalendarWeek} onClick={() => put(WORK_DAYS, hours)} />
                    <MenuItem label="На все дни" icon={IconCopy} onClick={() => put(weekdayNames, hours)} />
                    <MenuItem
                      label="Круглосуточно"
                      icon={IconClock24}
                      onClick={() => put([day], { start: '00:00', end: '24:00' })}
                    />
                  </ActionMenu>
                )}
                {wrong && (
                  <div id={`${id}-${day}`} className={classes.wrong}>
                    {wrong.charAt(0).toUpperCase() + wrong.slice(1)}
                  </div>
                )}
              </>
            ) : (
              <span className={classes.off}>
                <VisuallyHidden>{name}: </VisuallyHidden>выходной
              </span>
            )}
          </div>
        )
      })}
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  )
}
