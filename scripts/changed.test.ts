import { expect, it } from 'vitest'
import { browserOf } from './changed.mjs'

const pages = [
  { key: 'deals', path: 'deals', area: 'sales' },
  { key: 'deal', path: 'deals/$id', area: 'sales' },
  { key: 'tasks', path: 'tasks', area: 'tasks' },
]
const texts = [
  { file: 'e2e/deals.e2e.ts', text: "await page.goto('/app/deals')" },
  { file: 'e2e/tasks.e2e.ts', text: "await page.goto('/app/tasks')" },
  { file: 'e2e/prices.e2e.ts', text: "import { x } from '../packages/model/src/areas/sales/funnel.ts'" },
  { file: 'e2e/look.e2e.ts', text: 'walks everything' },
]

it('a change of an area in any package reaches the scenarios on its pages, and the look at them', () => {
  for (const file of ['apps/web/src/areas/sales/Card.tsx', 'apps/server/src/areas/sales/deals.ts'])
    expect(browserOf([file], pages, texts)).toEqual({
      specs: ['e2e/deals.e2e.ts', 'e2e/prices.e2e.ts', 'e2e/look.e2e.ts'],
      pages: ['deals', 'deal'],
    })
})

it('a changed scenario is tried, and nothing of the browser for what no page shows', () => {
  expect(browserOf(['e2e/tasks.e2e.ts'], pages, texts)).toEqual({ specs: ['e2e/tasks.e2e.ts'], pages: [] })
  expect(browserOf(['scripts/test.mjs', 'docs/tests.md'], pages, texts)).toEqual({ specs: [], pages: [] })
})
