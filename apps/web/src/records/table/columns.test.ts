import { PriceList } from '@ordinator/model/areas/catalogue/price'
import { SiteAcceptance } from '@ordinator/model/areas/site/policy'
import type { Permission } from '@ordinator/model/permissions'
import { expect, it, vi } from 'vitest'
import { filterableFields } from '../conditions.ts'
import { type Column, columnsOf, fittingColumns, roomyColumn } from './columns.ts'

// Modules imported by the inputs listen to the storage at once.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const who = (...held: Permission[]) => ({ id: 1, permissions: Object.fromEntries(held.map((one) => [one, true])) })

it('a table and its filter leave out what leads to records that the person may not see', () => {
  const named = (actor: ReturnType<typeof who>) => [
    columnsOf(SiteAcceptance, actor, undefined).some(({ key }) => key === 'idPolicy'),
    filterableFields(SiteAcceptance, actor).some(([key]) => key === 'idPolicy'),
  ]
  expect(named(who('viewSalesManagement'))).toEqual([false, false])
  expect(named(who('viewSalesManagement', 'mainSettings'))).toEqual([true, true])
})

it('a column with a cell of its own stays, whatever it makes of a number', () => {
  const own = { key: 'idPolicy', cell: () => 'Версия' }
  expect(columnsOf(SiteAcceptance, who('viewSalesManagement'), [own])[0]?.key).toBe('idPolicy')
})

it('who reads prices reads whose they are', () => {
  const keys = columnsOf(PriceList, who('viewServices'), undefined).map(({ key }) => key)
  expect(keys).toEqual(expect.arrayContaining(['idOrganization', 'idProgramme']))
})

it('the last columns go where there is no room; the first and the buttons of the row stay', () => {
  const columns = [
    { key: 'name', width: 200 },
    { key: 'phone', width: 160 },
    { key: 'note', width: 160 },
    { key: 'buttons', width: 80, actions: true },
  ] as Column<unknown>[]
  const shownAt = (width: number) => fittingColumns(columns, width, true).map(({ key }) => key)
  expect(shownAt(640)).toEqual(['name', 'phone', 'note', 'buttons'])
  expect(shownAt(639)).toEqual(['name', 'phone', 'buttons'])
  expect(shownAt(100)).toEqual(['name', 'buttons'])
  expect(shownAt(0)).toHaveLength(4)
})

it('the room that is left goes to words: to the first column, or past a day or a number to the widest', () => {
  const columns = (...widths: number[]) => widths.map((width, at) => ({ key: String(at), width })) as Column<unknown>[]
  expect(roomyColumn(columns(240, 360, 120))).toBe('0')
  expect(roomyColumn(columns(110, 260, 180, 260))).toBe('1')
  expect(roomyColumn(columns(110, 90))).toBe('0')
  expect(roomyColumn([])).toBeUndefined()
})
