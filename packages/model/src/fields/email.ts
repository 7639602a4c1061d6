import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, textual, wrong } from './field.ts'
import { checkText } from './text.ts'

const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/

export function email<const O extends FieldOptions>(options: O) {
  return field<string, O>(options, {
    kind: 'email',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'eq', 'null'],
    anyCase: true,
    sample: () => 'a@b.ru',
    check: (value) =>
      checkText(value, {
        required: options.required ?? false,
        max: 254,
        rule: (v) => (v === '' || EMAIL.test(v) ? undefined : messages.email),
      }),
    parse: (raw) => (raw.includes('\0') ? wrong(messages.nul) : ok(raw)),
    jsonSchema: { type: 'string', maxLength: 254 },
  })
}
