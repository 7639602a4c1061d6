/**
 * The form of an examination: sections of typed fields, as defined by a template version. Checks forms and values,
 * resolves dependencies, prepares them for screen and paper. Pure, shared by client and server.
 */
import { isDay } from '../../fields/date.ts'
import { type Formula, FormulaError, fieldsOf, type Reckoned, readFormula, reckon, rounded } from './formula.ts'

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
const MAX_PHRASE = 500
const KEY = /^[\p{Ll}\p{Lo}_][\p{Ll}\p{Lo}\p{N}_]{0,39}$/u
/** Property names of every object: `constructor`. */
const isOfObjects = (key: string): boolean => key in Object.prototype

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
const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max
const isWords = (value: unknown, max: number): value is string => isText(value, max) && value.trim() !== ''
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isListOf = (value: unknown, most: number, each: (one: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.length <= most && value.every(each)

const always = ['key', 'label', 'type', 'required', 'help', 'showIf'] as const
/** Optional properties by type of field. */
const says: Record<FormFieldType, readonly (keyof FormField)[]> = {
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

/** Error of a form, naming the place; undefined: valid. */
export function wrongForm(form: unknown): string | undefined {
  if (!isObject(form) || !hasOnly(form, ['sections']) || !Array.isArray(form.sections))
    return 'В шаблоне нет разделов: добавьте хотя бы один'
  const { sections } = form
  if (sections.length > MAX_SECTIONS) return `Разделов больше ${MAX_SECTIONS}`
  const total = sections.reduce<number>(
    (sum, one) => sum + (isObject(one) && Array.isArray(one.fields) ? one.fields.length : 0),
    0,
  )
  if (total > MAX_FIELDS) return `Полей ${total}: больше ${MAX_FIELDS} в одном шаблоне не бывает`
  const keys = new Set<string>()
  const titles = new Set<string>()
  for (const [at, section] of sections.entries()) {
    const where = `Раздел ${at + 1}`
    if (!isObject(section) || !hasOnly(section, ['title', 'fields'])) return `${where}: нужны title и fields`
    if (!isWords(section.title, MAX_LABEL)) return `${where}: нужно название до ${MAX_LABEL} знаков`
    if (titles.has(section.title.trim())) return `${where}: раздел «${section.title}» уже есть`
    titles.add(section.title.trim())
    if (!Array.isArray(section.fields)) return `${where}: нужен список полей`
    for (const [number, field] of section.fields.entries()) {
      const name = isObject(field) && isWords(field.label, MAX_LABEL) ? `«${field.label}»` : `поле ${number + 1}`
      const wrong = wrongField(field, keys)
      if (wrong) return `${section.title}, ${name}: ${wrong}`
      keys.add((field as FormField).key)
    }
  }
  if (ownPicturesOf(form as unknown as ExaminationForm).length > MAX_OWN_PICTURES)
    return `Своих рисунков больше ${MAX_OWN_PICTURES}: столько в одном шаблоне не бывает`
  return wrongLinks(form as unknown as ExaminationForm)
}

/** The own pictures of a form, each once. */
export const ownPicturesOf = ({ sections }: ExaminationForm): string[] => [
  ...new Set(sections.flatMap(({ fields }) => fields.map(({ picture }) => picture).filter(isOwnPicture))),
]

const hasOnly = (value: object, known: readonly string[]) => Object.keys(value).every((key) => known.includes(key))

function wrongField(field: unknown, keys: ReadonlySet<string>): string | undefined {
  if (!isObject(field)) return 'нужно описание поля'
  if (typeof field.type !== 'string' || !Object.hasOwn(fieldTypes, field.type))
    return `нет такого вида поля: ${String(field.type).slice(0, 40)}`
  const type = field.type as FormFieldType
  const strange = Object.keys(field).find(
    (key) => !(always as readonly string[]).includes(key) && !says[type].includes(key as never),
  )
  if (strange) return `у вида «${fieldTypes[type]}» не бывает «${strange.slice(0, 40)}»`
  if (!isWords(field.label, MAX_LABEL)) return `нужно название до ${MAX_LABEL} знаков`
  if (typeof field.key !== 'string' || !KEY.test(field.key))
    return 'имя для формул — строчные буквы, цифры и _, до 40 знаков'
  if (isOfObjects(field.key)) return `имя «${field.key}» занято программой: дайте другое`
  if (keys.has(field.key)) return `имя «${field.key}» уже есть у другого поля`
  if (field.required !== undefined && typeof field.required !== 'boolean') return 'обязательность — да или нет'
  if (field.help !== undefined && !isText(field.help, 500)) return 'подсказка длиннее 500 знаков'
  if (field.phrases !== undefined && !isListOf(field.phrases, MAX_PHRASES, (one) => isWords(one, MAX_PHRASE)))
    return `фраз не больше ${MAX_PHRASES}, каждая до ${MAX_PHRASE} знаков`
  if (field.unit !== undefined && !isText(field.unit, 20)) return 'единица длиннее 20 знаков'
  if (
    field.digits !== undefined &&
    !(Number.isInteger(field.digits) && (field.digits as number) >= 0 && (field.digits as number) <= 6)
  )
    return 'знаков после запятой — от 0 до 6'
  for (const end of [field.min, field.max]) if (end !== undefined && !isNumber(end)) return 'границы — числа'
  if (isNumber(field.min) && isNumber(field.max) && field.min > field.max) return 'нижняя граница больше верхней'
  return wrongOfType(type, field) ?? wrongCondition(field.showIf)
}

function wrongOfType(type: FormFieldType, field: Record<string, unknown>): string | undefined {
  if (type === 'choice' || type === 'multi') {
    if (!isListOf(field.options, MAX_OPTIONS, (one) => isWords(one, MAX_LABEL)) || field.options.length === 0)
      return `нужны варианты, не больше ${MAX_OPTIONS}`
    if (new Set(field.options).size < field.options.length) return 'варианты повторяются'
    if (
      field.points !== undefined &&
      !(isListOf(field.points, MAX_OPTIONS, isNumber) && field.points.length === field.options.length)
    )
      return 'баллов столько же, сколько вариантов'
  }
  if (type === 'scale') {
    const { min, max } = field
    if (
      !Number.isInteger(min) ||
      !Number.isInteger(max) ||
      (max as number) <= (min as number) ||
      (max as number) - (min as number) > 100
    )
      return 'у шкалы два целых края, не дальше 100 друг от друга'
  }
  if (type === 'dictionary' && !isWords(field.dictionary, 40)) return 'выберите справочник'
  if (
    type === 'picture' &&
    !isOwnPicture(field.picture) &&
    !(typeof field.picture === 'string' && Object.hasOwn(pictures, field.picture))
  )
    return 'выберите рисунок'
  if (
    type === 'table' &&
    !(isListOf(field.columns, MAX_COLUMNS, (one) => isWords(one, MAX_LABEL)) && field.columns.length > 0)
  )
    return `нужны колонки, не больше ${MAX_COLUMNS}`
  if (type === 'calc') {
    if (!isWords(field.formula, 500)) return 'нужна формула'
    try {
      readFormula(field.formula)
    } catch (error) {
      if (error instanceof FormulaError) return error.message
      throw error
    }
  }
  return field.default === undefined ? undefined : wrongValue(field as unknown as FormField, field.default)
}

function wrongCondition(condition: unknown): string | undefined {
  if (condition === undefined) return undefined
  if (!isObject(condition) || !hasOnly(condition, ['field', 'is', 'value'])) return 'условие: нужны field, is, value'
  if (typeof condition.field !== 'string') return 'условие: выберите поле'
  if (typeof condition.is !== 'string' || !Object.hasOwn(conditionKinds, condition.is))
    return 'условие: выберите сравнение'
  if (condition.is === 'filled' || condition.is === 'empty') return undefined
  if (condition.is === 'more' || condition.is === 'less')
    return isNumber(condition.value) ? undefined : 'условие: нужно число'
  return isWords(condition.value, MAX_TEXT) || isNumber(condition.value) ? undefined : 'условие: с чем сравнить?'
}

/** Checks that formulas and conditions refer to existing, suitable fields and form no cycle. */
function wrongLinks(form: ExaminationForm): string | undefined {
  const { fields, needs } = linksOf(form)
  for (const field of fields.values()) {
    const at = `«${field.label}»`
    for (const key of fieldsOf(formulaOf(field))) {
      const asked = fields.get(key)
      if (!asked) return `${at}: в формуле нет такого поля: ${key}`
      if (!isCounted(asked)) return `${at}: «${asked.label}» в формуле не число`
    }
    const { showIf } = field
    if (!showIf) continue
    const asked = fields.get(showIf.field)
    if (!asked) return `${at}: в условии нет такого поля: ${showIf.field.slice(0, 40)}`
    if ((showIf.is === 'more' || showIf.is === 'less') && !isCounted(asked))
      return `${at}: «${asked.label}» не число, сравнить нельзя`
  }
  const circle = circleOf(fields, needs)
  return circle && `Замкнутый круг: ${circle.map((key) => `«${fields.get(key)?.label}»`).join(' → ')}`
}

const nothing: Formula = { is: 'number', value: 0 }
const formulaOf = ({ type, formula }: FormField): Formula =>
  type === 'calc' && formula ? readFormula(formula) : nothing

function linksOf(form: ExaminationForm) {
  const fields = new Map(form.sections.flatMap((section) => section.fields.map((field) => [field.key, field] as const)))
  const needs = new Map<string, Set<string>>()
  for (const field of fields.values()) {
    const asked = fieldsOf(formulaOf(field))
    if (field.showIf) asked.add(field.showIf.field)
    if (asked.size) needs.set(field.key, asked)
  }
  return { fields, needs }
}

/** Finds a cycle of dependencies. */
function circleOf(
  fields: ReadonlyMap<string, FormField>,
  needs: ReadonlyMap<string, ReadonlySet<string>>,
): string[] | undefined {
  const done = new Set<string>()
  const way: string[] = []
  const walk = (key: string): string[] | undefined => {
    if (done.has(key)) return undefined
    const again = way.indexOf(key)
    if (again >= 0) return [...way.slice(again), key]
    way.push(key)
    for (const next of needs.get(key) ?? []) {
      const found = walk(next)
      if (found) return found
    }
    way.pop()
    done.add(key)
    return undefined
  }
  for (const key of fields.keys()) {
    const found = walk(key)
    if (found) return found
  }
  return undefined
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
