import { Discount, discountStates } from '@ordinator/model/areas/discounts/discount'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { ref, refs } from '#records/filters/ref.tsx'

/** What holds at a branch: of it by name, or of all. */
const filial = {
  ...ref('filials', { label: 'Филиал', any: 'Любой филиал' }),
  conditions: ({ '': id }: { '': number } | { ''?: undefined }) =>
    id === undefined ? [] : [{ or: [{ filials: { in: [id] } }, { filials: null }] }],
}

/** What is in force on one of the days at least. */
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
