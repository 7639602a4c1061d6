import { expect, it } from 'vitest'
import { byArea, overBudget, playwrightFiles, readBudget, slowest } from './budget.mjs'

const table = '| Файлы | Секунд | Что |\n|---|---|---|\n| `a/**/slow.test.ts` | 40 | x |\n| `a/**` | 10 | y |\n'
const took = (file: string, seconds: number) => ({ file, seconds })

it('a file is held to the first line that fits it, at the pace of the machine', () => {
  const budget = readBudget(table)
  const files = [took('a/b/slow.test.ts', 39), took('a/quick.test.ts', 11), took('b/other.test.ts', 1)]
  expect(overBudget(files, budget, () => 1)).toEqual([
    'a/quick.test.ts: 11.0 с, доля 10.0 с (a/**)',
    'b/other.test.ts: нет доли в docs/tests.md',
  ])
  expect(overBudget(files.slice(0, 2), budget, () => 1.2)).toEqual([])
})

it('every file of the suite has a share', () => {
  const budget = readBudget()
  for (const file of ['apps/server/src/app.test.ts', 'apps/web/src/a/b.test.tsx', 'packages/model/src/client.test.ts'])
    expect(overBudget([took(file, 0)], budget, () => 1)).toEqual([])
  expect(overBudget([took('e2e/board.e2e.ts', 0), took('scripts/budget.test.ts', 0)], budget, () => 1)).toEqual([])
})

it('a browser file takes what its tests take, tries that failed included', () => {
  const spec = (...durations: number[]) => ({ tests: [{ results: durations.map((duration) => ({ duration })) }] })
  const suites = [{ file: 'look.e2e.ts', specs: [spec(1_000, 500)], suites: [{ specs: [spec(2_000)] }] }]
  expect(playwrightFiles({ suites })).toEqual([took('e2e/look.e2e.ts', 3.5)])
  expect(slowest([took('a', 1), took('b', 2)])).toEqual([took('b', 2), took('a', 1)])
})

it('the time of an area is the sum of its files in all packages', () => {
  const files = [
    took('apps/server/src/areas/sales/a.test.ts', 2),
    took('packages/model/src/areas/sales/b.test.ts', 1),
    took('apps/server/src/records/c.test.ts', 5),
    took('scripts/d.test.ts', 1),
  ]
  expect(byArea(files)).toEqual([
    { area: 'records', seconds: 5 },
    { area: 'sales', seconds: 3 },
    { area: 'scripts', seconds: 1 },
  ])
})
