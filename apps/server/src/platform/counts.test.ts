/** Limits of the clinic, over two server processes and a Redis that is killed and restarted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { realRedis, redisServer, type TestRedis } from '#testing/redis.ts'
import { createCounts } from './counts.ts'
import { createLog } from './log.ts'

const log = createLog('silent')
/** Files of one visitor a minute. */
const LIMIT = 10
const WINDOW_MS = 60_000

describe.runIf(redisServer.there)('two servers with the real Redis', redisServer.options, () => {
  const ends: (() => unknown)[] = []
  let redis: TestRedis
  let here: Clinic
  let second: Clinic

  beforeAll(async () => {
    redis = await realRedis((run) => ends.push(run))
    here = await testApp({ env: { REDIS_URL: redis.url } })
    second = await here.secondProcess()
  })
  afterAll(async () => {
    await second.close()
    await here.close()
    for (const end of ends) await end()
  })

  /** Statuses of requests that ask the servers by turns. */
  async function asked(times: number, clinics: readonly Clinic[]): Promise<number[]> {
    const found: number[] = []
    for (let i = 0; i < times; i++) {
      const clinic = clinics[i % clinics.length] as Clinic
      found.push((await clinic.anonymous.post('/live-assist/visitor/files?clientId=x', {})).status)
    }
    return found
  }
  const passed = (statuses: readonly number[]) => statuses.filter((status) => status !== 429).length

  test('count together, and each by itself while Redis is gone', async () => {
    const both = [createCounts({ redisUrl: redis.url, log }), createCounts({ redisUrl: redis.url, log })] as const
    ends.push(() => both.map((one) => one.close()))
    const [one, other] = both
    let key = 0
    const together = async () => {
      const name = `key ${++key}`
      await one.add(name, WINDOW_MS)
      return (await other.add(name, WINDOW_MS)).current
    }
    await expect.poll(together, { timeout: 30_000 }).toBe(2)
    const { ttl } = await one.add('window', WINDOW_MS)
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(WINDOW_MS)
    await expect.poll(async () => (await one.add('short', 20)).current, { interval: 50 }).toBe(1)
    redis.silence()
    expect(await together()).toBe(1)
    redis.resume()
    await expect.poll(together, { timeout: 30_000 }).toBe(2)
    await redis.kill()
    expect(await together()).toBe(1)
    await redis.revive()
    await expect.poll(together, { timeout: 30_000 }).toBe(2)
  })

  test('refuse by the limit of the clinic; without Redis by their own, with no error', async () => {
    const begun = await asked(6, [here, second])
    expect(passed(begun)).toBe(6)
    await redis.kill()
    // Each has counted three itself.
    const alone = await asked(2 * LIMIT, [here, second])
    expect(passed(alone)).toBe(2 * (LIMIT - 3))
    expect(alone.filter((status) => status >= 500)).toEqual([])
    await redis.revive()
    // The new Redis has no earlier counts: both may go on, together as one.
    await expect
      .poll(async () => passed(await asked(1, [here])) + passed(await asked(1, [second])), { timeout: 30_000 })
      .toBe(2)
    expect(passed(await asked(2 * LIMIT, [here, second]))).toBeLessThanOrEqual(LIMIT - 2)
  })
})

test('without Redis a process counts for itself, and forgets those not used for longest', async () => {
  const counts = createCounts({ redisUrl: undefined, log })
  expect((await counts.add('a', WINDOW_MS)).current).toBe(1)
  expect((await counts.add('a', WINDOW_MS)).current).toBe(2)
  for (let i = 0; i < 20_000; i++) await counts.add(`other ${i}`, WINDOW_MS)
  expect((await counts.add('a', WINDOW_MS)).current).toBe(1)
  counts.close()
})
