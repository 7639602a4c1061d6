import { AdCost } from '@ordinator/model/areas/advertising/campaign'
import { expect, test, vi } from 'vitest'
import { cellsOf, isTable, sheetRows } from './sheetRows.ts'

// Modules imported by the inputs listen to the storage at once.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const names = ['localDate', 'cost', 'clicks', 'impressions']

test('cells are parted by tabs, and a quoted one may have several lines', () => {
  expect(cellsOf('а\tб\r\n"две\nстроки"\t"с ""кавычками"""\n\n')).toEqual([
    ['а', 'б'],
    ['две\nстроки', 'с "кавычками"'],
  ])
  expect([isTable(cellsOf('слово')), isTable(cellsOf('а\tб')), isTable(cellsOf('а\nб'))]).toEqual([false, true, true])
})

test('columns go by their headings, else by order; what cannot be read is named', () => {
  const byOrder = sheetRows(AdCost, names, cellsOf('01.11.2026\t1 234,50\t12\n02.11.2026\tмного\t'))
  expect(byOrder.columns).toEqual(['localDate', 'cost', 'clicks'])
  expect(byOrder.rows).toEqual([
    { values: { localDate: '2026-11-01', cost: 1234.5, clicks: 12 }, faults: [] },
    { values: { localDate: '2026-11-02' }, faults: [{ label: 'Расход', message: 'не читается «много»' }] },
  ])
  expect(sheetRows(AdCost, names, cellsOf('Клики\tПрочее\tДень\n7\tx\t03.11.2026\n8'))).toEqual({
    columns: ['clicks', 'localDate'],
    ignored: ['Прочее'],
    rows: [
      { values: { clicks: 7, localDate: '2026-11-03' }, faults: [] },
      { values: { clicks: 8 }, faults: [{ label: 'День', message: 'обязательное поле' }] },
    ],
  })
})
