import type { Page } from '../../page.ts'

/** Requests of the owners of personal data; the model’s `pages.ts` adds them to the list. */
export const requestPages = [
  {
    key: 'patientRequests',
    path: 'customers/requests',
    title: 'Запросы клиентов',
    help: 'О чём клиенты спрашивают как владельцы своих данных и до какого дня им ответить',
    section: 'clients',
    family: 'customers',
    icon: 'patientRequests',
    any: ['viewCustomers'],
    entity: 'consents/requests',
    makes: {
      label: 'Новый запрос',
      any: ['editCustomers'],
      names: 'запрос пациента о персональных данных 152-ФЗ',
      rare: true,
    },
  },
] as const satisfies readonly Page[]

/** Incidents with personal data; the model’s `pages.ts` adds them to the list. */
export const incidentPages = [
  {
    key: 'incidents',
    path: 'customers/incidents',
    title: 'Инциденты',
    help: 'Случаи с персональными данными: 24 часа до уведомления Роскомнадзора, 72 часа до результатов',
    section: 'clients',
    family: 'customers',
    icon: 'incidents',
    any: ['viewAccessLog'],
    entity: 'consents/incidents',
    makes: { label: 'Новый инцидент', any: ['viewAccessLog'], names: 'утечка данных', rare: true },
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const consentSetUp = [
  {
    key: 'consentTemplates',
    path: 'settings/consents',
    title: 'Шаблоны согласий',
    help: 'Документы, которые подписывают клиенты: по одному на цель, с версиями текста',
    section: 'settings',
    group: 'papers',
    icon: 'consents',
    any: ['mainSettings'],
    entity: 'consents/templates',
    makes: { label: 'Новый шаблон согласия', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
