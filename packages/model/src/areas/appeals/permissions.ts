/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const appealPermissions = {
  viewAppeals: 'Обращения',
  editAppeals: 'Обращения: изменение', // proposed
  viewAppealAnalytics: 'Отчёт по обращениям',
} as const
