import { count, ratio, report, sum } from '../../report.ts'
import { planStatuses } from './rules.ts'

/** One fact is a treatment plan, on the day it was offered, else created. */
export const plansReport = report('reportPlans', {
  group: 'clients',
  hint: 'Принятие = согласовано / предложено, по суммам. Исполнение = выполнено / согласовано. Просрочен — согласован, не закончен, ничего не записано и давно никто не приходил.',
  fields: {
    plan: { label: 'План', of: 'customer-plans' },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users' },
    status: { label: 'Состояние', labels: planStatuses },
    stages: { label: 'Этапов', type: 'number' },
    sum: { label: 'Сумма', type: 'money' },
    offered: { label: 'Предложено', type: 'money' },
    agreed: { label: 'Согласовано', type: 'money' },
    done: { label: 'Выполнено', type: 'money' },
    paid: { label: 'Оплачено', type: 'money' },
    left: { label: 'Осталось', type: 'money' },
    lastVisit: { label: 'Последний визит', type: 'day' },
    isOverdue: { label: 'Давно без визита', type: 'flag' },
    isAgreed: { label: 'Согласован', type: 'flag', hidden: true },
  },
  by: ['doctor', 'status', 'customer'],
  first: ['doctor'],
  measures: {
    plans: count('Планов'),
    sum: sum('Сумма планов', 'sum'),
    offered: sum('Предложено', 'offered', 'money', { good: 'up' }),
    agreed: sum('Согласовано', 'agreed', 'money', { good: 'up' }),
    accepted: ratio('Принятие', ['agreed', 'offered'], 'share', { good: 'up' }),
    done: sum('Выполнено по планам', 'done', 'money', { good: 'up' }),
    carried: ratio('Исполнение', ['done', 'agreed'], 'share', { good: 'up' }),
    paid: sum('Оплачено по планам', 'paid', 'money', { good: 'up' }),
    left: sum('Осталось', 'left'),
    overdue: count('Давно без визита', 'isOverdue', { good: 'down' }),
  },
  chart: ['offered', 'agreed', 'done'],
  opens: { page: 'customerPlan', id: 'plan' },
  patient: 'customer',
  own: { field: 'doctor', unless: ['viewCustomerPlansReport'] },
})
