import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const trainingPages = [
  {
    key: 'training',
    path: 'training',
    title: 'Учебная клиника',
    help: 'Клиника для пробы: ничего настоящего, пять заданий первого дня для каждой роли',
    names: 'обучение первый день задания тренировка',
    icon: 'training',
  },
] as const satisfies readonly Page[]
