/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const metrikaPermissions = {
  viewMetrikaGoalsReport: 'Цели Метрики',
} as const
