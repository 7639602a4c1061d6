/**
 * The form of an examination: sections of typed fields, as defined by a template version. Checks forms and values,
 * resolves dependencies, prepares them for screen and paper. Pure, shared by client and server.
 */
import { isDay } from '../../fields/date.ts'
import { type Formula, fieldsOf, type Reckoned, readFormula, reckon, rounded } from './formula.ts'

export const fieldTypes = {
  text: 'Текст',
  rich: 'Текст с оформлением',
  number: 'Число',
  date: 'Дата',
  choice: 'Выбор одного',
  multi: 'Выбор нескольких',
  scale: 'Шкала',
  calc: 'Формула',
  dictionary: 'Справочник',
  icd10: 'Диагноз по МКБ-10',
  teeth: 'Зубная формула',
  picture: 'Рисунок с метками',
  table: 'Таблица',
} as const
export type FormFieldType = keyof typeof fieldTypes

export const pictures = { body: 'Тело', face: 'Лицо', eye: 'Глазное дно', breast: 'Молочные железы' } as const
export type PictureName = keyof typeof pictures
/** The clinic's own picture; its name is the SHA-256 of its bytes. */
export const isOwnPicture = (name: unknown): name is string => typeof name === 'string' && /^[\da-f]{64}$/.test(name)

export const toothStates = {
  healthy: 'Здоров',
  caries: 'Кариес',
  pulpitis: 'Пульпит',
  periodontitis: 'Периодонтит',
  filling: 'Пломба',
  crown: 'Коронка',
  root: 'Корень',
  implant: 'Имплантат',
  missing: 'Отсутствует',
} as const
export type ToothState = keyof typeof toothStates
/** Dentists' symbols for the chart. */
export const toothSigns: Record<ToothState, string> = {
  healthy: '',
  caries: 'C',
  pulpitis: 'P',
  periodontitis: 'Pt',
  filling: 'П',
  crown: 'К',
  root: 'R',
  implant: 'И',
  missing: 'О',
}
const row = (count: number, ...quarters: readonly [number, boolean][]) =>
  quarters.flatMap(([quarter, back]) => {
    const teeth = Array.from({ length: count }, (_, at) => `${quarter}${at + 1}`)
    return back ? teeth.reverse() : teeth
  })
/** Two-digit numbers (FDI, ISO 3950), upper and lower jaw, as seen by the dentist. */
export const jaws: readonly (readonly string[])[] = [row(8, [1, true], [2, false]), row(8, [4, true], [3, false])]
/** Milk teeth, in the same order. */
export const milkJaws: readonly (readonly string[])[] = [row(5, [5, true], [6, false]), row(5, [8, true], [7, false])]
export const toothNumbers: readonly string[] = [...jaws, ...milkJaws].flat()

export const conditionKinds = {
  filled: 'заполнено',
  empty: 'не заполнено',
  equals: 'равно',
  not: 'не равно',
  more: 'больше',
  less: 'меньше',
} as const
export type ConditionKind = keyof typeof conditionKinds

/** Shows a field depending on the value of another one. */
export interface Condition {
  field: string
  is: ConditionKind
  value?: string | number
}

export interface FormField {
  /** Name in formulas and values: `рост`. */
  key: string
  label: string
  type: FormFieldType
  required?: boolean
  help?: string
  /** Text, number, choice: the default value. */
  default?: string | number
  showIf?: Condition
  /** Text: phrases inserted by a click. */
  phrases?: string[]
  /** Number, calc. */
  unit?: string
  /** Number, calc: decimals. */
  digits?: number
  /** Number, calc: limits of the norm; scale: its ends. */
  min?: number
  max?: number
  /** Choice, multi: the options; `points` of each, for formulas. */
  options?: string[]
  points?: number[]
  formula?: string
  /** Code of the dictionary. */
  dictionary?: string
  /** One of `pictures`, or the name of an own picture. */
  picture?: string
  columns?: string[]
}

export interface FormSection {
  title: string
  fields: FormField[]
}
export interface ExaminationForm {
  sections: FormSection[]
}

/** A term of a dictionary, as it was when chosen. */
export interface Term {
  code: string
  name: string
}
/** A mark on a picture, in percents of its sides. */
export interface PictureMark {
  x: number
  y: number
  text: string
}
/** Values by field key; an empty field is absent. */
export type FormValues = Readonly<Record<string, unknown>>
/** Own property at a key, without inherited ones. */
export const valueIn = (values: FormValues, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined

export const MAX_SECTIONS = 40
export const MAX_FIELDS = 300
export const MAX_OPTIONS = 60
export const MAX_PHRASES = 100
export const MAX_COLUMNS = 12
export const MAX_ROWS = 60
export const MAX_MARKS = 60
/** Own pictures per form. */
export const MAX_OWN_PICTURES = 20
export const MAX_LABEL = 120
export const MAX_TEXT = 20_000
const MAX_CELL = 500
export const KEY = /^[\p{Ll}\p{Lo}_][\p{Ll}\p{Lo}\p{N}_]{0,39}$/u
/** Property names of every object: `constructor`. */
export const isOfObjects = (key: string): boolean => key in Object.prototype

/** Makes a formula name from a label: «Рост, см» → «рост». @param taken existing names */
export function keyOf(label: string, taken: ReadonlySet<string>): string {
  const words =
    label
      .toLocaleLowerCase('ru')
      .replace(/[,(].*$/u, '')
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 4) ?? []
  const plain =
    words
      .join('_')
      .replace(/^\p{N}/u, '_$&')
      .slice(0, 32) || 'поле'
  const base = KEY.test(plain) ? plain : 'поле'
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`
    if (!taken.has(key) && !isOfObjects(key)) return key
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max
export const isWords = (value: unknown, max: number): value is string => isText(value, max) && value.trim() !== ''
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isListOf = (value: unknown, most: number, each: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length <= most && value.every(each)

/** Optional properties by type of field. */
export const hasOnly = (value: object, known: readonly string[]) =>
  Object.keys(value).every((key) => known.includes(key))

export const says: Record<FormFieldType, readonly (keyof FormField)[]> = {
  text: ['default', 'phrases'],
  rich: ['phrases'],
  number: ['default', 'unit', 'digits', 'min', 'max'],
  date: [],
  choice: ['default', 'options', 'points'],
  multi: ['options', 'points'],
  scale: ['min', 'max'],
  calc: ['formula', 'unit', 'digits', 'min', 'max'],
  dictionary: ['dictionary'],
  icd10: [],
  teeth: [],
  picture: ['picture'],
  table: ['columns'],
}
/** True when a type of field has the property, for the template editor. */
export const fieldSays = (type: FormFieldType, part: keyof FormField): boolean => says[type].includes(part)

/** Types whose value is a number for formulas and comparisons. */
export const isCounted = ({ type, points }: Pick<FormField, 'type' | 'points'>): boolean =>
  type === 'number' ||
  type === 'scale' ||
  type === 'calc' ||
  ((type === 'choice' || type === 'multi') && points !== undefined)

/** The own pictures of a form, each once. */
export const ownPicturesOf = ({ sections }: ExaminationForm): string[] => [
  ...new Set(sections.flatMap(({ fields }) => fields.map(({ picture }) => picture).filter(isOwnPicture))),
]

const nothing: Formula = { is: 'number', value: 0 }
export const formulaOf = ({ type, formula }: FormField): Formula =>
  type === 'calc' && formula ? readFormula(formula) : nothing

export function linksOf(form: ExaminationForm) {
  const fields = new Map(form.sections.flatMap((section) => section.fields.map((field) => [field.key, field] as const)))
  const needs = new Map<string, Set<string>>()
  for (const field of fields.values()) {
    const asked = fieldsOf(formulaOf(field))
    if (field.showIf) asked.add(field.showIf.field)
    if (asked.size) needs.set(field.key, asked)
  }
  return { fields, needs }
}

/** A form prepared once for fast evaluation on every keystroke. */
export interface ReadyForm {
  form: ExaminationForm
  fields: ReadonlyMap<string, FormField>
  /** Fields that depend on others, in order of dependency. */
  following: readonly { field: FormField; formula?: Formula }[]
  /** Fields that others depend on. */
  leading: ReadonlySet<string>
}

/** @param form valid by `wrongForm` */
export function readyForm(form: ExaminationForm): ReadyForm {
  const { fields, needs } = linksOf(form)
  const following: { field: FormField; formula?: Formula }[] = []
  const done = new Set<string>()
  const add = (key: string): void => {
    const field = fields.get(key)
    if (!field || done.has(key)) return
    done.add(key)
    for (const asked of needs.get(key) ?? []) add(asked)
    if (field.type === 'calc' && field.formula) following.push({ field, formula: readFormula(field.formula) })
    else if (field.showIf) following.push({ field })
  }
  for (const key of fields.keys()) add(key)
  return { form, fields, following, leading: new Set([...needs.values()].flatMap((asked) => [...asked])) }
}

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
