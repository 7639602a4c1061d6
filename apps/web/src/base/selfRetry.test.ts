import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './apiError.ts'
import { isSelfRetry, retryByItself } from './selfRetry.ts'

let client: QueryClient
let isShown: boolean
let back: () => void
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  isShown = true
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const begin = () => retryByItself(client, { isShown: () => isShown, onBack: (run) => (back = run) })

/** A load on the page: fails with this status until it is mended. */
function load(status: number, more: { retryAfter?: number } = {}) {
  const one = { calls: 0, own: 0, isGood: false, leave: () => {} }
  const observer = new QueryObserver(client, {
    queryKey: [status],
    queryFn: async () => {
      one.calls++
      if (isSelfRetry()) one.own++
      if (one.isGood) return 'figures'
      throw new ApiError({ status, message: 'Сервер занят', ...more })
    },
  })
  one.leave = observer.subscribe(() => {})
  return one
}
const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

test('a load that failed for a passing reason is repeated with growing pauses until it succeeds', async () => {
  const isRepeated = begin()
  const one = load(503)
  await wait(1)
  expect(one.calls).toBe(1)
  const query = client.getQueryCache().find({ queryKey: [503] })
  expect(query && isRepeated(query)).toBe(false)
  const at: number[] = []
  for (let second = 1, calls = 1; second <= 120; second++) {
    await wait(1)
    if (one.calls > calls) at.push(second)
    calls = one.calls
  }
  // After 5, 10, 20 and 40 seconds more each; the failures after the first have been reported.
  expect(at).toEqual([4, 14, 34, 74])
  expect(query && isRepeated(query)).toBe(true)
  expect(one.own).toBe(4)
  one.isGood = true
  await wait(60)
  expect([one.calls, query && isRepeated(query)]).toEqual([6, false])
  await wait(600)
  expect(one.calls).toBe(6)
})

test('a refusal is not repeated, and what asks to wait longer is not asked sooner', async () => {
  begin()
  const [refused, asked] = [load(403), load(429, { retryAfter: 30 })]
  await wait(29)
  expect([refused.calls, asked.calls]).toEqual([1, 1])
  await wait(5)
  expect([refused.calls, asked.calls]).toEqual([1, 2])
})

test('a page that is not seen asks nothing, and at once when it is looked at again; one that was left, never', async () => {
  begin()
  const [kept, left] = [load(500), load(502)]
  await wait(1)
  isShown = false
  left.leave()
  await wait(300)
  expect([kept.calls, left.calls]).toEqual([1, 1])
  isShown = true
  back()
  await wait(0)
  expect([kept.calls, left.calls]).toEqual([2, 1])
})
