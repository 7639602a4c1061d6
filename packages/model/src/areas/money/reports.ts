import { count, distinct, ratio, report, sum } from '../../report.ts'
import { txKinds } from './ledger.ts'
import { paymentMethods } from './methods.ts'
import { paymentKinds } from './payment.ts'

/** One fact is a part of a payment or refund, by one payment method. */
export const paymentsReport = report('reportPayments', {
  group: 'money',
  hint: 'Оплачено = оплаты − возвраты по дню платежа. Сертификаты, зачёт аванса и бонусы — не деньги и считаются отдельно. Расхождение с ККТ = по кассам клиники − по Z-отчётам; пока оно не ноль, его смена стоит среди строк.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    number: { label: '№', type: 'number' },
    kind: { label: 'Вид', labels: { ...paymentKinds, zReport: 'Сверка с Z-отчётом' } },
    method: { label: 'Чем', labels: paymentMethods, none: 'Сверка с Z-отчётом' },
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
    difference: { label: 'Расхождение с ККТ', type: 'money' },
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
    difference: sum('Расхождение с ККТ', 'difference', 'money', { hint: 'По кассам клиники минус по Z-отчётам' }),
  },
  opens: { page: 'reportPayments', id: 'payment' },
  patient: 'customer',
})

/** Facts are provided services, on their day, and parts of payments, on theirs. */
export const revenueReport = report('reportRevenue', {
  group: 'money',
  hint: 'Начислено — стоимость оказанных услуг по дню услуги, как сейчас; выручка — по дню проводки, с исправлениями, как в прибыли и убытках. Оплачено — оплаты деньгами минус возвраты по дню платежа: у врача и услуги — то, что этими деньгами закрыто, остальное — в «Авансах». Средний чек = оплачено / оплаченные визиты (пациент + день + филиал).',
  fields: {
    what: { label: 'Что', labels: { service: 'Услуга', payment: 'Платёж', entry: 'Проводка выручки' } },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users', none: 'Авансы и без врача' },
    service: { label: 'Услуга', of: 'services', none: 'Авансы и без услуги' },
    group: { label: 'Группа услуг', of: 'services-groups', none: 'Авансы и без группы' },
    charged: { label: 'Начислено', type: 'money' },
    discount: { label: 'Скидка', type: 'money' },
    settled: { label: 'Закрыто оплатой', type: 'money' },
    paid: { label: 'Оплачено', type: 'money' },
    advance: { label: 'Из них аванс', type: 'money' },
    revenue: { label: 'Выручка', type: 'money' },
    isService: { label: 'Услуга оказана', type: 'flag', hidden: true },
    visit: { label: 'Оплаченный визит', hidden: true },
  },
  by: ['doctor', 'service', 'group', 'what'],
  first: ['day'],
  measures: {
    paid: sum('Оплачено', 'paid', 'money', {
      hint: 'Принято деньгами минус возвращено. Врачу — за услуги, которые этими деньгами закрыты',
      good: 'up',
      same: 'payments.paid',
    }),
    charged: sum('Начислено', 'charged', 'money', { hint: 'Оказанные услуги по дню услуги, как сейчас', good: 'up' }),
    revenue: sum('Выручка', 'revenue', 'money', {
      hint: 'По дню проводки, с исправлениями: столько же в прибыли и убытках и в KPI',
      good: 'up',
    }),
    advance: sum('Авансы', 'advance', 'money', { hint: 'Из оплаченного — то, чем пока не закрыта ни одна услуга' }),
    settled: sum('Из начисленного закрыто', 'settled', 'money', {
      hint: 'Деньги, сертификаты и ДМС, зачтённые за эти услуги на сегодня',
    }),
    discount: sum('Скидки', 'discount'),
    services: count('Услуг оказано', 'isService'),
    visits: distinct('Оплаченных визитов', 'visit', { hint: 'Пациент, день и филиал, где были оплаты деньгами' }),
    check: ratio('Средний чек', ['paid', 'visits'], 'money', { hint: 'Оплачено / оплаченные визиты', good: 'up' }),
    patients: distinct('Пациентов в выручке', 'customer'),
  },
  chart: ['paid', 'charged'],
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
})

/** One fact is an entry of a patient's account in the ledger. */
export const transactionsReport = report('reportTransactions', {
  group: 'money',
  hint: 'Приход уменьшает долг пациента, расход увеличивает. Остаток после операции: больше нуля — долг, меньше — аванс. Остаток на начало + начислено − оплачено = остаток на конец.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    customer: { label: 'Пациент', of: 'customers' },
    operation: { label: 'Операция', labels: txKinds },
    service: { label: 'Услуга', of: 'services', none: 'Не услуга' },
    charged: { label: 'Начислено', type: 'money' },
    received: { label: 'Зачтено', type: 'money' },
    turnover: { label: 'Изменение долга', type: 'money' },
    balance: { label: 'Остаток', type: 'money' },
    organization: { label: 'Организация', of: 'organizations' },
    desk: { label: 'Касса', of: 'cash-desks', none: 'Без кассы' },
    cashier: { label: 'Кто провёл', of: 'users', none: 'Сервер' },
    document: { label: 'Документ' },
  },
  by: ['operation', 'customer', 'service', 'organization', 'desk', 'cashier'],
  first: ['operation'],
  measures: {
    charged: sum('Начислено на счета', 'charged'),
    received: sum('Зачтено', 'received', 'money', { hint: 'Оплаты, сертификаты, ДМС, списания минус возвраты' }),
    turnover: sum('Изменение долга', 'turnover', 'money', { good: 'down' }),
    operations: count('Операций'),
    patients: distinct('Пациентов с операциями', 'customer'),
  },
  balance: 'turnover',
  chart: ['charged', 'received'],
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
})

export const ages = {
  '030': 'До 30 дней',
  '060': '31–60 дней',
  '090': '61–90 дней',
  '180': '91–180 дней',
  '999': 'Больше 180 дней',
} as const

/** One fact is a patient's current debt to an organization, or prepayment. */
export const debtsReport = report('reportDebts', {
  group: 'money',
  hint: 'Долг = стоимость оказанного − зачтённое (платежи, сертификаты, переносы) на сейчас; аванс — обратное. Возраст долга — от самой давней неоплаченной услуги, аванса — от последней операции.',
  fields: {
    customer: { label: 'Пациент', of: 'customers' },
    organization: { label: 'Организация', of: 'organizations' },
    kind: { label: 'Что', labels: { debt: 'Долг', advance: 'Аванс' } },
    age: { label: 'Возраст', labels: ages, ordered: true },
    debt: { label: 'Долг', type: 'money' },
    advance: { label: 'Аванс', type: 'money' },
    since: { label: 'С какого дня', type: 'day' },
    isDebt: { label: 'Должник', type: 'flag', hidden: true },
    isAdvance: { label: 'С авансом', type: 'flag', hidden: true },
  },
  by: ['age', 'kind', 'organization'],
  first: ['age'],
  measures: {
    debt: sum('Долг', 'debt', 'money', { good: 'down' }),
    debtors: count('Должников', 'isDebt'),
    mean: ratio('Средний долг', ['debt', 'debtors'], 'money'),
    advance: sum('Аванс', 'advance', 'money'),
    holders: count('С авансом', 'isAdvance'),
  },
  isNow: true,
  noFilial: true,
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
})

/** Facts are provided services, split by their discounts. */
export const discountsReport = report('reportDiscounts', {
  group: 'money',
  hint: 'Оказанные услуги по дню услуги. Если скидок на услугу несколько, её стоимость делится между ними по их суммам, так что итог сходится.',
  fields: {
    customer: { label: 'Пациент', of: 'customers' },
    discount: { label: 'Скидка', of: 'discounts', none: 'Без скидки и вручную' },
    way: { label: 'Как дана', labels: { program: 'По правилу', manual: 'Вручную', none: 'Без скидки' } },
    doctor: { label: 'Врач', of: 'users' },
    service: { label: 'Услуга', of: 'services' },
    gross: { label: 'До скидки', type: 'money' },
    amount: { label: 'Сумма скидки', type: 'money' },
    net: { label: 'После скидки', type: 'money' },
    visit: { label: 'Визит', hidden: true },
    isUse: { label: 'Скидка дана', type: 'flag', hidden: true },
  },
  by: ['discount', 'way', 'doctor', 'service'],
  first: ['discount'],
  measures: {
    net: sum('После скидки', 'net', 'money', { good: 'up' }),
    uses: count('Применений', 'isUse'),
    patients: distinct('Пациентов с услугами', 'customer'),
    gross: sum('До скидки', 'gross'),
    amount: sum('Скидка', 'amount', 'money', { good: 'down' }),
    share: ratio('Скидка, доля', ['amount', 'gross'], 'share', { good: 'down' }),
    visits: distinct('Визитов с услугами', 'visit'),
    check: ratio('Услуг на визит, ₽', ['net', 'visits'], 'money', { hint: 'После скидки / визиты с услугами' }),
  },
  chart: ['net', 'amount'],
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
})

/** Facts are payments, completed visits and first visits, each with its patient's source. */
export const sourcesReport = report('reportSources', {
  group: 'clients',
  hint: 'Источник пациента — из его карты; последний источник — из последней сделки пациента до события, без неё — из карты. Доля строк «Не указан» показывает качество данных. Расходы — кампаний рекламы с этим источником по дням; CAC и ROMI — по источникам, у которых есть кампания: расходы / новые пациенты, (оплачено − расходы) / расходы.',
  fields: {
    what: { label: 'Что', labels: { payment: 'Платёж', visit: 'Визит', newcomer: 'Новый пациент', cost: 'Реклама' } },
    customer: { label: 'Пациент', of: 'customers' },
    parent: { label: 'Источник', none: 'Не указан' },
    source: { label: 'Подысточник', none: 'Не указан' },
    paid: { label: 'Оплачено', type: 'money' },
    lifetime: { label: 'Оплачено за всё время', type: 'money' },
    cost: { label: 'Расход на рекламу', type: 'money' },
    gain: { label: 'Оплачено минус реклама', type: 'money', hidden: true },
    visit: { label: 'Оплаченный визит', hidden: true },
    isVisit: { label: 'Визит', type: 'flag', hidden: true },
    isNew: { label: 'Новый', type: 'flag', hidden: true },
    isAdNew: { label: 'Новый из источника с рекламой', type: 'flag', hidden: true },
  },
  by: ['parent', 'source', 'what'],
  first: ['parent', 'source'],
  parameters: {
    attribution: {
      label: 'Чей источник',
      labels: { first: 'Первый: из карты', last: 'Последний: из сделки' },
      default: 'first',
    },
  },
  measures: {
    paid: sum('Оплачено', 'paid', 'money', { good: 'up', same: 'payments.paid' }),
    newcomers: count('Новых пациентов', 'isNew', {
      hint: 'Пациенты, чей первый завершённый визит в сети — в этом периоде',
      good: 'up',
    }),
    visits: count('Завершено', 'isVisit', { good: 'up', same: 'visits.completed' }),
    checks: distinct('Оплаченных визитов', 'visit', { once: true, same: 'revenue.visits' }),
    check: ratio('Средний чек', ['paid', 'checks'], 'money', { good: 'up', same: 'revenue.check' }),
    lifetime: sum('Оплачено новыми за всё время', 'lifetime'),
    ltv: ratio('LTV', ['lifetime', 'newcomers'], 'money', {
      hint: 'Оплачено новыми пациентами периода за всё время / их число',
      good: 'up',
    }),
    cost: sum('Расход на рекламу', 'cost', 'money', { hint: 'Расходы кампаний, у которых указан этот источник' }),
    adNewcomers: count('Новых из источников с рекламой', 'isAdNew'),
    cac: ratio('CAC источников с рекламой', ['cost', 'adNewcomers'], 'money', {
      hint: 'Расходы на рекламу / новые пациенты источников, у которых есть кампания. На странице рекламы — по переходам с неё',
      good: 'down',
    }),
    gain: sum('После рекламы', 'gain', 'money', {
      hint: 'Оплачено пациентами источников, у которых есть кампания, − расходы на рекламу',
      good: 'up',
    }),
    romi: ratio('ROMI источников с рекламой', ['gain', 'cost'], 'share', {
      hint: '(Оплачено пациентами источников с кампанией − реклама) / реклама. На странице рекламы — по переходам с неё',
      good: 'up',
    }),
  },
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
})
