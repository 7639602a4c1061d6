import { Task } from '@ordinator/model/areas/tasks/task'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  actors,
  type Client,
  changed,
  connect,
  db,
  ended,
  listening,
  one,
  openStand,
  person,
  settledCursor,
  sockets,
  start,
  TAGS,
  TASKS,
  two,
  USERS,
  write,
} from './testing/stand.ts'

openStand()

describe('sessions and rights', () => {
  test('an ended session is reported and closed', async () => {
    const ann = await listening(one)
    const bob = await listening(one, { path: TASKS }, 'bob')
    for (const run of ended) run('s-ann')
    expect(await ann.closed).toBe(4001)
    expect(ann.messages.at(-1)).toEqual({ controller: 'system', action: 'signOut', data: {}, meta: {}, isError: false })
    expect(bob.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('changed rights remove listeners and send a reset', async () => {
    const ann = await listening(one)
    await ann.ask('addListener', { path: USERS })
    person('ann', 1, {})
    for (const run of changed) run(1)
    expect((await ann.next((message) => message.action === 'reset')).data.paths).toEqual([TASKS, USERS])
    expect(await ann.ask('removeListener', { path: USERS, id: 1 })).toMatchObject({ data: { listeners: 1 } })
    await write(301)
    await write(302, { path: USERS })
    one.wake()
    await ann.event(302)
    expect(ann.ids()).toEqual([302])
  })

  test('when anybody’s rights may have changed, only those whose did get an event', async () => {
    const ann = await listening(one)
    const bob = await listening(one, { path: TASKS }, 'bob')
    person('bob', 2, { viewTasksManagement: true, editUsers: true })
    for (const run of changed) run(undefined)
    await bob.next((message) => message.action === 'reset')
    await ann.ping()
    expect(ann.messages.some((message) => message.action === 'reset')).toBe(false)
  })

  test('a client that read before a change of rights and subscribes after it gets a reset', async () => {
    const fresh = await start()
    const since = await settledCursor()
    await write(310, { path: TAGS })
    for (const run of changed) run(1)
    const ann = await connect(fresh)
    expect((await ann.ask('addListener', { path: TASKS, since })).data.reset).toBe(false)
    expect((await ann.next((message) => message.action === 'reset')).data.paths).toEqual([TASKS])
    // It subscribes again without a cursor, and does not get the event again.
    await ann.ask('addListener', { path: TASKS })
    await ann.ping()
    const [bob, later] = [await connect(fresh, 'bob'), await connect(fresh)]
    await bob.ask('addListener', { path: TASKS, since })
    await later.ask('addListener', { path: TASKS, since: await settledCursor() })
    for (const client of [bob, later]) await client.ping()
    const resets = [ann, bob, later].map((one) => one.messages.filter((message) => message.action === 'reset').length)
    expect(resets).toEqual([1, 0, 0])
    await fresh.close()
  })

  test('a session that has ended is found out when rights are asked again', async () => {
    const ann = await listening(one)
    actors.delete('ann')
    for (const run of changed) run(undefined)
    expect(await ann.closed).toBe(4001)
  })
})

describe('load', () => {
  test('a client that does not read is cut off, the others are served', async () => {
    const slow = await listening(one)
    const quick = await listening(one)
    slow.socket.pause()
    // The longest possible events, to fill the system's buffers sooner.
    const fields = Object.fromEntries(Object.keys(Task.fields).map((name) => [name, [1, 2]]))
    const { slow: was } = one.realtime.stats()
    for (let n = 0; n < 600 && one.realtime.stats().slow === was; n++) {
      await db.query({
        text: `INSERT INTO history (path, "idEntity", action, changes, version) SELECT $1, n, 'update', $2, 1 FROM generate_series(1, 100) n`,
        values: [TASKS, JSON.stringify(fields)],
      })
      one.realtime.wake()
      const goal = quick.messages.length + 100
      await quick.next(() => quick.messages.length >= goal)
      quick.messages.length = 0
    }
    expect(one.realtime.stats().slow).toBe(was + 1)
    expect(one.realtime.stats().unread).toBeLessThan(2 * 1024 * 1024)
    expect(quick.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('2,000 clients get an event quickly', async () => {
    const clients: Client[] = []
    for (let n = 0; n < 100; n++) person(`u${n}`, 100 + n)
    for (let n = 0; n < 2_000; n += 100) {
      const hundred = Array.from({ length: 100 }, (_, i) => listening(one, { path: TASKS }, `u${i}`))
      clients.push(...(await Promise.all(hundred)))
    }
    // CPU time, since the machine may be busy.
    const start = process.cpuUsage()
    await write(401)
    one.realtime.wake()
    await Promise.all(clients.map((client) => client.event(401)))
    const { user, system } = process.cpuUsage(start)
    const stats = one.realtime.stats()
    expect(stats).toMatchObject({ clients: 2_000, listeners: 2_000, users: 100, queue: 0 })
    expect((user + system) / 1000).toBeLessThan(4_000)
  })

  test('without clients the hub sleeps', async () => {
    await listening(two)
    for (const socket of sockets.splice(0)) socket.terminate()
    await expect.poll(() => two.realtime.stats()).toMatchObject({ clients: 0, cursor: null })
    const { reads } = two.realtime.stats()
    const ann = await listening(one)
    await write(402)
    // Wakes both.
    two.wake()
    await ann.event(402)
    expect(two.realtime.stats().reads).toBe(reads)
    const client = await listening(two)
    await write(403)
    two.wake()
    await client.event(403)
    expect(client.ids()).toEqual([403])
  })

  test('a server that stops closes by 1001', async () => {
    const three = await start()
    const client = await listening(three)
    await three.close()
    expect(await client.closed).toBe(1001)
  })
})
