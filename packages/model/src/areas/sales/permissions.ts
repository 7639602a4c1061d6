/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const salesPermissions = {
  viewSalesManagement: 'Сделки: просмотр',
  editSalesManagement: 'Сделки: изменение',
  editFunnels: 'Сделки: настройка воронок, справочников и приёма заявок', // proposed
} as const
