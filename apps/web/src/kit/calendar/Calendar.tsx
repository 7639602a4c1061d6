import { Hours } from './Hours.tsx'
import type { CalendarProps } from './item.ts'
import { Month } from './Month.tsx'

/** A month, week or day calendar with draggable items, independent of any entity. */
export default function Calendar(props: CalendarProps) {
  return props.span === 'month' ? <Month {...props} /> : <Hours {...props} />
}
