import { Discount, discountStates } from '@ordinator/model/areas/discounts/discount'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { ref, refs } from '#records/filters/ref.tsx'

/** Discounts of a branch: assigned to it, or to all. */
const filial = {
  ...ref('filials', { label: 'Филиал', any: 'Любой филиал' }),
  conditions: ({ '': id }: { '': number } | { ''?: undefined }) =>
    id === undefined ? [] : [{ or: [{ filials: { in: [id] } }, { filials: null }] }],
}

/** Discounts active on at least one day of the period. */
const inForce = {
  ...period('dateFrom', { label: 'Действует' }),
  conditions: ({ From: from, To: to }: { From?: string; To?: string }) => [
    ...(from ? [{ or: [{ dateTo: { gte: from } }, { dateTo: null }] }] : []),
    ...(to ? [{ or: [{ dateFrom: { lte: to } }, { dateFrom: null }] }] : []),
  ],
}

export const discountFilters = filters(Discount, {
  state: choice('state', { label: 'Состояние', options: discountStates, any: 'Любое состояние' }),
  kind: choice('kind', { any: 'Любой вид' }),
  filial,
  service: refs('services', { label: 'Названа услуга', any: 'Любая услуга' }),
  inForce,
})
