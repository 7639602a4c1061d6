import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, ok, wrong } from './field.ts'

export interface NumberChoiceOptions<V extends number> extends FieldOptions {
  default?: V
}

/** One of a few named integers: `numberChoice({ 0: 'Услуга', 1: 'Товар' }, { label })`. */
export function numberChoice<
  const L extends Record<number, string>,
  const O extends NumberChoiceOptions<keyof L & number>,
>(labels: L, options: O) {
  type V = keyof L & number
  const values = Object.keys(labels).map(Number) as V[]
  const check = (value: unknown) =>
    typeof value === 'number' && values.includes(value as V) ? ok(value as V) : wrong(messages.choice)
  return field<V, O & { labels: L }>(
    { ...options, labels },
    {
      kind: 'numberChoice',
      column: 'integer',
      operators: equality,
      offered: ['in', 'nin', 'null'],
      decides: true,
      sample: () => values.at(-1) as V,
      check,
      parse: (raw) => (/^\d+$/.test(raw) ? check(Number(raw)) : wrong(messages.choice)),
      jsonSchema: { type: 'integer', enum: values },
    },
  )
}
