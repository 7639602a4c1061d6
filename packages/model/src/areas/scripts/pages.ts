import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const scriptPages = [
  {
    key: 'scripts',
    path: 'scripts',
    title: 'Скрипты',
    help: 'Что говорить: группы скриптов и разговоры с ветвями ответов',
    section: 'knowledge',
    icon: 'scripts',
    any: ['editScripts'],
    menu: true,
  },
  {
    key: 'script',
    path: 'scripts/:id',
    title: 'Скрипт',
    help: 'Шаги разговора, ответы и карта ветвей',
    section: 'knowledge',
    icon: 'scripts',
    any: ['editScripts'],
  },
  {
    key: 'newScript',
    path: 'new-scripts',
    title: 'Новый скрипт',
    help: 'Шаги разговора, ответы и карта ветвей',
    section: 'knowledge',
    icon: 'scripts',
    any: ['editScripts'],
  },
] as const satisfies readonly Page[]
