import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const customerPages = [
  {
    key: 'customers',
    path: 'customers',
    title: 'Клиенты',
    help: 'Карты клиентов: поиск по имени, телефону, почте, дате рождения и документам',
    section: 'clients',
    family: 'customers',
    icon: 'customers',
    any: ['viewCustomers'],
    menu: true,
    makes: { label: 'Новый клиент', any: ['editCustomers'], names: 'пациент карта' },
  },
  {
    key: 'customer',
    path: 'customers/edit',
    title: 'Карта клиента',
    help: 'Данные, документы, адреса, представители и файлы клиента',
    linked: true,
    section: 'clients',
    icon: 'customers',
    any: ['viewCustomers'],
  },
  {
    key: 'duplicates',
    path: 'customers/duplicates',
    title: 'Возможные дубли',
    help: 'Карты, которые похожи на карты одного клиента: объедините их или скажите, что это разные люди',
    section: 'clients',
    family: 'customers',
    icon: 'duplicates',
    any: ['editCustomers'],
  },
] as const satisfies readonly Page[]

/** The access journal; the model’s `pages.ts` adds them to the list. */
export const accessLogPages = [
  {
    key: 'accessLog',
    path: 'customers/access-log',
    title: 'Журнал доступа',
    help: 'Кто, когда и с чьими данными работал: просмотры, поиск, изменения, выгрузки',
    section: 'clients',
    family: 'customers',
    icon: 'accessLog',
    any: ['viewAccessLog'],
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const customerSetUp = [
  {
    key: 'customerSources',
    path: 'customers/sources',
    title: 'Источники клиентов',
    help: 'Откуда клиенты узнают о клинике',
    section: 'settings',
    group: 'desk',
    icon: 'lists',
    any: ['viewCustomers'],
    entity: 'customer-sources',
    makes: { label: 'Новый источник клиентов', any: ['editCustomers'], rare: true },
  },
  {
    key: 'customerStatuses',
    path: 'customers/statuses',
    title: 'Статусы клиентов',
    help: 'Как клиника делит клиентов: новый, постоянный, корпоративный',
    section: 'settings',
    group: 'desk',
    icon: 'lists',
    any: ['viewCustomers'],
    entity: 'customers/statuses',
    makes: { label: 'Новый статус клиента', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
