import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const startPages = [
  {
    key: 'start',
    path: 'start',
    title: 'С чего начать',
    help: 'Шаги от пустой программы до первого пациента: что сделано, что дальше, сколько займёт',
    names: 'первые шаги настройка клиники открыть клинику готовый набор',
    section: 'settings',
    group: 'clinic',
    icon: 'start',
    any: ['mainSettings'],
  },
] as const satisfies readonly Page[]
