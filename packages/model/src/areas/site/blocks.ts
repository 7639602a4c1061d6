/**
 * Block types of the clinic's site. Each is declared once: name, fields and rows. The editor's inputs and the check on
 * both sides derive from it; its HTML has the same name in the server's `areas/site/blocks`.
 */
import type { FieldError } from '../../check.ts'
import type { Fields } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { integer } from '../../fields/integer.ts'
import { isRef, ref } from '../../fields/ref.ts'
import { isRefs, refs } from '../../fields/refs.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { documentKinds } from './documentKinds.ts'

export const MAX_BLOCKS = 40
export const MAX_ROWS = 40
/** Maximum cards of a block. */
const MAX_SHOWN = 24
/** Entity path of the site's stored files. */
export const SITE_FILES = 'client/files'

interface BlockType {
  label: string
  /** One line in the list of types. */
  help: string
  fields: Fields
  /** Rows: a question with its answer, a picture with its caption. */
  rows?: { label: readonly [string, string, string]; fields: Fields }
}
const block = <const B extends BlockType>(own: B): B => own

const title = (options: { required?: boolean; default?: string } = {}) =>
  text({ label: 'Заголовок', max: 160, ...options })
const words = (label: string, max = 600) => text({ label, max, multiline: true })
const picture = (label = 'Картинка') => ref(SITE_FILES, { label, as: 'file' })
const alt = () => text({ label: 'Что на картинке', help: 'Словами, для тех, кто её не видит', max: 200 })
const limit = (by: number) =>
  integer({ label: 'Сколько показать', min: 1, max: MAX_SHOWN, default: by, required: true })
const link = (label = 'Куда ведёт') =>
  text({ label, help: 'Адрес страницы сайта (/services), другого сайта или телефон (tel:…)', max: 500, rule: linkRule })

export const blockTypes = {
  banner: block({
    label: 'Баннер',
    help: 'Главные слова страницы, картинка и кнопка',
    fields: {
      title: title({ required: true }),
      text: words('Текст'),
      file: picture(),
      alt: alt(),
      button: text({ label: 'Надпись на кнопке', max: 60 }),
      link: link(),
    },
  }),
  text: block({
    label: 'Текст',
    help: 'Абзацы, списки, таблицы',
    fields: { title: title(), text: richText({ label: 'Текст', max: 50_000, required: true }) },
  }),
  picture: block({
    label: 'Картинка',
    help: 'Одна картинка во всю ширину с подписью',
    fields: { file: picture(), alt: alt(), caption: text({ label: 'Подпись', max: 300 }) },
  }),
  gallery: block({
    label: 'Галерея',
    help: 'Несколько картинок рядом',
    fields: { title: title() },
    rows: { label: ['картинка', 'картинки', 'картинок'], fields: { file: picture(), alt: alt() } },
  }),
  services: block({
    label: 'Услуги',
    help: 'Из каталога: те, что видны на сайте',
    fields: {
      title: title({ default: 'Услуги' }),
      groups: refs('services-groups', { label: 'Группы', help: 'Пусто — все' }),
      limit: limit(6),
    },
  }),
  doctors: block({
    label: 'Врачи',
    help: 'Сотрудники, которых показывают на сайте',
    fields: {
      title: title({ default: 'Врачи' }),
      specialities: refs('specialities', { label: 'Специальности', help: 'Пусто — все' }),
      limit: limit(6),
    },
  }),
  prices: block({
    label: 'Цены',
    help: 'Прайс по группам, для каждого филиала',
    fields: {
      title: title({ default: 'Цены' }),
      groups: refs('services-groups', { label: 'Группы', help: 'Пусто — все' }),
      idFilial: ref('filials', { label: 'Филиал', help: 'Пусто — все рядом', as: 'filial' }),
    },
  }),
  memberships: block({
    label: 'Абонементы',
    help: 'Виды абонементов с отметкой «На сайте»: цена, что входит, правила',
    fields: { title: title({ default: 'Абонементы' }), limit: limit(6) },
  }),
  promotions: block({
    label: 'Акции',
    help: 'Предложения с последним днём: прошедшие не показываются',
    fields: { title: title({ default: 'Акции' }), limit: limit(6) },
    rows: {
      label: ['акция', 'акции', 'акций'],
      fields: {
        title: title({ required: true }),
        text: words('Условия'),
        until: date({ label: 'Последний день' }),
        link: link(),
      },
    },
  }),
  news: block({
    label: 'Новости',
    help: 'Последние из тех, что отмечены «На сайте»',
    fields: { title: title({ default: 'Новости' }), limit: limit(3) },
  }),
  reviews: block({
    label: 'Отзывы',
    help: 'Слова пациентов, с их согласия',
    fields: { title: title({ default: 'Отзывы' }), limit: limit(6) },
    rows: {
      label: ['отзыв', 'отзыва', 'отзывов'],
      fields: {
        author: text({ label: 'Кто', help: 'Как человек разрешил себя назвать', max: 80, required: true }),
        text: text({ label: 'Отзыв', max: 2000, multiline: true, required: true }),
        day: date({ label: 'Когда' }),
        mark: integer({ label: 'Оценка', min: 1, max: 5 }),
      },
    },
  }),
  filials: block({
    label: 'Филиалы',
    help: 'Адреса, часы, телефоны, точка на карте',
    fields: { title: title({ default: 'Где мы' }), limit: limit(12) },
  }),
  faq: block({
    label: 'Вопросы и ответы',
    help: 'Раскрываются по нажатию, видны поисковикам',
    fields: { title: title({ default: 'Частые вопросы' }), limit: limit(24) },
    rows: {
      label: ['вопрос', 'вопроса', 'вопросов'],
      fields: {
        question: text({ label: 'Вопрос', max: 300, required: true }),
        answer: richText({ label: 'Ответ', max: 10_000, required: true }),
      },
    },
  }),
  form: block({
    label: 'Форма заявки',
    help: 'Имя, телефон, сообщение: заявка придёт в сделки',
    fields: {
      title: title({ default: 'Оставить заявку' }),
      text: words('Пояснение'),
      button: text({ label: 'Надпись на кнопке', max: 60, default: 'Отправить' }),
    },
  }),
  files: block({
    label: 'Документы',
    help: 'Опубликованные документы клиники',
    fields: {
      title: title({ default: 'Документы' }),
      kind: choice(documentKinds, { label: 'Какие', help: 'Пусто — все' }),
      isOpen: boolean({ label: 'С описаниями', default: true }),
    },
  }),
} as const satisfies Record<string, BlockType>

export type BlockKind = keyof typeof blockTypes
export const blockKinds = Object.keys(blockTypes) as BlockKind[]

/** A stored block of a page. `id` is unique on the page and stable when the block moves. */
export interface Block {
  id: number
  type: BlockKind
  /** Hidden on the page. */
  isOff?: boolean
  values: Record<string, unknown>
  rows?: Record<string, unknown>[]
}

export const blockType = (type: string): BlockType | undefined =>
  Object.hasOwn(blockTypes, type) ? blockTypes[type as BlockKind] : undefined

/** A new block with its type's defaults. */
export function newBlock(type: BlockKind, taken: readonly Block[]): Block {
  const { fields, rows } = blockTypes[type] as BlockType
  return {
    id: Math.max(0, ...taken.map(({ id }) => id)) + 1,
    type,
    values: defaultsOf(fields),
    ...(rows && { rows: [defaultsOf(rows.fields)] }),
  }
}

export const defaultsOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, { options }]) => [name, options.default ?? null]))

/** Error of a value: block, place in it, and message. */
export interface BlockError {
  /** Id of the block; undefined: of the page. */
  id?: number
  /** `title`, `rows.2.question`. */
  at: string
  message: string
}

export type CheckedBlocks = { blocks: Block[]; errors: readonly [] } | { blocks?: undefined; errors: BlockError[] }

/** Validates blocks from outside: known types with known values, each by its field. */
export function checkBlocks(value: unknown): CheckedBlocks {
  if (!Array.isArray(value)) return { errors: [{ at: '', message: 'Добавьте блоки из списка' }] }
  if (value.length > MAX_BLOCKS) return { errors: [{ at: '', message: `Не больше ${MAX_BLOCKS} блоков на странице` }] }
  const errors: BlockError[] = []
  const taken = new Set<number>()
  const blocks = value.flatMap((one: unknown, number): Block[] => {
    const { id, type, isOff, values, rows, ...more } = (isObject(one) ? one : {}) as Partial<Block>
    const known = typeof type === 'string' ? blockType(type) : undefined
    const wrong = (message: string, at = ''): [] => {
      errors.push({ ...(typeof id === 'number' && { id }), at, message })
      return []
    }
    if (!known) return wrong(`Блок ${number + 1}: неизвестный вид`)
    if (!Number.isSafeInteger(id) || (id as number) < 1 || taken.has(id as number))
      return wrong(`Блок ${number + 1}: нужен свой номер`)
    taken.add(id as number)
    const stranger = Object.keys(more)[0]
    if (stranger !== undefined) return wrong(`Неизвестное поле «${stranger.slice(0, 40)}»`)
    if (isOff !== undefined && typeof isOff !== 'boolean') return wrong('«Скрыт» — да или нет')
    const read = (given: unknown, fields: Fields, before: string): Record<string, unknown> => {
      const checked = checkValues(given, fields)
      for (const error of checked.errors) wrong(error.message, `${before}${error.field}`)
      return checked.values
    }
    const own: Block = {
      id: id as number,
      type: type as BlockKind,
      ...(isOff && { isOff }),
      values: read(values ?? {}, known.fields, ''),
    }
    if (known.rows) {
      const { fields } = known.rows
      if (rows !== undefined && (!Array.isArray(rows) || rows.length > MAX_ROWS))
        return wrong(`Не больше ${MAX_ROWS} строк`, 'rows')
      own.rows = (rows ?? []).map((row, at) => read(row, fields, `rows.${at}.`))
    } else if (rows !== undefined) return wrong('У этого блока нет строк', 'rows')
    return [own]
  })
  return errors.length ? { errors } : { blocks, errors: [] }
}

function checkValues(given: unknown, fields: Fields): { values: Record<string, unknown>; errors: FieldError[] } {
  const values: Record<string, unknown> = {}
  const errors: FieldError[] = []
  if (!isObject(given)) return { values, errors: [{ field: '', message: 'Блок не прочитался: добавьте его заново' }] }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name)) errors.push({ field: name.slice(0, 40), message: 'Неизвестное поле' })
  for (const [name, f] of Object.entries(fields)) {
    const value = given[name]
    const label = f.options.label
    if (value === undefined || value === null || value === '') {
      if (f.options.required) errors.push({ field: name, message: `«${label}»: обязательное поле` })
      else values[name] = isRefs(f) ? [] : null
      continue
    }
    const checked = f.check(value)
    if (checked.ok) values[name] = checked.value
    else errors.push({ field: name, message: `«${label}»: ${checked.message}` })
  }
  return { values, errors }
}

/** Maps every value of the blocks, including rows; `write` returns the replacement. */
export function mapValues(
  blocks: readonly Block[],
  write: (value: unknown, field: Fields[string], block: Block) => unknown,
): Block[] {
  const each = (values: Record<string, unknown>, fields: Fields, of: Block) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, fields[name] ? write(value, fields[name], of) : value]),
    )
  return blocks.map((one) => {
    const { fields, rows } = blockTypes[one.type] as BlockType
    return {
      ...one,
      values: each(one.values, fields, one),
      ...(one.rows && rows && { rows: one.rows.map((row) => each(row, rows.fields, one)) }),
    }
  })
}

/** A stored picture within a rich text. */
const pictured = /src="\/files\/(\d{1,15})(?:\/(?:small|medium|large))?"/g

/** Stored files used by the blocks, directly and within texts. */
export function filesOf(blocks: readonly Block[]): number[] {
  const found = new Set<number>()
  mapValues(blocks, (value, f) => {
    if (isRef(f) && f.to === SITE_FILES && typeof value === 'number') found.add(value)
    if (typeof value === 'string') for (const [, id] of value.matchAll(pictured)) found.add(Number(id))
    return value
  })
  return [...found]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for a path of the site, another site, mailto or tel: nothing that a browser would run. */
export const isLink = (value: string): boolean =>
  /^\/(?![/\\])[^\s"'<>\\]*$/.test(value) ||
  /^(mailto|tel):[^\s"'<>]+$/i.test(value) ||
  (/^https?:\/\//i.test(value) && URL.canParse(value) && !/[\s"'<>]/.test(value))

function linkRule(value: string): string | undefined {
  return value === '' || isLink(value) ? undefined : 'Адрес начинается с /, https://, tel: или mailto:'
}
