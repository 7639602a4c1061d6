import { type WorkingHours, workingHoursError } from '../hours.ts'
import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

/** Working hours by weekday: `{ monday: { start: '08:00', end: '20:00' } }`; a day that is left out is a day off. */
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
      const broken = workingHoursError(value)
      return broken ? wrong(broken) : ok(value as WorkingHours)
    },
    parse: () => wrong(messages.json),
    toSql: (value) => JSON.stringify(value),
    jsonSchema: { type: 'object' },
  })
}
