import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, ok, wrong } from './field.ts'

/** The IANA name of a time zone: `Europe/Samara`. Empty means the clinic's own. */
export function timeZone<const O extends FieldOptions & { default?: string }>(options: O) {
  const check = (value: unknown) => {
    if (typeof value !== 'string') return wrong(messages.string)
    return isTimeZone(value) ? ok(value) : wrong(messages.timeZone)
  }
  return field<string, O>(options, {
    kind: 'timeZone',
    column: 'text',
    operators: equality,
    offered: ['eq', 'neq', 'null'],
    sample: () => 'Europe/Samara',
    check,
    parse: check,
    jsonSchema: { type: 'string', maxLength: 64 },
  })
}

/** True for an existing time zone. */
export function isTimeZone(value: string): boolean {
  if (value.length > 64 || !/^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('ru', { timeZone: value })
    return true
  } catch {
    return false
  }
}
