import { messages } from '../messages.ts'
import { phoneFromExchange, phoneOf } from '../phone.ts'
import { type Checked, type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** Fewer digits match too many numbers. */
const MIN_DIGITS = 3

interface PhoneOptions extends FieldOptions {
  /** The number of a call: local numbers and foreign ones of 13 digits are kept as received. */
  fromExchange?: true
}

/** A phone number: accepted in any usual format, stored and sent as E.164 (`+79991234567`). */
export function phone<const O extends PhoneOptions>(options: O) {
  const read = options.fromExchange ? phoneFromExchange : phoneOf
  return field<string, O>(options, {
    kind: 'phone',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'eq', 'null'],
    finds: (text) => text.replace(/\D/g, '').length >= MIN_DIGITS,
    sample: () => '+79991234567',
    check: (value): Checked<string> => {
      if (typeof value !== 'string') return wrong(messages.string)
      const number = read(value)
      return number ? ok(number) : wrong(messages.phone)
    },
    // A complete number in any format is found as stored; a part of one by its digits.
    parse: (raw) => ok(read(raw) ?? raw.replace(/[^\d+]/g, '')),
    jsonSchema: { type: 'string', pattern: options.fromExchange ? '^\\+?\\d{6,15}$' : '^\\+\\d{10,12}$' },
  })
}
