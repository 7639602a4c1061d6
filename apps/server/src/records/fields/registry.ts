import type { AnyField, Entity } from '@ordinator/model/entity'
import { formatDateTime } from '@ordinator/model/format'
import { richText } from './richText.ts'
import type { FieldSide } from './side.ts'

const decimal: FieldSide = { cell: (value) => String(value).replace('.', ','), isNumber: true }
const whole: FieldSide = { isNumber: true }
const json: FieldSide = {
  cell: (value) =>
    Array.isArray(value)
      ? value.map((v) => (typeof v === 'object' ? JSON.stringify(v) : v)).join(', ')
      : JSON.stringify(value),
}

/** The types of fields of which the server has something to say; the others are kept and exported as they are. */
const sides: Record<string, FieldSide> = {
  boolean: { cell: (value) => (value ? 'Да' : 'Нет') },
  choice: { cell: (value, { labels }) => labels?.[String(value)] ?? String(value) },
  date: { cell: (value) => String(value).split('-').reverse().join('.') },
  dateTime: { cell: (value, { timeZone }) => formatDateTime(String(value), timeZone) },
  decimal,
  id: whole,
  integer: whole,
  json,
  list: json,
  money: decimal,
  position: whole,
  richText,
}
const plain: FieldSide = {}

/** What is kept of a record's checked values, in place. */
export function keepValues({ fields }: Entity, values: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(values)) {
    const f = fields[field]
    const kept = f && sideOf(f).kept
    if (kept && value !== null) values[field] = kept(value)
  }
}

/** Of a column that has travelled to another thread, too. */
export const sideOf = ({ kind }: Pick<AnyField, 'kind'>): FieldSide => sides[kind] ?? plain
