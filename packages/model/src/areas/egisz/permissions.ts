/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const egiszReportPermissions = {
  viewReportEgiszOperationsLog: 'ЕГИСЗ: журнал операций',
  viewReportEgiszMessages: 'ЕГИСЗ: сообщения',
} as const
