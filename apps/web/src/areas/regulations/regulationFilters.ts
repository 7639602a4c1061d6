import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { choice } from '#records/filters/choice.tsx'
import { filters, type ValuesOf } from '#records/filters/filters.ts'
import { search } from '#records/filters/search.ts'

/** Filters of the list: name, statuses, classifications. */
export const regulationFilters = filters(Regulation, {
  search: search(['name'], {
    label: 'Поиск по названию',
    placeholder: 'Поиск по названию',
    hotkey: { label: 'Поиск регламента', group: 'Регламенты' },
  }),
  status: choice('status', { label: 'Статус' }),
  classification: choice('type', { label: 'Классификация' }),
})
export type RegulationFilters = ValuesOf<typeof regulationFilters>
