import { expect, test } from 'vitest'
import { placeBeyond } from './Toasts.tsx'

test('a stack of toasts is placed beyond the next action, and beyond the one that it would meet there', () => {
  expect(placeBeyond([], 80, 800)).toBeUndefined()
  expect(placeBeyond([{ from: 400, to: 436 }], 80, 800)).toBeUndefined()
  expect(placeBeyond([{ from: 16, to: 52 }], 80, 800)).toBe(64)
  const two = [
    { from: 16, to: 52 },
    { from: 100, to: 136 },
  ]
  expect(placeBeyond(two, 80, 800)).toBe(148)
  expect(placeBeyond(two, 680, 800)).toBeUndefined()
})
