/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const advertisingPermissions = {
  viewAdvertising: 'Реклама: просмотр',
  createAdvertising: 'Реклама: изменение',
} as const
