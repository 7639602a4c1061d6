import { count, distinct, percentile, ratio, report, sum } from '../../report.ts'
import { visitKinds } from '../catalogue/performer.ts'
import { cancelReasons, visitStatuses } from './rules.ts'
import { channels } from './visit.ts'

const wide = ['viewAllAppointments', 'viewKpiReport'] as const
/** A doctor sees only own rows. */
const own = { field: 'doctor', unless: wide } as const

/** One fact is a visit, on the day it is booked for. */
export const visitsReport = report('reportVisits', {
  group: 'visits',
  hint: 'Визит стоит в дне, на который записан. Доходимость = завершены / наступившие, доля неявок = не пришли / наступившие; наступившие — записи без перенесённых, время которых уже пришло.',
  fields: {
    at: { label: 'Начало', type: 'moment' },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users' },
    speciality: { label: 'Специальность', of: 'specialities', none: 'Без специальности' },
    status: { label: 'Состояние', labels: visitStatuses },
    kind: { label: 'Приём', labels: visitKinds },
    channel: { label: 'Как записан', labels: channels },
    reason: { label: 'Причина отмены', labels: cancelReasons },
    author: { label: 'Кто записал', of: 'users', none: 'Пациент сам' },
    waited: { label: 'Ждал приёма, мин', type: 'number' },
    visit: { label: 'Запись №', type: 'number' },
    isKept: { label: 'Не перенесён', type: 'flag', hidden: true },
    isDue: { label: 'Наступил', type: 'flag', hidden: true },
    isMade: { label: 'Записан сотрудником', type: 'flag', hidden: true },
    isMadeCome: { label: 'Записан сотрудником и завершён', type: 'flag', hidden: true },
    isCompleted: { label: 'Завершён', type: 'flag', hidden: true },
    isNoShow: { label: 'Не пришёл', type: 'flag', hidden: true },
    isCancelled: { label: 'Отменён', type: 'flag', hidden: true },
    isPaid: { label: 'Оплачен', type: 'flag' },
  },
  by: ['doctor', 'speciality', 'status', 'kind', 'channel', 'reason', 'author'],
  first: ['day'],
  measures: {
    booked: count('Записано', 'isKept', { hint: 'Без перенесённых на другое время', good: 'up', running: 'asked' }),
    due: count('Наступило', 'isDue', { hint: 'Записи без перенесённых, время которых уже пришло', running: 'begun' }),
    completed: count('Завершено', 'isCompleted', { good: 'up' }),
    noShow: count('Не пришли', 'isNoShow', { good: 'down' }),
    cancelled: count('Отменено', 'isCancelled', { good: 'down' }),
    come: ratio('Доходимость', ['completed', 'due'], 'share', {
      hint: 'Завершено / наступило',
      good: 'up',
      running: 'begun',
    }),
    noShowShare: ratio('Доля неявок', ['noShow', 'due'], 'share', {
      hint: 'Не пришли / наступило',
      good: 'down',
      running: 'begun',
    }),
    patients: distinct('Пациентов с записью', 'customer'),
    paid: count('Оплачено визитов', 'isPaid'),
    paidShare: ratio('Доля оплаченных визитов', ['paid', 'completed'], 'share', { good: 'up' }),
    made: count('Записано сотрудниками', 'isMade', {
      hint: 'Наступившие записи, которые сделал сотрудник',
      running: 'begun',
    }),
    madeCome: count('Пришли из записанных сотрудниками', 'isMadeCome', { good: 'up' }),
    wait: percentile('Ожидание, медиана', 'waited', 0.5, 'minutes', { hint: 'От прихода до начала приёма' }),
  },
  chart: ['booked', 'completed'],
  opens: { page: 'calendar', id: 'visit', as: 'visit' },
  patient: 'customer',
  own,
})

/** One fact is a patient's answer after a visit. */
export const npsReport = report('reportNps', {
  group: 'quality',
  hint: 'NPS = доля оценок 9–10 − доля оценок 0–6. Оценка одна на визит, в дне, когда её поставили; врач — тот, к кому был визит.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users' },
    speciality: { label: 'Специальность', of: 'specialities', none: 'Без специальности' },
    score: { label: 'Оценка', type: 'number' },
    side: {
      label: 'Кто',
      labels: { promoter: 'Сторонник, 9–10', neutral: 'Нейтральный, 7–8', detractor: 'Критик, 0–6' },
    },
    comment: { label: 'Отзыв' },
    visit: { label: 'Запись №', type: 'number' },
    isPromoter: { label: 'Сторонник', type: 'flag', hidden: true },
    isDetractor: { label: 'Критик', type: 'flag', hidden: true },
    balance: { label: 'Сторонник минус критик', type: 'number', hidden: true },
  },
  by: ['doctor', 'speciality', 'side', 'score'],
  first: ['doctor'],
  measures: {
    nps: ratio('NPS', ['balance', 'answers'], 'share', { good: 'up' }),
    answers: count('Оценок'),
    promoters: count('Сторонников', 'isPromoter', { good: 'up' }),
    detractors: count('Критиков', 'isDetractor', { good: 'down' }),
    mean: ratio('Средняя оценка', ['points', 'answers'], 'number', { good: 'up' }),
    balance: sum('Сторонники − критики', 'balance', 'number', { part: true }),
    points: sum('Баллов', 'score', 'number', { part: true }),
  },
  chart: ['nps'],
  opens: { page: 'calendar', id: 'visit', as: 'visit' },
  patient: 'customer',
  own,
})

/** Facts are shifts, with their available minutes, and coupons, with their occupied minutes. */
export const loadReport = report('reportLoad', {
  group: 'visits',
  hint: 'Загрузка = минуты записей / минуты смен без перерывов. Отменённые, перенесённые и неявки времени не занимают.',
  fields: {
    at: { label: 'Начало', type: 'moment' },
    what: { label: 'Что', labels: { shift: 'Смена', visit: 'Запись' } },
    doctor: { label: 'Сотрудник', of: 'users' },
    room: { label: 'Кабинет', of: 'filials/rooms', none: 'Без кабинета' },
    weekday: {
      label: 'День недели',
      labels: {
        1: 'Понедельник',
        2: 'Вторник',
        3: 'Среда',
        4: 'Четверг',
        5: 'Пятница',
        6: 'Суббота',
        7: 'Воскресенье',
      },
      ordered: true,
    },
    shift: { label: 'Минут смены', type: 'number' },
    taken: { label: 'Минут записей', type: 'number' },
  },
  by: ['doctor', 'room', 'weekday'],
  first: ['doctor'],
  measures: {
    load: ratio('Загрузка', ['taken', 'shift'], 'share', { good: 'up', running: 'asked' }),
    shift: sum('Время смен', 'shift', 'work', { running: 'asked' }),
    taken: sum('Занято записями', 'taken', 'work', { good: 'up', running: 'asked' }),
    doctors: distinct('Сотрудников со сменами или записями', 'doctor', { running: 'asked' }),
  },
  chart: ['load'],
  own,
})

/** One fact is the first completed visit of a patient in the network: the cohort is its month. */
export const returnReport = report('reportReturn', {
  group: 'clients',
  hint: 'Когорта — пациенты, чей первый завершённый визит в сети пришёлся на период. Возврат — второй завершённый визит в срок; кому срок ещё не вышел, в долю не входят.',
  fields: {
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Первый врач', of: 'users' },
    source: { label: 'Источник', of: 'customer-sources', none: 'Не указан' },
    next: { label: 'Второй визит', type: 'day' },
    visits: { label: 'Визитов всего', type: 'number' },
    lifetime: { label: 'Оплачено за всё время', type: 'money' },
    back30: { label: 'Вернулся за 30 дней', type: 'flag', hidden: true },
    back90: { label: 'Вернулся за 90 дней', type: 'flag' },
    back180: { label: 'Вернулся за 180 дней', type: 'flag', hidden: true },
    due30: { label: '30 дней прошло', type: 'flag', hidden: true },
    due90: { label: '90 дней прошло', type: 'flag', hidden: true },
    due180: { label: '180 дней прошло', type: 'flag', hidden: true },
  },
  by: ['doctor', 'source'],
  first: ['month'],
  measures: {
    newcomers: count('Новых пациентов', undefined, {
      hint: 'Пациенты, чей первый завершённый визит в сети — в этом периоде',
      good: 'up',
      same: 'revenue-by-customer-sources.newcomers',
    }),
    due30: count('Прошло 30 дней', 'due30'),
    back30: count('Вернулись за 30', 'back30'),
    share30: ratio('Возврат за 30 дней', ['back30', 'due30'], 'share', { good: 'up' }),
    due90: count('Прошло 90 дней', 'due90'),
    back90: count('Вернулись за 90', 'back90'),
    share90: ratio('Возврат за 90 дней', ['back90', 'due90'], 'share', { good: 'up' }),
    due180: count('Прошло 180 дней', 'due180'),
    back180: count('Вернулись за 180', 'back180'),
    share180: ratio('Возврат за 180 дней', ['back180', 'due180'], 'share', { good: 'up' }),
    lifetime: sum('Оплачено новыми за всё время', 'lifetime', 'money', {
      same: 'revenue-by-customer-sources.lifetime',
    }),
    ltv: ratio('LTV', ['lifetime', 'newcomers'], 'money', { good: 'up', same: 'revenue-by-customer-sources.ltv' }),
    visits: sum('Визитов за всё время', 'visits', 'number'),
    mean: ratio('Визитов на пациента', ['visits', 'newcomers'], 'number', { good: 'up' }),
  },
  chart: ['newcomers'],
  opens: { page: 'customer', id: 'customer' },
  patient: 'customer',
  own,
})
