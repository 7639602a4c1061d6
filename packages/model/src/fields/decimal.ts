import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, ordered, wrong } from './field.ts'

export interface DecimalOptions extends FieldOptions {
  default?: number
  min?: number
  max?: number
  /** Decimal places. */
  scale: number
}

/** An exact decimal: `numeric` in SQL, a JSON number in wire format. Sums are computed in SQL, never here. */
export function decimal<const O extends DecimalOptions>(options: O) {
  const max = options.max ?? 999_999_999_999
  const min = options.min ?? -max
  const check = (value: unknown) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrong(messages.number)
    if (value > max) return wrong(messages.max(max))
    if (value < min) return wrong(messages.min(min))
    const [, fraction = ''] = String(value).split('.')
    return /e/i.test(String(value)) || fraction.length > options.scale
      ? wrong(`Не больше ${options.scale} знаков после запятой`)
      : ok(value)
  }
  return field<number, O>(options, {
    kind: 'decimal',
    column: `numeric(${12 + options.scale},${options.scale})`,
    operators: ordered,
    offered: ['eq', 'gte', 'lte', 'null'],
    sample: () => Math.min(Math.max(options.scale > 0 ? 12.5 : 12, min), max),
    check,
    parse: (raw) => (/^[+-]?\d{1,12}(\.\d+)?$/.test(raw) ? check(Number(raw)) : wrong(messages.number)),
    jsonSchema: { type: 'number', minimum: min, maximum: max },
  })
}

/** Rubles with two decimals. */
export function money<const O extends Omit<DecimalOptions, 'scale'>>(options: O) {
  return { ...decimal({ ...options, scale: 2 }), kind: 'money', offered: ['gte', 'lte', 'eq', 'null'] } as ReturnType<
    typeof decimal<O & { scale: 2 }>
  >
}
