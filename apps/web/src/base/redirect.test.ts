import { expect, test } from 'vitest'
import { asText, safeRedirect } from './redirect.ts'

test.each([
  ['/tasks?board=5#x', '/tasks?board=5#x'],
  ['/', '/'],
  ['/loginsomething', '/loginsomething'],
  ['//evil.ru', '/'],
  ['/\\evil.ru', '/'],
  ['/\t/evil.ru', '/'],
  ['https://evil.ru', '/'],
  ['javascript:alert(1)', '/'],
  ['/login', '/'],
  ['/login?redirect=/login', '/'],
  ['', '/'],
  [5, '/'],
  [undefined, '/'],
])('redirect %s', (value, path) => {
  expect(safeRedirect(value)).toBe(path)
})

test('search parameters become text', () => {
  expect(asText(404)).toBe('404')
  expect(asText('текст')).toBe('текст')
  expect(asText({ a: 1 })).toBeUndefined()
  expect(asText('')).toBeUndefined()
})
