/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const expensePermissions = {
  viewExpenses: 'Расходы: просмотр', // proposed
  editExpenses: 'Расходы: изменение', // proposed
} as const
