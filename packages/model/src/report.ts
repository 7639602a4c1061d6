/**
 * A report, declared once like an entity: the fields of its facts, its groupings and its figures. The screen, the calls,
 * the files, the drill-down and the totals are derived. The area that owns the facts writes their SQL (`reportSource` of
 * the server's `records/report.ts`). See docs/recipes/report.md.
 */
import { type PageKey, pageByKey } from './pages.ts'
import type { Permission } from './permissions.ts'

/** Format of a value: `share` is 0 to 1, `minutes` and `seconds` are durations, `work` is minutes shown as hours. */
export type Unit = 'count' | 'number' | 'money' | 'share' | 'minutes' | 'seconds' | 'work'

/** A column of the facts. One of `of`, `labels` or `type` defines its content; text without any of them. */
export interface ReportField {
  label: string
  /** Path of the entity whose id it holds; displayed by its title. */
  of?: string
  /** Labels of its codes. */
  labels?: Readonly<Record<string | number, string>>
  /** Groups are sorted by their codes, as ages, instead of their figures. */
  ordered?: true
  type?: 'text' | 'day' | 'moment' | 'flag' | Exclude<Unit, 'count'>
  /** Omitted from listed rows: a key used only for counting. */
  hidden?: true
  /** Text for null in groups: «Не указан». */
  none?: string
  /** The column is an array: a fact is in the group of each of its values, and once in the totals. */
  many?: true
}

/** What a measure counts of a period that is not over. */
export const runnings = {
  happened: 'В текущем периоде — то, что уже произошло.',
  begun: 'В текущем периоде — то, время чего уже наступило.',
  asked: 'Выбранные дни целиком, и те, что ещё не наступили.',
  now: 'На сейчас: период не важен.',
} as const
export type Running = keyof typeof runnings

interface Described {
  label: string
  unit: Unit
  /** The method of counting, in one sentence. */
  hint?: string
  /** Whether more is better; colours a comparison. */
  good?: 'up' | 'down'
  /** Not shown in tables: only one side of a ratio. */
  part?: true
  /** Default: `happened`, or `now` in a report of the present state. */
  running?: Running
  /** Name of the measure in the catalogue (`payments.paid`) that this one repeats from other facts: the same number. */
  same?: string
}

/** A figure. `of` names a field of the facts, except for a ratio, whose parts are other measures. */
export type Measure = Described &
  (
    | { kind: 'count'; of?: string }
    | { kind: 'sum'; of: string }
    /** `once`: no value occurs on two days, in two branches or with two values of a field kept in a rollup. */
    | { kind: 'distinct'; of: string; once?: true }
    | { kind: 'percentile'; of: string; at: number }
    | { kind: 'ratio'; of: readonly [numerator: string, denominator: string] }
  )

type More = Omit<Described, 'label' | 'unit'>

/** Number of facts, or of those with the flag `of`. */
export const count = (label: string, of?: string, more: More = {}): Measure => ({
  kind: 'count',
  label,
  unit: 'count',
  ...(of ? { of } : {}),
  ...more,
})
export const sum = (label: string, of: string, unit: Unit = 'money', more: More = {}): Measure => ({
  kind: 'sum',
  label,
  of,
  unit,
  ...more,
})
/** Number of distinct values of a field, without nulls. */
export const distinct = (label: string, of: string, more: More & { once?: true } = {}): Measure => ({
  kind: 'distinct',
  label,
  of,
  unit: 'count',
  ...more,
})
/** One measure divided by another; null if the second is zero. */
export const ratio = (
  label: string,
  of: readonly [string, string],
  unit: Unit = 'share',
  more: More = {},
): Measure => ({ kind: 'ratio', label, of, unit, ...more })
/** @param at 0.5 is the median */
export const percentile = (label: string, of: string, at: number, unit: Unit, more: More = {}): Measure => ({
  kind: 'percentile',
  label,
  of,
  at,
  unit,
  ...more,
})

/** A choice that changes the facts: the kind of source, the days until a plan is overdue. */
export interface ReportParameter {
  label: string
  labels: Readonly<Record<string, string>>
  default: string
}

export interface ReportDeclaration {
  /** Heading of its tiles in the catalogue. */
  group: ReportGroup
  /** Definition of its figures, shown beside the title. */
  hint: string
  fields: Readonly<Record<string, ReportField>>
  /** Fields for grouping, besides time and branch. */
  by: readonly string[]
  /** The default grouping: names of `by`, of `timeUnits`, or `filial`. */
  first: readonly string[]
  measures: Readonly<Record<string, Measure>>
  parameters?: Readonly<Record<string, ReportParameter>>
  /** Measures of the chart; default: the first one, no chart for an empty list. */
  chart?: readonly string[]
  /** A running sum: its opening and closing balance are shown beside it. */
  balance?: string
  /** Facts are current: the period does not apply. */
  isNow?: true
  /** Facts have no branch. */
  noFilial?: true
  /** The page that a listed row opens: with the value of field `id` in its path or as `?open=`. */
  opens?: { page: PageKey; id: string; as?: string }
  /** The field that refers to the patient; reading rows is journaled. */
  patient?: string
  /** Without any of `unless` a user sees only facts whose `field` is themselves. */
  own?: { field: string; unless: readonly Permission[] }
}

/** Groups of the catalogue, in order. */
export const reportGroups = {
  money: 'Деньги',
  visits: 'Приёмы и врачи',
  clients: 'Пациенты и продажи',
  contact: 'Звонки, чаты, обращения',
  quality: 'Качество и регламенты',
  laboratory: 'Лаборатория',
  warehouse: 'Склад',
  exchange: 'Обмен с государством',
} as const
export type ReportGroup = keyof typeof reportGroups

export interface Report extends ReportDeclaration {
  /** `payments` of the page `reports/payments`. */
  key: string
  page: PageKey
  title: string
  help: string
  any: readonly Permission[]
}

const PREFIX = 'reports/'

/**
 * Declares a report. Title, path and permissions are those of its page, which must be at `reports/<key>`.
 * @throws Error for a page at another path, or an unknown name of a field or measure
 */
export function report(page: PageKey, declared: ReportDeclaration): Report {
  const { path, title, help, any = [] } = pageByKey(page)
  if (!path.startsWith(PREFIX)) throw new Error(`${page} is not under ${PREFIX}`)
  const { fields, by, first, measures, chart = [], own, patient, opens } = declared
  const asked = [...by, ...(own ? [own.field] : []), ...(patient ? [patient] : []), ...(opens ? [opens.id] : [])]
  for (const name of asked) if (!fields[name]) throw new Error(`${page}: no field ${name}`)
  for (const name of first)
    if (!by.includes(name) && !Object.hasOwn(timeUnits, name) && name !== 'filial')
      throw new Error(`${page}: not grouped by ${name}`)
  for (const one of Object.values(measures)) {
    const parts = one.kind === 'ratio' ? one.of : one.of === undefined ? [] : [one.of]
    for (const part of parts)
      if (!(one.kind === 'ratio' ? measures[part] && measures[part].kind !== 'ratio' : fields[part]))
        throw new Error(`${page}: no ${part} for «${one.label}»`)
  }
  const { balance } = declared
  if (balance !== undefined && measures[balance]?.kind !== 'sum') throw new Error(`${page}: ${balance} is no sum`)
  for (const name of chart) if (!measures[name]) throw new Error(`${page}: no measure ${name}`)
  return { ...declared, key: path.slice(PREFIX.length), page, title, help, any: any as readonly Permission[] }
}

/** Whether a file contains patients' names: in its rows, or as groups. @param by groupings of the figures */
export const namesPatients = (
  { patient, fields }: Pick<Report, 'patient' | 'fields'>,
  what: 'figures' | 'rows',
  by: readonly string[],
): boolean =>
  what === 'rows' ? patient !== undefined : by.some((name) => name === patient || fields[name]?.of === 'customers')

/** Periods of the branch's calendar for grouping, in every report. */
export const timeUnits = {
  day: 'По дням',
  week: 'По неделям',
  month: 'По месяцам',
  quarter: 'По кварталам',
  year: 'По годам',
} as const
export type TimeUnit = keyof typeof timeUnits
export const isTimeUnit = (name: string): name is TimeUnit => Object.hasOwn(timeUnits, name)

/** Groupings of a report with their labels. */
export function groupingsOf({ by, fields, isNow, noFilial }: Report): Record<string, string> {
  return {
    ...(isNow ? {} : timeUnits),
    ...(noFilial ? {} : { filial: 'По филиалам' }),
    ...Object.fromEntries(by.map((name) => [name, fields[name]?.label ?? name])),
  }
}

/** Fields of every fact besides its own. */
export const commonFields = {
  day: { label: 'День', type: 'day' },
  filial: { label: 'Филиал', of: 'filials', none: 'Без филиала' },
} as const satisfies Record<string, ReportField>

/** The displayed figures, in order. */
export const shownMeasures = ({ measures }: Report): [string, Measure][] =>
  Object.entries(measures).filter(([, { part }]) => !part)

/** Columns of the rows behind a figure, in order. */
export function columnsOf(report: Report): [string, ReportField][] {
  const own = Object.entries(report.fields).filter(([, { hidden }]) => !hidden)
  const common = Object.entries<ReportField>(commonFields).filter(([name]) =>
    name === 'day' ? !report.isNow && !own.some(([, f]) => f.type === 'moment') : !report.noFilial,
  )
  return [...own, ...common]
}
