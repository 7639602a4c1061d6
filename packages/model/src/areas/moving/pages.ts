import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const movingPages = [
  {
    key: 'moving',
    path: 'moving',
    title: 'Переезд',
    help: 'Таблицы прежней программы: что загружать, в каком порядке, сошлись ли суммы',
    names: 'перенос данных импорт из другой программы миграция YCLIENTS IDENT Медиалог SQNS Битрикс24 1С',
    section: 'settings',
    group: 'clinic',
    icon: 'moving',
    any: ['mainSettings'],
  },
] as const satisfies readonly Page[]
