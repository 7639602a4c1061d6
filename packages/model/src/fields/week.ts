import { parseTime } from '../format.ts'
import { type WorkingHours, workingHoursError } from '../hours.ts'
import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

/** Accepts «9:00» and «15» as times; other values are left unchanged, to be refused. */
function withTimes(week: Record<string, unknown>): unknown {
  if (Array.isArray(week)) return week
  const time = (value: unknown) => (typeof value === 'string' ? (parseTime(value) ?? value) : value)
  return Object.fromEntries(
    Object.entries(week).map(([day, hours]) => [
      day,
      typeof hours === 'object' && hours !== null
        ? Object.fromEntries(Object.entries(hours).map(([side, value]) => [side, time(value)]))
        : hours,
    ]),
  )
}

/** Working hours by weekday: `{ monday: { start: '08:00', end: '20:00' } }`; an absent day is a day off. */
export function week<const O extends FieldOptions>(options: O) {
  return field<WorkingHours, O>(options, {
    kind: 'week',
    column: 'jsonb',
    operators: ['null'],
    offered: ['null'],
    unsortable: true,
    sample: () => ({ monday: { start: '08:00', end: '20:00' } }),
    check(value) {
      if (typeof value !== 'object' || value === null) return wrong(messages.json)
      const read = withTimes(value as Record<string, unknown>)
      const broken = workingHoursError(read)
      return broken ? wrong(broken) : ok(read as WorkingHours)
    },
    parse: () => wrong(messages.json),
    toSql: (value) => JSON.stringify(value),
    jsonSchema: { type: 'object' },
  })
}
