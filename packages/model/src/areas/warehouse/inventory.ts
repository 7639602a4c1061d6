import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { documentAccess, warehouseView } from './access.ts'
import { MAX_QTY } from './document.ts'

/** One person's count of a batch in an inventory; several people may count a batch on different shelves. */
export const InventoryCount = entity('warehouse/counts', {
  label: ['Подсчёт', 'подсчёта', 'подсчётов'],
  gender: 'm',
  fields: {
    idDocument: ref('warehouse/documents', {
      label: 'Инвентаризация',
      as: 'document',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idProduct: ref('services', { label: 'Товар', as: 'product', required: true, fixed: true, whenDeleted: 'stays' }),
    /** Empty: the series was unreadable; the count goes to the batch that expires first. */
    idBatch: ref('warehouse/batches', { label: 'Партия', as: 'batch', fixed: true }),
    qty: decimal({ label: 'Найдено', required: true, scale: 3, min: 0, max: MAX_QTY }),
    /** Round of the recount; only the latest one counts. */
    round: integer({ label: 'Круг', readonly: true, default: 1 }),
    idUser: ref('users', { label: 'Считал', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: warehouseView },
  within: 'idDocument',
  sort: 'id',
})

/** A supplier's name of a product, learned from users' choices. */
export const GoodsName = entity('warehouse/names', {
  label: ['Название поставщика', 'названия поставщика', 'названий поставщика'],
  gender: 'n',
  registry: {
    columns: ['idSupplier', 'name', 'article', 'idProduct', 'dateChange'],
    form: ['idSupplier', 'name', 'article', 'idProduct'],
    empty: {
      title: 'Соответствий пока нет',
      text: 'Они запоминаются, когда в загруженном документе выбирают свой товар.',
    },
  },
  fields: {
    idSupplier: ref('organizations', { label: 'Поставщик', as: 'supplier', onDelete: 'cascade' }),
    name: text({ label: 'Название', required: true, max: 500, search: true }),
    article: text({ label: 'Артикул', max: 64, search: true }),
    idProduct: ref('services', {
      label: 'Товар',
      as: 'product',
      required: true,
      among: { serviceCategory: 1 },
      onDelete: 'cascade',
    }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: documentAccess,
  title: 'name',
  sort: 'name,id',
})
