import { PRODUCT, SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { ref, refs } from '#records/filters/ref.tsx'

/** Filters of the catalogue besides the group. */
export const serviceFilters = filters(Service, {
  category: one({
    label: 'Категория',
    options: { service: 'Услуги', product: 'Товары' },
    is: (word) => ({ serviceCategory: word === 'product' ? PRODUCT : SERVICE }),
    any: 'Все',
    segments: true,
  }),
  type: refs('idType', { label: 'Вид', any: 'Любой вид' }),
  filial: ref('performers.idFilial', { label: 'Филиал', any: 'Любой филиал' }),
  state: one({
    label: 'Состояние',
    options: { active: 'Действуют', off: 'Не действуют' },
    is: (word) => ({ active: word === 'active' }),
    any: 'Все состояния',
  }),
  noPrice: flag('Без цены', { currentPrice: null }, { toggle: true }),
  noDoctors: flag('Без врачей', { performedBy: 'nobody', serviceCategory: SERVICE }, { toggle: true }),
})
