import { beforeEach, expect, test, vi } from 'vitest'
import { choicesOf, noteChoice } from './choiceUse.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

test('choices are counted for each kind, and the rarest are forgotten before the last one', () => {
  for (let id = 1; id <= 30; id++) for (let times = 0; times < 2; times++) noteChoice('services', id)
  noteChoice('services', 99)
  noteChoice('users', 7)
  expect(choicesOf('services').get(99)).toBe(1)
  expect(choicesOf('services').size).toBe(30)
  expect(choicesOf('users')).toEqual(new Map([[7, 1]]))
  expect(choicesOf('organizations').size).toBe(0)
})
