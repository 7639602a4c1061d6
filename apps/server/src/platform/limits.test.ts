/** What one person may ask of the house at once, and that the others do not feel it. */
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Client } from '../realtime/testing/stand.ts'
import { form } from '../testing/files.ts'
import { type Caller, type Clinic, testApp } from '../testing/harness.ts'
import { addPerson } from '../testing/people.ts'
import { cutStalledReaders } from './readers.ts'

let clinic: Clinic
let greedy: Caller
let colleague: Caller

beforeAll(async () => {
  clinic = await testApp({
    patience: { stall: 300, whole: 600_000 },
    async prepare(context) {
      await addPerson(context, 'greedy', ['viewTasksManagement'])
      await addPerson(context, 'colleague', ['viewTasksManagement'])
      await addPerson(context, 'curious', ['editUsers'])
    },
  })
  greedy = clinic.as('greedy')
  colleague = clinic.as('colleague')
  await Promise.all([greedy.token(), colleague.token()])
})
afterAll(() => clinic.close())

/** While it runs, nobody reads this table. */
async function locked<T>(table: string, run: () => Promise<T>): Promise<T> {
  const client = await clinic.db.connect()
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    return await run()
  } finally {
    await client.end()
  }
}

test('a storm of one person waits in his own line, is refused beyond it and told why; the others go on', async () => {
  const { storm, others } = await locked('tasks_management_tasks', async () => {
    const storm = Array.from({ length: 130 }, () => greedy.get('/tasks-management/tasks?limit=1'))
    await sleep(50)
    const others = await Promise.all([
      colleague.get('/users?limit=1'),
      clinic.anonymous.get('/health'),
      clinic.anonymous.post('/auth/login', { login: 'colleague', password: 'demo' }),
    ])
    return { storm, others }
  })
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
  const answers = await Promise.all(storm)
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(106)
  expect(refused).toHaveLength(24)
  expect(refused[0]?.body).toMatchObject({
    code: 'crowd',
    message: expect.stringContaining('слишком много запросов сразу'),
  })
  expect(refused[0]?.headers['retry-after']).toBe('2')
})

test('large bodies of one person are taken one after another, and others go on with theirs', async () => {
  const body = { name: 'Задача', description: `<p>${'слово '.repeat(15_000)}</p>` }
  const { waiting, sent } = await locked('tasks_management_tasks', async () => {
    const sent = [greedy, greedy, greedy, greedy, colleague].map((caller) =>
      caller.post('/tasks-management/tasks', body),
    )
    await sleep(300)
    const [row] = await clinic.db.query<{ waiting: number }>({
      text: `select count(*)::int as waiting from pg_locks where not granted and relation = 'tasks_management_tasks'::regclass
        and database = (select oid from pg_database where datname = current_database())`,
    })
    return { waiting: row?.waiting, sent }
  })
  expect(waiting).toBe(2)
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(5).fill(201))
})

test('a filter through more relations than its share is refused before the database hears of it', async () => {
  const through = (path: string, times: number) =>
    greedy.get(
      `/tasks-management/tasks?limit=1&${Array.from({ length: times }, (_, i) => `filter[or][${i}][${path}][ilike]=q`).join('&')}`,
    )
  expect((await through('executors.member.description', 5)).status).toBe(200)
  const much = await through('executors.member.description', 50)
  expect(much.status).toBe(400)
  expect(much.body.message).toBe('Фильтр слишком сложный: уберите часть условий через связанные записи')
})

test('listeners whose filters take long keep nobody else waiting, and are told so', async () => {
  const url = (await clinic.listen()).replace('http', 'ws')
  const socketOf = async (caller: Caller, filter: object) => {
    const client = new Client(new WebSocket(`${url}/ws?token=${await caller.token()}`))
    await new Promise((resolve) => client.socket.once('open', resolve))
    expect(await client.ask('addListener', { path: 'users', filter })).toMatchObject({ isError: false })
    return client
  }
  const curious = await socketOf(clinic.as('curious'), { 'roles.idRole': 1 })
  const other = await socketOf(colleague, { surname: { neq: 'Никто' } })
  const user = (await clinic.db.one<{ id: number }>({ text: 'select max(id) as id from users' }))?.id as number
  const tell = async () => {
    const heard = other.events().length
    await clinic.db.query({
      text: `insert into history (path, "idEntity", action, version, changes) values ('users', $1, 'update', 1, '{"post": [1, 2]}')`,
      values: [user],
    })
    clinic.context.fanout.publish('records', '')
    await other.next(() => other.events().length > heard)
  }
  try {
    await locked('user_roles', async () => {
      await tell()
      expect(curious.messages.some(({ action }) => action === 'reset')).toBe(false)
      expect((await curious.next(({ action }) => action === 'reset')).data).toEqual({
        paths: ['users'],
        message: 'Условия подписки проверяются слишком долго: вместо событий придёт просьба перечитать записи',
      })
      curious.messages.length = 0
      // It is not asked again for a while, and the person hears at once that there is something to read.
      await tell()
      await curious.next(({ action }) => action === 'reset', 400)
    })
    const wide = {
      path: 'users',
      filter: { or: { ...Array.from({ length: 15 }, () => ({ 'roles.user.roles.idRole': 1 })) } },
    }
    expect((await curious.ask('addListener', wide)).data).toEqual({
      status: 400,
      message: 'Фильтр слишком сложный: уберите часть условий через связанные записи',
    })
  } finally {
    for (const { socket } of [curious, other]) socket.terminate()
  }
})

test.each([
  ['a list within a list', (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`],
  ['an object within an object', (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`],
])('a body is not built that is nested too deep: %s', async (_what, body) => {
  const sent = (n: number, url: string, token?: string) =>
    clinic.app.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      payload: body(n),
    })
  const token = await greedy.token()
  for (const answer of [await sent(30_000, '/user-settings', token), await sent(30_000, '/auth/login')]) {
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toBe('Данные вложены глубже 64 уровней')
  }
  expect((await sent(60, '/user-settings', token)).statusCode).toBe(422)
})

test('a body of more values than anything means is refused, a text of as many commas is not', async () => {
  const much = await greedy.post('/user-settings', Array(200_002).fill(1))
  expect([much.status, much.body.message]).toEqual([400, 'В данных больше 200000 значений'])
  expect((await greedy.post('/user-settings', { name: ','.repeat(300_000) })).status).toBe(422)
})

test('a read ends by itself long before a write would', async () => {
  const timeout = async (query: typeof clinic.db.query) =>
    (await query<{ timeout: string }>({ text: `select current_setting('statement_timeout') as timeout` }))[0]?.timeout
  expect(await timeout(clinic.db.query)).toBe('30s')
  expect(await timeout(clinic.db.reads.query)).toBe('10s')
  expect(await timeout(clinic.db.kept.query)).toBe('5s')
})

/** Asks on a connection of its own and reads nothing of the answer. */
async function silentReader(port: number, path: string, token: string, times = 1) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  socket.write(head.repeat(times))
  return socket
}

test.each([
  ['a file', 1],
  ['lists, one after another', 60],
])('who does not read %s is cut off', async (what, times) => {
  const sent = await colleague.post('/tasks-management/files', form(Buffer.alloc(30 * 1024 * 1024), 'a.bin'))
  const path = what === 'a file' ? `/files/${sent.body.id}` : '/openapi.json'
  const server = clinic.app.server.server
  if (!server.listening) await clinic.listen()
  const open = () => promisify(server.getConnections.bind(server))()
  const before = await open()
  const { port } = server.address() as AddressInfo
  const reader = await silentReader(port, path, (await colleague.token()) as string, times)
  await expect.poll(open).toBe(before + 1)
  await expect.poll(open, { timeout: 20_000 }).toBe(before)
  reader.destroy()
})

test('who reads slowly is served while it goes on, to an end; who waits for a slow server is not cut', async () => {
  const bare = fastify()
  cutStalledReaders(bare, { stall: 200, whole: 1_500 })
  bare.get('/endless', (_request, reply) => {
    const piece = Buffer.alloc(64 * 1024)
    reply.send(
      Readable.from(
        (async function* () {
          for (;;) {
            yield piece
            await sleep(5)
          }
        })(),
      ),
    )
  })
  bare.get('/slow', (_request, reply) => {
    reply.send(
      Readable.from(
        (async function* () {
          yield 'a'
          await sleep(900)
          yield 'b'
        })(),
      ),
    )
  })
  const url = await bare.listen({ port: 0, host: '127.0.0.1' })
  expect(await (await fetch(`${url}/slow`)).text()).toBe('ab')
  const began = performance.now()
  await expect((await fetch(`${url}/endless`)).arrayBuffer()).rejects.toThrow()
  expect(performance.now() - began).toBeGreaterThan(1_000)
  await bare.close()
})
