/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const clinicalReportPermissions = {
  viewReportClinicalRecommendations: 'Клинические рекомендации',
} as const
