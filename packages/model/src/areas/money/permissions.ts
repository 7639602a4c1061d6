/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const moneyPermissions = {
  viewCashDesk: 'Касса и счета клиентов: просмотр', // proposed
  viewAllCashDesks: 'Касса: кассы всех филиалов', // proposed
  takePayments: 'Касса: приём оплаты, смены', // proposed
  refundPayments: 'Касса: возвраты', // proposed
  refundAbove: 'Касса: одобрение возвратов больше предела', // proposed
  correctReceipts: 'Касса: чеки коррекции, разбор непробитых чеков', // proposed
  cashInOut: 'Касса: внесение и изъятие наличных', // proposed
  editAccount: 'Счета клиентов: корректировки и списания', // proposed
  editBonuses: 'Бонусы клиентов: начисление и списание вручную', // proposed
} as const
