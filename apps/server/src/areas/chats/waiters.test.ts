import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWaiters } from './waiters.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const makeWaiters = () => {
  let publish: (text: string) => void = () => {}
  const waiters = createWaiters({
    subscribe(_channel, listener) {
      publish = listener
      return () => {}
    },
    onGap: () => () => {},
  })
  return { waiters, publish: (text: string) => publish(text) }
}

it('releases simultaneous waiters spread over time, and no later than requested', async () => {
  const { waiters } = makeWaiters()
  const left: number[] = []
  const began = Date.now()
  for (let chat = 1; chat <= 200; chat++)
    void waiters.wait(chat, 25_000, new AbortController().signal).then((hasNews) => {
      expect(hasNews).toBe(false)
      left.push(Date.now() - began)
    })
  await vi.advanceTimersByTimeAsync(25_000)
  expect(left).toHaveLength(200)
  expect(Math.min(...left)).toBeGreaterThanOrEqual(17_500)
  const inOneSecond = Math.max(...left.map((at) => left.filter((other) => other >= at && other < at + 1_000).length))
  expect(inOneSecond).toBeLessThan(60)
})

it('news wakes only waiters of its chat; an aborted one is not woken', async () => {
  const { waiters, publish } = makeWaiters()
  const gone = new AbortController()
  const waits = [
    waiters.wait(1, 25_000, new AbortController().signal),
    waiters.wait(1, 25_000, gone.signal),
    waiters.wait(2, 25_000, new AbortController().signal),
  ]
  gone.abort()
  publish('1')
  await vi.advanceTimersByTimeAsync(0)
  expect(await Promise.all(waits.slice(0, 2))).toEqual([true, false])
  const other = vi.fn()
  void waits[2]?.then(other)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(other).not.toHaveBeenCalled()
  publish('t2')
  await vi.advanceTimersByTimeAsync(0)
  expect(other).toHaveBeenCalledWith(true)
  expect([waiters.isTyping(1), waiters.isTyping(2)]).toEqual([false, true])
})
