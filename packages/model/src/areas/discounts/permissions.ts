/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const discountPermissions = {
  viewDiscounts: 'Скидки: просмотр и расчёт',
  editDiscounts: 'Скидки: изменение', // proposed
  approveDiscounts: 'Скидки: согласование', // proposed
} as const
