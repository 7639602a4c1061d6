/** Ways to pay. */
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
/** Through the terminal: an outcome that is not known is asked about. */
export const byTerminal = (method: PaymentMethod): boolean => method === 'card' || method === 'sbp'
/** Money that comes to the clinic. */
export const moneyMethods = ['cash', 'card', 'sbp', 'transfer'] as const satisfies readonly PaymentMethod[]
/** By which a payment is given back: money to the patient, a certificate to itself. */
export const isReturned = (method: PaymentMethod): boolean =>
  method === 'certificate' || (moneyMethods as readonly PaymentMethod[]).includes(method)
