import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Shares, watchLoad } from './load.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each<[string, Shares]>([
  ['the thread', { thread: 0.7, machine: 0.1 }],
  ['the machine', { thread: 0.1, machine: 0.9 }],
])('doubles while %s is busy, up to eight, and halves after', (_what, busy) => {
  let shares: Shares = busy
  const load = watchLoad(() => shares)
  const factors = (looks: number) =>
    Array.from({ length: looks }, () => {
      vi.advanceTimersByTime(250)
      return load.factor()
    })
  expect(factors(5)).toEqual([2, 4, 8, 8, 8])
  shares = { thread: 0.5, machine: 0.5 }
  expect(factors(4)).toEqual([4, 2, 1, 1])
  load.stop()
})

test('sees its own thread at work', async () => {
  vi.useRealTimers()
  const load = watchLoad()
  const until = performance.now() + 600
  while (performance.now() < until);
  await expect.poll(() => load.factor()).toBeGreaterThan(1)
  load.stop()
})
