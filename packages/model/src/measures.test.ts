import { expect, test } from 'vitest'
import { fieldsOf } from './areas/examinations/formula.ts'
import { formerIndicators, type IndicatorDeclaration, indicators } from './areas/kpi/indicators.ts'
import { formulaOf, growthOf } from './areas/kpi/score.ts'
import { type AnyQuestion, questions, searchOf } from './areas/reports/questions.ts'
import { howCounted, measureAt, measures, shownInCatalogue } from './measures.ts'
import { pageByKey } from './pages.ts'
import { groupingsOf } from './report.ts'
import { reports } from './reports.ts'

test('one label is one number: a second measure of that label names the measure it repeats', () => {
  const byLabel = Map.groupBy(shownInCatalogue, ({ measure }) => measure.label)
  for (const [label, all] of byLabel) {
    const roots = new Set(all.map(({ name, measure }) => measure.same ?? name))
    expect([...roots], label).toHaveLength(1)
  }
})

test('a repeated measure has the label, the unit and the direction of the one that it repeats', () => {
  for (const { name, measure } of measures) {
    if (measure.same === undefined) continue
    const { measure: of } = measureAt(measure.same)
    expect(of.same, name).toBeUndefined()
    expect([measure.label, measure.unit, measure.good], name).toEqual([of.label, of.unit, of.good])
  }
})

test('every measure documents how it is counted and its running period', () => {
  for (const { name, report, measure } of measures) {
    const words = howCounted(report, measure)
    expect(words.length, name).toBeGreaterThan(20)
    expect(words, name).not.toMatch(/undefined|«»|^\s|\/\s*\./)
  }
})

test('an operand of KPI formulas is a measure of the catalogue, and its person a field of that report', () => {
  for (const [name, one] of Object.entries<IndicatorDeclaration>(indicators)) {
    const { report } = measureAt(one.of)
    if (one.person !== undefined) expect(Object.keys(groupingsOf(report)), name).toContain(one.person)
  }
  for (const [name, formula] of Object.entries(formerIndicators))
    expect(
      [...fieldsOf(formulaOf(formula))].filter((field) => !Object.hasOwn(indicators, field)),
      name,
    ).toEqual([])
})

test.each([
  ['выручка', 1],
  ['начислено - реклама', 1],
  ['100 * визиты / записи', 0],
  ['реклама / первые_визиты', 0],
  ['round(100 * брошенные_20 / входящие; 1)', 0],
  ['обработка_звонков_с / 60', 0],
])('«%s» grows with the days of its month as %i', (formula, growth) => {
  const totals = new Set(['sum', 'count', 'distinct'])
  const isTotal = (name: string) =>
    totals.has(measureAt((indicators as Record<string, IndicatorDeclaration>)[name]?.of ?? '').measure.kind)
  expect(growthOf(formula.replace('round', 'округл'), isTotal)).toBe(growth)
})

test('a question leads to a report that has what it asks for', () => {
  for (const question of questions as readonly AnyQuestion[]) {
    const report = reports.find(({ page }) => page === question.page)
    if (!report) throw new Error(question.text)
    const { by, is = [], rows } = question
    if (by !== undefined) expect(Object.keys(groupingsOf(report)), question.text).toContain(by)
    for (const one of is) {
      const [name = '', value = ''] = one.split(':')
      expect(Object.keys(report.fields[name]?.labels ?? {}), question.text).toContain(value)
    }
    if (rows !== undefined) expect(Object.keys(report.measures), question.text).toContain(rows)
    expect(question.period === undefined, question.text).toBe(report.isNow === true)
    expect(pageByKey(question.page).path).toBe(`reports/${report.key}`)
  }
  expect(searchOf({ text: 'Неявки', page: 'reportVisits', period: 'last7', rows: 'noShow' }, '2026-11-29')).toEqual({
    from: '2026-11-23',
    until: '2026-11-29',
    behind: { measure: 'noShow', from: '2026-11-23', until: '2026-11-29', is: [], of: 'Неявки' },
  })
})
