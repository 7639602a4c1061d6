/** Values of a filled form: dependencies, formulas, checks. */

import { isDay } from '../../fields/date.ts'
import {
  type Condition,
  type FormField,
  type FormValues,
  hasOnly,
  isListOf,
  isNumber,
  isObject,
  isText,
  isWords,
  MAX_COLUMNS,
  MAX_MARKS,
  MAX_OPTIONS,
  MAX_ROWS,
  MAX_TEXT,
  type ReadyForm,
  type Term,
  valueIn,
} from './form.ts'
import { type Reckoned, reckon, rounded } from './formula.ts'
import { toothNumbers, toothStates } from './teeth.ts'

const MAX_CELL = 500

/** Results of an evaluation: hidden fields and formula values. */
export interface Derived {
  hidden: ReadonlySet<string>
  calculated: ReadonlyMap<string, Reckoned>
}

/** A hidden field has no value for formulas and other conditions. */
export function derive({ fields, following }: ReadyForm, values: FormValues): Derived {
  const hidden = new Set<string>()
  const calculated = new Map<string, Reckoned>()
  const numberOf = (key: string): Reckoned | undefined => {
    if (hidden.has(key)) return undefined
    const known = calculated.get(key)
    if (known) return known
    const field = fields.get(key)
    const value = field && pointsOf(field, valueIn(values, key))
    return value === undefined ? undefined : { value }
  }
  for (const { field, formula } of following) {
    if (field.showIf && !holds(field.showIf)) {
      hidden.add(field.key)
      continue
    }
    if (!formula) continue
    const found = reckon(formula, numberOf)
    calculated.set(field.key, found.value === undefined ? found : { value: rounded(found.value, field.digits ?? 2) })
  }
  return { hidden, calculated }

  function holds({ field: key, is, value }: Condition): boolean {
    const field = fields.get(key)
    const number = numberOf(key)?.value
    const filled = !hidden.has(key) && (field?.type === 'calc' ? number !== undefined : isFilled(valueIn(values, key)))
    switch (is) {
      case 'filled':
        return filled
      case 'empty':
        return !filled
      case 'more':
        return number !== undefined && number > Number(value)
      case 'less':
        return number !== undefined && number < Number(value)
      default: {
        const same = filled && (field?.type === 'calc' ? number === Number(value) : isSame(valueIn(values, key), value))
        return is === 'equals' ? same : !same
      }
    }
  }
}

const isSame = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value)
    ? value.includes(wanted)
    : isObject(value)
      ? value.code === wanted
      : String(value) === String(wanted)

/** Numeric value of a field in a formula. */
function pointsOf(field: FormField, value: unknown): number | undefined {
  if (isNumber(value)) return value
  const { options = [], points } = field
  if (!points) return undefined
  if (typeof value === 'string') return points[options.indexOf(value)]
  if (Array.isArray(value))
    return value.reduce<number>((sum, one) => sum + (points[options.indexOf(one as string)] ?? 0), 0)
  return undefined
}

export const isFilled = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !(isObject(value) && Object.keys(value).length === 0)

/** Error of a filled value; undefined: valid. */
export function wrongValue(field: FormField, value: unknown): string | undefined {
  const { type, options = [], min = 0, max = 10 } = field
  switch (type) {
    case 'text':
    case 'rich':
      return isText(value, MAX_TEXT) && !value.includes('\0') ? undefined : `Текст длиннее ${MAX_TEXT} знаков`
    case 'number':
      return isNumber(value) && Math.abs(value) < 1e12 ? undefined : 'Нужно число'
    case 'date':
      return typeof value === 'string' && isDay(value) ? undefined : 'Нужна дата'
    case 'choice':
      return typeof value === 'string' && options.includes(value) ? undefined : 'Нет такого варианта'
    case 'multi':
      return isListOf(value, MAX_OPTIONS, (one) => options.includes(one as string)) ? undefined : 'Нет такого варианта'
    case 'scale':
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
        ? undefined
        : `Нужно целое от ${min} до ${max}`
    case 'calc':
      return 'Формулу считает программа'
    case 'dictionary':
    case 'icd10':
      return isTerm(value) ? undefined : 'Выберите из справочника'
    case 'teeth':
      return isObject(value) &&
        Object.entries(value).every(
          ([tooth, state]) => toothNumbers.includes(tooth) && Object.hasOwn(toothStates, String(state)),
        )
        ? undefined
        : 'Нет такого зуба или состояния'
    case 'picture':
      return isListOf(value, MAX_MARKS, isMark) ? undefined : `Меток не больше ${MAX_MARKS}`
    case 'table':
      return isListOf(value, MAX_ROWS, (line) => isListOf(line, MAX_COLUMNS, (cell) => isText(cell, MAX_CELL)))
        ? undefined
        : `Строк не больше ${MAX_ROWS}, в ячейке до ${MAX_CELL} знаков`
  }
}

export const isTerm = (value: unknown): value is Term =>
  isObject(value) && hasOnly(value, ['code', 'name']) && isWords(value.code, 40) && isText(value.name, 500)
const isPercent = (value: unknown) => isNumber(value) && value >= 0 && value <= 100
const isMark = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ['x', 'y', 'text']) &&
  isPercent(value.x) &&
  isPercent(value.y) &&
  isText(value.text, 200)

/** Initial values of a new examination. */
export const defaultsOf = ({ fields }: ReadyForm): Record<string, unknown> =>
  Object.fromEntries(
    [...fields.values()].flatMap((field) => (field.default === undefined ? [] : [[field.key, field.default]])),
  )

/** Required fields without a value. */
export function missingOf(ready: ReadyForm, values: FormValues): FormField[] {
  const { hidden } = derive(ready, values)
  return [...ready.fields.values()].filter(
    ({ key, type, required }) => required && type !== 'calc' && !hidden.has(key) && !isFilled(valueIn(values, key)),
  )
}

/** Values without those of hidden fields: only visible data are signed. */
export function shownValues(ready: ReadyForm, values: FormValues): Record<string, unknown> {
  const { hidden } = derive(ready, values)
  return Object.fromEntries(Object.entries(values).filter(([key]) => !hidden.has(key)))
}

/** Filled share of the visible fields, in whole percent; 100 for a form without fields. */
export function filledPercent(ready: ReadyForm, values: FormValues): number {
  const { hidden } = derive(ready, values)
  const asked = [...ready.fields.values()].filter(({ key, type }) => type !== 'calc' && !hidden.has(key))
  const filled = asked.filter(({ key }) => isFilled(valueIn(values, key)))
  return asked.length ? Math.floor((100 * filled.length) / asked.length) : 100
}

/** Side of the norm that a number is outside of; undefined: within. */
export function outOfNorm({ type, min, max }: FormField, value: number | undefined): 'low' | 'high' | undefined {
  if (value === undefined || (type !== 'number' && type !== 'calc')) return undefined
  return min !== undefined && value < min ? 'low' : max !== undefined && value > max ? 'high' : undefined
}
