import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const metrikaPages = [
  {
    key: 'metrikaGoals',
    path: 'reports/metrika-goals',
    title: 'Цели Метрики',
    help: 'Визиты и цели сайта и что из них вышло: заявки, записи, визиты, оплаты',
    section: 'finance',
    icon: 'metrika',
    any: ['viewMetrikaGoalsReport'],
    menu: true,
    family: 'metrika',
  },
  {
    key: 'metrikaCounters',
    path: 'reports/metrika-goals/counters',
    title: 'Счётчики Метрики',
    help: 'Номера и ключи счётчиков сайтов клиники',
    section: 'finance',
    icon: 'metrika',
    any: ['mainSettings'],
    entity: 'metrika/counters',
    family: 'metrika',
    makes: { label: 'Новый счётчик', any: ['mainSettings'], rare: true },
  },
  {
    key: 'metrikaGoalList',
    path: 'reports/metrika-goals/goals',
    title: 'Список целей',
    help: 'Какие цели стоят в отчёте и о каких событиях клиники сообщать Метрике',
    section: 'finance',
    icon: 'metrika',
    any: ['mainSettings'],
    entity: 'metrika/goals',
    family: 'metrika',
    makes: { label: 'Новая цель', any: ['mainSettings'], rare: true },
  },
  {
    key: 'metrikaUploads',
    path: 'reports/metrika-goals/uploads',
    title: 'Выгрузки в Метрику',
    help: 'Файлы конверсий: сколько строк ушло и что с ними стало',
    section: 'finance',
    icon: 'metrika',
    any: ['mainSettings'],
    entity: 'metrika/uploads',
    family: 'metrika',
  },
] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const metrikaHelp = {
  metrikaGoals: [
    'Слева — что видит Метрика: визиты и достижения целей. Справа — что стало с заявками этого же источника в клинике.',
    'Визиты считает Метрика, заявки, записи, визиты и оплаты — клиника. Они связаны источником (utm_source), а не человеком.',
    'События клиники уходят в Метрику только с идентификатором посетителя: имён, телефонов и диагнозов в файле нет.',
  ],
  metrikaCounters: ['Ключ никому не показывается. С другим номером счётчика вписывают и новый ключ.'],
  metrikaGoalList: ['Отметьте, о каком событии клиники сообщать цели. Сумма уходит только с оплатой.'],
  metrikaUploads: ['Обработка в Метрике занимает до двух часов: состояние узнаётся само.'],
} as const satisfies Readonly<Record<string, readonly string[]>>
