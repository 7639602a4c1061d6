import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entity, many } from '@ordinator/model/entity'
import { birthday } from '@ordinator/model/fields/birthday'
import { dateTime } from '@ordinator/model/fields/dateTime'
import { money } from '@ordinator/model/fields/decimal'
import { integer } from '@ordinator/model/fields/integer'
import { json } from '@ordinator/model/fields/json'
import { position } from '@ordinator/model/fields/position'
import { ref } from '@ordinator/model/fields/ref'
import { richText } from '@ordinator/model/fields/richText'
import { text } from '@ordinator/model/fields/text'
import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Tx } from '#platform/db.ts'
import { testDb } from '#testing/harness.ts'
import { areas } from '../areas.ts'
import { type ServerActor, systemActor } from './actor.ts'
import { count, records } from './define.ts'
import { createEngine } from './engine.ts'
import type { Records, SystemRecords } from './records.ts'
import { createRegistry } from './registry.ts'
import { creation, schemaOf } from './schema.ts'

const access = { view: 'viewAppeals', create: 'viewAppeals', update: 'viewAppeals', delete: 'viewAppeals' } as const
/** Soft-deleted, with a field of each kind whose column differs from the wire format, and a scope. */
const Crate = entity('test/crates', {
  label: ['Ящик', 'ящика', 'ящиков'],
  fields: {
    name: text({ label: 'Название', required: true, max: 20 }),
    note: richText({ label: 'Заметка' }),
    price: money({ label: 'Цена' }),
    born: birthday({ label: 'День рождения' }),
    until: dateTime({ label: 'До' }),
    extra: json()({ label: 'Прочее' }),
    amount: integer({ label: 'Число', default: 1 }),
    idOwner: integer({ label: 'Хозяин', required: true }),
    number: integer({ label: 'Номер', unique: true }),
    order: position({ group: ['idOwner'], start: 'last' }),
    itemsCount: integer({ label: 'Вещей', computed: true }),
    itemsAll: integer({ label: 'Вещей у всех', computed: true }),
    itemsLarge: integer({ label: 'Больших вещей', computed: true }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { items: many('test/items', 'idCrate') },
  access,
  soft: true,
})
/** A part, deleted physically, with its own scope. */
const Item = entity('test/items', {
  label: ['Вещь', 'вещи', 'вещей'],
  fields: {
    name: text({ label: 'Название', required: true, max: 20 }),
    size: integer({ label: 'Размер', default: 1 }),
    idCrate: ref('test/crates', { label: 'Ящик', as: 'crate', required: true }),
    idAuthor: integer({ label: 'Автор' }),
  },
  access,
  within: 'idCrate',
})
/** An entity with hooks. */
const Seal = entity('test/seals', {
  label: ['Пломба', 'пломбы', 'пломб'],
  fields: { name: text({ label: 'Название', required: true, max: 20 }) },
  access,
})

const registry = createRegistry([
  records(Crate, {
    scope: {
      view: ({ row, me }) => sql`${row}."idOwner" in (0, ${me})`,
      update: ({ row, me }) => sql`${row}."idOwner" = ${me}`,
    },
    computed: {
      itemsCount: count('items'),
      itemsAll: count('items', { whoever: true }),
      itemsLarge: count('items', { where: ({ row }) => sql`${row}."size" > 5` }),
    },
  }),
  records(Item, { scope: { view: ({ row, me }) => sql`${row}."idAuthor" is distinct from 0 - ${me}` } }),
  records(Seal, {
    hooks: {
      beforeCreate: () => {},
      afterUpdate: () => {},
      beforeDelete: () => {},
    },
  }),
])

const actor = (id: number, ...permissions: string[]): ServerActor => ({
  id,
  permissions: Object.fromEntries(permissions.map((p) => [p, true])),
  timeZone: 'Europe/Moscow',
  requestId: `r${id}`,
})
const anna = actor(1, 'viewAppeals')
const boris = actor(2, 'viewAppeals')

let db: Db
/** Statements sent by the transactions. */
let sent: string[] = []
let woken = 0
let engine: { for(a: ServerActor): Records }
let system: SystemRecords

beforeAll(async () => {
  db = await testDb()
  await db.query({ text: creation(schemaOf([Crate, Item, Seal])) })
  const recording = (tx: Tx): Tx => ({
    ...tx,
    query: (q) => {
      sent.push(q.text)
      return tx.query(q)
    },
    one: (q) => {
      sent.push(q.text)
      return tx.one(q)
    },
  })
  const watched: Db = { ...db, tx: (run, options) => db.tx((tx) => run(recording(tx)), options) }
  engine = createEngine({ db: watched, registry, wake: () => void woken++ })
  system = engine.for(anna).asSystem
})
afterAll(() => db.end())
beforeEach(async () => {
  await db.query({
    text: 'delete from test_items; delete from test_crates; delete from test_seals; delete from history',
  })
  sent = []
  woken = 0
})

interface Line {
  path: string
  idEntity: number
  action: string
  idUser: number | null
  changes: Record<string, [unknown, unknown]>
  version: number
  idParent: number | null
  requestId: string | null
  pathAbout: string | null
  idAbout: number | null
}
const history = (): Promise<Line[]> =>
  db.query(sql`select "path", "idEntity", "action", "idUser", "changes", "version", "idParent", "requestId", "pathAbout",
    "idAbout" from history order by "id"`)
const forget = () => db.query({ text: 'delete from history' })

const crates = (n: number, more: object = {}) =>
  system.createMany(
    Crate,
    Array.from({ length: n }, (_, i) => ({ name: `Ящик ${i}`, idOwner: 1, order: i, ...more })),
  )
const rowOf = (id: number) => system.row(Crate, id)

/** History of both ways, with moments in one format. */
const lines = async () =>
  (await history()).map(({ idEntity: _, ...line }) => ({
    ...line,
    changes: Object.fromEntries(
      Object.entries(line.changes).map(([field, pair]) => [
        field,
        field === 'until' ? pair.map((moment) => (moment === null ? null : Date.parse(String(moment)))) : pair,
      ]),
    ),
  }))

const before = {
  name: 'До',
  note: '<p>до</p>',
  price: 10.5,
  born: '01.02.1990',
  until: '2026-01-01T00:00:00Z',
  extra: { a: [1] },
  amount: 1,
  idOwner: 1,
  order: 1,
}
const after = {
  name: 'После',
  note: null,
  price: 11,
  born: '29.02.2024',
  until: '2026-01-01T03:00:00+03:00',
  extra: { b: { c: null } },
  amount: 2,
}

describe('the history of a bulk write', () => {
  it('of an update is what single updates leave', async () => {
    const [one, two] = await crates(2, before)
    await forget()
    await system.update(Crate, one?.id as number, after)
    const single = await lines()
    await forget()
    await system.updateWhere(Crate, ({ row }) => sql`${row}."id" = ${two?.id}`, after)
    expect(await lines()).toEqual(single)
    expect(single[0]?.changes).toMatchObject({ born: ['01.02.1990', '29.02.2024'], price: [10.5, 11] })
    // The same moment in another format is no change.
    expect(single[0]?.changes).not.toHaveProperty('until')
    const { id: _, dateChange: __, ...row } = await rowOf(one?.id as number)
    expect(await rowOf(two?.id as number)).toMatchObject(row)
  })

  it('of a create is what single creates leave', async () => {
    await system.create(Crate, before)
    await system.create(Crate, { name: 'Мало', idOwner: 2, order: 3 })
    const single = await lines()
    await forget()
    await system.createMany(Crate, [before, { name: 'Мало', idOwner: 2, order: 3 }])
    const [full, little] = await lines()
    expect(full).toEqual(single[0])
    // A body with fewer fields than the others gets defaults for the rest.
    expect(little?.changes).toEqual({ ...single[1]?.changes, amount: [null, 1] })
    expect(little).toMatchObject({ version: 1, idUser: 1, requestId: 'r1' })
  })

  it('of a deletion is what single deletions leave: in the trash, and for good', async () => {
    const [one, two] = await crates(2, before)
    const parts = await system.createMany(Item, [
      { name: 'Первая', idCrate: one?.id as number },
      { name: 'Первая', idCrate: one?.id as number },
    ])
    await forget()
    await system.remove(Item, parts[0]?.id as number)
    await system.remove(Crate, two?.id as number)
    const single = await lines()
    await forget()
    await system.deleteWhere(Item, ({ row }) => sql`${row}."id" = ${parts[1]?.id}`)
    await system.deleteWhere(Crate, ({ row }) => sql`${row}."id" = ${one?.id}`)
    expect(await lines()).toEqual(single)
    expect(single[0]).toMatchObject({ idParent: one?.id, pathAbout: Crate.path, idAbout: one?.id })
    const left = await db.query<{ kept: boolean }>(
      sql`select "deleted" and "_deletedAt" is not null as kept from test_crates order by "id"`,
    )
    expect(left).toEqual([{ kept: true }, { kept: true }])
    expect(await db.query(sql`select 1 from test_items`)).toEqual([])
    expect((await system.restore(Crate, one?.id as number)).deleted).toBe(false)
  })

  it('announces no unchanged rows, and keeps their version', async () => {
    const made = await crates(3)
    await system.update(Crate, made[1]?.id as number, { amount: 7 })
    await forget()
    const written = await system.updateWhere(Crate, () => raw('true'), { amount: 7 })
    expect(written.map(({ id }) => id)).toEqual([made[0]?.id, made[2]?.id])
    expect((await history()).map(({ version }) => version)).toEqual([2, 2])
    expect(await rowOf(made[1]?.id as number)).toMatchObject({ _version: 2 })
    expect(await system.updateWhere(Crate, () => raw('true'), { amount: 7 })).toEqual([])
  })

  it('leaves the trash alone', async () => {
    const [one] = await crates(2)
    await system.remove(Crate, one?.id as number)
    expect(await system.updateWhere(Crate, () => raw('true'), { amount: 5 })).toHaveLength(1)
    expect(await system.deleteWhere(Crate, () => raw('true'))).toHaveLength(1)
  })

  it('equals that of single writes for any set of rows and values', async () => {
    const values = {
      name: fc.constantFrom('а', 'б', 'в'),
      price: fc.option(fc.integer({ min: 0, max: 300 }).map((kopecks) => kopecks / 100)),
      born: fc.option(fc.constantFrom('01.01.2000', '29.02.2024')),
      extra: fc.option(fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ max: 3, min: 0 }), { maxKeys: 2 })),
      amount: fc.integer({ min: 0, max: 2 }),
    }
    const rows = fc.array(fc.record(values), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.record(values, { requiredKeys: [] }),
        fc.integer({ min: 0, max: 3 }),
        async (bodies, set, least) => {
          await db.query({ text: 'delete from test_crates' })
          const bodiesOf = (idOwner: number) => bodies.map((body, order) => ({ ...body, idOwner, order }))
          const [singles, bulks] = [
            await system.createMany(Crate, bodiesOf(1)),
            await system.createMany(Crate, bodiesOf(2)),
          ]
          await forget()
          for (const [i, { id }] of singles.entries())
            if ((bodies[i]?.amount ?? 0) >= least) await system.update(Crate, id, set)
          const expected = await lines()
          await forget()
          if (Object.keys(set).length)
            await system.updateWhere(Crate, ({ row }) => sql`${row}."idOwner" = 2 and ${row}."amount" >= ${least}`, set)
          expect(await lines()).toEqual(expected)
          const stored = (ids: { id: number }[]) =>
            db.query(sql`select "name", "price", "born", "extra", "amount", "_version" from test_crates
            where "id" = any(${ids.map(({ id }) => id)}::bigint[]) order by "id"`)
          expect(await stored(bulks)).toEqual(await stored(singles))
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('a bulk write', () => {
  it('is one statement, however many rows, and notifies the readers of history once', async () => {
    await crates(200)
    sent = []
    woken = 0
    expect(await system.updateWhere(Crate, ({ row }) => sql`${row}."idOwner" = 1`, { amount: 9 })).toHaveLength(200)
    expect(sent).toHaveLength(1)
    expect(woken).toBe(1)
    expect(await history()).toHaveLength(400)
    sent = []
    await system.createFrom(Item, sql`test_crates c order by c."id"`, { name: 'Вещь', idCrate: raw('c."id"') })
    expect(sent).toHaveLength(1)
    sent = []
    expect(await system.deleteWhere(Item, () => raw('true'))).toHaveLength(200)
    expect(sent).toHaveLength(1)
  })

  it('takes SQL of each row, and of what is selected of it', async () => {
    const made = await crates(3)
    const written = await system.updateWhere(
      Crate,
      {
        rows: sql`select c."id", row_number() over (order by c."id" desc) as place from test_crates c where c."id" <> ${made[2]?.id}`,
      },
      ({ row, picked }) => ({ order: sql`${picked}.place`, amount: sql`${row}."amount" + ${picked}.place` }),
      { fields: ['order', 'amount'] },
    )
    expect(written).toEqual([
      { id: made[0]?.id, order: 2, amount: 3 },
      { id: made[1]?.id, order: 1, amount: 2 },
    ])
  })

  it('that is rolled back leaves nothing', async () => {
    await crates(2)
    await forget()
    woken = 0
    await expect(
      system.tx(async (inside) => {
        await inside.asSystem.updateWhere(Crate, () => raw('true'), { amount: 4 })
        await inside.asSystem.deleteWhere(Crate, () => raw('true'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await history()).toEqual([])
    expect(woken).toBe(0)
    expect(await db.query(sql`select 1 from test_crates where "amount" = 1 and not "deleted"`)).toHaveLength(2)
  })

  it('waits for a row that is being written, and sees what it has become', async () => {
    const [one] = await crates(2)
    let waiting: Promise<{ id: number }[]> | undefined
    await db.tx(async (tx) => {
      await tx.query(sql`update test_crates set "amount" = 50 where "id" = ${one?.id}`)
      waiting = system.updateWhere(
        Crate,
        ({ row }) => sql`${row}."amount" < 60`,
        ({ row }) => ({ amount: sql`${row}."amount" + 1` }),
      )
      await expect
        .poll(() =>
          db.query(sql`select 1 from pg_stat_activity where "wait_event_type" = 'Lock' and query like '%test_crates%'`),
        )
        .not.toEqual([])
    })
    await waiting
    const line = (await history()).find(({ idEntity, action }) => idEntity === one?.id && action === 'update')
    expect(line?.changes).toEqual({ amount: [50, 51] })
  })

  it('checks its values as a body is checked', async () => {
    const [one] = await crates(1)
    const refused = (run: Promise<unknown>) => run.catch((e) => e.items ?? e.message)
    const all = () => raw('true')
    expect(await refused(system.updateWhere(Crate, all, { name: 'x'.repeat(21) }))).toMatchObject([{ field: 'name' }])
    expect(await refused(system.updateWhere(Crate, all, { name: null as never }))).toMatchObject([{ field: 'name' }])
    expect(await refused(system.updateWhere(Crate, all, { itemsCount: 1 }))).toMatchObject([{ field: 'itemsCount' }])
    expect(await refused(system.updateWhere(Crate, all, { itemsCount: raw('1') }))).toContain('no column')
    expect(
      await refused(
        system.createMany(Crate, [
          { name: 'Да', idOwner: 1, order: 1 },
          { name: '', idOwner: 1, order: 1 },
        ]),
      ),
    ).toMatchObject([{ field: '[1].name' }])
    expect(await refused(system.createFrom(Crate, raw('test_crates'), { name: 'Да', idOwner: 1 }))).toContain('order')
    await system.remove(Crate, one?.id as number)
    expect(await refused(system.createMany(Item, [{ name: 'В корзине', idCrate: one?.id as number }]))).toMatchObject([
      { field: 'idCrate' },
    ])
    await system.createMany(Crate, [{ ...before, note: '<p onclick="x()">a<script>b</script></p>' }])
    expect((await system.rows(Crate, { sort: '-id' }))[0]?.note).toBe('<p>a</p>')
  })

  it('leaves out what is taken, where asked to', async () => {
    await crates(1, { number: 1 })
    await forget()
    const bodies = [1, 2].map((number) => ({ name: 'Номер', idOwner: 1, order: 1, number }))
    expect(await system.createMany(Crate, bodies, { skipTaken: true, fields: ['number'] })).toMatchObject([
      { number: 2 },
    ])
    expect(await history()).toHaveLength(1)
    await expect(system.createMany(Crate, bodies)).rejects.toThrow()
  })

  it('by rights takes only what the actor may change, and lets nothing out of its reach', async () => {
    await crates(1)
    await crates(2, { idOwner: 2 })
    await crates(1, { idOwner: 0 })
    const mine = engine.for(boris).asSystem
    expect(await mine.updateWhere(Crate, () => raw('true'), { amount: 3 }, { byRights: true })).toHaveLength(2)
    await expect(mine.updateWhere(Crate, () => raw('true'), { idOwner: 3 }, { byRights: true })).rejects.toMatchObject({
      status: 403,
    })
    expect(await db.query(sql`select 1 from test_crates where "idOwner" = 2 and "amount" = 3`)).toHaveLength(2)
    expect(await mine.deleteWhere(Crate, () => raw('true'), { byRights: true })).toHaveLength(2)
    await expect(
      engine.for(actor(4)).asSystem.updateWhere(Crate, () => raw('true'), { amount: 3 }, { byRights: true }),
    ).rejects.toMatchObject({ status: 403 })
    expect(await engine.for(systemActor).asSystem.updateWhere(Crate, () => raw('true'), { amount: 8 })).toHaveLength(2)
  })

  it('skips no hook without a stated reason', async () => {
    const name = { name: 'Пломба' }
    await expect(system.createMany(Seal, [name])).rejects.toThrow('beforeCreate')
    await system.createMany(Seal, [name], { pastHooks: 'a test' })
    await expect(system.updateWhere(Seal, () => raw('true'), name)).rejects.toThrow('afterUpdate')
    await expect(system.deleteWhere(Seal, () => raw('true'))).rejects.toThrow('beforeDelete')
    expect(await system.deleteWhere(Seal, () => raw('true'), { pastHooks: 'a test' })).toHaveLength(1)
  })
})

describe('a declared count', () => {
  it('counts the living parts that the asker sees, all of them, or those of a condition', async () => {
    const [{ id: idCrate } = { id: 0 }] = await crates(1)
    await system.createMany(Item, [
      { name: 'Малая', idCrate, size: 1 },
      { name: 'Большая', idCrate, size: 9 },
      // Hidden from user 1.
      { name: 'Тайная', idCrate, size: 9, idAuthor: -1 },
    ])
    const counted = { itemsCount: 2, itemsAll: 3, itemsLarge: 1 }
    expect(await engine.for(anna).row(Crate, idCrate)).toMatchObject(counted)
    expect(await rowOf(idCrate)).toMatchObject({ itemsCount: 3, itemsAll: 3, itemsLarge: 2 })
    expect(await engine.for(anna).rows(Crate, { 'filter[itemsCount]': '2', sort: 'itemsCount' })).toHaveLength(1)
  })
})

describe('the sources', () => {
  /** Raw writes that entity tables may still have, and why they need no history line. */
  const known: Record<string, string> = {
    'auth/sessions.ts users': 'a sign of life is not a change of the person',
    'areas/agents/lines.ts desk_agents': 'a sign of life is not a change of the agent',
    'areas/calls/telephony/cloud.ts calls': 'the number of a talk at the exchange, which nobody is shown',
    'areas/centre/retention.ts calls_transcript_lines': 'what has run out goes for good; the call keeps its history',
    'areas/centre/retention.ts calls_transcripts': 'likewise',
    'areas/advertising/collect.ts advertising_conversions': 'collected from what has a history, changed by nobody',
    'areas/advertising/collect.ts advertising_touches': 'likewise',
    'areas/exchange/collect.ts exchange_messages': 'a line of the journal is a log, and has no history of its own',
    'areas/exchange/deliver.ts exchange_messages': 'likewise',
    'areas/exchange/journal.ts exchange_messages': 'likewise',
    'areas/exchange/webhooks.ts exchange_messages': 'likewise',
    'areas/payroll/run.ts payroll_lines': 'calculated, tens of thousands a month; the run reports what has changed',
    'areas/egisz/log.ts egisz_events': 'a line of a log, and has no history of its own',
    'areas/egisz/log.ts egisz_operations': 'likewise',
    'areas/metrika/uploads.ts metrika_uploads': 'likewise: what has been sent, and when',
    'areas/money/printDocument.ts fiscal_tasks': 'a try that changes nothing for people writes no history',
    'areas/transcripts/make.ts calls_transcript_lines':
      'made by a recogniser, hundreds a talk; the transcript has a history',
    'areas/warehouse/inventory.ts warehouse_counts': 'the lines of a count are its own journal',
    'areas/warehouse/ledger.ts warehouse_moves': 'a ledger that only grows is its own history',
    'areas/warehouse/ledger.ts warehouse_stock': 'kept rows, which follow from the moves',
    'areas/notifications/letters.ts notifications': 'whether a letter was sent concerns nobody who reads',
  }

  it('write the tables of entities through the engine alone', () => {
    const tables = new Set(areas.flatMap((area) => area.records.map((d) => d.entity.table)))
    const root = join(import.meta.dirname, '..')
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => path.endsWith('.ts') && /^(areas|auth)\//.test(path) && !/\.test\.ts$|demo|testing\//i.test(path),
      )
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:update|insert into|delete from)\s+"?([a-z_]+)"?\s/g)]
          .filter(([, table]) => tables.has(table as string))
          .map(([, table]) => `${path} ${table}`),
      )
    expect([...new Set(found)].filter((one) => !known[one])).toEqual([])
  })
})
