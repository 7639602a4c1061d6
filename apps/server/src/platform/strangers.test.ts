/** Clients that are not signed in share one queue and their own connections, and do not slow down the staff. */
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeptAnswers } from '#records/keptAnswers.ts'
import { testDb } from '#testing/harness.ts'
import { admitRequests } from './admitRequests.ts'
import type { Db } from './db.ts'
import { isStranger, runFor } from './strangers.ts'

describe('the lane', () => {
  let server: FastifyInstance
  let running: string[]
  let open: () => void
  beforeEach(async () => {
    running = []
    const gate = new Promise<void>((resolve) => (open = resolve))
    server = fastify()
    admitRequests(server, ({ headers: { who } }) => String(who))
    server.get('/slow', async ({ headers: { who } }) => {
      running.push(String(who))
      await gate
      return { isStranger: isStranger() }
    })
    server.post('/sign-in', { config: { aside: 'sign-in' } }, async () => ({ isStranger: isStranger() }))
    await server.ready()
    return () => server.close()
  })
  const ask = (who: string) => server.inject({ url: '/slow', headers: { who } }).then((answer) => answer.json())

  test('takes six of them at once, whatever their addresses, and none of the places of the others', async () => {
    const strangers = Array.from({ length: 100 }, (_, n) => ask(`address:${n}`))
    const staff = Array.from({ length: 8 }, (_, n) => ask(`user:${n}`))
    await expect.poll(() => running.filter((who) => who.startsWith('user:')).length).toBe(8)
    expect(running.filter((who) => who.startsWith('address:'))).toHaveLength(6)
    open()
    // Also for requests admitted by another request's answer.
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => ({ isStranger: true })))
    expect(await Promise.all(staff)).toEqual(staff.map(() => ({ isStranger: false })))
  })

  test('is not that of sign-in', async () => {
    const answer = await server.inject({ method: 'POST', url: '/sign-in', headers: { who: 'address:1' } })
    expect(answer.json()).toEqual({ isStranger: false })
    open()
  })
})

describe('the connections', () => {
  let db: Db
  beforeAll(async () => {
    db = await testDb()
  })
  afterAll(() => db.end())

  test('of anonymous clients may all be taken, and signed-in users still get one', async () => {
    const sleeping = runFor(true, () =>
      Promise.all(Array.from({ length: 8 }, () => db.query({ text: 'select pg_sleep(600)' }).catch((error) => error))),
    )
    const asleep = async () =>
      (
        await db.query({
          text: `select 1 from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`,
        })
      ).length
    await expect.poll(asleep, { timeout: 60_000 }).toBe(8)
    for (const lane of [db, db.reads, db.costly, db.kept, db.health])
      expect(await lane.one({ text: 'select 1 as n' })).toEqual({ n: 1 })
    await db.query({
      text: `select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(600)'`,
    })
    await sleeping
  })

  test('what follows a commit of a stranger is the work of the server', async () => {
    let after: boolean | undefined
    await runFor(true, () => db.tx(async (tx) => tx.afterCommit(() => void (after = isStranger()))))
    expect(after).toBe(false)
  })
})

describe('an answer that is kept', () => {
  const listeners = new Set<() => void>()
  const fanout = {
    subscribe(_channel: string, run: () => void) {
      listeners.add(run)
      return () => listeners.delete(run)
    },
    onGap: () => () => {},
  }
  const kept = createKeptAnswers({ fanout, onClose: () => {} } as never)
  let made = 0
  const make = async () => ++made

  test('is made once for all who ask at once, and anew after a write', async () => {
    expect(await Promise.all([kept.of('a', 60, make), kept.of('a', 60, make), kept.of('b', 60, make)])).toEqual([
      1, 1, 2,
    ])
    for (const run of listeners) run()
    expect(await kept.of('a', 60, make)).toBe(3)
    expect(await kept.of('a', 60, make)).toBe(3)
  })

  test('a refusal is shared with all who wait', async () => {
    await expect(kept.of('c', 60, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
    expect(await kept.of('c', 60, make)).toBe(4)
  })
})
