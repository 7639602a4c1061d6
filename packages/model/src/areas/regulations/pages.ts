import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const regulationPages = [
  {
    key: 'regulations',
    path: 'regulations',
    title: 'Регламенты',
    windowTitle: 'Конструктор скриптов',
    help: 'Управление и просмотр регламентов организации',
    section: 'knowledge',
    icon: 'regulations',
    menu: true,
    makes: { label: 'Новый регламент', any: ['editScripts'], search: { mode: 'create' } },
  },
] as const satisfies readonly Page[]
