import { count, ratio, report, sum } from '../../report.ts'
import { ages } from '../money/reports.ts'
import { registryLineStates } from './rules.ts'

/** One fact is a line of a sent registry, on the day of its service, or a payment of a registry. */
export const payersReport = report('reportPayers', {
  group: 'money',
  hint: 'Заявлено — строки отправленных реестров по дню услуги; заявлено = принято + снято + не решено. Оплачено — по дню оплаты. В срок — решено и оплачено до дня оплаты по договору.',
  fields: {
    payer: { label: 'Плательщик', of: 'organizations' },
    contract: { label: 'Договор', of: 'payer-contracts' },
    programme: { label: 'Программа', of: 'organizations/programmes', none: 'Оплата реестра' },
    registry: { label: 'Реестр', of: 'payer-registries' },
    service: { label: 'Услуга', of: 'services', none: 'Оплата реестра' },
    customer: { label: 'Пациент', of: 'customers' },
    state: { label: 'Состояние', labels: registryLineStates, none: 'Оплата реестра' },
    reason: { label: 'Причина снятия', none: 'Не снято' },
    claimed: { label: 'Заявлено', type: 'money' },
    accepted: { label: 'Принято', type: 'money' },
    cut: { label: 'Снято', type: 'money' },
    open: { label: 'Не решено', type: 'money' },
    paid: { label: 'Оплачено', type: 'money' },
    overdue: { label: 'Просрочено', type: 'money' },
    cost: { label: 'Себестоимость', type: 'money' },
    margin: { label: 'Маржа', type: 'money' },
    isLine: { label: 'Строка', type: 'flag', hidden: true },
  },
  by: ['payer', 'contract', 'programme', 'registry', 'service', 'state', 'reason'],
  first: ['payer'],
  measures: {
    claimed: sum('Заявлено плательщикам', 'claimed'),
    accepted: sum('Принято плательщиками', 'accepted', 'money', { good: 'up' }),
    cut: sum('Снято плательщиками', 'cut', 'money', { good: 'down' }),
    share: ratio('Снято плательщиками, доля', ['cut', 'claimed'], 'share', { good: 'down' }),
    open: sum('Не решено плательщиками', 'open'),
    paid: sum('Оплачено плательщиками', 'paid', 'money', { good: 'up' }),
    overdue: sum('Просрочено плательщиками', 'overdue', 'money', { good: 'down' }),
    lines: count('Услуг в реестрах', 'isLine'),
    margin: sum('Маржа по плательщикам', 'margin', 'money', {
      hint: 'Принято минус себестоимость отвеченных строк: материалы и лаборатория, по заданной себестоимости услуги или по списанному',
      good: 'up',
    }),
    profit: ratio('Маржа, доля принятого', ['margin', 'accepted'], 'share', { good: 'up' }),
  },
  chart: ['claimed', 'accepted', 'paid'],
  opens: { page: 'payerRegistries', id: 'registry' },
  patient: 'customer',
})

/** One fact is what is not paid of a sent registry, now. */
export const payerDebtsReport = report('reportPayerDebts', {
  group: 'money',
  hint: 'Долг — заявлено минус снято и оплачено, по отправленным реестрам, на сейчас. Возраст — сколько дней прошло со дня оплаты по договору.',
  fields: {
    payer: { label: 'Плательщик', of: 'organizations' },
    contract: { label: 'Договор', of: 'payer-contracts' },
    registry: { label: 'Реестр', of: 'payer-registries' },
    organization: { label: 'Организация', of: 'organizations' },
    age: { label: 'Возраст', labels: { '000': 'Срок не наступил', ...ages }, ordered: true },
    due: { label: 'Оплатить до', type: 'day' },
    debt: { label: 'Долг плательщика', type: 'money' },
    accepted: { label: 'Из них принято', type: 'money' },
    overdue: { label: 'Просрочено', type: 'money' },
  },
  by: ['payer', 'age', 'contract', 'organization'],
  first: ['payer'],
  measures: {
    debt: sum('Долг плательщиков', 'debt', 'money', { good: 'down' }),
    accepted: sum('Принято и не оплачено', 'accepted'),
    overdue: sum('Просрочено плательщиками сейчас', 'overdue', 'money', { good: 'down' }),
    registries: count('Реестров с долгом'),
  },
  isNow: true,
  noFilial: true,
  opens: { page: 'payerRegistries', id: 'registry' },
})
