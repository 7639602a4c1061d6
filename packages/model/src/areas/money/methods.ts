/** Payment methods. */
export const paymentMethods = {
  cash: 'Наличные',
  card: 'Карта',
  sbp: 'СБП',
  transfer: 'Перевод на счёт',
  insurer: 'Гарантийное письмо ДМС',
  certificate: 'Сертификат',
  advance: 'Аванс',
} as const
export type PaymentMethod = keyof typeof paymentMethods
/** Methods by terminal: an unknown outcome is queried. */
export const byTerminal = (method: PaymentMethod): boolean => method === 'card' || method === 'sbp'
/** Methods that bring money to the clinic. */
export const moneyMethods = ['cash', 'card', 'sbp', 'transfer'] as const satisfies readonly PaymentMethod[]
/** Methods for a refund: money to the patient, a certificate to itself, an advance of another to its payer. */
export const isReturned = (method: PaymentMethod): boolean =>
  method === 'certificate' || method === 'advance' || (moneyMethods as readonly PaymentMethod[]).includes(method)
