import type { Page } from '../../page.ts'

/** Branches; the model’s `pages.ts` adds them to the list. */
export const filialPages = [
  {
    key: 'filials',
    path: 'settings/filials',
    title: 'Филиалы',
    help: 'Адреса, часы работы, кабинеты и фотографии',
    section: 'settings',
    group: 'clinic',
    icon: 'filials',
    any: ['mainSettings'],
    entity: 'filials',
  },
  {
    key: 'newFilial',
    path: 'settings/filials/create',
    title: 'Новый филиал',
    help: 'Название, адрес и часы работы; кабинеты и фотографии добавляют потом',
    section: 'settings',
    icon: 'filials',
    any: ['mainSettings'],
    linked: true,
    makes: { label: 'Новый филиал', any: ['mainSettings'], rare: true },
  },
  {
    key: 'filial',
    path: 'settings/filial/update/:id',
    title: 'Филиал',
    help: 'Данные, кабинеты, особые дни и фотографии филиала',
    section: 'settings',
    icon: 'filials',
    any: ['mainSettings'],
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const filialSetUp = [
  {
    key: 'organizations',
    path: 'settings/organizations',
    title: 'Организации',
    help: 'Свои юридические лица, страховые, поставщики и лаборатории',
    section: 'settings',
    group: 'clinic',
    icon: 'organizations',
    any: ['mainSettings'],
    entity: 'organizations',
    makes: { label: 'Новая организация', any: ['mainSettings'], rare: true },
  },
  {
    key: 'sequences',
    path: 'settings/sequences',
    title: 'Нумерация',
    help: 'Какие номера получают договоры, акты и карты: по порядку и без пропусков',
    section: 'settings',
    group: 'desk',
    icon: 'sequences',
    any: ['mainSettings'],
    entity: 'sequences',
    makes: { label: 'Новая нумерация', any: ['mainSettings'], rare: true },
  },
  {
    key: 'workingCalendar',
    path: 'settings/working-calendar',
    title: 'Рабочий календарь',
    help: 'Переносы выходных по годам: по ним считаются сроки в рабочих днях',
    section: 'settings',
    group: 'clinic',
    icon: 'workingCalendar',
    any: ['mainSettings'],
    entity: 'calendar-days',
    makes: { label: 'Новый день календаря', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
