/**
 * Random input for every call of the OpenAPI document: no answer is a 500, each refusal is the contract's error in
 * Russian, and the server keeps running.
 */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'

type Json = Record<string, any>
const RUNS = runs(1_500, 40_000)
const RUSSIAN = /[а-яё]/i

let clinic: Clinic
let document: Json
let check: (method: string, path: string, answer: Answer) => void

beforeAll(async () => {
  clinic = await testApp({ demo: true })
  // The tables of the queue exist, as in a server that has started.
  await clinic.context.jobs.drain()
  ;({ document, check } = await answerCheck(clinic))
})
afterAll(() => clinic.close())

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    'null',
    'undefined',
    'NaN',
    '\u0000',
    'а\u0000б',
    '\ud800',
    '👩‍⚕️',
    "'; drop table users; --",
    '%',
    '_',
    '\\',
    '%00',
    '../../etc/passwd',
    '<script>',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '31.02.2000',
    'я'.repeat(300),
    [],
    {},
    [[]],
    [null],
    { id: 1 },
    { __proto__: null, constructor: 1 },
    [1, 2, 3],
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
)

const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 2, max: 60 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0',
      '-1',
      'abc',
      '1.5',
      '1e3',
      '99999999999999999999',
      '9007199254740993',
      '%00',
      '%D1%8F',
      '..',
      '%2e%2e',
      '*',
      '[',
      '999999',
    ),
  },
)

/** A value close to the schema, or something else altogether. */
function near(schema: Json | undefined, depth = 0): fc.Arbitrary<unknown> {
  const real = schema?.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1)] as Json) : schema
  if (!real || depth > 4) return strange
  return fc.oneof({ weight: 5, arbitrary: valid(real, depth) }, { weight: 1, arbitrary: strange })
}

function valid(schema: Json, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
    const known = fc.record(Object.fromEntries(properties.map(([key, s]) => [key, near(s, depth + 1)])), {
      requiredKeys: [],
    })
    return fc
      .tuple(known, fc.option(fc.dictionary(fc.string({ maxLength: 10 }), strange, { maxKeys: 1 }), { freq: 4 }))
      .map(([a, b]) => ({ ...a, ...b }))
  }
  if (type === 'array') return fc.array(near(schema.items, depth + 1), { maxLength: 4 })
  if (type === 'integer') return fc.integer({ min: 1, max: 60 })
  if (type === 'number') return fc.double({ min: -1e6, max: 1e6, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((d) => d.toISOString())
  if (schema.pattern) return fc.constantFrom('#12ab34', '+79991234567', '01.02.2000')
  return fc.string({ unit: 'grapheme', maxLength: 20 })
}

const word = fc.constantFrom(
  'id',
  'name',
  'idUser',
  'dateCreate',
  'order',
  'fio',
  'login',
  'deleted',
  '_version',
  'task.name',
  'executors.member.user.fio',
  'column.board.members.idUser',
  'nope',
  '__proto__',
  'constructor',
  '',
  '*',
  'а',
  "id';",
  'tags',
  'user',
  'task',
  'or',
  'and',
  'not',
)
const operator = fc.constantFrom(
  'eq',
  'neq',
  'in',
  'nin',
  'lt',
  'lte',
  'gt',
  'gte',
  'like',
  'ilike',
  'null',
  'regex',
  '',
)
const queryPair = fc.oneof(
  fc.tuple(
    fc.tuple(word, operator).map(([w, o]) => `filter[${w}][${o}]`),
    strange,
  ),
  fc.tuple(
    word.map((w) => `filter[${w}]`),
    strange,
  ),
  fc.tuple(
    fc.tuple(fc.constantFrom('or', 'and', 'not'), word).map(([g, w]) => `filter[${g}][0][${w}]`),
    strange,
  ),
  fc.tuple(
    fc.constantFrom('filter', 'filter[', 'filter[]', 'filter[a]b', 'filter[[id]]', 'filter[or][x]', 'filter[not]'),
    strange,
  ),
  fc.tuple(
    fc.constant('sort'),
    fc.oneof(
      strange,
      fc.array(word, { maxLength: 7 }).map((w) => w.join(',-')),
    ),
  ),
  fc.tuple(
    fc.constantFrom('fields', 'expand'),
    fc.oneof(
      strange,
      fc.array(word, { maxLength: 5 }).map((w) => w.join()),
    ),
  ),
  fc.tuple(
    fc.constantFrom('limit', 'page', 'count', 'deleted', 'after', 'format', 'id', 'idUser', 'q'),
    fc.oneof(strange, fc.integer({ min: 0, max: 30 })),
  ),
  fc.tuple(fc.string({ maxLength: 12 }), strange),
)

/** Mostly parameters the call knows: an unknown one is refused before anything else is read. */
const pairOf = (operation: Json): fc.Arbitrary<[string, unknown]> => {
  const known = ((operation.parameters ?? []) as Json[]).filter((one) => one.in === 'query' && one.name !== 'filter')
  if (known.length === 0) return queryPair
  const declared = fc.constantFrom(...known).chain((one) => fc.tuple(fc.constant(one.name as string), near(one.schema)))
  return fc.oneof({ weight: 1, arbitrary: declared }, { weight: 1, arbitrary: queryPair })
}

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      ';',
      'application/json; charset=koi8-r',
    ),
    'if-match': fc.constantFrom('1', '"2"', '*', 'abc', 'W/"1"', '99999999999'),
    accept: fc.constantFrom('*/*', 'text/html', 'nonsense'),
    'accept-encoding': fc.constantFrom('gzip', 'br', 'nonsense', '*;q=0'),
    cookie: fc.constantFrom('a=b', ';;;=', 'ordinator_refresh=abc; ordinator_files=x.y.z', '='.repeat(200)),
    range: fc.constantFrom('bytes=0-1', 'bytes=9-1', 'bytes=-', 'lines=1'),
  },
  { requiredKeys: [] },
)

const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

it('never answers 500, and every refusal can be read', { timeout: 600_000 }, async () => {
  const calls = Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as Json,
    })),
  )
  expect(calls.length).toBeGreaterThan(100)
  const call = fc.constantFrom(...calls).chain(({ method, path, operation }) => {
    const schema = operation.requestBody?.content?.['application/json']?.schema as Json | undefined
    return fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      ids: fc.array(id, { minLength: 3, maxLength: 3 }),
      query: fc.array(pairOf(operation), { maxLength: method === 'GET' ? 3 : 1 }),
      body:
        method === 'GET'
          ? fc.constant(undefined)
          : fc.oneof({ weight: 9, arbitrary: near(schema) }, { weight: 1, arbitrary: strange }),
      raw: fc.option(
        fc.constantFrom('{', '[1,', '{"a":1}x', '\u0000', '"', `{"a":${'['.repeat(5000)}`, '{"__proto__":{"a":1}}'),
        { freq: 12 },
      ),
      headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
      token: fc.constantFrom('good', 'good', 'good', 'good', 'good', 'weak', 'bad', 'none'),
    })
  })

  const tokens = new Map<string, string | undefined>([
    ['good', await clinic.as('admin').token()],
    ['weak', await clinic.as('storekeeper').token()],
    ['bad', 'x.y.z'],
  ])
  const counts = new Map<number, number>()
  const samples = fc.sample(call, {
    numRuns: RUNS,
    ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}),
  })
  for (const given of samples) {
    const url = given.path.replace(/\{\w+\}/g, () => given.ids.shift() ?? '2')
    const query = given.query
      .map(
        ([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(text(value).toWellFormed())}`,
      )
      .join('&')
    const token = tokens.get(given.token)
    const response = await clinic.app.server.inject({
      method: given.method as 'GET',
      url: query ? `${url}?${query}` : url,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(given.body === undefined && given.raw === null ? {} : { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(given.method === 'GET' ? {} : { payload: given.raw ?? text(given.body).toWellFormed() }),
    })
    const story = () =>
      `${given.method} ${url}?${query} ${JSON.stringify(given)} → ${response.statusCode} ${response.payload.slice(0, 300)}`
    counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1)
    expect(response.statusCode, story()).toBeLessThan(500)
    // Some calls end their own session.
    if (response.statusCode === 401 && given.token === 'good') tokens.set('good', await clinic.as('admin').token())
    if (response.statusCode < 400) continue
    expect(String(response.headers['content-type']), story()).toContain('application/json')
    const body = JSON.parse(response.payload)
    const messages = Array.isArray(body) ? body.map((e) => e.message) : [body.message ?? body.errorText]
    // A stale write is answered with the record itself.
    if (response.statusCode !== 409 || body.message)
      for (const message of messages) expect(message, story()).toMatch(RUSSIAN)
    expect(response.payload, story()).not.toMatch(/select |insert into|at .*\.ts:\d|syntax error|node_modules/i)
    // A malformed URL matches no path of the document.
    if (response.statusCode !== 404 && !/%|\.\.|\[|\*/.test(url)) {
      check(given.method, given.path, { status: response.statusCode, body, text: response.payload } as Answer)
    }
  }
  // The fuzz is useful only if requests pass authentication and validation.
  expect(counts.get(200) ?? 0, JSON.stringify([...counts])).toBeGreaterThan(RUNS / 50)
  for (const status of [400, 401, 403, 404, 422])
    expect(counts.get(status) ?? 0, JSON.stringify([...counts])).toBeGreaterThan(0)
  expect((await clinic.anonymous.get('/health')).status).toBe(200)
})
