import { count, ratio, report, sum } from '../../report.ts'
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
  },
  chart: ['claimed', 'accepted', 'paid'],
  opens: { page: 'payerRegistries', id: 'registry' },
  patient: 'customer',
})
