import { expect, it } from 'vitest'
import { searchText } from './searchText.ts'

const { parseSearch, stringifySearch } = searchText

it.each([
  ['?q=7', { q: 7 }],
  ['?q=-1.5', { q: -1.5 }],
  ['?q=12e3', { q: '12e3' }],
  ['?q=9e999', { q: '9e999' }],
  ['?q=1.50', { q: '1.50' }],
  ['?q=12345678901234567890', { q: '12345678901234567890' }],
  ['?q=0042', { q: '0042' }],
  ['?sort=-id&on=true&ids=[1,2]', { sort: '-id', on: true, ids: [1, 2] }],
])('%s shows %o', (text, value) => expect(parseSearch(text)).toEqual(value))

it.each(['12e3', '7', '0042', 'true', 'null', '"', '[1', 'Иванова', '9e999', '+7900'])(
  '%s comes back as it was typed',
  (q) => expect(parseSearch(stringifySearch({ q }))).toEqual({ q }),
)
