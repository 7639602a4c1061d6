import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const callPages = [
  {
    key: 'calls',
    path: 'journal/calls',
    title: 'Звонки',
    help: 'Все разговоры и пропущенные звонки: кто, когда, сколько ждал, записи',
    section: 'contact',
    icon: 'calls',
    any: ['viewCallJournal'],
    menu: true,
    entity: 'calls',
    family: 'journal',
    makes: { label: 'Новый звонок', any: ['viewCallJournal'], names: 'записать разговор вручную', rare: true },
  },
  {
    key: 'customerCalls',
    path: 'migration/customer-calls',
    title: 'Звонки клиента',
    help: 'Звонки одного клиента, для карты в прежней CRM',
    linked: true,
    plain: true,
    any: ['viewCallJournal'],
  },
  {
    key: 'incomingCall',
    path: 'widgets/incoming-call',
    title: 'Входящий звонок',
    help: 'Карточка звонка рядом с программой телефонии',
    linked: true,
    public: true,
  },
] as const satisfies readonly Page[]
