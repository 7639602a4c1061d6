import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { warehouseView } from './access.ts'

/** States of a pack in МДЛП that are relevant for a clinic. */
export const codeStatuses = {
  arriving: 'Отгружен нам',
  in_circulation: 'В обороте',
  in_transit: 'Перемещается',
  shipped: 'Отгружен нами',
  out_of_circulation: 'Выведен из оборота',
  destroying: 'Передан на уничтожение',
  awaiting: 'Ждёт ответа МДЛП',
  foreign: 'Чужой',
} as const
export type CodeStatus = keyof typeof codeStatuses

export const MdlpCode = entity('mdlp/codes', {
  branchBy: ['idWarehouse'],
  label: ['Код маркировки', 'кода маркировки', 'кодов маркировки'],
  gender: 'm',
  registry: {
    columns: ['sgtin', 'idProduct', 'series', 'expiry', 'status', 'theirStatus', 'sscc', 'idWarehouse'],
    empty: { title: 'Кодов пока нет', text: 'Они появятся с первой приёмкой маркированного товара.' },
  },
  fields: {
    sgtin: text({ label: 'SGTIN', max: 27, readonly: true, required: true, search: true }),
    sscc: identifier('sscc', { label: 'Короб (SSCC)', readonly: true }),
    gtin: identifier('gtin', { label: 'GTIN', readonly: true, required: true }),
    idProduct: ref('services', { label: 'Товар', as: 'product', readonly: true, whenDeleted: 'stays' }),
    series: text({ label: 'Серия', max: 64, readonly: true }),
    expiry: date({ label: 'Годен до', readonly: true }),
    status: choice(codeStatuses, { label: 'У нас', readonly: true, required: true }),
    /** Last state from МДЛП; null: not requested yet. */
    theirStatus: choice(codeStatuses, { label: 'В МДЛП', readonly: true }),
    idWarehouse: ref('warehouses', { label: 'Склад', as: 'warehouse', readonly: true, whenDeleted: 'keeps' }),
    idLine: ref('warehouse/lines', { label: 'Строка', as: 'line', readonly: true, onDelete: 'set null' }),
    idDocument: ref('mdlp/documents', { label: 'Документ МДЛП', as: 'document', readonly: true }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: warehouseView },
  title: 'sgtin',
  sort: '-id',
  soft: true,
})

/** Our operations that 250 reverses (`recall_type_enum` of МДЛП's XSD, limited to those of a clinic). */
export const recalledBy250: ReadonlySet<string> = new Set(['431', '541'])

/** Grounds for destruction (`destruction_type_enum` of МДЛП's XSD). */
export const destructionGrounds = {
  1: 'По решению владельца',
  2: 'По решению Росздравнадзора',
  3: 'По решению суда',
} as const

/** Schemas of МДЛП that a clinic exchanges (screens.md § 9). */
export const mdlpSchemas = {
  415: 'Отгрузка (прямой порядок)',
  416: 'Приёмка (обратный порядок)',
  601: 'Уведомление об отгрузке',
  701: 'Подтверждение приёмки',
  252: 'Отказ получателя',
  250: 'Отмена операции',
  431: 'Перемещение между местами деятельности',
  531: 'Выдача для медицинской помощи',
  10531: 'Выдача через регистратор выбытия',
  511: 'Розничная продажа',
  541: 'Передача на уничтожение',
  552: 'Вывод по иным причинам',
  912: 'Расформирование короба',
} as const
export type MdlpSchema = keyof typeof mdlpSchemas
/** The same, indexed by any text. */
export const mdlpSchemaWords: Readonly<Record<string, string>> = mdlpSchemas

export const mdlpStatuses = {
  incoming: 'Ждёт решения',
  draft: 'Ждёт подписи',
  device: 'Ждёт регистратора',
  queued: 'Подписан, в очереди',
  processing: 'Обрабатывается',
  processed: 'Принят',
  partial: 'Принят частично',
  failed: 'Отклонён',
  stuck: 'Не дошёл',
  cancelled: 'Отменён',
} as const
export type MdlpStatus = keyof typeof mdlpStatuses

export interface MdlpError {
  /** The affected code, if a single one. */
  sgtin?: string
  message: string
}

/** A document of the exchange with МДЛП. */
export const MdlpDocument = entity('mdlp/documents', {
  branchBy: ['idStockDocument'],
  label: ['Документ МДЛП', 'документа МДЛП', 'документов МДЛП'],
  gender: 'm',
  registry: {
    columns: ['dateCreate', 'schema', 'direction', 'status', 'partner', 'number', 'codesCount', 'idStockDocument'],
    empty: {
      title: 'Документов МДЛП пока нет',
      text: 'Входящие приходят сами, исходящие делаются из складских документов.',
    },
  },
  fields: {
    schema: choice(mdlpSchemaWords, { label: 'Схема', readonly: true, required: true }),
    direction: choice({ in: 'Входящий', out: 'Исходящий' }, { label: 'Направление', readonly: true, required: true }),
    status: choice(mdlpStatuses, { label: 'Статус', readonly: true, required: true }),
    /** Id in МДЛП. */
    documentId: text({ label: 'Номер в МДЛП', max: 64, readonly: true, search: true }),
    /** Our idempotency key: a repeat is the same document. */
    requestId: text({ label: 'Номер запроса', max: 64, readonly: true }),
    partner: text({ label: 'Контрагент', max: 255, readonly: true }),
    number: text({ label: 'Номер накладной', max: 64, readonly: true, search: true }),
    docDate: date({ label: 'Дата накладной', readonly: true }),
    codesCount: integer({ label: 'Кодов', computed: true }),
    errors: json<MdlpError[]>()({ label: 'Ошибки', readonly: true }),
    idStockDocument: ref('warehouse/documents', {
      label: 'Складской документ',
      as: 'stockDocument',
      readonly: true,
      whenDeleted: 'own',
    }),
    idAnswerTo: ref('mdlp/documents', { label: 'Ответ на', as: 'answerTo', readonly: true }),
    idAuthor: ref('users', { label: 'Автор', as: 'author', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: warehouseView },
  title: 'number',
  sort: '-dateCreate,-id',
})
