/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const sitePermissions = {
  showShopContent: 'Сайт клиники: просмотр',
  editShopContent: 'Сайт клиники: изменение и публикация', // proposed
} as const
