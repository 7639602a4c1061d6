/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const cataloguePermissions = {
  viewServices: 'Услуги: просмотр', // proposed
  editServices: 'Услуги: изменение', // proposed
} as const
