import { messages } from '../messages.ts'
import { heardPhone, phoneOf } from '../phone.ts'
import { type Checked, type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** Fewer digits than these are in half of all numbers. */
const MIN_DIGITS = 3

interface PhoneOptions extends FieldOptions {
  /** Of a call: local numbers and foreign ones of 13 digits are kept as they came. */
  heard?: true
}

/** A phone number: any usual spelling in, E.164 (`+79991234567`) stored and on the wire. */
export function phone<const O extends PhoneOptions>(options: O) {
  const read = options.heard ? heardPhone : phoneOf
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
    // A whole number in any spelling is found as stored; a part of one is found by its digits.
    parse: (raw) => ok(read(raw) ?? raw.replace(/[^\d+]/g, '')),
    jsonSchema: { type: 'string', pattern: options.heard ? '^\\+?\\d{6,15}$' : '^\\+\\d{10,12}$' },
  })
}
