/** Cost of a list: how far it counts, and which statement it runs. */
import { setFlagsFromString } from 'node:v8'
import { entity } from '@ordinator/model/entity'
import { integer } from '@ordinator/model/fields/integer'
import { text } from '@ordinator/model/fields/text'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, NamedQuery } from '#platform/db.ts'
import { testDb } from '#testing/harness.ts'
import type { ServerActor } from './actor.ts'
import { records, type Sight } from './define.ts'
import { createEngine } from './engine.ts'
import { plan } from './plan.ts'
import type { Records } from './records.ts'
import { createRegistry } from './registry.ts'
import { creation, schemaOf } from './schema.ts'

const access = { view: 'viewAppeals' } as const
const Pebble = entity('test/pebbles', {
  label: ['Камешек', 'камешка', 'камешков'],
  fields: { name: text({ label: 'Название', max: 20 }), size: integer({ label: 'Размер', required: true }) },
  access,
})
/** Rows of the same table with a precomputed visibility table. */
const Kept = entity('test/kept', {
  label: ['Камешек', 'камешка', 'камешков'],
  fields: { size: integer({ label: 'Размер', required: true }), half: integer({ label: 'Половина', required: true }) },
  access,
  soft: true,
})
const sight: Sight = {
  table: 'test_sights',
  id: 'idKept',
  fields: ['half'],
  principals: (me) => sql`array[${me}]`,
  of: (k, row) => sql`${k}."idKept" = ${row}."id"`,
  living: () => sql`true`,
}

const ROWS = 10_050
const anna: ServerActor = { id: 1, permissions: { viewAppeals: true }, timeZone: 'Europe/Moscow' }

let db: Db
let engine: Records
let asked: NamedQuery[] = []

beforeAll(async () => {
  db = await testDb()
  await db.query({ text: creation(schemaOf([Pebble, Kept])) })
  await db.query(sql`insert into test_pebbles ("name", "size")
    select 'к' || n, n from generate_series(1, ${ROWS}) n`)
  await db.query(sql`insert into test_kept ("size", "half") select n, n % 2 from generate_series(1, ${ROWS} * 2) n`)
  await db.query(sql`create table test_sights ("principal" bigint, "idKept" bigint, "half" integer)`)
  await db.query(sql`insert into test_sights select 1, "id", "half" from test_kept where "size" > 100`)
  await db.query(sql`insert into test_sights select 2, "id", "half" from test_kept where "size" <= 100`)
  const one = <R>(query: NamedQuery) => {
    asked.push(query)
    return db.reads.one<R>(query)
  }
  const registry = createRegistry([
    records(Pebble),
    records(Kept, {
      scope: {
        sight,
        view: ({ row, me }) => sql`case when ${me} = 1 then ${row}."size" > 100 else ${row}."size" <= 100 end`,
      },
    }),
  ])
  engine = createEngine({
    db: { ...db, reads: { ...db.reads, one }, broad: { ...db.broad, one } } as Db,
    registry,
    wake: () => {},
  }).for(anna)
})
afterAll(() => db.end())

const meta = async (e: typeof Pebble | typeof Kept, params: Record<string, string>, who = anna) =>
  JSON.parse(await engine.as(who).list(e, { limit: '5', ...params }))._meta
const more = { totalCount: 10_000, totalIsMore: true }

describe('a count', () => {
  it('goes up to 10,000 and shows that there are more', async () => {
    const found = await meta(Pebble, { count: '1' })
    expect(found).toMatchObject(more)
    expect(found).not.toHaveProperty('pageCount')
    expect(await meta(Pebble, { count: '1', 'filter[size][lte]': '10001' })).toMatchObject(more)
    const all = await meta(Pebble, { count: '1', 'filter[size][lte]': '10000' })
    expect(all).toMatchObject({ totalCount: 10_000, pageCount: 2_000 })
    expect(all).not.toHaveProperty('totalIsMore')
  })

  it('goes to the end where an exact one is asked for', async () => {
    const found = await meta(Pebble, { count: 'exact' })
    expect(found).toMatchObject({ totalCount: ROWS, pageCount: ROWS / 5 })
    expect(found).not.toHaveProperty('totalIsMore')
  })

  it('reads no row beyond the cap', async () => {
    const text = (await explained(() => meta(Pebble, { count: '1' }))).find((line) => line.includes('rows=10001'))
    expect(text).toBeDefined()
    const exact = await explained(() => meta(Pebble, { count: 'exact' }))
    expect(exact.some((line) => line.includes(`rows=${ROWS}`))).toBe(true)
  })

  it('holds for what is seen by a kept sight, whatever is asked of it', async () => {
    const count = async (params: Record<string, string>, who = anna) =>
      (await meta(Kept, { count: '1', ...params }, who)).totalCount
    expect(await meta(Kept, { count: '1' })).toMatchObject(more)
    expect((await meta(Kept, { count: 'exact' })).totalCount).toBe(2 * ROWS - 100)
    expect((await meta(Kept, { count: 'exact', 'filter[half]': '1' })).totalCount).toBe(ROWS - 50)
    expect(await count({ 'filter[half]': '1', 'filter[size][lte]': '300' })).toBe(100)
    expect(await count({ 'filter[size][lte]': '300' })).toBe(200)
    expect(await count({ 'filter[size][gt]': '300', 'filter[half]': '0' })).toBe(ROWS - 150)
    expect(await count({ 'filter[half]': '0' }, { ...anna, id: 2 })).toBe(50)
    expect(await count({}, { ...anna, id: 3 })).toBe(0)
  })
})

/** EXPLAIN ANALYZE of the statement that the call runs. */
async function explained(call: () => Promise<unknown>): Promise<string[]> {
  asked = []
  await call()
  const [{ text, values = [] }] = asked as [NamedQuery]
  const rows = await db.query<{ 'QUERY PLAN': string }>({
    text: `explain (analyze, timing off, costs off) ${text}`,
    values,
  })
  return rows.map((row) => row['QUERY PLAN'])
}

describe('a statement', () => {
  const ask = async (params: Record<string, string>) => {
    asked = []
    await meta(Pebble, params)
    return asked[0] as NamedQuery
  }

  it('is that of the shape: other values make no other text, and it has a name from its second use on', async () => {
    const first = await ask({ 'filter[size]': '5' })
    const second = await ask({ 'filter[size]': '6' })
    const third = await ask({ 'filter[size]': '7' })
    expect(first.name).toBeUndefined()
    expect(second.text).toBe(first.text)
    expect(second.name).toBeDefined()
    expect(third.name).toBe(second.name)
    expect([first, second, third].map(({ values }) => values?.includes(5))).toEqual([true, false, false])
    const other = await ask({ 'filter[size][neq]': '7' })
    expect(other.text).not.toBe(first.text)
  })

  it('has no name where its values decide how it is best found, nor when it is very long', async () => {
    for (const [key, value] of [
      ['name][ilike', 'к'],
      ['size][gt', '5'],
      ['size][in', '5,6'],
    ] as const) {
      const params = { [`filter[${key}]`]: value }
      await ask(params)
      expect((await ask(params)).name).toBeUndefined()
    }
    expect(plan(sql`select 1`).named).toBe(true)
    expect(plan(sql`select ${'a'} ${sql([`/*${'a'.repeat(40_000)}*/`])}`).named).toBe(false)
  })

  it('finds who asks once, and looks among the kept rows of what the filter names alone', async () => {
    asked = []
    await meta(Kept, { count: '1', 'filter[half]': '1' })
    const [{ text }] = asked as [NamedQuery]
    expect(text.split('array[').length - 1).toBe(1)
    expect(/few as materialized \((.*?)limit 2001\)/.exec(text)?.[1]).toContain('"half" = ')
  })
})

// V8 makes a dictionary-mode object of a literal with a getter, and its references outlived the request by far.
it('takes a plain object from any caller', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isPlain = new Function('a', 'return %HasFastProperties(a)')
  setFlagsFromString('--no-allow-natives-syntax')
  expect([1, 2, 3].map((id) => isPlain(engine.as({ ...anna, id })))).toEqual([true, true, true])
})
