import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { payerIncomes } from '../payers/rules.ts'
import { accruals, type PayRule, payOver, ruleTypes, wrongRules } from './rules.ts'
import {
  adjustmentKinds,
  type PeriodStatus,
  payoutKinds,
  payoutSources,
  periodStatuses,
  runStatuses,
} from './states.ts'

/** Rights on payroll; the server's scope adds the user's own rows. */
export const payrollAccess = { view: 'payroll', create: 'payroll', update: 'payroll', delete: 'payroll' } as const
/** Every signed-in user sees the own slips, with lines and payouts, once they are approved. */
const ownView = { ...payrollAccess, view: 'signed-in' } as const

/** Pay scheme of a person, or of a post, from a day on. */
export const PayScheme = entity('payroll/schemes', {
  label: ['Схема оплаты', 'схемы оплаты', 'схем оплаты'],
  gender: 'f',
  registry: {
    columns: ['name', 'idUser', 'post', 'idFilial', 'accrual', 'dateFrom', 'dateTo'],
    empty: {
      title: 'Схем оплаты пока нет',
      text: 'Заведите схему сотрудника или должности: оклад, проценты, смены. По ней считается зарплата.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true }),
    idUser: ref('users', {
      label: 'Сотрудник',
      as: 'user',
      help: 'Его схема важнее схемы должности',
      whenDeleted: 'asks',
    }),
    post: text({ label: 'Должность', max: 255, help: 'Для всех с этой должностью, у кого нет своей схемы' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — во всех', whenDeleted: 'asks' }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По' }),
    accrual: choice(accruals, { label: 'Услуга засчитывается', default: 'done' }),
    over: choice(payOver, {
      label: 'Норма, ступени и гарантия',
      default: 'person',
      help: 'По сотруднику — считаются один раз по всем филиалам, где он работает, и каждый филиал платит свою долю',
    }),
    rules: json<PayRule[]>()({ label: 'Правила', default: [], rule: wrongRules }),
    note: text({ label: 'Примечание', max: 1000, multiline: true }),
    /** A closed month used it: its rules are read-only. */
    isUsed: boolean({ label: 'По ней закрыт месяц', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
    idAuthor: ref('users', { label: 'Кто завёл', as: 'author', auto: 'actor' }),
  },
  access: payrollAccess,
  kept: ({ isUsed }: { isUsed?: boolean }) =>
    isUsed ? 'По схеме уже закрыт месяц: укажите день, по который она действует' : undefined,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** A month of a branch. */
export const PayrollPeriod = entity('payroll/periods', {
  label: ['Расчётный месяц', 'расчётного месяца', 'расчётных месяцев'],
  gender: 'm',
  fields: {
    /** Its first day. */
    month: date({ label: 'Месяц', required: true, fixed: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, whenDeleted: 'asks' }),
    status: choice(periodStatuses, { label: 'Состояние', default: 'open', readonly: true }),
    dateCalculated: dateTime({ label: 'Рассчитан', readonly: true, clock: 'filial.timeZone' }),
    /** By the setting at its last calculation; corrections of a closed month keep it. */
    payerIncome: choice(payerIncomes, { label: 'Доход от плательщиков', default: 'claimed', readonly: true }),
    dateApproved: dateTime({ label: 'Утверждён', readonly: true, clock: 'filial.timeZone' }),
    idApprover: ref('users', { label: 'Кто утвердил', as: 'approver', readonly: true, whenDeleted: 'stays' }),
    dateClosed: dateTime({ label: 'Закрыт', readonly: true, clock: 'filial.timeZone' }),
    people: integer({ label: 'Сотрудников', computed: true, required: true }),
    /** Rubles: total of the slips, paid out, and left. */
    total: money({ label: 'Начислено', computed: true, required: true }),
    paid: money({ label: 'Выплачено', computed: true, required: true }),
    left: money({ label: 'Осталось выплатить', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Открыт', auto: 'created', clock: 'filial.timeZone' }),
  },
  many: { slips: many('payroll/slips', 'idPeriod'), runs: many('payroll/runs', 'idPeriod') },
  access: { view: payrollAccess.view, create: payrollAccess.create, delete: payrollAccess.delete },
  kept: ({ status }: { status: PeriodStatus }) =>
    status === 'open' || status === 'calculated' ? undefined : 'Проверенный месяц не удаляют',
  unique: [['month', 'idFilial']],
  title: 'month',
  sort: '-month,idFilial',
  soft: true,
})

/** Pay of one person for a month of a branch: a row of the sheet, and the payslip. */
export const PayrollSlip = entity('payroll/slips', {
  branchBy: ['idPeriod'],
  label: ['Расчётный лист', 'расчётного листа', 'расчётных листов'],
  gender: 'm',
  fields: {
    idPeriod: ref('payroll/periods', {
      label: 'Месяц',
      as: 'period',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'stays' }),
    /** Post at the time of calculation. */
    post: text({ label: 'Должность', max: 255, readonly: true }),
    month: date({ label: 'За месяц', computed: true, required: true }),
    nameFilial: text({ label: 'Где', computed: true, required: true }),
    status: choice(periodStatuses, { label: 'Состояние', computed: true, required: true }),
    /** Rubles of the calculated lines, by column of the sheet. */
    salary: money({ label: 'Оклад и смены', default: 0, readonly: true }),
    percent: money({ label: '% и услуги', default: 0, readonly: true }),
    kpi: money({ label: 'KPI и план', default: 0, readonly: true }),
    /** Rubles of the manual lines; deductions are negative. */
    bonus: money({ label: 'Премии и доплаты', computed: true, required: true }),
    deduction: money({ label: 'Удержания', computed: true, required: true }),
    total: money({ label: 'К выплате', computed: true, required: true }),
    paid: money({ label: 'Выплачено', computed: true, required: true }),
    left: money({ label: 'Остаток', computed: true, required: true }),
    hours: decimal({ label: 'Часов', scale: 2, default: 0, readonly: true }),
    shifts: integer({ label: 'Смен', default: 0, readonly: true }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
  },
  many: {
    lines: many('payroll/lines', 'idSlip'),
    adjustments: many('payroll/adjustments', 'idSlip'),
    payouts: many('payroll/payouts', 'idSlip'),
  },
  access: { view: ownView.view, create: 'payroll', update: 'payroll', export: 'payroll' },
  unique: [['idPeriod', 'idUser']],
  title: 'month',
  sort: 'id',
  soft: true,
})

const ofSlip = () =>
  ref('payroll/slips', { label: 'Расчётный лист', as: 'slip', required: true, fixed: true, onDelete: 'cascade' })

/** A calculated line. Written without the records engine: a month may have sixty thousand. */
export const PayrollLine = entity('payroll/lines', {
  label: ['Начисление', 'начисления', 'начислений'],
  gender: 'n',
  fields: {
    idSlip: ofSlip(),
    type: choice(ruleTypes, { label: 'Вид', required: true, readonly: true }),
    name: text({ label: 'За что', required: true, max: 120, readonly: true }),
    idScheme: ref('payroll/schemes', {
      label: 'Схема',
      as: 'scheme',
      required: true,
      readonly: true,
      whenDeleted: 'own',
    }),
    /** Code of the rule within its scheme. */
    rule: text({ label: 'Правило', required: true, max: 40, readonly: true }),
    idCouponService: ref('coupon-services', { label: 'Услуга визита', as: 'couponService', readonly: true }),
    localDate: date({ label: 'День', readonly: true }),
    /** Rubles, hours, shifts or a score, by type. */
    base: decimal({ label: 'База', scale: 2, required: true, readonly: true }),
    rate: decimal({ label: 'Ставка', scale: 2, required: true, readonly: true }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    /** The closed month that it corrects. */
    idOfPeriod: ref('payroll/periods', {
      label: 'Исправляет месяц',
      as: 'ofPeriod',
      readonly: true,
      whenDeleted: 'own',
    }),
    ofMonth: date({ label: 'За какой месяц', computed: true }),
    service: text({ label: 'Услуга', computed: true }),
    patient: text({ label: 'Пациент', computed: true, hidden: 'viewCustomers' }),
  },
  nameOnly: ['idCouponService'],
  access: { view: ownView.view },
  within: 'idSlip',
  sort: 'id',
  unrecorded: true,
})

/** A manual line: calculations do not change it. */
export const PayrollAdjustment = entity('payroll/adjustments', {
  label: ['Ручная строка', 'ручной строки', 'ручных строк'],
  gender: 'f',
  registry: {
    form: ['kind', 'sum', 'reason'],
    empty: { title: 'Ручных строк нет', text: 'Премия, доплата, снижение премии или удержание, каждая с основанием' },
  },
  fields: {
    idSlip: ofSlip(),
    kind: choice(adjustmentKinds, { label: 'Вид', required: true }),
    sum: money({ label: 'Сумма', required: true, min: 0.01, max: 100_000_000 }),
    reason: text({ label: 'Основание', required: true, max: 500, multiline: true }),
    /** The violation of a regulation that reduces the pay; each counts once. */
    idViolation: ref('regulations/violations', {
      label: 'Нарушение',
      as: 'violation',
      fixed: true,
      onDelete: 'set null',
    }),
    /** Signed amount. */
    amount: money({ label: 'К выплате', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Внесена', auto: 'created' }),
    idAuthor: ref('users', { label: 'Кто внёс', as: 'author', auto: 'actor' }),
  },
  access: ownView,
  within: 'idSlip',
  unique: [['idViolation']],
  title: 'reason',
  sort: 'id',
  soft: true,
})

/** A payout to a person: an advance, or the rest. */
export const PayrollPayout = entity('payroll/payouts', {
  label: ['Выплата', 'выплаты', 'выплат'],
  gender: 'f',
  fields: {
    idSlip: ofSlip(),
    kind: choice(payoutKinds, { label: 'Вид', required: true, readonly: true }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    payFrom: choice(payoutSources, { label: 'Откуда', required: true, readonly: true }),
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', readonly: true, whenDeleted: 'stays' }),
    idShift: ref('cash-shifts', { label: 'Смена кассы', as: 'shift', readonly: true }),
    idBankAccount: ref('organizations/accounts', {
      label: 'Счёт',
      as: 'bankAccount',
      readonly: true,
      whenDeleted: 'asks',
    }),
    dateCreate: dateTime({ label: 'Проведена', auto: 'created' }),
    idAuthor: ref('users', { label: 'Кто провёл', as: 'author', auto: 'actor' }),
  },
  access: { view: ownView.view },
  within: 'idSlip',
  title: 'sum',
  sort: 'id',
})

/** A manually corrected day of the timesheet; all other days come from the shifts. */
export const TimesheetDay = entity('payroll/days', {
  label: ['Правка табеля', 'правки табеля', 'правок табеля'],
  gender: 'f',
  fields: {
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'stays' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, whenDeleted: 'stays' }),
    localDate: date({ label: 'День', required: true, fixed: true }),
    hours: decimal({ label: 'Часов', scale: 2, min: 0, max: 24, required: true }),
    nightHours: decimal({ label: 'Из них ночью', scale: 2, min: 0, max: 8, default: 0 }),
    reason: text({ label: 'Почему', required: true, max: 200 }),
    dateCreate: dateTime({ label: 'Внесена', auto: 'created', clock: 'filial.timeZone' }),
    idAuthor: ref('users', { label: 'Кто внёс', as: 'author', auto: 'actor' }),
  },
  access: payrollAccess,
  unique: [['idUser', 'idFilial', 'localDate']],
  title: 'localDate',
  sort: '-localDate,id',
  soft: true,
})

/** Cost of a service, if not given by its norm of materials. */
export const ServiceCost = entity('payroll/service-costs', {
  label: ['Себестоимость услуги', 'себестоимости услуги', 'себестоимостей услуг'],
  gender: 'f',
  registry: {
    columns: ['idService', 'materials', 'laboratory', 'dateChange'],
    empty: {
      title: 'Себестоимость не задана',
      text: 'Без неё материалы считаются по нормам расхода услуги и ценам товаров, лаборатория — нулём.',
    },
  },
  fields: {
    idService: ref('services', { label: 'Услуга', as: 'service', required: true, fixed: true, onDelete: 'cascade' }),
    materials: money({ label: 'Материалы', min: 0, default: 0 }),
    laboratory: money({ label: 'Лаборатория', min: 0, default: 0 }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access: payrollAccess,
  unique: [['idService']],
  sort: 'id',
  soft: true,
})

/** Difference of one person, in rubles. */
export interface RunDifference {
  idUser: number
  name: string
  before: number
  after: number
}

/** A calculation of a month, or a trial that changes nothing. */
export const PayrollRun = entity('payroll/runs', {
  label: ['Расчёт', 'расчёта', 'расчётов'],
  gender: 'm',
  fields: {
    idPeriod: ref('payroll/periods', {
      label: 'Месяц',
      as: 'period',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    isTrial: boolean({ label: 'Пробный', default: false, readonly: true }),
    status: choice(runStatuses, { label: 'Состояние', default: 'queued', readonly: true }),
    /** Percent. */
    progress: integer({ label: 'Готово, %', default: 0, min: 0, max: 100, readonly: true }),
    stage: text({ label: 'Чем занят', max: 120, readonly: true }),
    before: money({ label: 'Было', readonly: true }),
    after: money({ label: 'Стало', readonly: true }),
    added: integer({ label: 'Строк добавлено', readonly: true }),
    changed: integer({ label: 'Изменено', readonly: true }),
    removed: integer({ label: 'Удалено', readonly: true }),
    corrections: integer({ label: 'Исправлений закрытых месяцев', readonly: true }),
    /** Persons with changed pay, the largest differences first. */
    differences: json<RunDifference[]>()({ label: 'Разница', readonly: true }),
    error: text({ label: 'Ошибка', max: 500, readonly: true }),
    dateEnd: dateTime({ label: 'Закончен', readonly: true }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    idAuthor: ref('users', { label: 'Кто начал', as: 'author', auto: 'actor' }),
  },
  access: { view: payrollAccess.view },
  within: 'idPeriod',
  sort: '-id',
})
