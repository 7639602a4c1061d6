/**
 * Paths served by an older CRM, if the clinic has one (setting `oldCrmUrl`): they open there in a new tab (spec §2).
 * Without it the page with this path opens, if there is one.
 */
export const oldCrmPaths = {
  customers: 'customers',
  'customers/:id': 'customers/view?id={id}',
  users: 'users',
  'users/:id': 'users/view?id={id}',
  services: 'services',
  'services/:id': 'services/view?id={id}',
  schedule: 'schedule',
  calendar: 'calendar',
  'warehouse/goods': 'warehouse/goods',
  'warehouse/groups': 'warehouse/groups',
  'warehouse/contractors': 'warehouse/contractors',
} as const
export type OldCrmPath = keyof typeof oldCrmPaths

/** Replacements without an older CRM, for paths that are not pages of this product. */
export const ownInstead = {
  'customers/:id': 'customers/edit?id={id}',
  'services/:id': 'service/view?id={id}',
  schedule: 'calendar',
  'warehouse/groups': 'services',
  'warehouse/contractors': 'settings/organizations',
} as const satisfies { readonly [P in OldCrmPath]?: string }

type Params = Readonly<Record<string, string | number>>

const filled = (address: string, params: Params): string =>
  address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name] ?? '')))

/** Replacement under /app of a path served only by an older CRM; undefined: none. */
export function ownAddress(path: string, params: Params = {}): string | undefined {
  return Object.hasOwn(ownInstead, path) ? `/${filled(ownInstead[path as keyof typeof ownInstead], params)}` : undefined
}

/** URL in the older CRM for a path of this product; undefined: not served there, or no older CRM. */
export function oldCrmAddress(base: string | undefined, path: string, params: Params = {}): string | undefined {
  if (!base || !Object.hasOwn(oldCrmPaths, path)) return undefined
  return `${base.replace(/\/+$/, '')}/${filled(oldCrmPaths[path as OldCrmPath], params)}`
}

/**
 * Sections of the older CRM with pages that this product does not have: they open there under the same path. Without it a
 * sentence names the replacement.
 */
export const oldCrmSections = {
  warehouse:
    'Такой страницы склада здесь нет. Товары и остатки, документы, инвентаризация и маркировка стоят в разделе «Склад».',
  reports: 'Такого отчёта здесь нет. Все отчёты, которые вам видны, собраны на странице «Отчёты».',
  journal: 'Такого журнала здесь нет. Чаты, звонки и обращения стоят в «Журнале», выручка и чеки — в разделе «Деньги».',
} as const satisfies Readonly<Record<string, string>>
export type OldCrmSection = keyof typeof oldCrmSections

export const isOldCrmSection = (section: string): section is OldCrmSection => Object.hasOwn(oldCrmSections, section)

/**
 * URL of a page of such a section in the older CRM; undefined: none.
 * @param rest the path within the section: `receipts/5`
 */
export function oldCrmSectionAddress(
  base: string | undefined,
  section: OldCrmSection,
  rest: string,
): string | undefined {
  if (!base) return undefined
  const path = rest.split('/').filter(Boolean).map(encodeURIComponent).join('/')
  return `${base.replace(/\/+$/, '')}/${section}/${path}`
}
