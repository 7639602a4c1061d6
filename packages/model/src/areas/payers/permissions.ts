/** Permissions of this area; `permissions.ts` joins them. */
export const payerPermissions = {
  viewPayers: 'Плательщики (ДМС, работодатели): просмотр', // proposed
  editPayers: 'Плательщики (ДМС, работодатели): договоры, списки, реестры', // proposed
} as const
