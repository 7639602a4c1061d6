import { entity, many } from '@ordinator/model/entity'
import { birthday } from '@ordinator/model/fields/birthday'
import { boolean } from '@ordinator/model/fields/boolean'
import { choice } from '@ordinator/model/fields/choice'
import { dateTime } from '@ordinator/model/fields/dateTime'
import { money } from '@ordinator/model/fields/decimal'
import { integer } from '@ordinator/model/fields/integer'
import { json } from '@ordinator/model/fields/json'
import { position } from '@ordinator/model/fields/position'
import { ref } from '@ordinator/model/fields/ref'
import { richText } from '@ordinator/model/fields/richText'
import { text } from '@ordinator/model/fields/text'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#platform/db.ts'
import { testDb } from '#testing/harness.ts'
import { type ServerActor, systemActor } from './actor.ts'
import { records } from './define.ts'
import { createEngine } from './engine.ts'
import { between } from './positionBetween.ts'
import type { Records } from './records.ts'
import { createRegistry } from './registry.ts'
import { creation, schemaOf } from './schema.ts'

// The engine is tested on entities of its own, since it has none of the product's.
const access = { view: 'viewAppeals', create: 'viewAppeals', update: 'viewAppeals', delete: 'viewAppeals' } as const
const Shelf = entity('test/shelves', {
  label: ['Полка', 'полки', 'полок'],
  fields: {
    name: text({ label: 'Название', required: true, max: 20, search: true }),
    note: richText({ label: 'Заметка' }),
    secret: text({ label: 'Секрет', hidden: 'editUsers' }),
    kind: choice({ low: 'Нижняя', high: 'Верхняя' }, { label: 'Вид', default: 'low' }),
    price: money({ label: 'Цена' }),
    born: birthday({ label: 'День рождения' }),
    until: dateTime({ label: 'До' }),
    extra: json()({ label: 'Прочее' }),
    open: boolean({ label: 'Открыта', default: false }),
    idOwner: integer({ label: 'Хозяин', required: true }),
    booksCount: integer({ label: 'Книг', computed: true, required: true }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: { books: many('test/books', 'idShelf') },
  access,
  title: 'name',
  soft: true,
})
const Book = entity('test/books', {
  label: ['Книга', 'книги', 'книг'],
  fields: {
    title: text({ label: 'Название', required: true, max: 100 }),
    idShelf: ref('test/shelves', { label: 'Полка', as: 'shelf', required: true }),
    order: position({ group: ['idShelf'], start: 'last' }),
  },
  access,
  within: 'idShelf',
  sort: 'order',
})

const registry = createRegistry([
  records(Shelf, {
    // Only owners change their shelves; open shelves are visible to all.
    scope: {
      view: ({ row, me }) => sql`(${row}."open" or ${row}."idOwner" = ${me})`,
      update: ({ row, me }) => sql`${row}."idOwner" = ${me}`,
      unless: 'editUsers',
    },
    computed: {
      booksCount: ({ row }) => sql`(select count(*)::int from test_books b where b."idShelf" = ${row}."id")`,
    },
  }),
  records(Book),
])

const actor = (id: number, ...permissions: string[]): ServerActor => ({
  id,
  permissions: Object.fromEntries(permissions.map((p) => [p, true])),
  timeZone: 'Europe/Moscow',
})
const anna = actor(1, 'viewAppeals')
const boris = actor(2, 'viewAppeals')
const chief = actor(3, 'viewAppeals', 'editUsers')
const nobody = actor(4)

let db: Db
let engine: { for(a: ServerActor): Records }
let woken = 0

beforeAll(async () => {
  db = await testDb()
  await db.query({ text: creation(schemaOf([Shelf, Book])) })
  engine = createEngine({ db, registry, wake: () => void woken++ })
})
afterAll(() => db.end())

const list = async (who: ServerActor, e: typeof Shelf | typeof Book, params: Record<string, string | string[]> = {}) =>
  JSON.parse(await engine.for(who).list(e, params))
const refused = async (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (e: { status?: number }) => e.status,
  )
const shelf = (who: ServerActor, name: string, more: object = {}) =>
  engine.for(who).create(Shelf, { name, idOwner: who.id, ...more })

describe('groups', () => {
  const grouped = async (who: ServerActor, params: Record<string, string>) =>
    JSON.parse(await engine.for(who).grouped(Book, params)).groups as {
      key: number
      items: { title: string }[]
      hasMore: boolean
      totalCount?: number
      next?: string
    }[]

  it('come with their first records in order, their count and the cursor of their own list', async () => {
    const { id: one } = await shelf(anna, 'Первая')
    const { id: empty } = await shelf(anna, 'Пустая')
    for (const title of ['а', 'б', 'в']) await engine.for(anna).create(Book, { title, idShelf: one })
    const params = { 'group[id][in]': `${one},${empty}`, sort: 'order', limit: '2', count: '1' }
    const [first, second] = await grouped(anna, params)
    expect(first).toMatchObject({ key: one, items: [{ title: 'а' }, { title: 'б' }], hasMore: true, totalCount: 3 })
    expect(second).toEqual({ key: empty, items: [], hasMore: false, totalCount: 0 })
    const rest = await list(anna, Book, { 'filter[idShelf]': String(one), sort: 'order', after: first?.next ?? '' })
    expect(rest.items.map((book: { title: string }) => book.title)).toEqual(['в'])
    const narrow = await grouped(anna, { ...params, 'filter[title]': 'в' })
    expect(narrow.map(({ totalCount }) => totalCount)).toEqual([1, 0])
  })

  it('are those that the asker sees, of whom may see them at all, and never too many', async () => {
    const { id: mine } = await shelf(anna, 'Своя')
    const { id: open } = await shelf(anna, 'Общая', { open: true })
    await engine.for(anna).create(Book, { title: 'Тайная', idShelf: mine })
    await engine.for(anna).create(Book, { title: 'Явная', idShelf: open })
    const params = { 'group[id][in]': `${mine},${open}` }
    expect((await grouped(anna, params)).map(({ key }) => key)).toEqual([mine, open])
    expect((await grouped(boris, params)).map(({ key }) => key)).toEqual([open])
    expect(await refused(grouped(nobody, params))).toBe(403)
    expect(await refused(grouped(anna, { 'group[secret]': 'клад' }))).toBe(400)
    await engine.for(anna).batch(Shelf, {
      create: Array.from({ length: 101 }, () => ({ name: 'Много', idOwner: 1 })),
    })
    expect(await refused(grouped(anna, { 'group[name]': 'Много' }))).toBe(400)
  })
})

describe('values', () => {
  it('come back as they were written', async () => {
    const given = {
      name: 'Полная',
      note: '<p>Да</p>',
      kind: 'high' as const,
      price: 1234.5,
      born: '29.02.2024',
      until: '2026-11-20T10:00:00+03:00',
      extra: { a: [1, { b: null }] },
      open: true,
    }
    const made = await shelf(anna, 'Полная', given)
    expect(made).toMatchObject({
      ...given,
      until: '2026-11-20T07:00:00+00:00',
      _version: 1,
      deleted: false,
      booksCount: 0,
    })
    expect(await engine.for(anna).row(Shelf, made.id)).toEqual(made)
  })

  it('are refused with the field named', async () => {
    const wrong = {
      name: 'x'.repeat(21),
      kind: 'middle',
      price: 1.234,
      born: '31.02.2024',
      until: '2026-13-01T00:00:00Z',
      open: 'да',
      strange: 1,
      booksCount: 3,
    }
    const error = await engine
      .for(anna)
      .create(Shelf, wrong as never)
      .catch((e) => e)
    expect(error.status).toBe(422)
    expect(error.items.map((i: { field: string }) => i.field).sort()).toEqual([
      'booksCount',
      'born',
      'idOwner',
      'kind',
      'name',
      'open',
      'price',
      'strange',
      'until',
    ])
    expect(error.items).toContainEqual({ field: 'name', message: 'Количество символов не должно превышать 20' })
  })

  it('of rich text are cleaned', async () => {
    const made = await shelf(anna, 'Чистая', {
      note: '<p onclick="x()">a<script>alert(1)</script><a href="javascript:x()">b</a></p>',
    })
    expect(made.note).toBe('<p>a<a rel="noopener noreferrer" target="_blank">b</a></p>')
  })
})

describe('rights', () => {
  let mine: number
  let open: number
  beforeAll(async () => {
    mine = (await shelf(anna, 'Моя')).id
    open = (await shelf(anna, 'Общая', { open: true })).id
    await engine.for(anna).create(Book, { title: 'Тайная', idShelf: mine })
    await engine.for(anna).create(Book, { title: 'Явная', idShelf: open })
  })

  it('hold in list, count, view, filter through a relation and expand', async () => {
    const visible = await list(boris, Shelf, { 'filter[id][in]': [String(mine), String(open)], count: '1' })
    expect(visible.items.map((s: { id: number }) => s.id)).toEqual([open])
    expect(visible._meta.totalCount).toBe(1)
    expect(await refused(engine.for(boris).view(Shelf, mine))).toBe(404)
    const books = await list(boris, Book, { 'filter[idShelf][in]': `${mine},${open}`, expand: 'shelf' })
    expect(books.items.map((b: { title: string }) => b.title)).toEqual(['Явная'])
    expect(books.items[0].shelf.name).toBe('Общая')
    expect((await list(boris, Shelf, { 'filter[books.title]': 'Тайная' })).items).toEqual([])
  })

  it('allow no write of what is only readable, and no reference to what is not', async () => {
    expect(await refused(engine.for(boris).update(Shelf, open, { name: 'Чужая' }))).toBe(403)
    expect(await refused(engine.for(boris).update(Shelf, mine, { name: 'Чужая' }))).toBe(404)
    expect(await refused(engine.for(boris).remove(Shelf, open))).toBe(403)
    expect(await refused(engine.for(boris).create(Book, { title: 'Подброшенная', idShelf: open }))).toBe(403)
    expect(await refused(engine.for(boris).create(Book, { title: 'Подброшенная', idShelf: mine }))).toBe(422)
    expect(await refused(engine.for(anna).update(Shelf, mine, { idOwner: 2 }))).toBe(403)
    expect((await engine.for(anna).row(Shelf, mine)).idOwner).toBe(1)
  })

  it('of permissions come first', async () => {
    for (const run of [
      () => engine.for(nobody).list(Shelf, {}),
      () => engine.for(nobody).view(Shelf, open),
      () => engine.for(nobody).remove(Shelf, open),
    ]) {
      expect(await refused(run())).toBe(403)
    }
  })

  it('keep hidden fields out of answers, filters, sorts, writes and history', async () => {
    await engine.for(chief).update(Shelf, open, { secret: 'клад' })
    expect(await engine.for(chief).row(Shelf, open)).toMatchObject({ secret: 'клад' })
    expect(await engine.for(anna).row(Shelf, open)).not.toHaveProperty('secret')
    for (const params of [
      { 'filter[secret]': 'клад' },
      { sort: 'secret' },
      { fields: 'secret' },
      { 'filter[or][0][secret][ilike]': 'к' },
    ]) {
      expect(await refused(list(anna, Shelf, params as never))).toBe(400)
    }
    expect(await refused(engine.for(anna).update(Shelf, open, { secret: 'x' }))).toBe(422)
    expect(await refused(list(anna, Book, { 'filter[shelf.secret]': 'клад' }))).toBe(400)
  })
})

describe('writes', () => {
  it('leave one history line each, with from and to', async () => {
    const { id } = await shelf(anna, 'Раз')
    await engine.for(anna).update(Shelf, id, { name: 'Два', open: false })
    await engine.for(anna).update(Shelf, id, { name: 'Два' })
    await engine.for(anna).remove(Shelf, id)
    const lines = await db.query<{ action: string; changes: object; idUser: number }>(
      sql`select "action", "changes", "idUser" from history where "path" = 'test/shelves' and "idEntity" = ${id} order by "id"`,
    )
    expect(lines.map((l) => l.action)).toEqual(['create', 'update', 'delete'])
    expect(lines[1]?.changes).toEqual({ name: ['Раз', 'Два'] })
    expect(lines.every((l) => l.idUser === 1)).toBe(true)
  })

  it('refuse what was changed since it was read, and answer what it is now', async () => {
    const { id, _version } = await shelf(anna, 'Спор')
    await engine.for(anna).update(Shelf, id, { name: 'Первый', _version })
    const late = await engine
      .for(anna)
      .update(Shelf, id, { name: 'Второй', _version })
      .catch((e) => e)
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ id, name: 'Первый', _version: 2 })
  })

  it('go to the trash and come back', async () => {
    const { id } = await shelf(anna, 'Мусор')
    await engine.for(anna).remove(Shelf, id)
    expect(await refused(engine.for(anna).view(Shelf, id))).toBe(404)
    expect((await list(anna, Shelf, { deleted: '1', 'filter[id]': String(id) })).items).toHaveLength(1)
    expect(await refused(engine.for(boris).restore(Shelf, id))).toBe(404)
    await engine.for(anna).restore(Shelf, id)
    expect((await engine.for(anna).row(Shelf, id)).deleted).toBe(false)
  })

  it('of a batch are all done or none', async () => {
    const { id } = await shelf(anna, 'Пачка')
    const before = (await list(anna, Book, { count: '1', limit: '0' }))._meta.totalCount
    const bad = {
      create: [
        { title: 'Книга', idShelf: id },
        { title: '', idShelf: id },
      ],
    }
    const error = await engine
      .for(anna)
      .batch(Book, bad)
      .catch((e) => e)
    expect(error.items).toEqual([{ field: 'create[1].title', message: 'Обязательное поле' }])
    expect((await list(anna, Book, { count: '1', limit: '0' }))._meta.totalCount).toBe(before)
    const done = await engine.for(anna).batch(Book, {
      create: [
        { title: 'А', idShelf: id },
        { title: 'Б', idShelf: id },
      ],
    })
    expect(done.create.map((b) => b.order)).toEqual([1, 2])
  })

  it('wake the readers of events', async () => {
    const before = woken
    await shelf(anna, 'Будильник')
    expect(woken).toBeGreaterThan(before)
  })
})

describe('lists', () => {
  it('filter with every operator', async () => {
    const marker = `ф${Date.now() % 1e6}`
    const make = (n: number, more: object) => shelf(anna, `${marker} ${n}%_`, more)
    await make(1, { price: 10, until: '2026-01-01T00:00:00Z' })
    await make(2, { price: 20, born: '01.02.2000' })
    await make(3, { kind: 'high' })
    const names = async (params: Record<string, string>) =>
      (await list(anna, Shelf, { 'filter[name][ilike]': marker.toUpperCase(), sort: 'name', ...params })).items.map(
        (s: { name: string }) => s.name.at(-3),
      )
    expect(await names({})).toEqual(['1', '2', '3'])
    expect(await names({ 'filter[price][gte]': '10', 'filter[price][lt]': '20' })).toEqual(['1'])
    expect(await names({ 'filter[price][null]': '1' })).toEqual(['3'])
    expect(await names({ 'filter[price][neq]': '10' })).toEqual(['2', '3'])
    expect(await names({ 'filter[price][nin]': '10,20' })).toEqual(['3'])
    expect(await names({ 'filter[born]': '01.02.2000' })).toEqual(['2'])
    expect(await names({ 'filter[or][0][price]': '10', 'filter[or][1][kind]': 'high' })).toEqual(['1', '3'])
    expect(await names({ 'filter[not][price]': '10' })).toEqual(['2', '3'])
    expect(await names({ 'filter[until][lte]': '2026-01-01T03:00:00+03:00' })).toEqual(['1'])
    expect((await list(anna, Shelf, { 'filter[name][ilike]': '1%_' })).items.length).toBeGreaterThan(0)
    expect((await list(anna, Shelf, { 'filter[name][ilike]': '1_%' })).items).toEqual([])
  })

  it.each([
    ['filter[nope]', '1', /nope/],
    ['filter[name][regex]', '1', /regex/],
    ['filter[price][ilike]', '1', /ilike/],
    ['filter[price]', 'десять', /числом/],
    ['filter[books.nope]', '1', /nope/],
    ['filter[nope.id]', '1', /nope/],
    ['filter', '1', /filter/],
    ['filter[or]', '1', /or/],
    ['sort', 'nope', /nope/],
    ['limit', '501', /limit/],
    ['limit', '-1', /limit/],
    ['page', '0', /page/],
    ['fields', 'nope', /nope/],
    ['expand', 'nope', /nope/],
    ['count', '2', /count/],
    ['after', 'abc', /after/],
    ['strange', '1', /strange/],
    ['filter[constructor]', '1', /constructor/],
    ['filter[__proto__.id]', '1', /__proto__/],
  ])('refuse %s=%s and name it', async (key, value, named) => {
    const error = await list(anna, Shelf, { [key]: value }).catch((e) => e)
    expect(error.status).toBe(400)
    expect(error.message).toMatch(named)
  })

  it('page by cursor through every record once, in any order, with empty values', async () => {
    const marker = `к${Date.now() % 1e6}`
    for (let i = 0; i < 13; i++) await shelf(anna, `${marker} ${i}`, i % 3 ? { price: i % 4, open: i % 2 === 0 } : {})
    for (const sort of ['price,name', '-price', 'open,-price,name', '-name', 'dateChange', 'born']) {
      const filter = { 'filter[name][ilike]': marker, sort, limit: '4' }
      const whole = (await list(anna, Shelf, { ...filter, limit: '100' })).items.map((s: { id: number }) => s.id)
      const walked: number[] = []
      let after: string | undefined = ''
      while (after !== undefined) {
        const page: { items: { id: number }[]; _meta: { next?: string } } = await list(anna, Shelf, {
          ...filter,
          after,
        })
        walked.push(...page.items.map((s) => s.id))
        after = page._meta.next
      }
      expect(walked, sort).toEqual(whole)
    }
  })
})

describe('places', () => {
  it('lie strictly between and stay short', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (moves) => {
        const places = ['1']
        for (const at of moves) {
          const i = at % (places.length + 1)
          const made = between(places[i - 1] ?? null, places[i] ?? null)
          if (made === undefined) return
          const [low, high] = [places[i - 1], places[i]]
          expect(low === undefined || Number(low) < Number(made)).toBe(true)
          expect(high === undefined || Number(made) < Number(high)).toBe(true)
          places.splice(i, 0, made)
        }
      }),
    )
    expect(between('1', '2')).toBe('1.5')
    expect(between('-1', '0')).toBe('-0.5')
    expect(between('1', '1')).toBeUndefined()
  })

  it('are kept by thousands of moves and new records of several people at once', async () => {
    const shelves = await Promise.all(
      [1, 2, 3].map((n) => engine.for(systemActor).create(Shelf, { name: `Порядок ${n}`, idOwner: 1, open: true })),
    )
    const ids: number[] = []
    for (let i = 0; i < 30; i++)
      ids.push(
        (await engine.for(systemActor).create(Book, { title: `${i}`, idShelf: (shelves[i % 3] as { id: number }).id }))
          .id,
      )
    const random = (n: number) => Math.floor(Math.random() * n)
    const mover = async () => {
      for (let i = 0; i < 60; i++) {
        if (i % 5 === 0) {
          const idShelf = (shelves[random(3)] as { id: number }).id
          ids.push((await engine.for(anna).create(Book, { title: `новая ${i}`, idShelf })).id)
        }
        const id = ids[random(30)] as number
        const beside = ids[random(30)] as number
        const to = { idShelf: (shelves[random(3)] as { id: number }).id }
        const place = [
          { at: 'first' as const, to },
          { at: 'last' as const, to },
          { before: beside },
          { after: beside },
        ][random(4)]
        await engine
          .for(anna)
          .move(Book, id, place as never)
          .catch((e) => {
            if (e.status !== 422) throw e
          })
      }
    }
    await Promise.all(Array.from({ length: 6 }, mover))
    const all = await db.query<{ id: number; idShelf: number; order: string }>(
      sql`select "id", "idShelf", "order" from test_books where "id" = any(${ids}::bigint[])`,
    )
    expect(all.map((b) => b.id).sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b))
    for (const group of Map.groupBy(all, (b) => b.idShelf).values()) {
      expect(new Set(group.map((b) => b.order)).size).toBe(group.length)
    }
  })

  it('go where they are asked to, writing one row', async () => {
    const { id: idShelf } = await shelf(anna, 'Ряд')
    const [a, b, c] = (await Promise.all(
      ['а', 'б', 'в'].map((title) => engine.for(anna).create(Book, { title, idShelf })),
    )) as { id: number }[]
    const order = async () =>
      (await list(anna, Book, { 'filter[idShelf]': String(idShelf), sort: 'order' })).items.map(
        (x: { id: number }) => x.id,
      )
    for (const [i, x] of [a, b, c].entries())
      await engine.for(anna).move(Book, x?.id ?? 0, i === 0 ? { at: 'first' } : { at: 'last' })
    const before = await db.one<{ n: number }>(sql`select count(*) as n from history`)
    await engine.for(anna).move(Book, c?.id ?? 0, { before: b?.id })
    expect(await order()).toEqual([a?.id, c?.id, b?.id])
    await engine.for(anna).move(Book, a?.id ?? 0, { after: b?.id })
    expect(await order()).toEqual([c?.id, b?.id, a?.id])
    expect((await db.one<{ n: number }>(sql`select count(*) as n from history`))?.n).toBe((before?.n ?? 0) + 2)
    expect(await refused(engine.for(boris).move(Book, a?.id ?? 0, { at: 'last' }))).toBe(404)
  })
})
