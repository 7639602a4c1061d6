import type { Gate } from './access.ts'
import type { Permission } from './permissions.ts'

/**
 * One screen of the product. The page list feeds the router, the menu, the palette and the guards.
 */
export interface Page extends Gate {
  key: string
  /** Under /app, with `:name` for a parameter; '' is the dashboard. */
  path: string
  title: string
  /** What the window is called, where the specification names it otherwise than the page's head. */
  windowTitle?: string
  /** One line under the title; the palette searches it too. */
  help: string
  /** What people call it besides: the palette takes these for its name. */
  names?: string
  section?: PageSection
  /** Stands on `/settings`, in this group. */
  group?: SetUpGroup
  /** Key of the icon; the web maps it to a picture. */
  icon?: string
  /** Stands in the left menu. */
  menu?: boolean
  /** Path of the entity whose registry this is: a page that has no screen of its own gets it from the declaration. */
  entity?: string
  /** Shows the report that is declared for it (`reports.ts`), and needs no screen of its own. */
  report?: true
  /** Pages that stand side by side: each shows the way to the others. */
  family?: PageFamily
  /** What is made or done here: the palette offers it from anywhere to whoever holds one of `any`. */
  makes?: Making
  /** Means nothing without what a link to it carries: no menu and no search offers it. */
  linked?: boolean
  /** Without the menu and the head, for a frame of another program. */
  plain?: boolean
  /** Opens without sign-in. */
  public?: boolean
  /** Key of the page that this is where an older CRM answers that one's path; offered only there. */
  insteadOf?: string
}

export interface Making {
  label: string
  any: readonly Permission[]
  /** What the page's address holds then; `?open=new` unless told. */
  search?: Readonly<Record<string, string | true>>
  /** What people call it besides. */
  names?: string
  /** Of lists that are set up once: offered by its words, and not while nothing is typed. */
  rare?: true
}

/** The sections of the menu, by the work that is done there, in the order of the menu. */
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

/** Pages that stand side by side: the menu names the first one that opens, whose head shows the way to the others. */
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
} as const
export type PageFamily = keyof typeof pageFamilies

/** The groups of `/settings`, in the order in which a clinic is set up. */
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

/** The section's icon where it is folded or the menu is narrow; a key of `icon`. */
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
