import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, textual, wrong } from './field.ts'
import { checkText } from './text.ts'

const MAX_RICH_TEXT = 200_000

/** HTML of the editor. The server sanitises it with an allow-list before storing (records/sanitize.ts). */
export function richText<const O extends FieldOptions & { default?: string; max?: number }>(options: O) {
  const max = options.max ?? MAX_RICH_TEXT
  return field<string, O>(options, {
    kind: 'richText',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'null'],
    keepsEmpty: true,
    long: true,
    sample: () => '<p>Текст</p>',
    check: (value) => checkText(value, { required: options.required ?? false, max }),
    parse: (raw) => (raw.includes('\0') ? wrong(messages.nul) : ok(raw)),
    jsonSchema: { type: 'string', maxLength: max },
  })
}
