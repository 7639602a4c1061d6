import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDb } from '#testing/harness.ts'
import type { Db } from './db.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { createLog } from './log.ts'

let db: Db
let all: Jobs[]
beforeEach(async () => {
  db = await testDb()
  all = []
})
afterEach(async () => {
  await Promise.all(all.map((jobs) => jobs.stop()))
  await db.end()
})

function make(): Jobs {
  const jobs = createJobs({ url: db.url, log: createLog('silent') })
  all.push(jobs)
  return jobs
}

test('drain runs what is due, with its data', async () => {
  const jobs = make()
  const received: unknown[] = []
  jobs.register('probe.note', { handler: (data) => received.push(data) })
  await jobs.send('probe.note', { n: 1 })
  await jobs.send('probe.note', { n: 2 })
  await jobs.send('probe.note', { n: 3 }, { startAfter: 3600 })
  expect(await jobs.drain()).toBe(2)
  expect(received).toEqual([{ n: 1 }, { n: 2 }])
})

test('a key keeps one waiting job', async () => {
  const jobs = make()
  jobs.register('probe.once', { handler: () => {} })
  expect(await jobs.send('probe.once', {}, { key: 'a' })).not.toBeNull()
  expect(await jobs.send('probe.once', {}, { key: 'a' })).toBeNull()
  expect(await jobs.send('probe.once', {}, { key: 'b' })).not.toBeNull()
  expect(await jobs.drain()).toBe(2)
})

test('a job sent in a transaction that is rolled back never was', async () => {
  const jobs = make()
  let ran = 0
  jobs.register('probe.tx', { handler: () => ran++ })
  await jobs.send('probe.tx')
  const broken = db.tx(async (tx) => {
    await jobs.send('probe.tx', {}, { tx })
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  await db.tx((tx) => jobs.send('probe.tx', {}, { tx }))
  await jobs.drain()
  expect(ran).toBe(2)
})

test('two processes share the jobs: each runs once, soon', async () => {
  const ran: string[] = []
  const [one, two] = [make(), make()]
  for (const [name, jobs] of [
    ['one', one],
    ['two', two],
  ] as const) {
    jobs.register<{ n: number }>('probe.shared', {
      handler: ({ n }) => {
        ran.push(`${name} ${n}`)
        return new Promise((resolve) => setTimeout(resolve, 50))
      },
    })
  }
  await one.start()
  await two.start()
  for (let n = 0; n < 6; n++) await one.send('probe.shared', { n })
  // Nothing is left that a process could run once more.
  const states = () => db.query(sql`select distinct state::text from jobs.job where name = 'probe.shared'`)
  await expect.poll(states).toEqual([{ state: 'completed' }])
  expect(ran.map((text) => text.split(' ')[1]).sort()).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('a failed job waits for its next try', async () => {
  const jobs = make()
  jobs.register('probe.fails', {
    handler: () => {
      throw new Error('outside system is down')
    },
  })
  await jobs.send('probe.fails')
  expect(await jobs.drain()).toBe(1)
  expect(await db.one(sql`SELECT state::text FROM jobs.job WHERE name = 'probe.fails'`)).toEqual({ state: 'retry' })
})
