import { count, report, sum } from '../../report.ts'
import { membershipStates } from './rules.ts'

/** One fact is a sold membership with its balance of now. */
export const membershipsReport = report('reportMemberships', {
  group: 'money',
  hint: 'Обязательство — остаток счёта абонемента в учёте: продано − использовано − возвращено, на сейчас. Записанные, но ещё не оказанные посещения входят.',
  fields: {
    membership: { label: 'Абонемент', of: 'memberships' },
    type: { label: 'Вид', of: 'membership-types', none: 'План лечения пакетом' },
    buyer: { label: 'Кто купил', of: 'customers' },
    organization: { label: 'Организация', of: 'organizations' },
    state: { label: 'Состояние', labels: membershipStates },
    sold: { label: 'Продано', type: 'money' },
    returned: { label: 'Возвращено', type: 'money' },
    used: { label: 'Использовано', type: 'money' },
    held: { label: 'Обязательство', type: 'money' },
    visits: { label: 'Посещений осталось', type: 'number' },
    dateTo: { label: 'Действует по', type: 'day' },
  },
  by: ['type', 'state', 'organization', 'buyer'],
  first: ['type'],
  measures: {
    held: sum('Обязательство', 'held'),
    visits: sum('Посещений осталось', 'visits', 'number'),
    memberships: count('Абонементов'),
    sold: sum('Продано абонементов', 'sold', 'money', { good: 'up' }),
    used: sum('Использовано по абонементам', 'used'),
    returned: sum('Возвращено по абонементам', 'returned', 'money', { good: 'down' }),
  },
  isNow: true,
  noFilial: true,
  opens: { page: 'memberships', id: 'membership' },
  patient: 'buyer',
})
