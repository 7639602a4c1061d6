/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const callPermissions = {
  viewCallJournal: 'Журнал звонков',
  listenCalls: 'Записи чужих разговоров', // proposed
} as const
