import { count, ratio, report, sum } from '../../report.ts'

/** One fact is an open deal. */
export const dealsReport = report('reportDeals', {
  group: 'clients',
  hint: 'Открытые сделки на сейчас. Застряла — стоит на этапе дольше срока этапа, а где срока нет — дольше выбранного числа дней.',
  fields: {
    at: { label: 'На этапе с', type: 'moment' },
    deal: { label: 'Сделка', of: 'sales-management/leads' },
    funnel: { label: 'Воронка', of: 'sales-management/funnels' },
    stage: { label: 'Этап', of: 'sales-management/stages' },
    responsible: { label: 'Ответственный', of: 'users', none: 'Без ответственного' },
    source: { label: 'Источник', of: 'sales-management/sources', none: 'Не указан' },
    price: { label: 'Сумма', type: 'money' },
    days: { label: 'Дней на этапе', type: 'number' },
    isStuck: { label: 'Застряла', type: 'flag' },
  },
  by: ['stage', 'funnel', 'responsible', 'source'],
  first: ['stage'],
  measures: {
    sum: sum('Сумма сделок', 'price'),
    deals: count('Сделок'),
    stuck: count('Застряли', 'isStuck', { good: 'down' }),
    stuckShare: ratio('Доля застрявших', ['stuck', 'deals'], 'share', { good: 'down' }),
    mean: ratio('Средняя сделка', ['sum', 'deals'], 'money'),
  },
  parameters: {
    limit: { label: 'Застряла через', labels: { 7: '7 дней', 14: '14 дней', 30: '30 дней' }, default: '14' },
  },
  chart: ['sum'],
  opens: { page: 'deals', id: 'deal', as: 'lead' },
  isNow: true,
  noFilial: true,
})
