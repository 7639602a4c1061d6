/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const reportPermissions = {
  viewRevenueByDiscountsReport: 'Выручка по скидкам',
  viewRevenueByCustomerSourcesReport: 'Выручка по источникам',
  viewPaymentsReport: 'Оплаты и транзакции', // proposed
} as const
