import type { AnyField, Entity } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { formatDateTime, formatNumber } from '@ordinator/model/format'
import { type WorkingHours, weekText } from '@ordinator/model/hours'
import { phoneText } from '@ordinator/model/phone'
import { wallOf } from '@ordinator/model/zone'
import { ValidationError } from '#platform/errors.ts'
import { richText } from './richText.ts'
import type { FieldSide, GivenCell } from './side.ts'

const decimal: FieldSide = {
  cell: (value) => String(value).replace('.', ','),
  read: (cell) => cell.number(),
  isNumber: true,
}
const whole: FieldSide = { read: (cell) => cell.number(), isNumber: true }
const json: FieldSide = {
  read: false,
  cell: (value) =>
    Array.isArray(value)
      ? value.map((v) => (typeof v === 'object' ? JSON.stringify(v) : v)).join(', ')
      : JSON.stringify(value),
}

const choice: FieldSide = {
  cell: (value, { labels }) => labels?.[String(value)] ?? String(value),
  read: (cell, labels) => cell.chosen(labels),
}

/** Field types with server-side behaviour; all others are stored and exported as they are. */
const sides: Record<string, FieldSide> = {
  birthday: {
    date: (value) => ({
      at: new Date(`${String(value).split('.').reverse().join('-')}T00:00:00Z`),
      format: 'dd.mm.yyyy',
    }),
  },
  boolean: { cell: (value) => (value ? 'Да' : 'Нет'), read: (cell) => cell.yesNo() },
  choice,
  date: {
    cell: (value) => String(value).split('-').reverse().join('.'),
    read: (cell) => cell.day(),
    date: (value) => ({ at: new Date(`${String(value)}T00:00:00Z`), format: 'dd.mm.yyyy' }),
  },
  dateTime: {
    cell: (value, { timeZone }) => formatDateTime(String(value), timeZone),
    read: (cell) => cell.moment(),
    date: (value, { timeZone }) => ({
      at: new Date(wallOf(Date.parse(String(value)), timeZone)),
      format: 'dd.mm.yyyy hh:mm',
    }),
  },
  decimal,
  id: { ...whole, read: false },
  integer: whole,
  json,
  list: {
    ...json,
    cell: (value, { labels }) => (value as readonly string[]).map((one) => labels?.[one] ?? one).join(', '),
  },
  money: { ...decimal, read: (cell) => cell.money(), paper: (value) => formatNumber(Number(value), 2) },
  numberChoice: {
    ...choice,
    read(cell, labels) {
      const key = cell.chosen(labels)
      return key === undefined ? undefined : Number(key)
    },
  },
  phone: { paper: (value) => phoneText(String(value)) ?? String(value) },
  position: { ...whole, read: false },
  ref: { read: false },
  refs: json,
  richText: { ...richText, read: false },
  week: { read: false, cell: (value) => weekText(value as WorkingHours) },
}
const plain: FieldSide = {}

/**
 * Converts a record's checked values to their stored form, in place.
 * @throws ValidationError for refused values, and for values that exceed their limits in stored form
 */
export function keepValues({ fields }: Entity, values: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(values)) {
    const f = fields[field]
    const { kept, refuses } = f ? sideOf(f) : plain
    if (!f || !kept || value === null) continue
    const refusal = refuses?.(value)
    if (refusal) throw new ValidationError([{ field, message: refusal }])
    values[field] = kept(value)
    const grown = String(values[field]).length > String(value).length ? f.check(values[field]) : undefined
    if (grown && !grown.ok) throw new ValidationError([{ field, message: grown.message }])
  }
}

/** A value in a printed document; '' for none. */
export function paperText(f: AnyField, value: unknown, timeZone: string): string {
  if (value === null || value === undefined || value === '') return ''
  const { paper, cell } = sideOf(f)
  const say = paper ?? cell
  return say ? say(value, { labels: labelsOf(f), timeZone }) : String(value)
}

/** Also for a column that was passed to another thread. */
export const sideOf = ({ kind }: Pick<AnyField, 'kind'>): FieldSide => sides[kind] ?? plain

/** Whether a cell of a file can hold a value of this field. */
export const isReadable = (f: AnyField): boolean => sideOf(f).read !== false

/** The value of a cell of an imported table, for a field that is readable; undefined for a blank or refused one. */
export function readCell(f: AnyField, cell: GivenCell): unknown {
  const { read } = sideOf(f)
  return read ? read(cell, labelsOf(f) ?? {}) : cell.text()
}
