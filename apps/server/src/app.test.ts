import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import fastify from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerErrors } from '#platform/answers.ts'
import { badRequest, conflict, tooMany, ValidationError } from '#platform/errors.ts'
import { prepareLeave } from '#platform/shutdown.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let sender: Caller
let idSender: number
let address: URL
beforeAll(async () => {
  clinic = await testApp()
  idSender = (await addPerson(clinic.context, 'sender')).id
  sender = clinic.as('sender')
  address = new URL(await clinic.listen())
})
afterAll(() => clinic.close())

describe('answers', () => {
  test('health asks the database', async () => {
    expect(await clinic.anonymous.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: expect.stringMatching(/^\d{4}\.\d{1,2}\.\d{1,2}$/) },
    })
  })

  test.each([
    ['an unknown path', 'GET', '/no-such-thing', {}, undefined, 404, 'Страница не найдена'],
    ['a broken percent code', 'GET', '/%zz', {}, undefined, 400, 'Адрес запроса составлен неверно'],
    [
      'a body that is not JSON',
      'POST',
      '/no',
      { 'content-type': 'application/json' },
      '{',
      400,
      'Тело запроса — не JSON',
    ],
  ] as const)('%s', async (_name, method, url, headers, payload, status, message) => {
    const response = await clinic.app.server.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ status, message })
    expect(response.json().requestId).toMatch(/\w+-\w+/)
    expect(response.body).not.toContain('stack')
  })

  test('the document of the API and its page are closed by a setting', async () => {
    for (const url of ['/openapi.json', '/docs/'])
      expect([url, (await clinic.anonymous.get(url)).status]).toEqual([url, 200])
    const closed = await testApp({ env: { API_DOCS: '0' } })
    for (const url of ['/openapi.json', '/docs', '/docs/', '/docs/json', '/documentation'])
      expect([url, (await closed.anonymous.get(url)).status]).toEqual([url, 404])
    await closed.close()
  })

  test('the headers that keep a page safe', async () => {
    const { headers } = await clinic.anonymous.get('/health')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })

  test('are on refusals before the routing too', async () => {
    for (const url of ['/%zz', `/${'a'.repeat(300)}`, '/no-such-thing']) {
      const { headers, statusCode } = await clinic.app.server.inject({ url })
      expect([400, 404, 414], url).toContain(statusCode)
      expect(headers, url).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    }
  })

  test.each([
    [
      431,
      'Слишком большие заголовки запроса',
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
    ],
    [400, 'Запрос составлен неверно', 'what is no HTTP\r\n\r\n'],
  ])('what is no request is %i, with the same headers', async (status, message, sent) => {
    const socket = connect(Number(address.port), address.hostname)
    socket.write(sent)
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toContain(message)
    expect(text).toMatch(/x-content-type-options: nosniff/i)
    expect(text).toMatch(/cache-control: no-store/i)
  })

  test.each(['constructor', '__proto__', 'toString'])(
    'a field named %s is refused, in a form and in JSON',
    async (name) => {
      const file = new FormData()
      file.set(name, '1')
      file.set('file', new Blob(['a']), 'a.txt')
      const sent = await sender.post(`/users/${idSender}/avatar`, file)
      expect([sent.status, sent.body.message]).toEqual([400, 'Поля с таким именем в форме быть не может'])
      const json = await clinic.app.server.inject({
        method: 'POST',
        url: '/user-settings',
        headers: { authorization: `Bearer ${await sender.token()}`, 'content-type': 'application/json' },
        payload: `{"name":"x","value":1,"${name}":1}`,
      })
      const message = expect.stringMatching(/^[А-Я]/)
      expect([json.statusCode, json.json()]).toEqual(
        name === '__proto__'
          ? [400, expect.objectContaining({ message })]
          : [422, expect.arrayContaining([{ field: name, message }])],
      )
    },
  )
})

describe('failures of a route', () => {
  const failures: Record<string, () => unknown> = {
    fault: () => {
      throw new Error('select * from secrets')
    },
    stale: () => {
      throw conflict({ id: 1, name: 'Новое' })
    },
    staleText: () => {
      throw conflict('{"id":1}')
    },
    wrong: () => {
      throw new ValidationError([{ field: 'name', message: 'Обязательное поле' }])
    },
    limited: () => {
      throw tooMany(3.2)
    },
    unknownFilter: () => {
      throw badRequest('Неизвестное поле: ыть', 'field')
    },
    duplicate: () =>
      clinic.db.tx(async (tx) => {
        await tx.query(sql`CREATE TABLE twins (email text UNIQUE)`)
        await tx.query(sql`INSERT INTO twins VALUES ('a@b.ru'), ('a@b.ru')`)
      }),
    duplicatePair: () =>
      clinic.db.tx(async (tx) => {
        await tx.query(sql`CREATE TABLE pairs (a int, "idFile" int, UNIQUE (a, "idFile"))`)
        await tx.query(sql`INSERT INTO pairs VALUES (1, 2), (1, 2)`)
      }),
    duplicateName: () =>
      clinic.db.tx(async (tx) => {
        await tx.query(sql`CREATE TABLE names (a int, name text)`)
        await tx.query(sql`CREATE UNIQUE INDEX ON names (a, lower(name))`)
        await tx.query(sql`INSERT INTO names VALUES (1, 'Х'), (1, 'х')`)
      }),
    overflow: () => clinic.db.query(sql`SELECT ${'99999999999'}::int`),
    lostInside: () =>
      clinic.db.tx(async (tx) => {
        const [own] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
        await clinic.db.kept.query(sql`SELECT pg_terminate_backend(${own?.pid})`)
        await tx.query(sql`SELECT pg_sleep(1)`)
      }),
    lostBetween: () =>
      clinic.db.tx(async (tx) => {
        const [own] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
        await clinic.db.kept.query(sql`SELECT pg_terminate_backend(${own?.pid})`)
        // The lost connection has been reported; later statements get the error of a closed client.
        for (let n = 0; n < 3; n++) await tx.query(sql`SELECT pg_sleep(1)`).catch(() => {})
        await tx.query(sql`SELECT 1`)
      }),
    fullBase: () => clinic.db.query({ text: `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '53100'; END $$` }),
    fullDisk: () => writeFile('/dev/full', 'x'),
    slow: () => clinic.db.query({ text: 'SET LOCAL statement_timeout = 20; SELECT pg_sleep(5)' }),
  }

  test.each([
    ['fault', 500, { name: 'InternalError', message: 'Внутренняя ошибка сервера' }],
    ['stale', 409, { id: 1, name: 'Новое' }],
    ['staleText', 409, { id: 1 }],
    ['wrong', 422, [{ field: 'name', message: 'Обязательное поле' }]],
    ['limited', 429, { name: 'TooManyRequests' }],
    ['unknownFilter', 400, { message: 'Неизвестное поле: ыть', code: 'field' }],
    ['duplicate', 422, [{ field: 'email', message: 'Такое значение уже есть' }]],
    ['duplicatePair', 422, [{ field: 'idFile', message: 'Такое значение уже есть' }]],
    ['duplicateName', 422, [{ field: 'name', message: 'Такое значение уже есть' }]],
    ['overflow', 422, [{ field: '', message: 'Число вне допустимого диапазона' }]],
    ['lostInside', 503, { code: 'database', message: 'База данных временно недоступна, повторите' }],
    ['lostBetween', 503, { code: 'database' }],
    ['fullBase', 507, { code: 'disk', message: 'На диске сервера не осталось места: сообщите администратору' }],
    ['fullDisk', 507, { code: 'disk' }],
    ['slow', 503, { code: 'timeout' }],
  ] as const)('%s', async (name, status, body) => {
    const server = fastify()
    answerErrors(server, clinic.context.log)
    server.get('/', async () => failures[name]?.())
    server.post('/', { bodyLimit: 10 }, async () => ({}))
    const response = await server.inject('/')
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject(body)
    expect(response.body).not.toMatch(/select|secrets|twins/i)
    if (status > 500) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    if (name === 'limited') expect(response.headers['retry-after']).toBe('4')
    const json = { 'content-type': 'application/json' }
    const big = await server.inject({ method: 'POST', url: '/', headers: json, payload: '{"a":"1234567890"}' })
    expect(big.json()).toMatchObject({ status: 413, message: 'Слишком большой объём данных' })
    const bad = await server.inject({ method: 'POST', url: '/', headers: json, payload: '{' })
    expect(bad.json()).toMatchObject({ status: 400, message: 'Тело запроса — не JSON' })
    const odd = await server.inject({ method: 'POST', url: '/', headers: { 'content-type': 'a/b' }, payload: '{}' })
    expect(odd.json()).toMatchObject({ status: 415, message: 'Неподдерживаемый тип данных' })
  })
})

describe('a server that stops', () => {
  test('asks a client that comes anew to try again', async () => {
    const bare = fastify()
    answerErrors(bare, clinic.context.log)
    const leave = prepareLeave(bare)
    bare.get('/', () => 'here')
    expect((await bare.inject('/')).statusCode).toBe(200)
    leave.begin()
    const { statusCode, headers, body } = await bare.inject('/')
    expect([statusCode, headers['retry-after'], headers.connection]).toEqual([503, '3', 'close'])
    expect(body).toContain('Сервер перезапускается: повторите через несколько секунд')
    await bare.close()
  })

  /** A request whose body is incomplete; `rest` sends the rest. */
  async function begun({ app }: Clinic, port: number) {
    const came = once(app.server.server, 'request')
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
    const body = JSON.stringify({ login: 'nobody' })
    socket.write(
      `POST /auth/login HTTP/1.1\r\nHost: clinic.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    await came
    return { rest: () => socket.write(body.slice(10)), ended }
  }

  test('answers what it has begun, ends the connection with it, and answers later requests with «try again»', async () => {
    const second = await clinic.secondProcess()
    const port = Number(new URL(await second.listen()).port)
    const [quick, slow] = [await begun(second, port), await begun(second, port)]
    const closed = second.app.close(1_000)
    quick.rest()
    const answered = await quick.ended
    expect(answered).toMatch(/^HTTP\/1\.1 422 /)
    expect(answered).toMatch(/\r\nconnection: close\r\n/i)
    const cut = await slow.ended
    expect(cut).toMatch(/^HTTP\/1\.1 503 /)
    expect(cut).toContain('Сервер перезапускается, запрос не принят: отправьте его ещё раз')
    expect(cut).toMatch(/x-content-type-options/i)
    await closed
  })
})
