import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { vatCodes } from '../catalogue/service.ts'
import { documentAccess } from './access.ts'
import { isSgtin } from './gs1.ts'
import { mdlpStatuses } from './mdlp.ts'

/** Types of documents (screens.md § 9). */
export const documentKinds = {
  receipt: 'Поступление',
  opening: 'Ввод остатков',
  supplierReturn: 'Возврат поставщику',
  transfer: 'Перемещение',
  issue: 'Расход на услугу',
  sale: 'Продажа',
  writeOff: 'Списание',
  inventory: 'Инвентаризация',
  disassembly: 'Разукомплектация',
  resort: 'Пересортица',
  revaluation: 'Изменение стоимости',
} as const
export type DocumentKind = keyof typeof documentKinds

interface KindRule {
  /** Warehouses of the document. */
  from?: true
  to?: true
  supplier?: 'must' | 'may'
  reason?: true
  /** Lines both take and put; `side` shows which. */
  sides?: true
}

/** Requirements of each type. */
export const kindRules: Readonly<Record<DocumentKind, KindRule>> = {
  receipt: { to: true, supplier: 'must' },
  opening: { to: true },
  supplierReturn: { from: true, supplier: 'must', reason: true },
  transfer: { from: true, to: true },
  issue: { from: true },
  sale: { from: true },
  writeOff: { from: true, reason: true },
  inventory: { from: true },
  disassembly: { from: true, sides: true },
  resort: { from: true, sides: true },
  revaluation: { from: true, reason: true },
}

/** True for types that create new batches. */
export const bringsBatches = (kind: DocumentKind, side: LineSide | null): boolean =>
  kind === 'receipt' || kind === 'opening' || side === 'in'

export const documentStatuses = {
  draft: 'Черновик',
  counting: 'Идёт подсчёт',
  checked: 'Подсчитана',
  inTransit: 'В пути',
  posted: 'Проведён',
  cancelled: 'Отменён',
} as const
export type DocumentStatus = keyof typeof documentStatuses

/** State of a document in МДЛП: of its last message; `none`: its marked packs were not reported yet. */
export const documentMdlp = { none: 'Не передан', ...mdlpStatuses } as const

export const lineSides = { out: 'Списать', in: 'Оприходовать' } as const
export type LineSide = keyof typeof lineSides

/** VAT rates of papers: a former rate stays as it was printed. */
export const paperVat: Readonly<Record<keyof typeof vatCodes | '18' | '20', string>> = {
  ...vatCodes,
  18: '18 %',
  20: '20 %',
}

/** Maximum lines of a document. */
export const MAX_LINES = 2_000
export const MAX_QTY = 1_000_000

export const WarehouseDocument = entity('warehouse/documents', {
  branchBy: ['idFrom', 'idTo'],
  label: ['Складской документ', 'складского документа', 'складских документов'],
  gender: 'm',
  registry: {
    columns: [
      'number',
      'localDate',
      'kind',
      'status',
      'idFrom',
      'idTo',
      'idSupplier',
      'linesCount',
      'sum',
      'mdlp',
      'idAuthor',
    ],
    empty: {
      title: 'Документов пока нет',
      text: 'Начните с ввода остатков или загрузите первое поступление из файла поставщика.',
    },
  },
  fields: {
    number: text({ label: 'Номер', max: 64, readonly: true, search: true }),
    kind: choice(documentKinds, { label: 'Тип', required: true, fixed: true }),
    status: choice(documentStatuses, { label: 'Статус', default: 'draft', readonly: true }),
    localDate: date({ label: 'Дата', required: true }),
    /** Transfer: the day on which it was taken. */
    arrivalDate: date({ label: 'Принято', readonly: true }),
    idFrom: ref('warehouses', { label: 'Со склада', as: 'from', among: { active: true }, whenDeleted: 'asks' }),
    idTo: ref('warehouses', { label: 'На склад', as: 'to', among: { active: true }, whenDeleted: 'asks' }),
    idSupplier: ref('organizations', {
      label: 'Поставщик',
      as: 'supplier',
      among: { active: true, kind: 'supplier' },
      whenDeleted: 'asks',
    }),
    externalNumber: text({ label: 'Номер поставщика', help: 'УПД или ТОРГ-12', max: 64, search: true }),
    externalDate: date({ label: 'Дата документа поставщика' }),
    reason: text({ label: 'Причина', max: 200 }),
    comment: text({ label: 'Комментарий', max: 1000 }),
    /** Inventory: only products of this group. */
    idGroup: ref('services-groups', { label: 'Группа товаров', as: 'group', whenDeleted: 'stays' }),
    blind: boolean({ label: 'Вслепую', help: 'Кто считает, не видит учётных остатков', default: false }),
    commission: text({
      label: 'Комиссия',
      help: 'Председатель и члены, для приказа и описи',
      max: 1000,
      multiline: true,
    }),
    dateSnapshot: dateTime({ label: 'Снимок остатков', readonly: true }),
    /** The visit with the services that used it. */
    idAppointment: ref('appointments', { label: 'Визит', as: 'appointment', readonly: true, whenDeleted: 'stays' }),
    idCopyOf: ref('warehouse/documents', {
      label: 'Копия документа',
      as: 'copyOf',
      readonly: true,
      whenDeleted: 'stays',
    }),
    datePosted: dateTime({ label: 'Проведён', readonly: true }),
    idPoster: ref('users', { label: 'Провёл', as: 'poster', readonly: true, whenDeleted: 'stays' }),
    /** Number of the posting: the moves of each posting have their own key. */
    posting: integer({ label: 'Проводка', readonly: true, default: 0 }),
    linesCount: integer({ label: 'Строк', computed: true }),
    sum: money({ label: 'Сумма', computed: true }),
    /** null: no marked packs. */
    mdlp: choice(documentMdlp, { label: 'МДЛП', computed: true }),
    idAuthor: ref('users', { label: 'Автор', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: {
    lines: many('warehouse/lines', 'idDocument'),
    counts: many('warehouse/counts', 'idDocument'),
  },
  nameOnly: ['idAppointment'],
  access: documentAccess,
  kept: ({ status }: { status?: DocumentStatus }) =>
    status === undefined || status === 'draft'
      ? undefined
      : 'Удалить можно только черновик: сначала отмените проведение',
  title: 'number',
  sort: '-localDate,-id',
  soft: true,
})

export const DocumentLine = entity('warehouse/lines', {
  label: ['Строка документа', 'строки документа', 'строк документа'],
  gender: 'f',
  fields: {
    idDocument: ref('warehouse/documents', {
      label: 'Документ',
      as: 'document',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    /** Empty while a supplier's line is not matched with a product. */
    idProduct: ref('services', { label: 'Товар', as: 'product', among: { serviceCategory: 1 }, whenDeleted: 'stays' }),
    idBatch: ref('warehouse/batches', {
      label: 'Партия',
      as: 'batch',
      help: 'Пусто — партии подберутся по сроку годности',
    }),
    side: choice(lineSides, { label: 'Действие' }),
    qty: decimal({ label: 'Количество', required: true, scale: 3, min: 0.001, max: MAX_QTY }),
    price: money({ label: 'Цена', min: 0, max: 100_000_000 }),
    sum: money({ label: 'Сумма', min: 0, max: 1_000_000_000 }),
    vatCode: choice(paperVat, { label: 'НДС' }),
    series: text({ label: 'Серия', max: 64 }),
    expiry: date({ label: 'Годен до' }),
    gtin: identifier('gtin', { label: 'GTIN' }),
    /** Quantity by the service's norm; the deviation is the rest. */
    norm: decimal({ label: 'По норме', scale: 3, readonly: true }),
    /** Inventory: book quantity at the count, and counted quantity. */
    book: decimal({ label: 'По учёту', scale: 3, readonly: true }),
    fact: decimal({ label: 'Факт', scale: 3, readonly: true }),
    /** The supplier's name of the product. */
    sourceName: text({ label: 'Название поставщика', max: 500 }),
    /** Quantity and unit of the supplier's paper. */
    sourceQty: decimal({ label: 'По документу поставщика', scale: 3, readonly: true }),
    sourceUnit: text({ label: 'Единица поставщика', max: 32, readonly: true }),
    sourceArticle: text({ label: 'Артикул поставщика', max: 64 }),
    /** Marked packs of the line: GTIN and serial, 27 characters each. */
    sgtins: list(isSgtin, { label: 'Коды маркировки', default: [] }),
    idCouponService: ref('coupon-services', { label: 'Услуга визита', as: 'couponService', readonly: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
  },
  nameOnly: ['idCouponService'],
  access: documentAccess,
  within: 'idDocument',
  sort: 'id',
})
