import { messages } from '../messages.ts'
import { dayIn } from '../zone.ts'
import { isCalendarDate } from './dateTime.ts'
import { type Checked, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

/** A birthday: `DD.MM.YYYY` in wire format, as in the specification; `date` in SQL. */
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
      const checked = readBirthday(raw)
      return checked.ok ? ok(isoOfBirthday(checked.value)) : checked
    },
    toSql: isoOfBirthday,
    readSql: (column) => `to_char(${column}, 'DD.MM.YYYY')`,
    jsonSchema: { type: 'string', pattern: '^\\d{2}\\.\\d{2}\\.\\d{4}$' },
  })
}

/** Earlier years are certainly mistakes (spec §3: over 150 years). */
const FIRST_YEAR = 1800
/** The zone where a day begins first: a date in its future is in the future everywhere. */
const EASTERNMOST = 'Pacific/Kiritimati'

/** A plausible birthday: for every form, call and import. */
function checkBirthday(value: unknown): Checked<string> {
  const read = readBirthday(value)
  if (!read.ok) return read
  return isoOfBirthday(read.value) > dayIn(EASTERNMOST, Date.now()) ? wrong('Этот день ещё не наступил') : read
}

/** Parses a day in the birthday format, in a filter too. */
function readBirthday(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(value) : null
  return parts && isCalendarDate(Number(parts[3]), Number(parts[2]), Number(parts[1]), FIRST_YEAR)
    ? ok(value as string)
    : wrong(messages.birthday)
}

const isoOfBirthday = (value: string) => value.split('.').reverse().join('-')
