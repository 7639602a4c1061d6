/**
 * Addresses of the product that an older CRM beside it answers, when the clinic has one (setting `oldCrmUrl`): they open
 * there in a new tab (spec §2). Without it the page of the list with this path opens, where there is one.
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

/** What stands in where there is no older CRM, of those paths that no page of ours has. */
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

/** Where a path that only an older CRM would answer leads to without one, under /app; undefined: nowhere. */
export function ownAddress(path: string, params: Params = {}): string | undefined {
  return Object.hasOwn(ownInstead, path) ? `/${filled(ownInstead[path as keyof typeof ownInstead], params)}` : undefined
}

/** Where a path of ours opens in the older CRM; undefined: it has none of it, or there is no older CRM. */
export function oldCrmAddress(base: string | undefined, path: string, params: Params = {}): string | undefined {
  if (!base || !Object.hasOwn(oldCrmPaths, path)) return undefined
  return `${base.replace(/\/+$/, '')}/${filled(oldCrmPaths[path as OldCrmPath], params)}`
}
