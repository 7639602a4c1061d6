import { type Actor, holds } from '../../access.ts'
import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { periodPresets } from '../../reportPeriod.ts'
import { reports } from '../../reports.ts'
import { dayIn, momentIn, plusDays } from '../../zone.ts'
import { reportReaders } from './pages.ts'

export const reportTitles: Readonly<Record<string, string>> = Object.fromEntries(
  reports.map(({ key, title }) => [key, title]),
)

/** Pages with figures of their own that the background counts when a request has no time for them, by their call. */
export const countedPages = {
  'reports/kpi-analysis': 'KPI-анализ',
  'reports/kpi-analysis/people': 'KPI-анализ: сотрудники',
  'reports/kpi-analysis/mine': 'Мои показатели',
  'advertising/report': 'Реклама',
  'expenses/profit': 'Прибыль и убытки',
  'expenses/plan-fact': 'План и факт расходов',
  'laboratory/figures': 'Показатели лаборатории',
  'service-online/figures': 'Как отвечают пациентам',
  'sales-management/funnels/:id/analytics': 'Аналитика воронки',
  'warehouse/balance': 'Остатки и обороты',
  'egisz/figures': 'Показатели ЕГИСЗ',
  'metrika/report': 'Цели Метрики',
} as const
export type CountedPage = keyof typeof countedPages
const runTitles: Readonly<Record<string, string>> = { ...reportTitles, ...countedPages }

const mailingRhythms = {
  day: 'Каждый день',
  workday: 'По будням',
  week: 'По понедельникам',
  month: 'Первого числа месяца',
} as const
type MailingRhythm = keyof typeof mailingRhythms

export const reportParts = { figures: 'Таблицу показателей', rows: 'Все строки' } as const
export const reportFormats = { xlsx: 'XLSX', csv: 'CSV', pdf: 'PDF' } as const
const whenEmpty = { send: 'Прислать «нет данных»', skip: 'Не присылать' } as const

/** True when the actor sees all mailings: managers of the clinic's reports. Others see their own. */
export const keepsMailings = (actor: Actor): boolean => holds(actor, 'viewKpiReport') || holds(actor, 'mainSettings')

/** A report sent by e-mail: with saved parameters, on a schedule, to some of the staff. */
export const ReportMailing = entity('reports/mailings', {
  label: ['Рассылка отчёта', 'рассылки отчёта', 'рассылок отчётов'],
  gender: 'f',
  registry: {
    columns: ['name', 'report', 'period', 'rhythm', 'hour', 'recipients', 'nextAt', 'missed', 'active'],
    form: {
      Отчёт: ['name', 'report', 'period', 'what', 'format'],
      Когда: ['rhythm', 'hour', 'ifEmpty', 'active'],
      Кому: ['recipients'],
    },
    empty: {
      title: 'Рассылок пока нет',
      text: 'Откройте отчёт, выберите отбор и нажмите «Прислать по почте».',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true }),
    report: choice(reportTitles, { label: 'Отчёт', required: true }),
    period: choice(periodPresets, { label: 'За период', default: 'yesterday', help: 'Считается от дня отправки' }),
    /** Branches, groupings, conditions and parameters, as in the report's URL. */
    asked: json<Record<string, unknown>>()({ label: 'Отбор' }),
    what: choice(reportParts, { label: 'Прислать', default: 'figures' }),
    format: choice(reportFormats, { label: 'Файлом', default: 'xlsx' }),
    rhythm: choice(mailingRhythms, { label: 'Как часто', default: 'workday' }),
    hour: integer({ label: 'В котором часу', min: 0, max: 23, default: 8, help: 'По часам клиники' }),
    recipients: refs('users', { label: 'Кому', required: true, whenDeleted: 'asks' }),
    ifEmpty: choice(whenEmpty, { label: 'Если данных нет', default: 'send' }),
    active: boolean({ label: 'Включена', default: true }),
    nextAt: dateTime({ label: 'Следующее письмо', readonly: true }),
    /** Of the last sending; null: all letters were queued. */
    missed: text({ label: 'Кому не ушло', max: 500, readonly: true }),
    idAuthor: ref('users', { label: 'Автор', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
  },
  many: { sendings: many('reports/sendings', 'idMailing') },
  access: { view: reportReaders, create: reportReaders, update: reportReaders, delete: reportReaders },
  rule: (actor, _action, record: { idAuthor: number }) => record.idAuthor === actor.id || keepsMailings(actor),
  title: 'name',
  sort: 'name,id',
  soft: true,
})

export const sendingStates = {
  waiting: 'Ждёт отправки',
  sending: 'Отправляется',
  sent: 'Отправлено',
  empty: 'Нет данных, не отправлено',
  refused: 'У получателя нет прав',
  unknown: 'Почта не ответила: могло уйти',
  failed: 'Не отправлено',
} as const

/** Result of an e-mail to one person. */
export const ReportSending = entity('reports/sendings', {
  label: ['Письмо с отчётом', 'письма с отчётом', 'писем с отчётами'],
  gender: 'n',
  fields: {
    idMailing: ref('reports/mailings', {
      label: 'Рассылка',
      as: 'mailing',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Кому', as: 'user', required: true, readonly: true, whenDeleted: 'stays' }),
    from: date({ label: 'С дня', readonly: true }),
    until: date({ label: 'По день', readonly: true }),
    state: choice(sendingStates, { label: 'Что вышло', readonly: true, default: 'waiting' }),
    rows: integer({ label: 'Строк', readonly: true }),
    message: text({ label: 'Пояснение', readonly: true, max: 500 }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    dateEnd: dateTime({ label: 'Отправлено', readonly: true }),
  },
  within: 'idMailing',
  access: { view: reportReaders },
  sort: '-id',
})

export const runStates = {
  running: 'Считается',
  done: 'Готово',
  failed: 'Не получилось',
  cancelled: 'Остановлено',
} as const

/** A report calculated in the background; the result is kept for three days. */
export const ReportRun = entity('reports/runs', {
  label: ['Расчёт отчёта', 'расчёта отчёта', 'расчётов отчётов'],
  gender: 'm',
  fields: {
    report: choice(runTitles, { label: 'Отчёт', required: true, readonly: true }),
    asked: json<Record<string, unknown>>()({ label: 'Отбор', readonly: true }),
    what: choice(reportParts, { label: 'Что', readonly: true, default: 'figures' }),
    /** `json` is shown on the screen of the report. */
    format: choice({ ...reportFormats, json: 'На экране' }, { label: 'Как', readonly: true, default: 'json' }),
    state: choice(runStates, { label: 'Состояние', readonly: true, default: 'running' }),
    /** Parts of the period or rows; zero if not divided. */
    total: integer({ label: 'Частей', readonly: true, default: 0 }),
    done: integer({ label: 'Сделано', readonly: true, default: 0 }),
    size: integer({ label: 'Байтов', readonly: true }),
    message: text({ label: 'Причина', readonly: true, max: 500 }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateEnd: dateTime({ label: 'Окончен', readonly: true }),
  },
  access: { view: reportReaders },
  rule: (actor, _action, record: { idUser: number }) => record.idUser === actor.id,
  sort: '-id',
  soft: true,
})

const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

const isDue: Readonly<Record<MailingRhythm, (day: string) => boolean>> = {
  day: () => true,
  workday: (day) => weekday(day) < 5,
  week: (day) => weekday(day) === 0,
  month: (day) => day.endsWith('-01'),
}

/** Next time of a schedule after a given time, in a time zone; ISO. */
export function nextSending(
  { rhythm, hour }: { rhythm: MailingRhythm; hour: number },
  timeZone: string,
  after: Date,
): string {
  for (let day = dayIn(timeZone, after); ; day = plusDays(day, 1)) {
    if (!isDue[rhythm](day)) continue
    const moment = momentIn(timeZone, day, `${String(hour).padStart(2, '0')}:00`)
    if (Date.parse(moment) > after.getTime()) return moment
  }
}
