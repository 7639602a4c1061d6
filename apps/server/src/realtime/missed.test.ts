import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  by,
  connect,
  db,
  listening,
  one,
  openStand,
  settledCursor,
  sockets,
  TAGS,
  TASKS,
  two,
  write,
} from './testing/stand.ts'

openStand()

describe('nothing is missed', () => {
  test('a transaction with a lower id that commits later is delivered, and replayed', async () => {
    const client = await listening(one)
    const slow = new pg.Client({ connectionString: db.url })
    await slow.connect()
    await slow.query('BEGIN')
    const late = await write(201, {}, by(slow))
    const early = await write(202)
    expect(late).toBeLessThan(early)
    one.wake()
    const { meta } = await client.event(202)
    expect(client.ids()).toEqual([202])
    client.socket.terminate()

    await slow.query('COMMIT')
    await slow.end()
    const other = await listening(two)
    const again = await connect(one)
    const answer = await again.ask('addListener', { path: TASKS, since: meta.cursor })
    expect(answer.data.reset).toBe(false)
    // Before the answer, or with the next read if the hub had not seen the commit yet.
    await again.event(201)
    await write(203)
    one.wake()
    await other.event(203)
    await again.event(203)
    expect(other.ids()).toEqual([203])
  })

  test('the late commit reaches a listener that stayed', async () => {
    const client = await listening(two)
    const slow = new pg.Client({ connectionString: db.url })
    await slow.connect()
    await slow.query('BEGIN')
    await write(211, {}, by(slow))
    for (let n = 0; n < 5; n++) {
      await write(212 + n)
      two.wake()
      await client.event(212 + n)
    }
    await slow.query('COMMIT')
    await slow.end()
    two.wake()
    await client.event(211)
    expect(client.ids()).toEqual([212, 213, 214, 215, 216, 211])
  })

  test('what was written while away comes before the answer, from another process too', async () => {
    const client = await listening(one)
    await write(221)
    one.wake()
    const { meta } = await client.event(221)
    client.socket.terminate()
    await write(222)
    await write(223, { path: TAGS })
    await write(224)
    const back = await connect(two)
    const answer = await back.ask('addListeners', { listeners: [{ path: TASKS }, { path: TAGS }], since: meta.cursor })
    expect(back.messages.at(-1)).toBe(answer)
    expect(back.ids().filter((id) => id > 221)).toEqual([222, 223, 224])
    for (const event of back.events()) expect(BigInt(event.meta.cursor)).toBeLessThanOrEqual(BigInt(answer.data.cursor))
  })

  test('only the last event of a read carries the new cursor', async () => {
    const client = await listening(one)
    await db.tx(async (tx) => {
      await write(231, {}, tx)
      await write(232, {}, tx)
    })
    one.wake()
    const [first, last] = [await client.event(231), await client.event(232)]
    // Equal only while a transaction in another database of the cluster holds the snapshot back.
    expect(BigInt(first.meta.cursor)).toBeLessThanOrEqual(BigInt(last.meta.cursor))
    const again = await connect(one)
    await again.ask('addListener', { path: TASKS, since: first.meta.cursor })
    expect(again.ids()).toContain(232)
  })

  test('what was written between the reading of a page and its first listening comes', async () => {
    const since = await settledCursor()
    await write(235)
    const slow = new pg.Client({ connectionString: db.url })
    await slow.connect()
    await slow.query('BEGIN')
    await write(236, {}, by(slow))
    const client = await connect(one)
    const answer = await client.ask('addListener', { path: TASKS, since })
    expect(answer.data.reset).toBe(false)
    expect(client.ids()).toContain(235)
    expect(client.ids()).not.toContain(236)
    await slow.query('COMMIT')
    await slow.end()
    one.wake()
    await client.event(236)
  })

  test('too much missed, too old, or of another database is a reset', async () => {
    const cursor = async (): Promise<string> => {
      const client = await connect(one)
      const { data } = await client.ask('addListener', { path: TASKS })
      client.socket.terminate()
      await expect.poll(() => one.realtime.stats().clients).toBe(0)
      return data.cursor
    }
    const since = await cursor()
    await db.query({
      text: `INSERT INTO history (path, "idEntity", action, changes, version) SELECT $1, n, 'update', '{}', 1 FROM generate_series(1, 5001) n`,
      values: [TAGS],
    })
    const client = await connect(one)
    expect((await client.ask('addListener', { path: TAGS, since })).data.reset).toBe(true)
    // It does not affect other paths.
    expect((await client.ask('addListener', { path: TASKS, since })).data.reset).toBe(false)
    expect((await client.ask('addListener', { path: TASKS, id: 1, since: '999999999' })).data.reset).toBe(true)

    for (const socket of sockets.splice(0)) socket.terminate()
    await expect.poll(() => one.realtime.stats().clients).toBe(0)
    const later = await cursor()
    await db.query({
      text: `INSERT INTO history (path, "idEntity", action, changes, version, "dateCreate") VALUES ($1, 1, 'update', '{}', 1, now() - interval '25 hours')`,
      values: [TASKS],
    })
    const old = await connect(one)
    const answer = await old.ask('addListener', { path: TASKS, since: later })
    expect(answer.data.reset).toBe(true)
    await db.query({ text: `DELETE FROM history WHERE "dateCreate" < now() - interval '24 hours'` })
  })

  test('random writers in many transactions, two listeners that come and go: everything arrives', async () => {
    const total = 60
    const stays = await listening(one)
    const got = new Set<number>()
    let cursor: string | undefined
    let over = false
    const first = Promise.withResolvers<void>()
    const goes = (async () => {
      while (!over || got.size < total) {
        const client = await connect(two)
        const answer = await client.ask('addListener', { path: TASKS, ...(cursor ? { since: cursor } : {}) })
        expect(answer.data.reset).toBe(false)
        first.resolve()
        await sleep(Math.random() * 120)
        client.socket.terminate()
        for (const event of client.events()) {
          got.add(event.data.id)
          cursor = event.meta.cursor
        }
        cursor = client.events().at(-1)?.meta.cursor ?? cursor ?? answer.data.cursor
        if (over && got.size < total) await sleep(20)
      }
    })()
    await Promise.race([first.promise, goes])
    await Promise.all(
      Array.from({ length: total }, async (_, n) => {
        await sleep(Math.random() * 400)
        await db.tx(async (tx) => {
          await write(5_000 + n, {}, tx)
          await sleep(Math.random() * 150)
        })
        one.wake()
      }),
    )
    over = true
    await Promise.race([goes, sleep(60_000).then(() => Promise.reject(new Error(`came ${got.size} of ${total}`)))])
    await stays.next(() => new Set(stays.ids().filter((id) => id >= 5_000)).size === total)
    const seqs = stays.events().map((event) => event.meta.seq)
    expect(new Set(seqs).size).toBe(seqs.length)
  })

  test('history that was cleaned away is a reset', async () => {
    await db.query({ text: 'DELETE FROM history' })
    await write(240)
    const client = await connect(one)
    expect((await client.ask('addListener', { path: TASKS, since: '1' })).data.reset).toBe(true)
  })
})
