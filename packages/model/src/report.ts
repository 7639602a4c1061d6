/**
 * A report, declared once as an entity is: the fields of its facts, by what they are grouped, the figures counted of
 * them. The screen, the calls, the files, the drill-down and the totals follow. The SQL of the facts is written by the
 * area that owns them (`reportSource` of the server's `records/report.ts`). See docs/recipes/report.md.
 */
import { type PageKey, pageByKey } from './pages.ts'
import type { Permission } from './permissions.ts'

/** How a value is written: `share` is 0 to 1, `minutes` and `seconds` are spans, `work` is minutes told in hours. */
export type Unit = 'count' | 'number' | 'money' | 'share' | 'minutes' | 'seconds' | 'work'

/** A column of the facts. One of `of`, `labels` or `type` says what it holds; a text without any of them. */
export interface ReportField {
  label: string
  /** Path of the entity whose id it holds; shown by its title. */
  of?: string
  /** The words of a code. */
  labels?: Readonly<Record<string | number, string>>
  /** Groups stand in the order of their codes, as ages do, and not by their figures. */
  ordered?: true
  type?: 'text' | 'day' | 'moment' | 'flag' | Exclude<Unit, 'count'>
  /** Kept out of the listed rows: a key that is only counted. */
  hidden?: true
  /** What stands for null in groups: «Не указан». */
  none?: string
}

interface Told {
  label: string
  unit: Unit
  /** How it is counted, in one sentence. */
  hint?: string
  /** Whether more of it is better; a comparison is coloured by it. */
  good?: 'up' | 'down'
  /** Told in no table: it is but one side of a ratio. */
  part?: true
}

/** A figure. `of` names a field of the facts, except for a ratio, whose parts are other measures. */
export type Measure = Told &
  (
    | { kind: 'count'; of?: string }
    | { kind: 'sum'; of: string }
    /** `once`: no value is on two days, in two branches or under two values of a field that a rollup keeps. */
    | { kind: 'distinct'; of: string; once?: true }
    | { kind: 'percentile'; of: string; at: number }
    | { kind: 'ratio'; of: readonly [numerator: string, denominator: string] }
  )

type More = Omit<Told, 'label' | 'unit'>

/** Number of facts, or of those whose flag `of` is set. */
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
/** Number of different values of a field, nulls left out. */
export const distinct = (label: string, of: string, more: More & { once?: true } = {}): Measure => ({
  kind: 'distinct',
  label,
  of,
  unit: 'count',
  ...more,
})
/** One measure divided by another; null where the second is zero. */
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

/** A choice that changes what is counted: whose source, how many days make a plan overdue. */
export interface ReportParameter {
  label: string
  labels: Readonly<Record<string, string>>
  default: string
}

export interface ReportDeclaration {
  /** The heading of its tiles in the catalogue. */
  group: ReportGroup
  /** The definition of its figures, shown at the title. */
  hint: string
  fields: Readonly<Record<string, ReportField>>
  /** Fields by which it may be grouped besides time and branch. */
  by: readonly string[]
  /** How it is grouped at first: names of `by`, of `timeUnits`, or `filial`. */
  first: readonly string[]
  measures: Readonly<Record<string, Measure>>
  parameters?: Readonly<Record<string, ReportParameter>>
  /** Measures of the chart; the first one where none is named, no chart for an empty list. */
  chart?: readonly string[]
  /** A sum that runs on from before the period: what it was at the start and is at the end are told beside it. */
  balance?: string
  /** Facts are of this moment: the period means nothing to them. */
  isNow?: true
  /** Facts have no branch. */
  noFilial?: true
  /** Where a listed row opens: `page` with the value of the field `id` in its path or as `?open=`. */
  opens?: { page: PageKey; id: string; as?: string }
  /** The field that names the patient; who reads rows leaves a line in the journal of access. */
  patient?: string
  /** Who holds none of `unless` sees only facts whose `field` is themselves. */
  own?: { field: string; unless: readonly Permission[] }
}

/** Groups of the catalogue, in its order. */
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
 * Declares a report. Title, address and permissions are those of its page, which stands at `reports/<key>`.
 * @throws Error for a page elsewhere, or a name that no field or measure has
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

/** Spans of the branch's calendar by which every report may be grouped. */
export const timeUnits = {
  day: 'По дням',
  week: 'По неделям',
  month: 'По месяцам',
  quarter: 'По кварталам',
  year: 'По годам',
} as const
export type TimeUnit = keyof typeof timeUnits
export const isTimeUnit = (name: string): name is TimeUnit => Object.hasOwn(timeUnits, name)

/** Groupings of a report with their words. */
export function groupingsOf({ by, fields, isNow, noFilial }: Report): Record<string, string> {
  return {
    ...(isNow ? {} : timeUnits),
    ...(noFilial ? {} : { filial: 'По филиалам' }),
    ...Object.fromEntries(by.map((name) => [name, fields[name]?.label ?? name])),
  }
}

/** Every fact has these beside its own fields. */
export const commonFields = {
  day: { label: 'День', type: 'day' },
  filial: { label: 'Филиал', of: 'filials', none: 'Без филиала' },
} as const satisfies Record<string, ReportField>

/** Figures that people are shown, in their order. */
export const shownMeasures = ({ measures }: Report): [string, Measure][] =>
  Object.entries(measures).filter(([, { part }]) => !part)

/** Columns of the rows behind a figure, in their order. */
export function columnsOf(report: Report): [string, ReportField][] {
  const own = Object.entries(report.fields).filter(([, { hidden }]) => !hidden)
  const common = Object.entries<ReportField>(commonFields).filter(([name]) =>
    name === 'day' ? !report.isNow && !own.some(([, f]) => f.type === 'moment') : !report.noFilial,
  )
  return [...own, ...common]
}
