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
  /** One line under the title; the palette searches it too. */
  help: string
  section?: PageSection
  /** Key of the icon; the web maps it to a picture. */
  icon?: string
  /** Stands in the left menu. */
  menu?: boolean
  /** Path of the entity whose registry this is: a page that has no screen of its own gets it from the declaration. */
  entity?: string
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

export const pageSections = {
  work: 'Работа',
  clients: 'Клиенты',
  sales: 'Продажи',
  laboratory: 'Лаборатория',
  warehouse: 'Склад',
  finance: 'Деньги и отчёты',
  clinic: 'Клиника',
  content: 'Контент',
  staff: 'Сотрудники',
  system: 'Система',
} as const

export const pageFamilies = {
  salesLists: 'Справочники продаж',
  catalogue: 'Каталог',
  discounts: 'Скидки',
  journal: 'Журнал',
  metrika: 'Цели Метрики',
  site: 'Сайт клиники',
} as const
export type PageFamily = keyof typeof pageFamilies

export type PageSection = keyof typeof pageSections
