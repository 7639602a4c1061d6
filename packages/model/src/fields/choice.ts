import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, ok, wrong } from './field.ts'

export interface ChoiceOptions<V extends string> extends FieldOptions {
  default?: V
}

/** One of a few named values: `choice({ none: 'Нет', all: 'Все' }, { label })`. */
export function choice<const L extends Record<string, string>, const O extends ChoiceOptions<keyof L & string>>(
  labels: L,
  options: O,
) {
  type V = keyof L & string
  const values = Object.keys(labels) as V[]
  const check = (value: unknown) =>
    typeof value === 'string' && Object.hasOwn(labels, value) ? ok(value as V) : wrong(messages.choice)
  return field<V, O & { labels: L }>(
    { ...options, labels },
    {
      kind: 'choice',
      column: 'text',
      operators: equality,
      offered: ['in', 'nin', 'null'],
      decides: true,
      sample: () => values.at(-1) as V,
      check,
      parse: check,
      jsonSchema: { type: 'string', enum: values },
    },
  )
}

/** Values with labels of a field with a fixed set of values; none for other fields. */
export const labelsOf = (f: { options: Record<string, unknown> }) => (f.options.labels ?? {}) as Record<string, string>

export const hasLabels = (f: { options: Record<string, unknown> }): boolean => f.options.labels !== undefined
