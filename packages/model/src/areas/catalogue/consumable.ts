import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { formatNumber } from '../../format.ts'
import { catalogueAccess, ofService, PRODUCT } from './service.ts'

const products = { serviceCategory: PRODUCT, active: true }

/** Maximum materials of one service. */
export const MAX_CONSUMABLES = 100

/** The norm: the quantity of a product that one service consumes. Write-offs follow it. */
export const ServiceConsumable = entity('service-consumables', {
  label: ['Расходный материал', 'расходного материала', 'расходных материалов'],
  gender: 'm',
  fields: {
    idService: ofService(),
    idProduct: ref('services', {
      label: 'Материал',
      as: 'product',
      among: products,
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    qty: decimal({ label: 'Количество', required: true, scale: 3, min: 0.001, max: 100_000 }),
    unit: text({ label: 'Единица', help: 'Пусто — как у товара', max: 32 }),
    optional: boolean({ label: 'По необходимости', default: false }),
    /** Substitute products, in order of preference. */
    replacement: refs('services', {
      label: 'Чем заменить',
      help: 'По порядку: что взять, если материала нет',
      among: products,
      whenDeleted: 'asks',
    }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access: catalogueAccess,
  within: 'idService',
  unique: [['idService', 'idProduct']],
  sort: 'id',
  soft: true,
})

/** «2 шт.», in the product's unit if the norm has none. */
export const amountText = (qty: number, unit: string | null, product?: { unit?: string | null } | null): string =>
  [formatNumber(qty), unit || product?.unit].filter(Boolean).join(' ')
