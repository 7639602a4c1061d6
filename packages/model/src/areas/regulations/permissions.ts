/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const regulationReportPermissions = {
  viewViolationsReport: 'Нарушения регламентов', // proposed
} as const
