import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const upkeepPages = [
  {
    key: 'health',
    path: 'settings/health',
    title: 'Состояние системы',
    help: 'Диск, база, копии, связь, фоновая работа: что в порядке, что нет и что делать',
    section: 'settings',
    group: 'clinic',
    icon: 'health',
    any: ['mainSettings'],
    names: 'здоровье мониторинг диск сертификаты ошибки',
  },
  {
    key: 'backups',
    path: 'settings/backups',
    title: 'Резервные копии',
    help: 'Когда делаются, где лежат, сколько хранятся и восстанавливаются ли',
    section: 'settings',
    group: 'clinic',
    icon: 'backups',
    any: ['mainSettings'],
    names: 'резервная копия бэкап backup архив восстановление сохранить базу',
  },
] as const satisfies readonly Page[]
