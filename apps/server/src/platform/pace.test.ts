import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { createLenience } from './lenience.ts'
import { paced } from './pace.ts'

const MB = 1024 * 1024

/** Milliseconds in which so much of one person comes through. */
async function timeOf(who: string, megabytes: number): Promise<number> {
  const begun = performance.now()
  const pieces = Array.from({ length: megabytes }, (_, n) => Buffer.alloc(MB, n))
  expect((await buffer(Readable.from(pieces).pipe(paced(who)))).equals(Buffer.concat(pieces))).toBe(true)
  return performance.now() - begun
}

test('files of one person come as quickly as they can at first, then at a pace, all of them together; nobody else waits', async () => {
  expect(await timeOf('a', 60)).toBeLessThan(2_000)
  const [own, again, other] = await Promise.all([timeOf('a', 8), timeOf('a', 8), timeOf('b', 8)])
  expect(Math.max(own, again)).toBeGreaterThan(400)
  expect(other).toBeLessThan(Math.max(own, again))
})

test('who was refused a few times goes on at once, who is refused again and again waits, until a minute has passed', ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { pauseOf } = createLenience()
  expect([1, 2, 3, 4, 5].map(() => pauseOf('a'))).toEqual([0, 0, 0, 5_000, 5_000])
  expect(pauseOf('b')).toBe(0)
  vi.advanceTimersByTime(61_000)
  expect(pauseOf('a')).toBe(0)
})
