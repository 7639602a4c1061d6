/**
 * The form of an examination: sections of typed fields, as defined by a template version. Checks forms and values,
 * resolves dependencies, prepares them for screen and paper. Pure, shared by client and server.
 */
import { type Formula, fieldsOf, readFormula } from './formula.ts'

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
