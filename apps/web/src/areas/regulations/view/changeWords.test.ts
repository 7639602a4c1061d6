import { expect, it, vi } from 'vitest'
import { wordsOf } from './changeWords.ts'

// The inputs' modules add a storage listener on import.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const question = (right: number) => ({
  text: 'Сколько держать?',
  options: ['Минуту', 'Две'].map((text, at) => ({ text, isRight: at === right })),
})

it('a question is shown with its answers, the right one marked', () => {
  expect(wordsOf([question(0)])).toBe('Сколько держать? (✓ Минуту / Две)')
  expect(wordsOf([question(1)])).toBe('Сколько держать? (Минуту / ✓ Две)')
})

it('people, files and flags are shown by name', () => {
  expect(wordsOf([{ shortFio: 'Орлова М.' }, { name: 'Приказ' }])).toBe('Орлова М., Приказ')
  expect([wordsOf(true), wordsOf(null), wordsOf(6)]).toEqual(['Да', '', '6'])
})
