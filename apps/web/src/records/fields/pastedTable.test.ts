// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { pastedLines } from './pastedTable.ts'

test('cells of a spreadsheet become rows and tabs', () => {
  const html = `<html><body><!--StartFragment--><table border=0><tr><td>Услуга</td><td>Цена</td></tr>
    <tr><td>УЗИ <br> печени</td><td>1500</td></tr><tr><td></td><td></td></tr></table><!--EndFragment--></body></html>`
  expect(pastedLines(html)).toEqual(['Услуга\tЦена', 'УЗИ печени\t1500'])
})

test('text around a table stays around it', () => {
  expect(pastedLines('<p>Цены</p><table><tr><th><p>А</p></th><td>1</td></tr></table><ul><li>Всё</li></ul>')).toEqual([
    'Цены',
    'А\t1',
    'Всё',
  ])
})

test('what has no table is left to the editor', () => {
  expect(pastedLines('<p>table</p>')).toBeUndefined()
})
