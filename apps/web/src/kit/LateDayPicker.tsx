import { Skeleton } from '@mantine/core'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import type { DayPicker } from './DayPicker.tsx'

type Props = ComponentProps<typeof DayPicker>

let loaded: ComponentType<Props> | undefined

/** Loads the calendar: on hover or focus of a date field, before it is opened. */
export async function loadDayPicker(): Promise<void> {
  loaded ??= (await import('./DayPicker.tsx')).DayPicker
}

/** The calendar of a date field. It is as large as the rest of a form, and most dates are typed. */
export function LateDayPicker(props: Props) {
  const [Picker, setPicker] = useState(() => loaded)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (!Picker)
      loadDayPicker().then(
        () => setPicker(() => loaded),
        (reason) => setError(reason),
      )
  }, [Picker])
  if (error) throw error
  return Picker ? <Picker {...props} /> : <Skeleton w={252} h={264} />
}
