import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { createLenience } from './failureBackoff.ts'
import { paced } from './uploadRate.ts'

const MB = 1024 * 1024

/** Fake-clock milliseconds until so many megabytes of one person have passed. */
async function timeOf(who: string, megabytes: number): Promise<number> {
  const begun = Date.now()
  const pieces = Array.from({ length: megabytes }, (_, n) => Buffer.alloc(MB, n))
  expect((await buffer(Readable.from(pieces).pipe(paced(who)))).equals(Buffer.concat(pieces))).toBe(true)
  return Date.now() - begun
}

/** Advances the clock a millisecond per turn until the work is done. */
async function ticking<T>(done: Promise<T>): Promise<T> {
  let over = false
  const end = () => (over = true)
  done.then(end, end)
  while (!over) {
    await new Promise((go) => setImmediate(go))
    await vi.advanceTimersByTimeAsync(1)
  }
  return done
}

test('files of one person come as quickly as they can at first, then at a pace, all of them together; others do not wait', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // 22 MB of the burst of 24, which refills within some hundred milliseconds.
  expect(await ticking(timeOf('a', 22))).toBeLessThan(500)
  const [own, again, other] = await ticking(Promise.all([timeOf('a', 16), timeOf('a', 16), timeOf('b', 16)]))
  expect(Math.max(own, again)).toBeGreaterThan(4_000)
  expect(Math.max(own, again)).toBeLessThan(6_000)
  expect(other).toBeLessThan(500)
})

test('who was refused a few times goes on at once, who is refused again and again waits ever longer, until a minute has passed', ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { pauseOf } = createLenience()
  expect(Array.from({ length: 7 }, () => pauseOf('a'))).toEqual([0, 0, 0, 5_000, 10_000, 20_000, 20_000])
  expect(pauseOf('b')).toBe(0)
  // Coming back after each pause is not a stop.
  vi.advanceTimersByTime(59_000)
  expect(pauseOf('a')).toBe(20_000)
  vi.advanceTimersByTime(61_000)
  expect(pauseOf('a')).toBe(0)
})
