/** Limits on one person's load, and that other people do not notice it. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fastify from 'fastify'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Client } from '#realtime/testing/stand.ts'
import { readPlan } from '#records/plan.ts'
import { form } from '#testing/files.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { cutStalledReaders } from './readers.ts'

let clinic: Clinic
let greedy: Caller
let colleague: Caller

beforeAll(async () => {
  clinic = await testApp({
    patience: { stall: 1_000, whole: 600_000 },
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

/** Locks the table for reads while `run` works. */
async function locked<T>(table: string, run: () => Promise<T>): Promise<T> {
  const client = await clinic.db.connect()
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    return await run()
  } finally {
    await client.end()
  }
}

test("a storm of one person waits in that person's queue, is refused beyond it with the reason; the others go on", async () => {
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
  // On a busy machine a queued read may exceed its patience and get 503.
  expect(answers.filter(({ status }) => status === 200 || status === 503)).toHaveLength(106)
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
    const waiting = async () =>
      (
        await clinic.db.query({
          text: `select 1 from pg_locks where not granted and relation = 'tasks_management_tasks'::regclass
            and database = (select oid from pg_database where datname = current_database())`,
        })
      ).length
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(1)
    // Give the remaining requests time to arrive.
    for (let n = 0; n < 2; n++) await clinic.as('curious').get('/users?limit=1')
    return { waiting: await waiting(), sent }
  })
  expect(waiting).toBe(2)
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(5).fill(201))
})

describe('what is too much for one read is refused before it reaches the database:', () => {
  const branches = (path: string, times: number) =>
    Array.from({ length: times }, (_, i) => `filter[or][${i}][${path}][ilike]=q`).join('&')
  const tasks = (query: string) => greedy.get(`/tasks-management/tasks?limit=1&${query}`)

  test.each([
    [
      'relations in a filter',
      branches('executors.member.description', 5),
      branches('executors.member.description', 50),
      'Фильтр слишком сложный: уберите часть условий через связанные записи',
    ],
    ['conditions', branches('name', 50), branches('name', 51), 'В фильтре больше 50 условий'],
    [
      'relations of relations',
      'filter[executors.member.user.surname]=q',
      'filter[executors.member.user.roles.idRole]=1',
      'Фильтр executors.member.user.roles.idRole: больше 3 связей',
    ],
  ])('%s', async (_what, enough, much, message) => {
    expect((await tasks(enough)).status).toBe(200)
    const { status, body } = await tasks(much)
    expect([status, body.message]).toEqual([400, message])
  })

  test('the whole statement', () => {
    const long = (length: number) => () => readPlan(sql`select ${raw(`'${'x'.repeat(length)}'`)}`)
    expect(long(299_000)).not.toThrow()
    expect(long(300_000)).toThrow('Запрос слишком сложный: уберите часть условий, полей или связей')
  })
})

test('reads that lead through many relations wait for each other, and no other reads wait for them', async () => {
  const through = (times: number) =>
    `/tasks-management/tasks?limit=1&${Array.from({ length: times }, (_, i) => `filter[or][${i}][executors.member.description]=q`).join('&')}`
  const ends: (() => void)[] = []
  const held = Array.from(
    { length: 2 },
    () =>
      new Promise<void>((taken) => {
        void clinic.db.costly.tx(async (tx) => {
          await tx.query({ text: 'select 1' })
          taken()
          let over = false
          ends.push(() => (over = true))
          // The server ends a transaction that is idle for a minute.
          while (!over) {
            await tx.query({ text: 'select 1' })
            await sleep(50)
          }
        })
      }),
  )
  await Promise.all(held)
  const answered: string[] = []
  // Retry a read that gave up after its ten seconds in the queue: on a busy machine the others may take longer.
  const costly = (async () => {
    for (;;) {
      // More steps than COSTLY_STEPS, fewer than are refused.
      const answer = await greedy.get(through(8))
      if (answer.status === 503) continue
      answered.push('costly')
      return answer
    }
  })()
  const others = [greedy.get(through(1)), colleague.get(through(1)), colleague.get('/users?limit=1')]
  try {
    for (const other of others) expect((await other).status).toBe(200)
    expect(answered).toEqual([])
  } finally {
    for (const end of ends) end()
  }
  expect((await costly).status).toBe(200)
})

test('listeners whose filters take long keep nobody else waiting, and get an error', async () => {
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
  const write = async () => {
    const eventCount = other.events().length
    await clinic.db.query({
      text: `insert into history (path, "idEntity", action, version, changes) values ('users', $1, 'update', 1, '{"post": [1, 2]}')`,
      values: [user],
    })
    clinic.context.fanout.publish('records', '')
    await other.next(() => other.events().length > eventCount)
  }
  try {
    await locked('user_roles', async () => {
      await write()
      expect(curious.messages.some(({ action }) => action === 'reset')).toBe(false)
      expect((await curious.next(({ action }) => action === 'reset')).data).toEqual({
        paths: ['users'],
        message: 'Условия подписки проверяются слишком долго: вместо событий придёт просьба перечитать записи',
      })
      curious.messages.length = 0
      // The filter is paused, and the person immediately gets the signal to re-read.
      await write()
      await curious.next(({ action }) => action === 'reset')
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

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Bytes in use after a garbage collection. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Sends a request on its own connection, reads nothing, and is cut off. @returns the peak of buffered bytes */
async function waitedWhenCut(path: string, token: string): Promise<number> {
  const { server } = clinic.app.server
  if (!server.listening) await clinic.listen()
  const opened = once(server, 'connection') as Promise<[Socket]>
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
  reader.on('error', () => {})
  reader.pause()
  reader.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  const [connection] = await opened
  let most = 0
  const isCut = () => {
    most = Math.max(most, connection.writableLength)
    return connection.destroyed
  }
  await expect.poll(isCut, { timeout: 60_000, interval: 20 }).toBe(true)
  reader.destroy()
  return most
}

/** More than the system buffers on both sides of a connection. */
const LARGE = 24 * 1024 * 1024

test('who does not read a file is cut off', async () => {
  const { body } = await colleague.post('/tasks-management/files', form(Buffer.alloc(LARGE), 'a.bin'))
  const waited = await waitedWhenCut(`/files/${body.id}`, (await colleague.token()) as string)
  expect(waited).toBeLessThan(LARGE / 4)
})

test('who does not read a list is cut off, and what waited for him is let go', async () => {
  const { id } = await addPerson(clinic.context, 'collector')
  const pieces = 12
  await clinic.db.query(sql`insert into user_settings ("idUser", "name", "value")
    select ${id}, 'view ' || n, to_jsonb(repeat('x', ${LARGE / pieces}::int)) from generate_series(1, ${pieces}::int) n`)
  const token = (await clinic.as('collector').token()) as string
  const before = held()
  expect(await waitedWhenCut('/user-settings?limit=100', token)).toBeGreaterThan(LARGE / 2)
  // The driver keeps a buffer of the size of its largest rows; the reader's buffered data is larger than that.
  await expect.poll(() => held() - before, { timeout: 60_000 }).toBeLessThan((LARGE * 3) / 4)
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
          await sleep(500)
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
