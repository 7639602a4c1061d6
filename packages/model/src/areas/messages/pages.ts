import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const messagePages = [
  {
    key: 'messages',
    path: 'journal/messages',
    title: 'Сообщения',
    help: 'Что и чем написали клиентам: дошло ли, прочитано ли, сколько стоило',
    section: 'contact',
    icon: 'messages',
    any: ['viewMessages'],
    menu: true,
    entity: 'messages',
  },
  {
    key: 'messageTemplates',
    path: 'templates',
    title: 'Шаблоны сообщений',
    help: 'Какими словами, о чём и чем пишут клиентам: напоминания, записи, оплаты, поздравления',
    section: 'settings',
    group: 'contact',
    icon: 'messageTemplates',
    any: ['editMessageTemplates'],
    entity: 'message-templates',
    makes: { label: 'Новый шаблон сообщения', any: ['editMessageTemplates'], rare: true },
  },
] as const satisfies readonly Page[]
