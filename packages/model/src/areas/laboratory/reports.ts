import { count, distinct, percentile, ratio, report, sum } from '../../report.ts'
import { rejectReasons } from './states.ts'
import { biomaterials, sections, urgencies } from './words.ts'

/** One fact is a completed test: all its values are published. */
export const labTermsReport = report('reportLabTerms', {
  group: 'laboratory',
  hint: 'Срок выполнения — от взятия пробы до публикации последнего показателя исследования. В срок — не позже обещанного времени.',
  fields: {
    order: { label: 'Заказ', of: 'laboratory/orders' },
    test: { label: 'Исследование', of: 'laboratory/catalog' },
    panel: { label: 'Панель', of: 'laboratory/catalog', none: 'Без панели' },
    customer: { label: 'Пациент', of: 'customers' },
    laboratory: { label: 'Лаборатория', of: 'laboratory/list' },
    section: { label: 'Отдел', labels: sections },
    device: { label: 'Анализатор', of: 'laboratory/devices', none: 'Без анализатора' },
    urgency: { label: 'Срочность', labels: urgencies },
    taken: { label: 'Взят', type: 'moment' },
    done: { label: 'Опубликован', type: 'moment' },
    due: { label: 'Обещан', type: 'moment' },
    minutes: { label: 'Срок выполнения', type: 'minutes' },
    isPromised: { label: 'Срок назван', type: 'flag', hidden: true },
    isInTerm: { label: 'В срок', type: 'flag' },
  },
  by: ['laboratory', 'section', 'test', 'panel', 'device', 'urgency'],
  first: ['laboratory'],
  measures: {
    tests: count('Исследований выдано'),
    orders: distinct('Заказов с результатом', 'order'),
    median: percentile('Срок, медиана', 'minutes', 0.5, 'minutes', { good: 'down' }),
    p90: percentile('Срок, 90-й процентиль', 'minutes', 0.9, 'minutes', { good: 'down' }),
    promised: count('Со сроком', 'isPromised'),
    inTerm: count('В срок', 'isInTerm', { good: 'up' }),
    share: ratio('Доля в срок', ['inTerm', 'promised'], 'share', { good: 'up' }),
  },
  chart: ['median', 'p90'],
  opens: { page: 'labOrder', id: 'order' },
  patient: 'customer',
})

/** One fact is a drawn tube. */
export const labRejectsReport = report('reportLabRejects', {
  group: 'laboratory',
  hint: 'Доля брака — забракованные пробы среди взятых; день — день взятия.',
  fields: {
    sample: { label: 'Проба', of: 'laboratory/samples' },
    order: { label: 'Заказ', of: 'laboratory/orders' },
    customer: { label: 'Пациент', of: 'customers' },
    taken: { label: 'Взята', type: 'moment' },
    taker: { label: 'Кто взял', of: 'users', none: 'Не указан' },
    laboratory: { label: 'Лаборатория', of: 'laboratory/list' },
    container: { label: 'Контейнер', of: 'laboratory/containers', none: 'Без контейнера' },
    biomaterial: { label: 'Биоматериал', labels: biomaterials },
    reason: { label: 'Причина брака', labels: rejectReasons, none: 'Принята' },
    isRejected: { label: 'Брак', type: 'flag' },
  },
  by: ['reason', 'taker', 'laboratory', 'container', 'biomaterial'],
  first: ['reason'],
  measures: {
    taken: count('Взято проб'),
    rejected: count('Брак', 'isRejected', { good: 'down' }),
    share: ratio('Доля брака', ['rejected', 'taken'], 'share', { good: 'down' }),
    orders: distinct('Заказов с пробами', 'order'),
  },
  chart: ['rejected'],
  opens: { page: 'labOrder', id: 'order' },
  patient: 'customer',
})

/** One fact is a completed test, with its share of the sold price. */
export const labMarginReport = report('reportLabMargin', {
  group: 'laboratory',
  hint: 'Стоимость — цена услуги со скидкой; цена панели делится поровну между её исследованиями. Себестоимость — цена лаборатории или расход реагентов на день заказа.',
  fields: {
    order: { label: 'Заказ', of: 'laboratory/orders' },
    test: { label: 'Исследование', of: 'laboratory/catalog' },
    panel: { label: 'Панель', of: 'laboratory/catalog', none: 'Без панели' },
    customer: { label: 'Пациент', of: 'customers' },
    laboratory: { label: 'Лаборатория', of: 'laboratory/list' },
    section: { label: 'Отдел', labels: sections },
    doctor: { label: 'Назначил', of: 'users', none: 'Не указан' },
    done: { label: 'Опубликован', type: 'moment' },
    price: { label: 'Стоимость', type: 'money' },
    cost: { label: 'Себестоимость', type: 'money' },
    margin: { label: 'Маржа', type: 'money' },
  },
  by: ['laboratory', 'section', 'test', 'panel', 'doctor'],
  first: ['laboratory'],
  measures: {
    revenue: sum('Стоимость', 'price', 'money', { good: 'up' }),
    cost: sum('Себестоимость', 'cost', 'money', { good: 'down' }),
    margin: sum('Маржа', 'margin', 'money', { good: 'up' }),
    share: ratio('Рентабельность', ['margin', 'revenue'], 'share', { good: 'up' }),
    tests: count('Исследований в марже'),
    orders: distinct('Заказов в марже', 'order'),
    mean: ratio('Маржа на исследование', ['margin', 'tests'], 'money', { good: 'up' }),
  },
  chart: ['revenue', 'margin'],
  opens: { page: 'labOrder', id: 'order' },
  patient: 'customer',
})
