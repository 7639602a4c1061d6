import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

export function boolean<const O extends FieldOptions & { default?: boolean }>(options: O) {
  return field<boolean, O>(options, {
    kind: 'boolean',
    column: 'boolean',
    operators: ['eq', 'neq', 'null'],
    offered: ['eq', 'null'],
    decides: true,
    sample: () => false,
    check: (value) => (typeof value === 'boolean' ? ok(value) : wrong(messages.boolean)),
    parse: (raw) =>
      raw === '1' || raw === 'true' ? ok(true) : raw === '0' || raw === 'false' ? ok(false) : wrong(messages.boolean),
    jsonSchema: { type: 'boolean' },
  })
}
