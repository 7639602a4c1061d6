import { messages } from '../messages.ts'
import { isCalendarDate } from './dateTime.ts'
import { type Checked, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

/** A birthday: `DD.MM.YYYY` on the wire, as the specification has it; `date` in SQL. */
export function birthday<const O extends FieldOptions>(options: O) {
  return field<string, O>(options, {
    kind: 'birthday',
    column: 'date',
    operators: ordered,
    offered: ['eq', 'gte', 'lte', 'null'],
    days: 'day',
    sample: () => '29.02.2000',
    check: checkBirthday,
    parse: (raw) => {
      const checked = checkBirthday(raw)
      return checked.ok ? ok(isoOfBirthday(checked.value)) : checked
    },
    toSql: isoOfBirthday,
    readSql: (column) => `to_char(${column}, 'DD.MM.YYYY')`,
    jsonSchema: { type: 'string', pattern: '^\\d{2}\\.\\d{2}\\.\\d{4}$' },
  })
}

function checkBirthday(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(value) : null
  return parts && isCalendarDate(Number(parts[3]), Number(parts[2]), Number(parts[1]))
    ? ok(value as string)
    : wrong(messages.birthday)
}

const isoOfBirthday = (value: string) => value.split('.').reverse().join('-')
