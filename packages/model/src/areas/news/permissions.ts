/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const newsPermissions = {
  displayTableNews: 'Новости: просмотр',
  editNews: 'Новости: изменение', // proposed
} as const
