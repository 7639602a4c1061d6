import type { Actor } from '@ordinator/model/access'
import { Payment } from '@ordinator/model/areas/money/payment'
import { expect, test, vi } from 'vitest'
import type { AnyRow } from '../fields/ui.ts'
import { movedColumn, tableText, totalsText, withRange } from './choice.ts'
import { type Column, columnsOf, fittingColumns } from './columns.ts'

// Modules imported by the inputs listen to the storage at once.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const rows: AnyRow[] = [1, 2, 3, 4, 5].map((id) => ({ id, sum: id + 0.1, bonus: 0, localDate: `2026-11-0${id}` }))
const nobody: Actor = { id: 1, permissions: {}, modules: [] }
const ids = (map: ReadonlyMap<number, AnyRow>) => [...map.keys()].sort()
const all = (keys: readonly string[]) => columnsOf<AnyRow>(Payment, nobody, keys).filter((one) => !one.hidden)

test('a range is chosen from the last place to this one, in both directions, and taken back likewise', () => {
  const one = new Map([[2, rows[1] as AnyRow]])
  expect(ids(withRange(one, rows, 1, 3))).toEqual([2, 3, 4])
  expect(ids(withRange(one, rows, 1, 0))).toEqual([1, 2])
  const many = new Map(rows.map((row) => [row.id, row]))
  expect(ids(withRange(many, rows, 1, 3))).toEqual([1, 2, 5])
})

test('chosen rows are copied as a table: as drawn on this page, by their fields from another one', () => {
  const text = tableText(all(['localDate', 'sum']), rows.slice(0, 2), (row, at) =>
    row.id === 1 ? ['первое\nноября', '1,10 ₽'][at] : undefined,
  )
  const [head, first, second] = text.split('\n').map((line) => line.split('\t'))
  expect([head, first]).toEqual([
    ['День', 'Сумма'],
    ['первое ноября', '1,10 ₽'],
  ])
  expect(second?.[0]).toBe('02.11.2026')
})

test('sums of money are exact, and no other numbers are added', () => {
  expect(totalsText(all(['id', 'localDate', 'sum']), rows)).toMatch(/^сумма 15,50\s₽$/)
  expect(totalsText(all(['localDate']), rows)).toBe('')
})

test('a column is dropped before another', () => {
  expect(movedColumn(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b'])
  expect(movedColumn(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'a', 'c'])
  expect(movedColumn(['a', 'b'], 'a', 'a')).toEqual(['a', 'b'])
})

test('what a page needs fits before the rest', () => {
  const column = (key: string, needed = false): Column<AnyRow> => ({
    ...{ key, label: key, width: 100, needed },
    ...{ field: undefined, expand: [], hidden: false },
  })
  const columns = [column('a'), column('b'), column('c', true), column('d')]
  expect(fittingColumns(columns, 300, false).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  expect(fittingColumns(columns, 200, false).map(({ key }) => key)).toEqual(['a', 'c'])
})
