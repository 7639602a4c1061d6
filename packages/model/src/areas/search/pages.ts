import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const searchPages = [
  {
    key: 'search',
    path: 'search',
    title: 'Поиск',
    help: 'Всё, что вам видно: по словам, телефону, дню и номеру',
    icon: 'search',
    names: 'найти искать',
  },
] as const satisfies readonly Page[]
