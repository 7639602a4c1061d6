/** Parts of a draft, each written and merged separately. Pure, shared by client and server. */
import { isDay } from '../../fields/date.ts'
import {
  type Diagnosis,
  diagnosisKinds,
  diagnosisTypes,
  MAX_DIAGNOSES,
  MAX_PRESCRIPTIONS,
  MAX_RECOMMENDATIONS,
  type Prescription,
} from './examination.ts'
import { type FormField, isObject, valueIn } from './form.ts'
import { isFilled, wrongValue } from './formValues.ts'

/** Contents of an examination. */
export interface ExaminationContents {
  date: string
  values: Readonly<Record<string, unknown>>
  diagnoses: readonly Diagnosis[]
  prescriptions: readonly Prescription[]
  recommendations: readonly string[]
}

/** By name: `date`, `diagnoses`, `values.рост`. */
export type Parts = Readonly<Record<string, unknown>>

const VALUES = 'values.'
export const partOf = (key: string): string => `${VALUES}${key}`
/** Value key of a part; undefined: not a value part. */
export const keyOfPart = (part: string): string | undefined =>
  part.startsWith(VALUES) ? part.slice(VALUES.length) : undefined

const wholes = {
  date: 'Дата осмотра',
  diagnoses: 'Диагнозы',
  prescriptions: 'Назначения',
  recommendations: 'Рекомендации',
} as const
type Whole = keyof typeof wholes
const isWhole = (part: string): part is Whole => Object.hasOwn(wholes, part)

/** Label of a part. */
export const partLabel = (part: string, fields: ReadonlyMap<string, FormField>): string =>
  isWhole(part) ? wholes[part] : (fields.get(keyOfPart(part) ?? '')?.label ?? part)

/** Content of a part; null: empty. */
export function partIn(contents: ExaminationContents, part: string): unknown {
  if (isWhole(part)) return contents[part]
  return valueIn(contents.values, keyOfPart(part) ?? '') ?? null
}

/** Contents with these parts replaced; empty ones are removed. */
export function withParts(contents: ExaminationContents, parts: Parts): ExaminationContents {
  const values: Record<string, unknown> = { ...contents.values }
  const next: Record<string, unknown> = { ...contents }
  for (const [part, value] of Object.entries(parts)) {
    const key = keyOfPart(part)
    if (key === undefined) next[part] = value
    else if (isFilled(value)) values[key] = value
    else delete values[key]
  }
  return { ...(next as unknown as ExaminationContents), values }
}

/** Error of a part's content; undefined: valid. */
export function wrongPart(part: string, value: unknown, fields: ReadonlyMap<string, FormField>): string | undefined {
  const key = keyOfPart(part)
  if (key !== undefined) {
    const field = fields.get(key)
    if (!field) return 'В форме осмотра нет такого поля'
    return isFilled(value) ? wrongValue(field, value) : undefined
  }
  if (!isWhole(part)) return 'В осмотре нет такой части'
  switch (part) {
    case 'date':
      return typeof value === 'string' && isDay(value) ? undefined : 'Нужна дата'
    case 'diagnoses':
      return wrongDiagnoses(value)
    case 'prescriptions':
      return isListOf(value, MAX_PRESCRIPTIONS, isPrescription)
        ? undefined
        : `Назначений не больше ${MAX_PRESCRIPTIONS}; у каждого название до 300 знаков`
    case 'recommendations':
      return isListOf(value, MAX_RECOMMENDATIONS, (one) => isText(one, 1000))
        ? undefined
        : `Рекомендаций не больше ${MAX_RECOMMENDATIONS}, каждая до 1000 знаков`
  }
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !value.includes('\0')
const isListOf = (value: unknown, most: number, each: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length <= most && value.every(each)
const hasOnly = (value: object, known: readonly string[]) => Object.keys(value).every((key) => known.includes(key))

const isPrescription = (one: unknown): one is Prescription =>
  isObject(one) &&
  hasOnly(one, ['name', 'how', 'term']) &&
  isText(one.name, 300) &&
  isText(one.how, 300) &&
  isText(one.term, 100)

const isDiagnosis = (one: unknown): one is Diagnosis =>
  isObject(one) &&
  hasOnly(one, ['code', 'name', 'kind', 'type', 'note']) &&
  typeof one.code === 'string' &&
  /^[A-Z]\d{2}(\.\d{1,2})?$/.test(one.code) &&
  isText(one.name, 500) &&
  Object.hasOwn(diagnosisKinds, String(one.kind)) &&
  Object.hasOwn(diagnosisTypes, String(one.type)) &&
  (one.note === undefined || isText(one.note, 500))

function wrongDiagnoses(value: unknown): string | undefined {
  if (!isListOf(value, MAX_DIAGNOSES, isDiagnosis)) return `Диагнозов не больше ${MAX_DIAGNOSES}, каждый с кодом МКБ-10`
  const all = value as Diagnosis[]
  if (all.filter(({ kind }) => kind === 'main').length > 1) return 'Основной диагноз один'
  if (new Set(all.map(({ code }) => code)).size < all.length) return 'Диагноз повторяется'
  return undefined
}

/** True when two parts are equal. */
export function isSamePart(a: unknown, b: unknown): boolean {
  if (!isFilled(a) && !isFilled(b)) return true
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}

/** The value with sorted object keys, at every level. */
export const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : isObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, ordered(value[key])]),
        )
      : value
