import type { FieldError } from '../../check.ts'
import { entity, many, type Row } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { printedSettings } from '../settings/printedSettings.ts'
import type { Surroundings } from './variables.ts'

/** Records that can be printed, by entity path. */
export const printed = {
  customers: 'Клиент',
  appointments: 'Запись',
  examinations: 'Осмотр',
  'customer-plans': 'План лечения',
  coupons: 'Талон',
  eln: 'Больничный лист',
  'attachment/applications': 'Заявление о прикреплении',
  payments: 'Платёж',
  'cash-shifts': 'Смена кассы',
  certificates: 'Проданный сертификат',
  'guarantee-letters': 'Гарантийное письмо',
  'payer-registries': 'Реестр плательщику',
  'referrer-acts': 'Акт направившего',
  expenses: 'Расход',
  'payroll/slips': 'Расчётный лист',
  consents: 'Согласие',
  'consents/requests': 'Запрос',
  'sales-management/leads': 'Сделка',
  'sales-management/offers': 'Предложение',
  'tasks-management/tasks': 'Задача',
  appeals: 'Обращение',
  users: 'Сотрудник',
  services: 'Услуга',
  filials: 'Филиал',
  organizations: 'Организация',
  'warehouse/documents': 'Складской документ',
} as const
export type Printed = keyof typeof printed

export const printKinds = {
  card: 'Карта',
  contract: 'Договор',
  consent: 'Согласие',
  reference: 'Справка',
  extract: 'Выписка',
  checkList: 'Чек-лист',
  label: 'Этикетка',
  other: 'Прочее',
} as const

export const papers = { a4: 'A4', a5: 'A5', a6: 'A6', label: 'Этикетка 58 × 40 мм' } as const
export type Paper = keyof typeof papers
/** Millimetres in portrait orientation; a label is landscape. */
export const paperSizes: Readonly<Record<Paper, readonly [number, number]>> = {
  a4: [210, 297],
  a5: [148, 210],
  a6: [105, 148],
  label: [58, 40],
}

export const orientations = { portrait: 'Книжная', landscape: 'Альбомная' } as const

/** Variables of a template besides its record. Keys begin with a character that field names do not have. */
export const surroundings = {
  '@number': { words: 'Номер документа' },
  '@today': { words: 'Сегодня' },
  '@now': { words: 'Сейчас' },
  '@clinic': { words: 'Клиника' },
  '@logo': { words: 'Логотип' },
  '@user': { words: 'Печатает', to: 'users' },
  '@filial': { words: 'Наш филиал', to: 'filials' },
  '@organization': { words: 'Наша организация', to: 'organizations' },
  ...Object.fromEntries(Object.entries(printedSettings).map(([name, words]) => [`@${name}`, { words }])),
} as const satisfies Surroundings

/** Maximum characters of the text, and of the header and the footer. */
export const MAX_BODY = 150_000
const MAX_EDGE = 5_000

const access = { view: 'signed-in', create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' } as const

const margin = (label: string) => integer({ label, min: 0, max: 80, default: 15 })

/** Template of a paper for a record. Former texts are in its history. */
export const PrintTemplate = entity('print-templates', {
  label: ['Шаблон печати', 'шаблона печати', 'шаблонов печати'],
  gender: 'm',
  registry: {
    columns: ['name', 'entity', 'kind', 'isActive', 'dateChange'],
    form: ['name', 'entity', 'kind'],
    empty: {
      title: 'Шаблонов пока нет',
      text: 'Заведите договор, справку или карту: текст с переменными, которые заполнит запись',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 200, search: true }),
    entity: choice(printed, { label: 'Для чего', required: true, fixed: true }),
    kind: choice(printKinds, { label: 'Вид', default: 'other' }),
    isActive: boolean({ label: 'Предлагать к печати', default: true }),
    validFrom: date({ label: 'Действует с' }),
    validTo: date({ label: 'По' }),
    filials: refs('filials', { label: 'Филиалы', help: 'Чьи сотрудники его видят; пусто — всех', whenDeleted: 'asks' }),
    idSequence: ref('sequences', {
      label: 'Нумерация',
      as: 'sequence',
      help: 'Документ получает номер один раз: повторная печать его не меняет',
      whenDeleted: 'keeps',
    }),
    copies: integer({ label: 'Экземпляров', min: 1, max: 10, default: 1 }),
    askSign: boolean({ label: 'Места для подписей в конце', default: false }),
    paper: choice(papers, { label: 'Бумага', default: 'a4' }),
    orientation: choice(orientations, { label: 'Ориентация', default: 'portrait' }),
    marginTop: margin('Поле сверху, мм'),
    marginRight: margin('Справа, мм'),
    marginBottom: margin('Снизу, мм'),
    marginLeft: margin('Слева, мм'),
    fontSize: integer({ label: 'Размер текста', help: 'В пунктах', min: 6, max: 16, default: 10 }),
    hasPageNumbers: boolean({ label: 'Номера страниц', default: true }),
    header: richText({ label: 'Верхний колонтитул', max: MAX_EDGE }),
    body: richText({ label: 'Текст', max: MAX_BODY }),
    footer: richText({ label: 'Нижний колонтитул', max: MAX_EDGE }),
    /** It is offered today. */
    isInForce: boolean({ label: 'Действует', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
    idEditor: ref('users', { label: 'Кто изменил', as: 'editor', auto: 'editor' }),
  },
  access,
  title: 'name',
  sort: 'entity,name,id',
  soft: true,
})

/** A picture in the text of templates: a logo, a stamp. */
export const PrintFile = storedFiles('print-templates/files', {
  label: ['Картинка шаблона', 'картинки шаблона', 'картинок шаблонов'],
  many: { templates: many('print-templates/pictures', 'idFile') },
  access: { view: access.view, delete: access.delete },
  upload: {
    category: 'prints',
    access: access.create,
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg'],
  },
})

/** Link of a picture to its template. */
export const PrintPicture = attachment('print-templates/pictures', {
  label: ['Картинка в шаблоне', 'картинки в шаблоне', 'картинок в шаблоне'],
  of: {
    idTemplate: ref('print-templates', {
      label: 'Шаблон',
      as: 'template',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idTemplate',
  files: 'print-templates/files',
  access: { view: access.view, create: access.create, delete: access.delete },
})

/** Minimum space for the text, in millimetres, in each direction. */
const LEAST_ROOM = 20

type Page = Pick<
  Row<typeof PrintTemplate>,
  'paper' | 'orientation' | 'marginTop' | 'marginRight' | 'marginBottom' | 'marginLeft' | 'validFrom' | 'validTo'
>

/** Width and height of the oriented sheet, in millimetres. */
export function sheetOf({ paper, orientation }: Pick<Page, 'paper' | 'orientation'>): [number, number] {
  const [width, height] = paperSizes[paper]
  return orientation === 'landscape' && paper !== 'label' ? [height, width] : [width, height]
}

/** Contradictions of a page's layout, by field. */
export function pageErrors(page: Page): FieldError[] {
  const [width, height] = sheetOf(page)
  const errors: FieldError[] = []
  if (width - page.marginLeft - page.marginRight < LEAST_ROOM)
    errors.push({ field: 'marginRight', message: 'Между полями слева и справа не остаётся места для текста' })
  if (height - page.marginTop - page.marginBottom < LEAST_ROOM)
    errors.push({ field: 'marginBottom', message: 'Между полями сверху и снизу не остаётся места для текста' })
  if (page.validFrom && page.validTo && page.validTo < page.validFrom)
    errors.push({ field: 'validTo', message: 'Последний день раньше первого' })
  return errors
}
