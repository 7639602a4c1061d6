import { messages } from '../messages.ts'
import { type Checked, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/**
 * A moment: ISO 8601 with offset in wire format, `timestamptz` in SQL, years 1900 to 2999. Events at a branch declare
 * their `clock`: `filial.timeZone`.
 */
export function dateTime<const O extends FieldOptions & { default?: string; clock?: string }>(options: O) {
  return field<string, O>(options, {
    ...(options.clock && { clock: options.clock }),
    kind: 'dateTime',
    column: 'timestamptz',
    operators: ordered,
    offered: ['gte', 'lte', 'eq', 'null'],
    days: 'moment',
    same: (a, b) => Date.parse(a) === Date.parse(b),
    sample: () => '2026-11-20T10:00:00+03:00',
    check: checkDateTime,
    // An unescaped plus sign of the offset arrives as a space.
    parse: (raw) => checkDateTime(raw.replace(/ (\d{2}:\d{2})$/, '+$1')),
    jsonSchema: { type: 'string', format: 'date-time' },
  })
}

export function checkDateTime(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? ISO.exec(value) : null
  if (!parts) return wrong(messages.dateTime)
  const [, year, month, day, hour, minute, second = '0', offset = 'Z'] = parts
  const inRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && offsetHours(offset) <= 14
  return inRange && isCalendarDate(Number(year), Number(month), Number(day))
    ? ok(value as string)
    : wrong(messages.dateTime)
}

const offsetHours = (offset: string) => (offset === 'Z' ? 0 : Number(offset.slice(1, 3)) + Number(offset.slice(4)) / 60)

/** True for an existing date between 1900, or another first year, and 2999. */
export function isCalendarDate(year: number, month: number, day: number, firstYear = 1900): boolean {
  if (year < firstYear || year > 2999 || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
