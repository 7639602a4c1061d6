import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { stockView } from './access.ts'
import { documentKinds } from './document.ts'

export const batchStates = {
  free: 'В обороте',
  quarantine: 'Карантин',
  recalled: 'Отозвана',
} as const

const product = { label: 'Товар', as: 'product', readonly: true, required: true } as const

/** Units of one receipt with the same series, expiry and cost. */
export const Batch = entity('warehouse/batches', {
  label: ['Партия', 'партии', 'партий'],
  gender: 'f',
  registry: {
    columns: ['idProduct', 'series', 'expiry', 'state', 'onHand', 'cost', 'idSupplier', 'dateCreate'],
    form: ['state', 'stateReason', 'country', 'gtd'],
    empty: { title: 'Партий пока нет', text: 'Партии появляются с поступлениями и вводом остатков.' },
  },
  fields: {
    idProduct: ref('services', { ...product, whenDeleted: 'stays' }),
    series: text({ label: 'Серия', max: 64, readonly: true, search: true }),
    expiry: date({ label: 'Годен до', readonly: true }),
    cost: money({ label: 'Цена за единицу', readonly: true }),
    idSupplier: ref('organizations', { label: 'Поставщик', as: 'supplier', readonly: true, whenDeleted: 'stays' }),
    idDocument: ref('warehouse/documents', {
      label: 'Пришла документом',
      as: 'document',
      readonly: true,
      whenDeleted: 'own',
    }),
    country: text({ label: 'Страна', max: 64 }),
    gtd: text({ label: 'ГТД', max: 64 }),
    state: choice(batchStates, {
      label: 'Состояние',
      default: 'free',
      help: 'Из карантина и отзыва товар не выдают: его возвращают поставщику или списывают',
    }),
    stateReason: text({ label: 'Почему', help: 'Письмо Росздравнадзора, решение комиссии', max: 500 }),
    onHand: decimal({ label: 'Остаток', scale: 3, computed: true }),
    dateCreate: dateTime({ label: 'Заведена', auto: 'created' }),
  },
  many: { stock: many('warehouse/stock', 'idBatch') },
  access: { view: stockView, update: 'editWarehouse' },
  title: 'series',
  sort: 'expiry,id',
  soft: true,
})

/** Current stock by warehouse and batch; written only by the ledger. */
export const Stock = entity('warehouse/stock', {
  branchBy: ['idWarehouse'],
  label: ['Остаток', 'остатка', 'остатков'],
  gender: 'm',
  fields: {
    idWarehouse: ref('warehouses', {
      label: 'Склад',
      as: 'warehouse',
      readonly: true,
      required: true,
      whenDeleted: { keeps: { above: 'qty', words: ['остаток', 'остатка', 'остатков'] } },
    }),
    idProduct: ref('services', {
      ...product,
      whenDeleted: {
        keeps: { above: 'qty', words: ['остаток на складе', 'остатка на складах', 'остатков на складах'] },
      },
    }),
    idBatch: ref('warehouse/batches', { label: 'Партия', as: 'batch', readonly: true, required: true }),
    qty: decimal({ label: 'Количество', scale: 3, readonly: true, required: true }),
    reserved: decimal({ label: 'В резерве', scale: 3, readonly: true, required: true }),
    /** Sum of the costs of its moves. */
    cost: money({ label: 'Себестоимость', readonly: true, default: 0 }),
    free: decimal({ label: 'Свободно', scale: 3, computed: true }),
  },
  access: { view: stockView },
  sort: 'id',
  soft: true,
  unrecorded: true,
})

/** A move of the ledger; append-only. */
export const StockMove = entity('warehouse/moves', {
  branchBy: ['idWarehouse'],
  label: ['Движение', 'движения', 'движений'],
  gender: 'n',
  registry: { empty: { title: 'Движений нет', text: 'Они появятся, когда будет проведён первый документ.' } },
  fields: {
    localDate: date({ label: 'Дата', readonly: true, required: true }),
    kind: choice(documentKinds, { label: 'Тип', readonly: true, required: true }),
    idWarehouse: ref('warehouses', {
      label: 'Склад',
      as: 'warehouse',
      readonly: true,
      required: true,
      whenDeleted: 'stays',
    }),
    idProduct: ref('services', { ...product, whenDeleted: 'stays' }),
    idBatch: ref('warehouse/batches', { label: 'Партия', as: 'batch', readonly: true, required: true }),
    qty: decimal({ label: 'Количество', scale: 3, readonly: true, required: true }),
    cost: money({ label: 'Себестоимость', readonly: true, required: true }),
    idDocument: ref('warehouse/documents', {
      label: 'Документ',
      as: 'document',
      readonly: true,
      required: true,
      whenDeleted: 'own',
    }),
    idLine: ref('warehouse/lines', { label: 'Строка', as: 'line', readonly: true, onDelete: 'set null' }),
    /** Priced by its batch, or by the mean of the good; empty: its cost came with it. */
    byBatch: boolean({ label: 'По цене партии', readonly: true }),
    /** The move whose cost this one corrects. */
    idCorrects: ref('warehouse/moves', { label: 'Уточняет', as: 'corrects', readonly: true }),
    /** The move that this one reverses. */
    idReverses: ref('warehouse/moves', { label: 'Сторно', as: 'reverses', readonly: true }),
    idUser: ref('users', { label: 'Провёл', as: 'user', readonly: true, whenDeleted: 'stays' }),
    dateCreate: dateTime({ label: 'Записано', readonly: true, required: true }),
  },
  access: { view: stockView },
  sort: '-localDate,-id',
  soft: true,
  unrecorded: true,
})
