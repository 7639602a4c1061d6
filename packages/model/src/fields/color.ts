import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, ok, wrong } from './field.ts'

/** `#RRGGBB`. */
export function color<const O extends FieldOptions & { default?: string }>(options: O) {
  const check = (value: unknown) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? ok(value.toLowerCase()) : wrong(messages.color)
  return field<string, O>(options, {
    kind: 'color',
    column: 'text',
    operators: equality,
    offered: ['null'],
    sample: () => '#12ab34',
    check,
    parse: check,
    jsonSchema: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
  })
}
