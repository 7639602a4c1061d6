import { Skeleton } from '@mantine/core'
import { part } from './chunk.ts'

/** The calendar of a date field. It is as large as the rest of a form, and most dates are typed. */
export const LateDayPicker = part(
  async () => ({ default: (await import('./DayPicker.tsx')).DayPicker }),
  <Skeleton w={252} h={264} />,
)

/** Loads the calendar: on hover or focus of a date field, before it is opened. */
export const loadDayPicker = LateDayPicker.load
