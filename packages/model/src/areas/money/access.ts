/** Rights to see the cash desk: of users who take money there or manage it. */
export const moneyView = ['viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut'] as const
