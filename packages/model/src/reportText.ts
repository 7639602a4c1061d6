/** Formatting of figures, groups and fields of a report: on screen, in a file, in a mail. Pure. */
import { formatDate, formatDateTime, formatDay, formatMoney, formatNumber, formatSpan } from './format.ts'
import { commonFields, isTimeUnit, type Report, type ReportField, type TimeUnit, type Unit } from './report.ts'

const MONTHS = [
  'январь',
  'февраль',
  'март',
  'апрель',
  'май',
  'июнь',
  'июль',
  'август',
  'сентябрь',
  'октябрь',
  'ноябрь',
  'декабрь',
] as const

/** '12 345', '1 234,50 ₽', '45,1 %', '1 ч 20 мин'; '—' for none. */
export function measureText(unit: Unit, value: number | null | undefined): string {
  if (value === null || value === undefined) return '—'
  if (unit === 'money') return formatMoney(value)
  if (unit === 'share') return `${formatNumber(Math.round(value * 1_000) / 10)}\u00a0%`
  if (unit === 'minutes') return formatSpan(Math.round(value * 60))
  if (unit === 'work') return `${formatNumber(Math.round(value / 6) / 10)}\u00a0ч`
  if (unit === 'seconds')
    return value < 60 ? `${formatNumber(Math.round(value))}\u00a0с` : formatSpan(Math.round(value))
  return formatNumber(unit === 'count' ? value : Math.round(value * 100) / 100)
}

/** '05.11.2026', 'неделя с 02.11.2026', 'ноябрь 2026', '4 квартал 2026', '2026'. */
export function timeText(unit: TimeUnit, start: string): string {
  const [year = '', month = ''] = start.split('-')
  if (unit === 'day') return formatDay(start)
  if (unit === 'week') return `неделя с ${formatDay(start)}`
  if (unit === 'month') return `${MONTHS[Number(month) - 1]} ${year}`
  if (unit === 'quarter') return `${Math.ceil(Number(month) / 3)} квартал ${year}`
  return year
}

/** The name of a group of one grouping. @param name the title of the record its key refers to */
export function groupText(
  report: Report,
  by: string,
  key: string | number | boolean | null,
  name: string | null,
): string {
  if (isTimeUnit(by) && key !== null) return timeText(by, String(key))
  const field = report.fields[by] ?? (commonFields as Record<string, ReportField>)[by]
  if (key === null || key === '') return field?.none ?? 'Не указано'
  if (field?.labels) return field.labels[String(key)] ?? String(key)
  if (field?.type === 'flag') return key === true || key === 'true' ? 'Да' : 'Нет'
  if (field?.type === 'day') return formatDay(String(key))
  return name ?? String(key)
}

/** A field of a listed row. @param zone of its branch if any, else of the reader */
export function fieldText(field: ReportField, value: unknown, name: unknown, zone: string): string {
  if (value === null || value === undefined || value === '') return ''
  if (field.of) return String(name ?? value)
  if (field.labels) return field.labels[String(value)] ?? String(value)
  switch (field.type) {
    case 'flag':
      return value ? 'Да' : 'Нет'
    case 'day':
      return formatDate(String(value), 'UTC')
    case 'moment':
      return formatDateTime(String(value), zone)
    case 'money':
    case 'number':
    case 'share':
    case 'minutes':
    case 'seconds':
    case 'work':
      return measureText(field.type, Number(value))
    default:
      return String(value)
  }
}

const timeHeads: Readonly<Record<TimeUnit, string>> = {
  day: 'День',
  week: 'Неделя',
  month: 'Месяц',
  quarter: 'Квартал',
  year: 'Год',
}

/** The heading of a grouping's column. */
export const headOf = (report: Report, by: string): string =>
  isTimeUnit(by)
    ? timeHeads[by]
    : (report.fields[by]?.label ?? (commonFields as Record<string, ReportField>)[by]?.label ?? by)
