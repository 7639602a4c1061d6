import { messages } from '../messages.ts'
import { type Checked, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

export const INT4_MIN = -2_147_483_648
export const INT4_MAX = 2_147_483_647

export interface IntegerOptions extends FieldOptions {
  default?: number
  min?: number
  max?: number
  /** No quantity, as a year: its digits are not grouped. */
  plain?: true
  /** Clamps a value to the limits instead of refusing it. */
  clamp?: boolean
}

/** A 32-bit integer. */
export function integer<const O extends IntegerOptions>(options: O) {
  const min = options.min ?? INT4_MIN
  const max = options.max ?? INT4_MAX
  return field<number, O>(options, {
    kind: 'integer',
    column: 'integer',
    operators: ordered,
    offered: ['eq', 'neq', 'gte', 'lte', 'null'],
    sample: () => Math.min(max, Math.max(min, 7)),
    check: (value) => checkInteger(value, min, max, options.clamp),
    parse: (raw) => parseInteger(raw, INT4_MIN, INT4_MAX),
    jsonSchema: { type: 'integer', ...(options.clamp ? {} : { minimum: min, maximum: max }) },
  })
}

export function checkInteger(value: unknown, min: number, max: number, clamp = false): Checked<number> {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrong(messages.number)
  if (!Number.isInteger(value)) return wrong(messages.integer)
  if (clamp) return ok(Math.min(max, Math.max(min, value)))
  if (value > max) return wrong(messages.max(max))
  if (value < min) return wrong(messages.min(min))
  return ok(value)
}

export function parseInteger(raw: string, min: number, max: number): Checked<number> {
  return /^[+-]?\d{1,17}$/.test(raw.trim()) ? checkInteger(Number(raw), min, max) : wrong(messages.integer)
}
