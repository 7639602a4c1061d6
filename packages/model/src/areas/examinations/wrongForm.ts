/** Checks the form of a template: its sections, fields, formulas and conditions. */
import {
  conditionKinds,
  type ExaminationForm,
  type FormField,
  type FormFieldType,
  fieldTypes,
  formulaOf,
  hasOnly,
  isCounted,
  isListOf,
  isNumber,
  isObject,
  isOfObjects,
  isOwnPicture,
  isText,
  isWords,
  KEY,
  linksOf,
  MAX_COLUMNS,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_OPTIONS,
  MAX_OWN_PICTURES,
  MAX_PHRASES,
  MAX_SECTIONS,
  MAX_TEXT,
  ownPicturesOf,
  pictures,
  says,
} from './form.ts'
import { FormulaError, fieldsOf, readFormula } from './formula.ts'
import { wrongValue } from './formValues.ts'

const MAX_PHRASE = 500

const always = ['key', 'label', 'type', 'required', 'help', 'showIf'] as const

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
