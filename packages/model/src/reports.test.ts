import { expect, test } from 'vitest'
import { reportWidgets } from './areas/reports/widgets.ts'
import { entityAt } from './entities.ts'
import { pageByKey, pages } from './pages.ts'
import { bucketOf, periodBefore, periodBeside, presetPeriod, startOf } from './reportPeriod.ts'
import { reportAt, reports } from './reports.ts'
import { measureText } from './reportText.ts'

test('a user with the right to a report sees the catalogue, and every page of a report has one', () => {
  const catalogue = new Set(pageByKey('reports').any)
  expect(reports.flatMap(({ any }) => any.filter((name) => !catalogue.has(name)))).toEqual([])
  const declared = new Set(reports.map(({ page }) => page))
  expect(pages.filter((page) => 'report' in page && !declared.has(page.key)).map(({ key }) => key)).toEqual([])
  expect(declared.size).toBe(reports.length)
})

test('what is but one side of a ratio is so, and is in no chart, block or first place', () => {
  for (const { key, measures, chart = [] } of reports) {
    const sides = new Set(Object.values(measures).flatMap((one) => (one.kind === 'ratio' ? one.of : [])))
    const blocks = Object.values(reportWidgets).flatMap((one) => (one.report === key ? one.measures : []))
    const shown = new Set<string>([...Object.keys(measures).slice(0, 1), ...chart, ...blocks])
    for (const [name, { part }] of Object.entries(measures))
      if (part) expect([sides.has(name), shown.has(name)], `${key}.${name}`).toEqual([true, false])
  }
})

test('a block of the dashboard asks a report for measures and groupings that it has', () => {
  for (const [key, { report: name, measures, ...widget }] of Object.entries(reportWidgets)) {
    const report = reportAt(name)
    expect(
      measures.filter((one) => !report?.measures[one]),
      key,
    ).toEqual([])
    const by: readonly string[] = ('by' in widget ? widget.by : undefined) ?? []
    expect(
      by.filter((one) => one !== 'day' && !report?.by.includes(one)),
      key,
    ).toEqual([])
    expect(
      widget.live.filter((path) => !entityAt(path)),
      key,
    ).toEqual([])
  }
})

test.each([
  ['previous', '2026-11-01', '2026-11-27', '2026-10-01', '2026-10-27'],
  ['previous', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['previous', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['previous', '2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
  ['previous', '2026-11-10', '2026-11-16', '2026-11-03', '2026-11-09'],
  ['year', '2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
] as const)('%s of %s–%s is %s–%s', (compare, from, until, before, to) =>
  expect(periodBefore({ from, until }, compare).period).toEqual({ from: before, until: to }),
)

test('a group lies within the period, a preset ends today', () => {
  expect(bucketOf('week', '2026-11-02', { from: '2026-11-04', until: '2026-11-30' })).toEqual({
    from: '2026-11-04',
    until: '2026-11-08',
  })
  expect(startOf('quarter', '2026-11-27')).toBe('2026-10-01')
  expect(startOf('week', '2026-11-01')).toBe('2026-10-26')
  expect(presetPeriod('lastMonth', '2026-03-15')).toEqual({ from: '2026-02-01', until: '2026-02-28' })
})

test.each([
  // A month up to today is followed and preceded by whole months; none goes beyond today.
  ['2026-11-01', '2026-11-27', -1, '2026-10-01', '2026-10-31'],
  ['2026-10-01', '2026-10-31', 1, '2026-11-01', '2026-11-27'],
  ['2026-03-01', '2026-03-31', -1, '2026-02-01', '2026-02-28'],
  ['2026-01-01', '2026-01-31', -1, '2025-12-01', '2025-12-31'],
  ['2026-07-01', '2026-09-30', 1, '2026-10-01', '2026-11-27'],
  ['2026-07-01', '2026-09-30', -1, '2026-04-01', '2026-06-30'],
  ['2026-11-23', '2026-11-27', -1, '2026-11-18', '2026-11-22'],
] as const)('%s–%s is beside by %i %s–%s', (from, until, step, before, to) =>
  expect(periodBeside({ from, until }, step, '2026-11-27')).toEqual({ from: before, until: to }),
)

test('figures are written as people write them', () => {
  expect(measureText('share', 0.4512)).toBe('45,1\u00a0%')
  expect(measureText('money', 1234.5)).toBe('1\u00a0234,50\u00a0₽')
  expect(measureText('work', 7_710)).toBe('128,5\u00a0ч')
  expect(measureText('count', null)).toBe('—')
})
