import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const centrePages = [
  {
    key: 'simulator',
    path: 'simulator',
    title: 'Симулятор',
    help: 'Пациенты пишут и звонят по сценарию: чтобы учиться, показывать и проверять',
    section: 'settings',
    group: 'contact',
    icon: 'simulator',
    any: ['mainSettings'],
    linked: true,
  },
] as const satisfies readonly Page[]
