/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const kpiPermissions = {
  viewKpiReport: 'Анализ KPI', // proposed
} as const
