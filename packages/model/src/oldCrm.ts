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

/** Where a path of ours opens in the older CRM; undefined: it has none of it, or there is no older CRM. */
export function oldCrmAddress(
  base: string | undefined,
  path: string,
  params: Readonly<Record<string, string | number>> = {},
): string | undefined {
  if (!base || !Object.hasOwn(oldCrmPaths, path)) return undefined
  const there = oldCrmPaths[path as OldCrmPath].replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  return `${base.replace(/\/+$/, '')}/${there}`
}
