import { count, ratio, report, sum } from '../../report.ts'
import { paymentMethods } from './methods.ts'
import { paymentKinds } from './payment.ts'

/** One fact is a part of a payment or of a refund: what came or went one way to pay. */
export const paymentsReport = report('reportPayments', {
  group: 'money',
  hint: 'Оплачено = оплаты − возвраты по дню платежа. Сертификаты, зачёт аванса и бонусы — не деньги и считаются отдельно.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    number: { label: '№', type: 'number' },
    kind: { label: 'Вид', labels: paymentKinds },
    method: { label: 'Чем', labels: paymentMethods },
    paid: { label: 'Деньги', type: 'money' },
    other: { label: 'Сертификаты, ДМС, аванс', type: 'money' },
    customer: { label: 'Пациент', of: 'customers' },
    payer: { label: 'Плательщик', of: 'customers' },
    organization: { label: 'Организация', of: 'organizations' },
    desk: { label: 'Касса', of: 'cash-desks' },
    shift: { label: 'Смена', of: 'cash-shifts', none: 'Без смены' },
    receipt: { label: 'Чек (ФД)' },
    cashier: { label: 'Кто провёл', of: 'users', none: 'Сервер' },
    taken: { label: 'Принято', type: 'money', hidden: true },
    returned: { label: 'Возвращено', type: 'money', hidden: true },
    bonus: { label: 'Бонусами', type: 'number' },
    payment: { label: 'Платёж', hidden: true },
    refundOf: { label: 'Возврат платежа №', type: 'number' },
    isPayment: { label: 'Оплата', type: 'flag', hidden: true },
  },
  by: ['method', 'kind', 'desk', 'shift', 'cashier', 'organization'],
  first: ['day'],
  measures: {
    paid: sum('Оплачено', 'paid', 'money', { hint: 'Принято деньгами минус возвращено', good: 'up' }),
    taken: sum('Принято', 'taken'),
    returned: sum('Возвращено', 'returned', 'money', { good: 'down' }),
    other: sum('Не деньгами', 'other', 'money', { hint: 'Гарантийные письма ДМС, сертификаты, зачёт аванса' }),
    parts: count('Платежей частями', 'isPayment'),
    mean: ratio('Средняя часть', ['taken', 'parts'], 'money'),
  },
  opens: { page: 'reportPayments', id: 'payment' },
  patient: 'customer',
})
