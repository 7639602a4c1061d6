import { expect, test } from 'vitest'
import { cookieDomain, cookieText, readCookie, userState } from './otherUser.ts'

test.each([
  ['crm.clinic.ru', 'clinic.ru'],
  ['a.b.clinic.ru', 'clinic.ru'],
  ['clinic.ru', 'clinic.ru'],
  ['localhost', undefined],
  ['127.0.0.1', undefined],
  ['[::1]', undefined],
])('domain of %s', (host, domain) => {
  expect(cookieDomain(host)).toBe(domain)
})

test('reads one cookie of many, by its whole name', () => {
  const cookies = 'xcrm_id=1; crm_id=12; note=%D1%84; bad=%'
  expect(readCookie(cookies, 'crm_id')).toBe('12')
  expect(readCookie(cookies, 'note')).toBe('ф')
  expect(readCookie(cookies, 'bad')).toBe('%')
  expect(readCookie(cookies, 'crm')).toBeUndefined()
  expect(readCookie('', 'crm')).toBeUndefined()
})

test('writes for a day, deletes by an empty value', () => {
  expect(cookieText('id', '5', 'crm.clinic.ru')).toBe('id=5; path=/; max-age=86400; samesite=lax; domain=clinic.ru')
  expect(cookieText('id', '', 'localhost')).toBe('id=; path=/; max-age=0; samesite=lax')
})

const names = { current: 'new_id', other: 'old_id', logout: 'old_logout' }

test.each([
  ['', { kind: 'same' }],
  ['new_id=7; old_id=7', { kind: 'same' }],
  ['new_id=7; old_id=', { kind: 'same' }],
  ['new_id=7; old_id=8', { kind: 'mismatch', otherId: '8' }],
  ['old_id=8; old_logout=1', { kind: 'logout' }],
  ['old_logout=0', { kind: 'same' }],
] as const)('cookies "%s"', (cookies, state) => {
  expect(userState(cookies, names, 7)).toEqual(state)
})

test('without names nothing is watched', () => {
  expect(userState('old_id=8; old_logout=1', {}, 7)).toEqual({ kind: 'same' })
})
