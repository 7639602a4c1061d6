import { messages } from '../messages.ts'
import { isCalendarDate } from './dateTime.ts'
import { type Checked, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

/** A day without time or zone: `YYYY-MM-DD` in wire format, `date` in SQL. */
export function date<const O extends FieldOptions & { default?: string }>(options: O) {
  return field<string, O>(options, {
    kind: 'date',
    column: 'date',
    operators: ordered,
    offered: ['gte', 'lte', 'eq', 'null'],
    days: 'day',
    sample: () => '2026-11-20',
    check: checkDate,
    parse: checkDate,
    jsonSchema: { type: 'string', format: 'date' },
  })
}

function checkDate(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null
  return parts && isCalendarDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))
    ? ok(value as string)
    : wrong(messages.date)
}

/** True for an existing calendar day: not for `2026-02-30`. */
export const isDay = (text: string): boolean => checkDate(text).ok
