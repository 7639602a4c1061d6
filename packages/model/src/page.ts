import type { Gate } from './access.ts'
import type { Permission } from './permissions.ts'

/**
 * One screen of the product. The page list defines the router, the menu, the palette and the guards.
 */
export interface Page extends Gate {
  key: string
  /** Under /app, with `:name` for a parameter; '' is the dashboard. */
  path: string
  title: string
  /** The window's title, where the specification has another than the page's head. */
  windowTitle?: string
  /** One line below the title; also searched by the palette. */
  help: string
  /** Alternative names, matched by the palette like the title. */
  names?: string
  section?: PageSection
  /** Listed on `/settings`, in this group. */
  group?: SetUpGroup
  /** Key of the icon; the web maps it to a picture. */
  icon?: string
  /** Listed in the left menu. */
  menu?: boolean
  /** Path of the entity for a registry page: without a screen of its own it is generated from the declaration. */
  entity?: string
  /** Shows the report declared for it (`reports.ts`), without a screen of its own. */
  report?: true
  /** Sibling pages: each shows links to the others. */
  family?: PageFamily
  /** Creation on this page: the palette offers it everywhere to holders of one of `any`. */
  makes?: Making
  /** Other actions of this page that the palette offers everywhere, by the words of those who look for them. */
  does?: readonly Making[]
  /** Needs parameters of a link: not offered in the menu or search. */
  linked?: boolean
  /** Without menu and head, for embedding in another program. */
  plain?: boolean
  /** Opens without sign-in. */
  public?: boolean
  /** Key of the page it replaces while an older CRM serves that page's path; offered only then. */
  insteadOf?: string
}

export interface Making {
  label: string
  any: readonly Permission[]
  /** URL parameters; default `?open=new`. */
  search?: Readonly<Record<string, string | true>>
  /** Alternative names. */
  names?: string
  /** For lists that are set up once: found by typing, not offered otherwise. */
  rare?: true
}

/** Sections of the menu, by kind of work, in the order of the menu. */
export const pageSections = {
  reception: 'Приём',
  clients: 'Пациенты',
  contact: 'Общение',
  sales: 'Продажи',
  tasks: 'Задачи',
  laboratory: 'Лаборатория',
  warehouse: 'Склад',
  finance: 'Деньги и отчёты',
  knowledge: 'Знания',
  clinic: 'Клиника',
  settings: 'Настройки',
} as const
export type PageSection = keyof typeof pageSections

/** Families of sibling pages: the menu lists the first accessible one, whose head links to the others. */
export const pageFamilies = {
  customers: 'Клиенты',
  clinical: 'Клинические рекомендации',
  journal: 'Журнал',
  deals: 'Сделки',
  discounts: 'Скидки',
  catalogue: 'Каталог',
  staff: 'Сотрудники',
  laboratory: 'Справочники лаборатории',
  metrika: 'Цели Метрики',
  site: 'Сайт клиники',
  exchange: 'Обмен',
  egisz: 'ЕГИСЗ',
  expenses: 'Расходы',
  payroll: 'Зарплата',
  kpi: 'KPI',
  salesLists: 'Справочники продаж',
  memberships: 'Абонементы',
  payers: 'Плательщики',
  referrers: 'Направившие',
} as const
export type PageFamily = keyof typeof pageFamilies

/** Groups of `/settings`, in the order in which a clinic is set up. */
export const setUpGroups = {
  clinic: 'Клиника',
  desk: 'Приём и деньги',
  papers: 'Осмотры и документы',
  contact: 'Связь с пациентами',
  sales: 'Продажи',
  site: 'Сайт и кабинет пациента',
  laboratory: 'Лаборатория',
  warehouse: 'Склад',
  finance: 'Деньги и отчёты',
  state: 'Государственные системы',
  links: 'Интеграции и доступ',
} as const
export type SetUpGroup = keyof typeof setUpGroups

/** The section's icon in the collapsed menu; a key of `icon`. */
export const sectionIcons: Readonly<Record<PageSection, string>> = {
  reception: 'calendar',
  clients: 'customers',
  contact: 'chats',
  sales: 'deals',
  tasks: 'tasks',
  laboratory: 'laboratory',
  warehouse: 'warehouse',
  finance: 'finance',
  knowledge: 'knowledge',
  clinic: 'clinic',
  settings: 'settings',
}
