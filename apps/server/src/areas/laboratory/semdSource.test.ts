import { expect, it } from 'vitest'
import { normOf } from './semdSource.ts'

it.each([
  ['120–150', { low: '120', high: '150' }],
  ['3,5–5,1', { low: '3.5', high: '5.1' }],
  ['до 5', { high: '5' }],
  ['более 1,2', { low: '1.2' }],
  ['не обнаружено', {}],
])('parses the bounds of the norm %s', (text, bounds) => {
  expect(normOf(text)).toEqual({ text, ...bounds })
})
