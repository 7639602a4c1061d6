/** Ways to pay. */
export const paymentMethods = {
  cash: 'Наличные',
  card: 'Карта',
  sbp: 'СБП',
  transfer: 'Перевод на счёт',
  insurer: 'Гарантийное письмо ДМС',
  advance: 'Аванс',
} as const
export type PaymentMethod = keyof typeof paymentMethods
/** Through the terminal: an outcome that is not known is asked about. */
export const byTerminal = (method: PaymentMethod): boolean => method === 'card' || method === 'sbp'
/** Money that comes to the clinic, and by which it is given back. */
export const moneyMethods = ['cash', 'card', 'sbp', 'transfer'] as const satisfies readonly PaymentMethod[]
