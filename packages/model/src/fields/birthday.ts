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
      const checked = readBirthday(raw)
      return checked.ok ? ok(isoOfBirthday(checked.value)) : checked
    },
    toSql: isoOfBirthday,
    readSql: (column) => `to_char(${column}, 'DD.MM.YYYY')`,
    jsonSchema: { type: 'string', pattern: '^\\d{2}\\.\\d{2}\\.\\d{4}$' },
  })
}

/** People who were born before are in no card; an age that is a mistake is seen as one (spec §3: over 150 years). */
const FIRST_YEAR = 1800
/** Milliseconds by which the latest clock of the world (UTC+14) is ahead: that day has begun somewhere. */
const AHEAD = 14 * 3_600_000

/** A birthday that somebody may have: of every form, call and import. */
function checkBirthday(value: unknown): Checked<string> {
  const read = readBirthday(value)
  if (!read.ok) return read
  return isoOfBirthday(read.value) > new Date(Date.now() + AHEAD).toISOString().slice(0, 10)
    ? wrong('Этот день ещё не наступил')
    : read
}

/** A day as birthdays are written, in a filter too. */
function readBirthday(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(value) : null
  return parts && isCalendarDate(Number(parts[3]), Number(parts[2]), Number(parts[1]), FIRST_YEAR)
    ? ok(value as string)
    : wrong(messages.birthday)
}

const isoOfBirthday = (value: string) => value.split('.').reverse().join('-')
