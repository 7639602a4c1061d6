import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/ru'
import { DatePicker, type DatePickerProps } from '@mantine/dates'
import dayjs from 'dayjs'
import { today } from './clock.ts'
import classes from './DayPicker.module.css'

type Parsed = { parse: (config: { date?: unknown }) => void }

/** The calendar uses dayjs for today, which would use the computer's clock. */
dayjs.extend((_, { prototype }) => {
  // Its types lack `parse`, which plugins may replace.
  const own = prototype as unknown as Parsed
  const { parse } = own
  own.parse = function (config) {
    parse.call(this, config.date === undefined ? { ...config, date: today() } : config)
  }
})

interface Props extends Pick<DatePickerProps, 'defaultLevel' | 'minDate' | 'maxDate'> {
  /** 'YYYY-MM-DD' */
  value: string | null
  onChange: (day: string | null) => void
}

/** A calendar for one day; today follows the user's time zone. */
export function DayPicker({ value, ...rest }: Props) {
  const now = today()
  return (
    <DatePicker
      {...rest}
      locale="ru"
      value={value}
      defaultDate={value ?? undefined}
      getDayProps={(day) => (day === now ? { 'aria-current': 'date', className: classes.today } : {})}
      hideOutsideDates
      ariaLabels={calendarLabels}
    />
  )
}

/** Labels of the calendar's arrows. */
const calendarLabels = {
  nextMonth: 'Следующий месяц',
  previousMonth: 'Предыдущий месяц',
  nextYear: 'Следующий год',
  previousYear: 'Предыдущий год',
  nextDecade: 'Следующее десятилетие',
  previousDecade: 'Предыдущее десятилетие',
}
