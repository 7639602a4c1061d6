import { count, ratio, report, sum } from '../../report.ts'

/** Facts are costs, appeals, bookings and completed visits, each with the campaign that it is attributed to. */
export const campaignsReport = report('reportCampaigns', {
  group: 'clients',
  hint: 'Кампания обращения и записи определяется один раз, в момент обращения; что считается обращением и визитом — по записям, как они сейчас: «Не по делу», удалённое и возвращённое уходит. CPL, CAC и ROMI — только по людям, которых привела реклама.',
  fields: {
    what: {
      label: 'Что',
      labels: { cost: 'Расход', appeal: 'Обращение', request: 'Заявка', booking: 'Запись', visit: 'Визит' },
    },
    campaign: { label: 'Кампания', of: 'advertising/campaigns', none: 'Без рекламы' },
    customer: { label: 'Пациент', of: 'customers' },
    record: { label: '№', type: 'number' },
    cost: { label: 'Расход на рекламу', type: 'money' },
    clicks: { label: 'Клики', type: 'number' },
    paid: { label: 'Оплачено за визит', type: 'money' },
    adPaid: { label: 'Оплачено за визит по рекламе', type: 'money', hidden: true },
    gain: { label: 'Оплачено минус реклама', type: 'money', hidden: true },
    isAppeal: { label: 'Обращение', type: 'flag', hidden: true },
    isBooking: { label: 'Запись', type: 'flag', hidden: true },
    isVisit: { label: 'Визит', type: 'flag', hidden: true },
    isNew: { label: 'Новый пациент', type: 'flag' },
    isAdAppeal: { label: 'Обращение по рекламе', type: 'flag', hidden: true },
    isAdNew: { label: 'Новый по рекламе', type: 'flag', hidden: true },
  },
  by: ['campaign', 'what'],
  first: ['campaign'],
  parameters: {
    touch: {
      label: 'К чему относить',
      labels: { last: 'Последнее касание', first: 'Первое касание' },
      default: 'last',
    },
  },
  measures: {
    cost: sum('Расход на рекламу', 'cost', 'money', { same: 'revenue-by-customer-sources.cost' }),
    clicks: sum('Клики', 'clicks', 'number'),
    appeals: count('Обращений и заявок', 'isAppeal', {
      hint: 'Целевые обращения и заявки с сайта, не удалённые',
      good: 'up',
    }),
    adAppeals: count('Обращений по рекламе', 'isAdAppeal', { good: 'up' }),
    bookings: count('Создано записей', 'isBooking', { hint: 'По дню, когда записали', good: 'up' }),
    visits: count('Завершено', 'isVisit', { good: 'up', same: 'visits.completed' }),
    newcomers: count('Новых пациентов', 'isNew', { good: 'up', same: 'revenue-by-customer-sources.newcomers' }),
    adNewcomers: count('Новых по рекламе', 'isAdNew', { good: 'up' }),
    paid: sum('Оплачено за визиты', 'paid', 'money', {
      hint: 'Зачтено за услуги визитов периода на сегодня, за вычетом возвратов',
      good: 'up',
    }),
    adPaid: sum('Оплачено за визиты по рекламе', 'adPaid', 'money', { good: 'up' }),
    gain: sum('После рекламы, по визитам', 'gain', 'money', { part: true }),
    cpl: ratio('CPL', ['cost', 'adAppeals'], 'money', { hint: 'Расход / обращения по рекламе', good: 'down' }),
    cac: ratio('CAC рекламы', ['cost', 'adNewcomers'], 'money', {
      hint: 'Расход / новые пациенты, которых привела реклама',
      good: 'down',
    }),
    romi: ratio('ROMI рекламы', ['gain', 'cost'], 'share', {
      hint: '(Оплачено за визиты по рекламе − расход) / расход',
      good: 'up',
    }),
  },
  chart: ['cost', 'adAppeals'],
  opens: { page: 'adCampaign', id: 'campaign' },
  patient: 'customer',
})
