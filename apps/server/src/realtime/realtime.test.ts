import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import fastify from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AppContext } from '../platform/context.ts'
import { createDb, type Db } from '../platform/db.ts'
import { badRequest } from '../platform/errors.ts'
import { createFanout } from '../platform/fanout.ts'
import { createLog } from '../platform/log.ts'
import type { ServerActor } from '../records/actor.ts'
import { testDb } from '../testing/harness.ts'
import { cursorNow, openRealtime, type Realtime } from './index.ts'
import type { PastEvent, Seen, Viewer, Visibility } from './visibility.ts'

/** Soft; all who hold viewTasksManagement. */
const TASKS = 'tasks-management/tasks'
/** Gone from the table when deleted; within a task. */
const TAGS = 'tasks-management/tags'
const USERS = 'users'

interface Message {
  controller: string
  action: string
  data: Record<string, any>
  meta: Record<string, any>
  isError: boolean
}

/** One server process: the hub with an engine and a sign-in of the test's own. */
interface Process {
  url: string
  realtime: Realtime
  wake(): void
  close(): Promise<void>
}

const actors = new Map<string, ServerActor>()
/** `user path id` of what is hidden from a user. */
const hidden = new Set<string>()
const before = new Set<string>()
let questions: { path: string; users: number; filter?: object }[] = []
let broken = false
const ended = new Set<(idSession: string) => void>()
const changed = new Set<(idUser: number | undefined) => void>()

const seen = (path: string, ids: number[], users: Viewer[], not = hidden): Seen =>
  new Map(users.map(({ id }) => [id, new Set(ids.filter((record) => !not.has(`${id} ${path} ${record}`)))]))

const visibility: Visibility = {
  async checkVisibility(path, ids, users, filter) {
    questions.push({ path, users: users.length, ...(filter ? { filter } : {}) })
    if (broken) throw new Error('no answer')
    const even = filter?.['filter[importance]'] === '2'
    return seen(path, even ? ids.filter((id) => id % 2 === 0) : ids, users)
  },
  async deletedVisibility(path, events: PastEvent[], users) {
    return seen(
      path,
      events.filter((event) => event.idParent !== 13).map((event) => event.id),
      users,
    )
  },
  async visibleBefore(path, events, users) {
    return new Map(
      users.map(({ id }) => [
        id,
        new Set(events.map((e) => e.id).filter((record) => before.has(`${id} ${path} ${record}`))),
      ]),
    )
  },
  checkFilter(_path, filter) {
    if (!('filter[importance]' in filter)) throw badRequest('Неизвестное поле в фильтре')
  },
}

let db: Db
let one: Process
let two: Process
const sockets: WebSocket[] = []

function person(
  token: string,
  id: number,
  permissions: ServerActor['permissions'] = { viewTasksManagement: true },
): void {
  actors.set(token, { id, permissions, idSession: `s-${token}`, timeZone: 'Europe/Moscow' })
}

/** A cursor over all that is committed by now. Transactions of other databases of the cluster hold it back for a while. */
async function settledCursor(): Promise<string> {
  const now = await db.one<{ xmax: string }>({ text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax' })
  let cursor = '0'
  await expect
    .poll(async () => BigInt((cursor = await cursorNow(db))) >= BigInt(now?.xmax ?? 0), { timeout: 10_000 })
    .toBe(true)
  return cursor
}

async function start(): Promise<Process> {
  const log = createLog('fatal')
  const own = createDb({ url: db.url, log, max: 4 })
  const server = fastify()
  const fanout = createFanout({ db: own, redisUrl: undefined, log })
  await fanout.start()
  const onClose: (() => unknown)[] = []
  const context = {
    db: own,
    log,
    server,
    fanout,
    config: { publicUrl: 'http://clinic.test' },
    onClose: (run: () => unknown) => onClose.push(run),
  } as unknown as AppContext
  const realtime = openRealtime(
    context,
    {
      actorOfToken: async (token) => actors.get(token),
      actorOfSession: async (session) => [...actors.values()].find((actor) => actor.idSession === session),
      onSessionEnded: (run) => ended.add(run),
      onRightsChanged: (run) => changed.add(run),
    },
    visibility,
  )
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: url.replace('http', 'ws'),
    realtime,
    wake: () => fanout.publish('records', ''),
    async close() {
      for (const run of onClose) await run()
      await server.close()
      await fanout.close()
      await own.end()
    },
  }
}

class Client {
  readonly messages: Message[] = []
  readonly closed: Promise<number>
  readonly socket: WebSocket
  #arrived: (() => void)[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)))
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)))
      for (const run of this.#arrived.splice(0)) run()
    })
  }

  say(action: string, data?: unknown): void {
    this.socket.send(JSON.stringify({ controller: 'system', action, data }))
  }

  async next(test: (message: Message) => boolean, ms = 4_000): Promise<Message> {
    const end = Date.now() + ms
    for (;;) {
      const found = this.messages.find(test)
      if (found) return found
      if (Date.now() > end) throw new Error(`did not come; came: ${JSON.stringify(this.messages)}`)
      await Promise.race([new Promise<void>((resolve) => this.#arrived.push(resolve)), sleep(50)])
    }
  }

  async ask(action: string, data?: unknown): Promise<Message> {
    const from = this.messages.length
    this.say(action, data)
    return this.next((message) => this.messages.indexOf(message) >= from && message.action === action)
  }

  async ping(): Promise<Message> {
    const from = this.messages.length
    this.say('ping')
    return this.next((message) => this.messages.indexOf(message) >= from && message.action === 'pong')
  }

  events(): Message[] {
    return this.messages.filter((message) => message.controller !== 'system')
  }

  ids = (): number[] => this.events().map((event) => event.data.id)

  async event(id: number): Promise<Message> {
    return this.next((message) => message.controller !== 'system' && message.data.id === id)
  }
}

async function connect(process: Process, token = 'ann'): Promise<Client> {
  const socket = new WebSocket(`${process.url}/ws?token=${token}`)
  const client = new Client(socket)
  sockets.push(socket)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return client
}

async function listening(process: Process, data: object = { path: TASKS }, token = 'ann'): Promise<Client> {
  const client = await connect(process, token)
  expect(await client.ask('addListener', data)).toMatchObject({ isError: false })
  return client
}

interface Written {
  path?: string
  action?: string
  changes?: object
  idParent?: number
}

async function write(
  id: number,
  { path = TASKS, action = 'update', changes = { name: ['a', 'b'] }, idParent }: Written = {},
  by: Pick<Db, 'query'> = db,
) {
  const rows = await by.query<{ id: number }>({
    text: `INSERT INTO history (path, "idEntity", action, "idUser", changes, version, "idParent") VALUES ($1, $2, $3, 7, $4, 3, $5) RETURNING id`,
    values: [path, id, action, JSON.stringify(changes), idParent ?? null],
  })
  return Number(rows[0]?.id)
}

const by = (client: pg.Client): Pick<Db, 'query'> => ({ query: async (query) => (await client.query(query)).rows })

beforeAll(async () => {
  db = await testDb()
  // On the first of a month yesterday has no partition.
  await db.query({ text: 'CREATE TABLE history_past PARTITION OF history DEFAULT' })
  one = await start()
  two = await start()
})

afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await one.close()
  await two.close()
  await db.end()
})

beforeEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
  actors.clear()
  hidden.clear()
  before.clear()
  questions = []
  broken = false
  person('ann', 1)
  person('bob', 2)
})

describe('coming in', () => {
  const refusal = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(one.url + path, { headers })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('open', () => {
        socket.terminate()
        resolve(101)
      })
      socket.on('error', () => {})
    })

  test.each([
    ['/ws', {}, 401],
    ['/ws?token=nobody', {}, 401],
    ['/elsewhere?token=ann', {}, 404],
    ['/ws?token=ann', { origin: 'https://evil.test' }, 403],
    ['/ws?token=ann', { origin: 'null' }, 403],
    ['/ws?token=ann', { origin: 'http://clinic.test' }, 101],
    ['/ws?token=ann', {}, 101],
  ])('%s %o is answered %i', async (path, headers, status) => {
    expect(await refusal(path, headers as Record<string, string>)).toBe(status)
  })

  test('the page’s own origin is let in', async () => {
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

  test('a flood is told so and closed', async () => {
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
      { numRuns: 40 },
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

  test('only those who see the record hear of it, and each once', async () => {
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
    // The filter's own field has changed: the record may have left it.
    await write(109, { changes: { importance: [2, 3] } })
    await write(110)
    one.wake()
    await byFilter.event(110)
    await byId.event(107)
    expect(byFilter.ids()).toEqual([106, 109, 110])
    expect(byId.ids()).toEqual([107])
  })

  test('who has lost sight of a record hears of it as of a delete', async () => {
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
    questions = []
    await write(113)
    one.wake()
    await Promise.all(clients.map((client) => client.event(113)))
    expect(questions).toEqual([{ path: TASKS, users: 30 }])
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
    broken = true
    await write(114)
    one.wake()
    await client.next((message) => message.action === 'reset')
    broken = false
    await write(115)
    one.wake()
    await client.event(115)
    expect(client.ids()).toEqual([115])
  })
})

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
    // Equal only while another database of the cluster holds the snapshot back.
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
    // Other paths are not drowned by it.
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
    const goes = (async () => {
      while (!over || got.size < total) {
        const client = await connect(two)
        const answer = await client.ask('addListener', { path: TASKS, ...(cursor ? { since: cursor } : {}) })
        expect(answer.data.reset).toBe(false)
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
    await sleep(150)
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
    await Promise.race([goes, sleep(10_000).then(() => Promise.reject(new Error(`came ${got.size} of ${total}`)))])
    await stays.next(() => new Set(stays.ids().filter((id) => id >= 5_000)).size === total)
    const seqs = stays.events().map((event) => event.meta.seq)
    expect(new Set(seqs).size).toBe(seqs.length)
  }, 20_000)

  test('history that was cleaned away is a reset', async () => {
    await db.query({ text: 'DELETE FROM history' })
    await write(240)
    const client = await connect(one)
    expect((await client.ask('addListener', { path: TASKS, since: '1' })).data.reset).toBe(true)
  })
})

describe('sessions and rights', () => {
  test('an ended session is told and closed', async () => {
    const ann = await listening(one)
    const bob = await listening(one, { path: TASKS }, 'bob')
    for (const run of ended) run('s-ann')
    expect(await ann.closed).toBe(4001)
    expect(ann.messages.at(-1)).toEqual({ controller: 'system', action: 'signOut', data: {}, meta: {}, isError: false })
    expect(bob.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('changed rights take listeners away and tell to read again', async () => {
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

  test('when anybody’s rights may have changed, only those whose did are told', async () => {
    const ann = await listening(one)
    const bob = await listening(one, { path: TASKS }, 'bob')
    person('bob', 2, { viewTasksManagement: true, editUsers: true })
    for (const run of changed) run(undefined)
    await bob.next((message) => message.action === 'reset')
    await ann.ping()
    expect(ann.messages.some((message) => message.action === 'reset')).toBe(false)
  })

  test('who has read before a change of rights and listens after it is told to read again', async () => {
    const fresh = await start()
    const since = await settledCursor()
    await write(310, { path: TAGS })
    for (const run of changed) run(1)
    const ann = await connect(fresh)
    expect((await ann.ask('addListener', { path: TASKS, since })).data.reset).toBe(false)
    expect((await ann.next((message) => message.action === 'reset')).data.paths).toEqual([TASKS])
    // It listens anew without a cursor, and is not told again.
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
    const fields = Object.fromEntries(
      ['name', 'description', 'importance', 'dateEnd', 'isArchive'].map((name) => [name, [1, 2]]),
    )
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
  }, 60_000)

  test('2,000 clients get an event quickly', async () => {
    const clients: Client[] = []
    for (let n = 0; n < 2_000; n += 100) {
      clients.push(...(await Promise.all(Array.from({ length: 100 }, () => listening(one)))))
    }
    const start = performance.now()
    await write(401)
    one.realtime.wake()
    await Promise.all(clients.map((client) => client.event(401)))
    const ms = performance.now() - start
    const stats = one.realtime.stats()
    expect(stats).toMatchObject({ clients: 2_000, listeners: 2_000, users: 1, queue: 0 })
    expect(stats.lastReadMs).toBeLessThan(1_000)
    expect(ms).toBeLessThan(4_000)
  }, 60_000)

  test('without clients the hub sleeps', async () => {
    await listening(two)
    await sleep(1_200)
    const { reads } = two.realtime.stats()
    for (const socket of sockets.splice(0)) socket.terminate()
    await sleep(100)
    await write(402)
    two.wake()
    await sleep(1_300)
    expect(two.realtime.stats()).toMatchObject({ clients: 0, cursor: null })
    expect(two.realtime.stats().reads).toBeLessThanOrEqual(reads + 1)
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
