/**
 * The catalogue of measures: every figure of every report by its name, `visits.come`. KPI, payroll, advertising, the
 * dashboard, prints and mailings refer to these names. One label is one number: two measures with the same label are the
 * same one, read from other facts (`same`), which `measures.test.ts` of the server compares.
 */
import { type Measure, type Report, type Running, runnings, shownMeasures } from './report.ts'
import { reports } from './reports.ts'

export interface CatalogueMeasure {
  /** `visits.come`: the report's key and the measure's own. */
  name: string
  report: Report
  key: string
  measure: Measure
}

const all: readonly CatalogueMeasure[] = reports.flatMap((report) =>
  Object.entries(report.measures).map(([key, measure]) => ({ name: `${report.key}.${key}`, report, key, measure })),
)
const byName = new Map(all.map((one) => [one.name, one]))

/** All measures; those that are only one side of a ratio as well. */
export const measures: readonly CatalogueMeasure[] = all

/** @throws Error for an unknown name */
export function measureAt(name: string): CatalogueMeasure {
  const found = byName.get(name)
  if (!found) throw new Error(`no measure ${name}`)
  return found
}

export const runningOf = ({ report, measure }: Pick<CatalogueMeasure, 'report' | 'measure'>): Running =>
  measure.running ?? (report.isNow ? 'now' : 'happened')

const labelOf = (report: Report, key: string): string => report.measures[key]?.label ?? key

/** «Как считается»: the definition in one sentence, and what a period that is not over counts. */
export function howCounted(report: Report, measure: Measure): string {
  const field = measure.kind === 'ratio' || measure.of === undefined ? undefined : report.fields[measure.of]
  const made = {
    count: () => (field ? `Число строк с отметкой «${field.label}»` : 'Число строк отчёта'),
    sum: () => `Сумма «${field?.label ?? ''}»`,
    distinct: () => `Число разных: «${field?.label ?? ''}»`,
    percentile: () =>
      `«${field?.label ?? ''}»: не больше — у ${measure.kind === 'percentile' ? measure.at * 100 : 0} % строк`,
    ratio: () => (measure.kind === 'ratio' ? measure.of.map((key) => labelOf(report, key)).join(' / ') : ''),
  }[measure.kind]
  return `${measure.hint ?? made()}. ${runnings[runningOf({ report, measure })]}`
}

/** Measures of the catalogue that are shown, with the report that shows each. */
export const shownInCatalogue: readonly CatalogueMeasure[] = reports.flatMap((report) =>
  shownMeasures(report).map(([key]) => measureAt(`${report.key}.${key}`)),
)
