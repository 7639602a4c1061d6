import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDb } from '#testing/harness.ts'
import type { Db } from './db.ts'
import { createFanout, type Fanout } from './fanout.ts'
import { createLog } from './log.ts'

let db: Db
let one: Fanout
let two: Fanout
beforeEach(async () => {
  db = await testDb()
  const make = () => createFanout({ db, redisUrl: undefined, log: createLog('silent') })
  one = make()
  two = make()
  await Promise.all([one.start(), two.start()])
})
afterEach(async () => {
  await Promise.all([one.close(), two.close()])
  await db.end()
})

async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !what(); ) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('every process receives every signal once, in order, equal ones too', async () => {
  const received: string[][] = [[], []]
  one.subscribe('a', (text) => received[0]?.push(text))
  two.subscribe('a', (text) => received[1]?.push(text))
  two.subscribe('b', () => received[1]?.push('never'))
  const sent = ['x', 'x', 'ё"\n', 'я'.repeat(3_000), ...Array.from({ length: 300 }, (_, n) => `${n}`.repeat(20))]
  for (const text of sent) one.publish('a', text)
  await until(() => received[1]?.length === sent.length && received[0]?.length === sent.length)
  expect(received).toEqual([sent, sent])
})

test('a payload over the limit is refused where it is made', () => {
  expect(() => one.publish('a', 'я'.repeat(4_000))).toThrow(RangeError)
})

test('a receiver that throws does not silence the others; an ended one is silent', async () => {
  const received: string[] = []
  two.subscribe('a', () => {
    throw new Error('mine')
  })
  const end = two.subscribe('a', () => received.push('ended'))
  two.subscribe('a', (text) => received.push(text))
  end()
  one.publish('a', 'x')
  await until(() => received.length > 0)
  expect(received).toEqual(['x'])
})

test('a broken connection is made again and the gap is reported', async () => {
  const received: string[] = []
  let gaps = 0
  two.subscribe('a', (text) => received.push(text))
  two.onGap(() => gaps++)
  await db.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await until(() => gaps > 0)
  one.publish('a', 'after')
  await until(() => received.length > 0)
  expect(received).toEqual(['after'])
})

test('bare signals that wait to be sent are one', async () => {
  const received: string[] = []
  two.subscribe('a', (text) => received.push(text))
  for (const text of ['', '', 'x', '']) one.publish('a', text)
  await until(() => received.includes('x'))
  one.publish('a', '')
  await until(() => received.length > 2)
  expect(received).toEqual(['', 'x', ''])
})

test('a database that takes the last signals, and the goodbye, and answers neither holds no stop', async () => {
  const never = () => new Promise<never>(() => {})
  const line = { on() {}, query: async () => {}, end: never }
  const silent = { query: never, connect: async () => line } as unknown as Db
  const fanout = createFanout({ db: silent, redisUrl: undefined, log: createLog('silent') })
  await fanout.start()
  fanout.publish('a', 'x')
  const began = performance.now()
  await fanout.close()
  expect(performance.now() - began).toBeLessThan(20_000)
})
