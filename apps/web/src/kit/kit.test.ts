import { linkKind } from '@ordinator/model/linkKind'
import { expect, test, vi } from 'vitest'
import { isAccident } from './accident.ts'
import { matching } from './byMatch.ts'
import { contrastColor, parseColor } from './color.ts'
import { combinationOf } from './hotkeys.ts'
import { readNumber } from './numberText.ts'
import { zoneName } from './zoneNames.ts'

test.each([
  ['/tasks?board=5', 'internal'],
  ['//evil.ru', 'none'],
  ['https://clinic.ru', 'web'],
  ['ftp://files.ru/a', 'web'],
  ['tel:+79123456789', 'contact'],
  ['mailto:a@b.ru', 'contact'],
  ['javascript:alert(1)', 'none'],
  ['java\nscript:alert(1)', 'none'],
  ['data:text/html,1', 'none'],
  ['clinic.ru', 'none'],
  ['', 'none'],
])('link %s', (href, kind) => {
  expect(linkKind(href)).toBe(kind)
})

test('colours', () => {
  expect(parseColor('ABC')).toBe('#aabbcc')
  expect(parseColor('#0B7A70')).toBe('#0b7a70')
  expect(parseColor('red')).toBeNull()
  expect(contrastColor('#ffffff')).toBe('#000000')
  expect(contrastColor('#000000')).toBe('#ffffff')
})

const key = (given: Partial<KeyboardEvent>) =>
  combinationOf({ key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...given })

test('keys are read by their place, in any layout', () => {
  expect(key({ key: 'k', code: 'KeyK', ctrlKey: true })).toBe('mod+k')
  expect(key({ key: 'л', code: 'KeyK', ctrlKey: true })).toBe('mod+k')
  expect(key({ key: 'k', code: 'KeyK', metaKey: true })).toBe('mod+k')
  expect(key({ key: '?', code: 'Slash', shiftKey: true })).toBe('?')
  expect(key({ key: ',', code: 'Slash', shiftKey: true })).toBe('?')
  expect(key({ key: 'Enter', code: 'Enter', ctrlKey: true })).toBe('mod+enter')
  expect(key({ key: 'A', code: 'KeyA', shiftKey: true })).toBe('shift+a')
  expect(key({ key: ' ', code: 'Space' })).toBe('space')
})

test('what answers best comes first', () => {
  const names = ['Карпавлов А.', 'Павлович И.', 'Иван Павлов', 'Павлов Пётр', 'Павлов', 'Сидоров']
  const found = ['Павлов', 'Павлов Пётр', 'Павлович И.', 'Иван Павлов', 'Карпавлов А.']
  expect(matching(names, ' павлов', (name) => name)).toEqual(found)
  expect(matching(['Зелёный', 'Зеленый чай'], 'зеленый', (name) => name)).toEqual(['Зелёный', 'Зеленый чай'])
})

test('a number is read whole or not at all', () => {
  expect(readNumber('1 234,50 ₽')).toBe(1234.5)
  expect(readNumber('1234.5 руб.')).toBe(1234.5)
  expect(readNumber('−7')).toBe(-7)
  for (const text of ['10%', '12 шт', 'сто', '1,2,3', '']) expect(readNumber(text)).toBeUndefined()
})

test('a zone is named as people name it', () => {
  expect(zoneName('Europe/Moscow')).toBe('Москва (UTC+3)')
  // A browser without city names.
  const parts = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  parts.mockReturnValue([{ type: 'timeZoneName', value: 'GMT+3' }])
  expect([zoneName('Europe/Moscow'), zoneName('Africa/Nairobi')]).toEqual(['Москва (UTC+3)', 'Africa/Nairobi (UTC+3)'])
  parts.mockRestore()
})

test('an undo button ignores a pointer that pressed the former button there, but elsewhere, later, or by keys', () => {
  const press = { age: 300, isThere: true, detail: 1 }
  const isAccidental = (changed: object) => isAccident({ ...press, ...changed })
  expect([{}, { detail: 2 }].map(isAccidental)).toEqual([true, true])
  expect([{ isThere: false }, { age: 1_500 }, { detail: 0 }].map(isAccidental)).toEqual([false, false, false])
})
