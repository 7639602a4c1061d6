import { count, distinct, ratio, report, sum } from '../../report.ts'

/** One fact is a given service of a visit with a referrer, on its day. */
export const referrersReport = report('reportReferrers', {
  group: 'money',
  hint: 'Оказанные услуги визитов, у которых отмечен направивший, в дне услуги. Оплачено — за вычетом возвратов. Начислено — по ставке этого дня; «В актах» — вошло в подписанные акты.',
  fields: {
    referrer: { label: 'Направивший', of: 'referrers' },
    service: { label: 'Услуга', of: 'services' },
    doctor: { label: 'Врач', of: 'users' },
    customer: { label: 'Пациент', of: 'customers' },
    appointment: { label: 'Визит №', type: 'number' },
    base: { label: 'Оплачено', type: 'money' },
    due: { label: 'Начислено', type: 'money' },
    told: { label: 'В актах', type: 'money' },
  },
  by: ['referrer', 'service', 'doctor'],
  first: ['referrer'],
  measures: {
    patients: distinct('Направленных пациентов', 'customer', { good: 'up' }),
    visits: distinct('Визитов направленных', 'appointment'),
    services: count('Услуг направленным'),
    paid: sum('Оплачено направленными', 'base', 'money', { good: 'up' }),
    due: sum('Начислено направившим', 'due'),
    told: sum('В подписанных актах направивших', 'told'),
    share: ratio('Доля направивших', ['due', 'paid'], 'share', { good: 'down' }),
  },
  chart: ['paid', 'due'],
  opens: { page: 'calendar', id: 'appointment', as: 'visit' },
  patient: 'customer',
})
