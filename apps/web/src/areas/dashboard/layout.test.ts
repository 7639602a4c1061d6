import type { Actor } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import { expect, test } from 'vitest'
import { moved, offered, presetOf, put, readLayout, widened } from './layout.ts'

const actor = (...names: Permission[]): Actor => ({
  id: 1,
  permissions: Object.fromEntries(names.map((name) => [name, true])),
})
const keys = (places: { key: string }[]) => places.map(({ key }) => key)

test('each role begins with what its work is', () => {
  expect(keys(presetOf(actor('viewPaymentsReport', 'viewTasksManagement')))).toEqual([
    'revenueToday',
    'revenueMonth',
    'payments',
    'debts',
    'tasks',
    'boards',
    'news',
  ])
  expect(keys(presetOf(actor('editExaminations', 'viewCalendar', 'createAppointments')))).toEqual([
    'myVisits',
    'today',
    'examinations',
    'visits',
    'news',
  ])
  expect(keys(presetOf(actor('editWarehouse', 'warehouseDashboard')))).toEqual(['stock', 'news'])
  expect(keys(presetOf(actor('enterLabResults', 'viewLaboratoriesOrders')))).toEqual(['laboratory', 'news'])
  expect(keys(presetOf(actor('viewKpiReport', 'viewPaymentsReport')))).toContain('plan')
  expect(keys(presetOf(actor()))).toEqual(['news'])
})

test('a block without its right is neither offered nor in a preset', () => {
  expect(offered(actor('viewTasksManagement'))).toEqual(['tasks', 'boards', 'news'])
  expect(keys(presetOf(actor('viewKpiReport')))).not.toContain('revenueToday')
})

test('a stored layout is read, whatever it holds', () => {
  expect(readLayout(null)).toEqual({ places: null })
  expect(readLayout({ places: 'x' })).toEqual({ places: null })
  const stored = {
    places: [
      { key: 'news', width: 9 },
      { key: 'gone', width: 1 },
      null,
      { key: 'news', width: 1 },
      { key: 'debts', width: 3 },
    ],
  }
  expect(readLayout(stored).places).toEqual([
    { key: 'news', width: 2 },
    { key: 'debts', width: 3 },
  ])
})

test('blocks move by one and widen in turn', () => {
  const places =
    readLayout({
      places: [
        { key: 'news', width: 1 },
        { key: 'tasks', width: 3 },
      ],
    }).places ?? []
  expect(keys(moved(places, 'tasks', -1))).toEqual(['tasks', 'news'])
  expect(keys(moved(places, 'news', -1))).toEqual(['news', 'tasks'])
  const three = [...places, { key: 'debts', width: 1 as const }]
  expect(keys(put(three, 0, 2))).toEqual(['tasks', 'news', 'debts'])
  expect(keys(put(three, 0, 3))).toEqual(['tasks', 'debts', 'news'])
  expect(keys(put(three, 2, 0))).toEqual(['debts', 'news', 'tasks'])
  expect(keys(put(three, 1, 1))).toEqual(keys(three))
  expect(widened(places, 'tasks').find(({ key }) => key === 'tasks')?.width).toBe(1)
})
