import { messages } from '../messages.ts'
import { plainSpelling } from '../spelling.ts'
import { type FieldOptions, field, ok, textual, wrong } from './field.ts'
import { checkText } from './text.ts'

const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/

/** The address in pasted text: without `mailto:`, a name or a label before it, brackets and separators. */
const addressOf = (written: string): string =>
  plainSpelling(written)
    .replaceAll('\uff20', '@')
    .trim()
    .replace(/^mailto:([^?]*).*$/is, '$1')
    .replace(/[;,./\s]+$/, '')
    .replace(/^[^<>@]*<([^<>]*)>$/, '$1')
    .replace(/^(?:e-?mail|(?:эл(?:ектронная|\.)?\s?)?почта)[:\s]+/i, '')
    .replace(/^\(([^()]*)\)$|^([^()]*)\)$/, '$1$2')
    .trim()

export function email<const O extends FieldOptions>(options: O) {
  return field<string, O>(options, {
    kind: 'email',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'eq', 'null'],
    anyCase: true,
    sample: () => 'a@b.ru',
    check: (value) =>
      checkText(typeof value === 'string' ? addressOf(value) : value, {
        required: options.required ?? false,
        max: 254,
        rule: (v) => (v === '' || EMAIL.test(v) ? undefined : messages.email),
      }),
    parse: (raw) => (raw.includes('\0') ? wrong(messages.nul) : ok(raw)),
    jsonSchema: { type: 'string', maxLength: 254 },
  })
}
