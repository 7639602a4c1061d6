import { News } from '@ordinator/model/areas/news/news'
import { choice, one } from '#records/filters/choice.tsx'
import { filters, type ValuesOf } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { search } from '#records/filters/search.ts'

/** Filters of the news list. */
export const newsFilters = filters(News, {
  q: search(['title'], {
    label: 'Поиск новости',
    placeholder: 'Заголовок',
    hotkey: { label: 'Поиск по новостям', group: 'Список' },
  }),
  source: choice('source', { label: 'Источник' }),
  active: one({
    label: 'Активность',
    options: { yes: 'Активные', no: 'Неактивные' },
    is: (word) => ({ active: word === 'yes' }),
    any: 'Все',
  }),
  date: period('dateCreate', { label: 'Дата', names: { From: 'from', To: 'to' } }),
  unread: flag('Непрочитанные', { isRead: false, active: true }, { toggle: true, panel: 'Только непрочитанные' }),
})
export type NewsFilters = ValuesOf<typeof newsFilters>
