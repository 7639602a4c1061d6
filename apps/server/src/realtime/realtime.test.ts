import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  asked,
  before,
  connect,
  db,
  hidden,
  listening,
  one,
  openStand,
  person,
  settledCursor,
  TAGS,
  TASKS,
  two,
  USERS,
  write,
} from './testing/stand.ts'

openStand()

describe('coming in', () => {
  const answer = (path: string, asked: Record<string, string> = {}): Promise<IncomingMessage | 'open'> =>
    new Promise((resolve) => {
      const { protocols, ...headers } = asked
      const socket = new WebSocket(one.url + path, protocols?.split(' ') ?? [], { headers })
      socket.on('unexpected-response', (_request, response) => resolve(response))
      socket.on('open', () => {
        socket.terminate()
        resolve('open')
      })
      socket.on('error', () => {})
    })
  const refusal = async (path: string, headers?: Record<string, string>): Promise<number> => {
    const result = await answer(path, headers)
    return result === 'open' ? 101 : (result.statusCode ?? 0)
  }

  test.each([
    ['/ws', {}, 401],
    ['/ws?token=nobody', {}, 401],
    ['/elsewhere?token=ann', {}, 404],
    ['/ws?token=ann', { origin: 'https://evil.test' }, 403],
    ['/ws?token=ann', { origin: 'null' }, 403],
    ['/ws?token=ann', { origin: 'http://clinic.test' }, 101],
    ['/ws?token=ann', {}, 101],
    ['/ws', { protocols: 'ordinator bearer.ann' }, 101],
    ['/ws', { protocols: 'ordinator bearer.nobody' }, 401],
  ])('%s %o is answered %i', async (path, headers, status) => {
    expect(await refusal(path, headers as Record<string, string>)).toBe(status)
  })

  test('a refusal has a message, and the headers of every answer', async () => {
    const refused = (await answer('/ws?token=nobody')) as IncomingMessage
    expect(refused.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(await json(refused)).toMatchObject({ status: 401, message: 'Необходимо войти в систему' })
  })

  test('the page’s own origin is accepted', async () => {
    expect(await refusal('/ws?token=ann', { origin: one.url.replace('ws', 'http') })).toBe(101)
  })
})

describe('messages', () => {
  test('ping is answered as the contract has it', async () => {
    const client = await connect(one)
    expect(await client.ping()).toEqual({ controller: 'system', action: 'pong', data: {}, meta: {}, isError: false })
  })

  test.each([
    [{ path: 'nowhere' }, 404, 'Неизвестный путь «nowhere»'],
    [{ path: USERS + '/x' }, 404, 'Неизвестный путь «users/x»'],
    [{ path: 'roles' }, 403, 'Вам не разрешено выполнять данное действие'],
    [{ path: TASKS, filter: { nothing: 1 } }, 400, 'Неизвестное поле в фильтре'],
    [{ path: TASKS, id: -1 }, 400, 'id: нужно целое положительное число'],
  ])('%o is refused by %i', async (data, status, message) => {
    const client = await connect(one)
    expect(await client.ask('addListener', data)).toMatchObject({ isError: true, data: { status, message } })
  })

  test('listeners are counted, added once, all or none, and removed', async () => {
    const client = await connect(one)
    expect(await client.ask('addListeners', { listeners: [{ path: TASKS }, { path: TASKS, id: 5 }] })).toMatchObject({
      data: { listeners: 2, reset: false, cursor: expect.stringMatching(/^\d+$/) },
    })
    expect(await client.ask('addListener', { path: TASKS })).toMatchObject({ data: { listeners: 2 } })
    expect(await client.ask('addListeners', { listeners: [{ path: TAGS }, { path: 'nowhere' }] })).toMatchObject({
      isError: true,
    })
    expect(await client.ask('removeListener', { path: TASKS })).toMatchObject({ data: { listeners: 1 } })
    expect(await client.ask('removeListener', { path: TASKS })).toMatchObject({
      data: { listeners: 1 },
      isError: false,
    })
  })

  test('no more than 500 listeners', async () => {
    const client = await connect(one)
    const listeners = Array.from({ length: 500 }, (_, n) => ({ path: TASKS, id: n + 1 }))
    expect(await client.ask('addListeners', { listeners })).toMatchObject({ data: { listeners: 500 } })
    expect(await client.ask('addListener', { path: TASKS })).toMatchObject({ isError: true, data: { status: 400 } })
    expect(await client.ask('addListener', { path: TASKS, id: 7 })).toMatchObject({ isError: false })
  })

  test('a person has 30 sockets and an error at the next; the others have theirs', async () => {
    const clients = await Promise.all(Array.from({ length: 30 }, () => connect(one)))
    const more = await connect(one)
    expect(await more.closed).toBe(4030)
    expect(more.messages[0]).toMatchObject({
      isError: true,
      data: { status: 429, message: 'Открыто слишком много вкладок: обновляться сами могут не больше 30' },
    })
    await (await connect(one, 'bob')).ping()
    clients[0]?.socket.close()
    await clients[0]?.closed
    await (await connect(one)).ping()
  })

  test('a person has 1,500 listeners over all sockets, and the others have theirs', async () => {
    const many = (n: number) => ({ listeners: Array.from({ length: n }, (_, i) => ({ path: TASKS, id: i + 1 })) })
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(one)))
    const answers = await Promise.all(clients.map((client) => client.ask('addListeners', many(500))))
    expect(answers.filter(({ isError }) => isError).map(({ data }) => data)).toEqual([
      { status: 429, message: 'У вас открыто слишком много подписок (больше 1500): закройте лишние вкладки' },
    ])
    expect(one.realtime.stats().listeners).toBe(1_500)
    const bob = await connect(one, 'bob')
    expect(await bob.ask('addListeners', many(500))).toMatchObject({ isError: false })
  })

  test('the filters of many tabs of a person are checked a few at a time: the server breathes between', async () => {
    person('tab', 6)
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(one, 'tab')))
    let [checked, most, all] = [0, 0, 0]
    asked.checks = () => {
      all++
      most = Math.max(most, ++checked)
      if (checked === 1) setImmediate(() => (checked = 0))
    }
    const wishes = Array.from({ length: 50 }, (_, n) => ({ path: TASKS, filter: { importance: n + 3 } }))
    await Promise.all(clients.map((client) => client.ask('addListeners', { listeners: wishes })))
    asked.checks = undefined
    expect(all).toBe(1_000)
    expect(most).toBeLessThanOrEqual(20)
  })

  test('a client that subscribes without end gets an error', async () => {
    person('eve', 3)
    const eve = await connect(one, 'eve')
    const many = { listeners: Array.from({ length: 500 }, () => ({ path: TASKS })) }
    for (let n = 0; n < 6; n++) expect(await eve.ask('addListeners', many)).toMatchObject({ isError: false })
    expect((await eve.ask('addListeners', many)).data).toEqual({
      status: 429,
      message: 'Слишком много подписок подряд, повторите позже',
    })
    const bob = await connect(one, 'bob')
    expect(await bob.ask('addListeners', many)).toMatchObject({ isError: false })
  })

  test('a binary frame is an error and not the end', async () => {
    const client = await connect(one)
    client.socket.send(Buffer.from('{}'))
    expect(await client.next((message) => message.isError)).toMatchObject({
      data: { status: 400, message: 'Двоичные сообщения не принимаются' },
    })
    await client.ping()
  })

  test('over 64 kB closes the socket', async () => {
    const client = await connect(one)
    client.socket.send('x'.repeat(64 * 1024 + 1))
    expect(await client.closed).toBe(1009)
  })

  test('a flood gets an error and is closed', async () => {
    const client = await connect(one)
    for (let n = 0; n < 200; n++) client.say('ping')
    expect(await client.closed).toBe(4029)
    expect(client.messages.at(-1)).toMatchObject({ isError: true, data: { status: 429 } })
  })

  test('garbage of every kind leaves the server well', async () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.uint8Array(),
      fc
        .record({ controller: fc.constant('system'), action: fc.string(), data: fc.jsonValue() })
        .map((m) => JSON.stringify(m)),
      fc.jsonValue().map((data) => JSON.stringify({ controller: 'system', action: 'addListener', data })),
      fc
        .jsonValue()
        .map((filter) =>
          JSON.stringify({ controller: 'system', action: 'addListener', data: { path: TASKS, filter } }),
        ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(garbage, { maxLength: 90, size: 'max' }), async (frames) => {
        const client = await connect(one)
        for (const frame of frames) client.socket.send(frame)
        await client.ping()
        for (const message of client.messages) if (message.isError) expect(message.data.message).toMatch(/[а-я]/i)
        client.socket.terminate()
      }),
      { numRuns: runs(12, 200) },
    )
    expect((await fetch(one.url.replace('ws', 'http'))).status).toBe(404)
  })
})

describe('events', () => {
  test('cross processes', async () => {
    const [here, there] = [await listening(one), await listening(two)]
    const seq = await write(101)
    one.wake()
    const expected = {
      controller: TASKS,
      action: 'update',
      data: { id: 101, fields: ['name'] },
      meta: { seq, cursor: expect.stringMatching(/^\d+$/), idUser: 7, version: 3 },
      isError: false,
    }
    expect(await here.event(101)).toEqual(expected)
    expect(await there.event(101)).toEqual(expected)
  })

  test('come by the poll when the wake is lost', async () => {
    const client = await listening(one)
    await write(102)
    await client.event(102)
  })

  test('a restore is a create; a create and a soft delete are what they are', async () => {
    const client = await listening(one)
    for (const action of ['create', 'delete', 'restore']) await write(103, { action })
    one.wake()
    await client.next(() => client.events().length === 3)
    expect(client.events().map((event) => event.action)).toEqual(['create', 'delete', 'create'])
  })

  test('only users who see the record get its event, and each once', async () => {
    hidden.add(`2 ${TASKS} 104`)
    const ann = await listening(one)
    await ann.ask('addListeners', {
      listeners: [
        { path: TASKS, id: 104 },
        { path: TASKS, filter: { importance: 2 } },
      ],
    })
    const bob = await listening(one, { path: TASKS }, 'bob')
    await write(104)
    await write(105)
    one.wake()
    await ann.event(105)
    await bob.event(105)
    expect(ann.ids()).toEqual([104, 105])
    expect(bob.ids()).toEqual([105])
  })

  test('by id and by filter', async () => {
    const byId = await listening(one, { path: TASKS, id: 107 })
    const byFilter = await listening(one, { path: TASKS, filter: { importance: 2 } })
    await write(106)
    await write(107)
    // The filtered field has changed: the record may have left the result.
    await write(109, { changes: { importance: [2, 3] } })
    await write(110)
    one.wake()
    await byFilter.event(110)
    await byId.event(107)
    expect(byFilter.ids()).toEqual([106, 109, 110])
    expect(byId.ids()).toEqual([107])
  })

  test('of one record’s parts, without a question of the filter', async () => {
    const seven = await listening(one, { path: TAGS, filter: { idTask: 7 } })
    const eight = await listening(one, { path: TAGS, filter: { idTask: 8 } })
    asked.questions = []
    await write(201, { path: TAGS, idParent: 7, action: 'create' })
    await write(202, { path: TAGS, idParent: 8, action: 'delete' })
    // It was moved from another parent.
    await write(203, { path: TAGS, idParent: 8, changes: { idTask: [7, 8] } })
    one.wake()
    await seven.event(203)
    await eight.event(203)
    expect(seven.ids()).toEqual([201, 203])
    expect(eight.ids()).toEqual([202, 203])
    expect(asked.questions.filter(({ filters }) => filters !== undefined)).toEqual([])
    // An event without a parent needs a query.
    await write(204, { path: TAGS })
    one.wake()
    await seven.event(204)
    expect(asked.questions.at(-1)).toMatchObject({ path: TAGS, filters: 2 })
  })

  test('a user who no longer sees a record gets a delete', async () => {
    hidden.add(`1 ${TASKS} 111`).add(`2 ${TASKS} 111`)
    before.add(`1 ${TASKS} 111`)
    const ann = await listening(one)
    const bob = await listening(one, { path: TASKS }, 'bob')
    await write(111)
    await write(112)
    one.wake()
    await bob.event(112)
    expect(await ann.event(111)).toMatchObject({ action: 'delete', data: { id: 111, fields: [] } })
    expect(bob.ids()).toEqual([112])
  })

  test('of a record gone from its table its parent decides', async () => {
    const client = await listening(one, { path: TAGS })
    await write(1, { path: TAGS, action: 'delete', idParent: 13 })
    await write(2, { path: TAGS, action: 'delete', idParent: 14 })
    one.wake()
    await client.event(2)
    expect(client.ids()).toEqual([2])
  })

  test('hidden fields are not named', async () => {
    person('ann', 1, {})
    person('chief', 3, { editUsers: true })
    const client = await listening(one, { path: USERS })
    const chief = await listening(one, { path: USERS }, 'chief')
    await write(5, { path: USERS, changes: { name: ['a', 'b'], login: ['a', 'b'], nonsense: [1, 2] } })
    one.wake()
    expect((await client.event(5)).data.fields).toEqual(['name'])
    expect((await chief.event(5)).data.fields.toSorted()).toEqual(['login', 'name'])
  })

  test('one question for all users of one event', async () => {
    for (let n = 10; n < 40; n++) person(`u${n}`, n)
    const clients = await Promise.all(
      Array.from({ length: 30 }, (_, n) => listening(one, { path: TASKS }, `u${n + 10}`)),
    )
    asked.questions = []
    await write(113)
    one.wake()
    await Promise.all(clients.map((client) => client.event(113)))
    expect(asked.questions).toEqual([{ path: TASKS, users: 30 }])
  })

  test('one question for all filters of one shape', async () => {
    const ann = await listening(one, { path: TASKS, filter: { importance: 2 } })
    await ann.ask('addListener', { path: TASKS, filter: { importance: 3 } })
    const bob = await listening(one, { path: TASKS, filter: { importance: 4 } }, 'bob')
    asked.questions = []
    await write(116)
    one.wake()
    await Promise.all([ann.event(116), bob.event(116)])
    expect(asked.questions).toEqual([{ path: TASKS, users: 2, filters: 3 }])
  })

  test('while one’s filters have no answer, the others get events, and that one gets all in order afterwards', async () => {
    const held = Promise.withResolvers<void>()
    asked.held = (users) => (users.includes(1) ? held.promise : undefined)
    const ann = await listening(one, { path: TASKS, filter: { importance: 2, name: 'x' } })
    await ann.ask('addListener', { path: USERS })
    const { cursor } = (await ann.ask('removeListener', { path: TAGS })).data
    const bob = await listening(one, { path: TASKS, filter: { importance: 2 } }, 'bob')
    await bob.ask('addListener', { path: USERS })
    await write(120, { changes: { description: ['a', 'b'] } })
    one.wake()
    await bob.event(120)
    await write(121, { path: USERS })
    one.wake()
    await bob.event(121)
    const late = ann.ask('addListener', { path: TAGS, since: await settledCursor() })
    await ann.ping()
    expect(ann.ids()).toEqual([])
    const behind = await (await connect(one)).ask('removeListener', { path: TAGS })
    held.resolve()
    expect((await late).data.listeners).toBe(3)
    expect(behind.data.cursor).toBe(cursor)
    expect(ann.ids()).toEqual([120, 121])
  })

  test('a whole path is read again instead of a hundred events and more', async () => {
    const client = await listening(one)
    await db.tx(async (tx) => {
      for (let n = 0; n < 101; n++) await write(1_000 + n, {}, tx)
    })
    one.wake()
    expect(await client.next((message) => message.action === 'reset')).toMatchObject({ data: { paths: [TASKS] } })
    expect(client.ids()).toEqual([])
  })

  test('when the engine cannot answer, listeners read again and later events come', async () => {
    const client = await listening(one)
    asked.broken = true
    await write(114)
    one.wake()
    await client.next((message) => message.action === 'reset')
    asked.broken = false
    await write(115)
    one.wake()
    await client.event(115)
    expect(client.ids()).toEqual([115])
  })
})
