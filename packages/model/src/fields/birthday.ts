import { messages } from '../messages.ts'
import { dayIn } from '../zone.ts'
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
/** Where a day begins first: what lies ahead there lies ahead everywhere. */
const EASTERNMOST = 'Pacific/Kiritimati'

/** A birthday that somebody may have: of every form, call and import. */
function checkBirthday(value: unknown): Checked<string> {
  const read = readBirthday(value)
  if (!read.ok) return read
  return isoOfBirthday(read.value) > dayIn(EASTERNMOST, Date.now()) ? wrong('Этот день ещё не наступил') : read
}

/** A day as birthdays are written, in a filter too. */
function readBirthday(value: unknown): Checked<string> {
  const parts = typeof value === 'string' ? /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(value) : null
  return parts && isCalendarDate(Number(parts[3]), Number(parts[2]), Number(parts[1]), FIRST_YEAR)
    ? ok(value as string)
    : wrong(messages.birthday)
}

const isoOfBirthday = (value: string) => value.split('.').reverse().join('-')
