import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { closeDays } from './ledger.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
let keeper: Caller
beforeAll(async () => {
  world = await stockWorld()
  keeper = world.keeper
})
afterAll(() => world.clinic.close())

const post = (id: number, body: object = {}) => keeper.post(`/warehouse/documents/${id}/post`, body)
const query = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })
const setting = (name: string, value: unknown) =>
  query(
    'insert into common_settings (name, value) values ($1, $2::jsonb) on conflict (name) do update set value = excluded.value',
    name,
    JSON.stringify(value),
  )

describe('documents', () => {
  it('a receipt creates batches, an issue takes those that expire first, at the mean cost', async () => {
    const idProduct = await world.product({ nameService: 'Лидокаин', gtin: '04607143560598' })
    await world.receive(idProduct, 10, 100, { expiry: world.day(200), series: 'A' })
    const { idBatch } = await world.receive(idProduct, 10, 120, { expiry: world.day(100), series: 'B' })
    const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 5 }])
    const posted = good(await post(issue))
    expect(posted).toMatchObject({ status: 'posted', sum: 550 })
    expect(posted.number).toMatch(/^\d{4}-\d{5}$/)
    // A retry after an interruption does nothing twice.
    expect(good(await post(issue)).number).toBe(posted.number)
    const moves = good(await keeper.get(`/warehouse/moves?filter[idDocument]=${issue}`)).items
    expect(moves).toMatchObject([{ idBatch, qty: -5, cost: -550 }])
    expect(good(await keeper.get(`/services/${idProduct}`))).toMatchObject({
      remains: 15,
      stock: true,
      saldo: { Основной: 15 },
    })
    const card = good(await keeper.get(`/warehouse/goods/${idProduct}/card`))
    expect(card.moves.map((one: { after: number }) => one.after)).toEqual([15, 20, 10])
    await world.agree()
  })

  it('sums a document by batch: two lines that together exceed a lot are refused as a whole', async () => {
    const idProduct = await world.product({ nameService: 'Бинт' })
    const { idBatch } = await world.receive(idProduct, 5, 10)
    const other = await world.product()
    await world.receive(other, 5, 10)
    const id = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Бой' }, [
      { idProduct: other, qty: 1 },
      { idProduct, idBatch, qty: 3 },
      { idProduct, idBatch, qty: 3 },
    ])
    const refused = await post(id)
    expect(refused.status).toBe(422)
    expect(refused.body[0].message).toContain('«Бинт»')
    expect(refused.body[0].message).toContain('1')
    expect([await world.stock(idProduct), await world.stock(other)]).toEqual([5, 5])
    expect(good(await keeper.get(`/warehouse/documents/${id}`))).toMatchObject({ status: 'draft', number: null })
    await world.agree()
  })

  it('cannot be reversed while its stock is in use, and names the user', async () => {
    const idProduct = await world.product({ nameService: 'Шприц' })
    const receipt = await world.receive(idProduct, 5, 10)
    const issue = await world.make({ kind: 'sale', idFrom: world.main }, [{ idProduct, qty: 4 }])
    const { number } = good(await post(issue))
    const refused = await keeper.post(`/warehouse/documents/${receipt.id}/unpost`, {})
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(`№ ${number}`)])
    good(await keeper.post(`/warehouse/documents/${issue}/unpost`, { draft: true }))
    expect(await world.stock(idProduct)).toBe(5)
    good(await keeper.post(`/warehouse/documents/${receipt.id}/unpost`, {}))
    expect(await world.stock(idProduct)).toBe(0)
    const again = await post(issue)
    expect([again.status, again.body[0].message]).toEqual([422, expect.stringContaining('Не хватает')])
    await world.agree()
  })

  it('a back-dated issue takes no more than the stock on that day and on later ones', async () => {
    const idProduct = await world.product()
    await world.receive(idProduct, 10, 10, { localDate: world.day(-10) })
    const later = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-2) }, [
      { idProduct, qty: 8 },
    ])
    good(await post(later))
    await world.receive(idProduct, 10, 10)
    const { items } = good(await keeper.get(`/warehouse/batches?filter[idProduct]=${idProduct}&sort=id`))
    const early = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-5) }, [
      { idProduct, qty: 3, idBatch: items[1].id },
    ])
    const refused = await post(early)
    expect([refused.status, refused.body[0].message]).toEqual([422, expect.stringContaining('Не хватает на ')])
    // Without a batch it takes the stock of that day that no later document needs: two of the first.
    const most = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-5) }, [
      { idProduct, qty: 3 },
    ])
    expect((await post(most)).body[0].message).toContain('можно выдать 2')
    await world.agree()
  })

  it('closed periods and future days are refused', async () => {
    const idProduct = await world.product()
    await setting('closedUntil', world.day(-3))
    const closed = await world.make({ kind: 'opening', idTo: world.main, localDate: world.day(-3) }, [
      { idProduct, qty: 1, price: 1 },
    ])
    expect([(await post(closed)).status, (await post(closed)).body.code]).toEqual([409, 'closed'])
    await setting('closedUntil', '')
    const future = await world.make({ kind: 'opening', idTo: world.main, localDate: world.day(1) }, [
      { idProduct, qty: 1, price: 1 },
    ])
    expect((await post(future)).body).toEqual([{ field: 'localDate', message: 'День ещё не наступил' }])
  })

  it('a transfer is in transit until accepted, and keeps its cost', async () => {
    const idProduct = await world.product()
    await world.receive(idProduct, 3, 33.33)
    const id = await world.make({ kind: 'transfer', idFrom: world.main, idTo: world.room }, [{ idProduct, qty: 2 }])
    expect(good(await post(id)).status).toBe('inTransit')
    expect([await world.stock(idProduct, world.main), await world.stock(idProduct, world.room)]).toEqual([1, 0])
    expect(good(await keeper.post(`/warehouse/documents/${id}/accept`, undefined)).status).toBe('posted')
    expect(good(await keeper.post(`/warehouse/documents/${id}/accept`, undefined)).status).toBe('posted')
    expect(await world.stock(idProduct, world.room)).toBe(2)
    const [value] = await query<{ cost: number }>(
      'select cost::float8 as cost from warehouse_values where "idProduct" = $1 and "idWarehouse" = $2',
      idProduct,
      world.room,
    )
    expect(value?.cost).toBe(66.66)
    good(await keeper.post(`/warehouse/documents/${id}/unpost`, {}))
    expect([await world.stock(idProduct, world.main), await world.stock(idProduct, world.room)]).toEqual([3, 0])
    await world.agree()
  })

  it('a transfer arrives on the day it was taken, also when it was sent before a closed period', async () => {
    const idProduct = await world.product()
    await world.receive(idProduct, 5, 10, { localDate: world.day(-10) })
    const send = async () => {
      const id = await world.make(
        { kind: 'transfer', idFrom: world.main, idTo: world.room, localDate: world.day(-9) },
        [{ idProduct, qty: 2 }],
      )
      expect(good(await post(id)).status).toBe('inTransit')
      return id
    }
    const accept = (id: number, body?: object) => keeper.post(`/warehouse/documents/${id}/accept`, body)
    const daysOf = async (id: number) =>
      (
        await query<{ day: string }>(
          `select "localDate"::text as day from warehouse_moves where "idDocument" = $1 order by id`,
          id,
        )
      ).map(({ day }) => day)
    const [taken, lost] = [await send(), await send()]
    await setting('closedUntil', world.day(-5))
    expect((await accept(taken, { localDate: world.day(-10) })).body[0]).toMatchObject({ field: 'localDate' })
    expect((await accept(taken, { localDate: world.day(1) })).body[0].message).toBe('День ещё не наступил')
    expect((await accept(taken, { localDate: world.day(-6) })).body.code).toBe('closed')
    expect(good(await accept(taken, { localDate: world.day(-2) })).arrivalDate).toBe(world.day(-2))
    expect(await daysOf(taken)).toEqual([world.day(-9), world.day(-2)])
    // What never came returns today: the closed days stay as they were.
    good(await keeper.post(`/warehouse/documents/${lost}/unpost`, {}))
    expect(await daysOf(lost)).toEqual([world.day(-9), world.day()])
    expect([await world.stock(idProduct, world.main), await world.stock(idProduct, world.room)]).toEqual([3, 2])
    await setting('closedUntil', '')
    await world.agree()
  })

  it('a recall holds the series in any spelling, in all warehouses, and in what comes later', async () => {
    const idProduct = await world.product({ nameService: 'Сыворотка', gtin: '04607809591430' })
    const { idBatch } = await world.receive(idProduct, 2, 10, { series: 'АВ 12о' })
    const there = await world.receive(idProduct, 2, 10, { series: 'ab120', idTo: world.room })
    const other = await world.receive(idProduct, 2, 10, { series: 'AB121' })
    good(await keeper.put(`/warehouse/batches/${idBatch}`, { state: 'recalled', stateReason: 'Письмо 5' }))
    const later = await world.receive(idProduct, 2, 10, { series: 'AB 12O' })
    const states = async () =>
      Promise.all(
        [idBatch, there.idBatch, later.idBatch, other.idBatch].map(async (id) => {
          const { state, stateReason } = good(await keeper.get(`/warehouse/batches/${id}`))
          return [state, stateReason]
        }),
      )
    const held = ['recalled', 'Письмо 5']
    expect(await states()).toEqual([held, held, held, ['free', null]])
    good(await keeper.put(`/warehouse/batches/${later.idBatch}`, { state: 'free', stateReason: null }))
    expect(await states()).toEqual([
      ['free', null],
      ['free', null],
      ['free', null],
      ['free', null],
    ])
  })

  it('a doubtful document is posted after a confirmation: the same paper twice, a good that is counted already', async () => {
    const idProduct = await world.product({ nameService: 'Салфетки' })
    const paper = {
      kind: 'receipt',
      idTo: world.main,
      idSupplier: world.idSupplier,
      externalNumber: 'УТ-15',
      externalDate: world.day(-3),
    }
    const first = await world.make({ ...paper, localDate: world.day(-3) }, [{ idProduct, qty: 5, price: 1 }])
    const { number } = good(await post(first))
    const again = await world.make({ ...paper, externalNumber: 'ут- 15' }, [{ idProduct, qty: 5, price: 1 }])
    const refused = await post(again)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'doubtful',
      expect.stringContaining(`№ ${number}`),
    ])
    // Another year's paper of the same number is another one.
    const next = await world.make({ ...paper, externalDate: world.day(-400) }, [{ idProduct, qty: 1, price: 1 }])
    good(await post(next))
    good(await post(again, { sure: true }))
    const inventory = await world.make({ kind: 'inventory', idFrom: world.main })
    good(await keeper.post(`/warehouse/documents/${inventory}/count-start`, undefined))
    good(await keeper.post(`/warehouse/documents/${inventory}/count`, { idProduct, qty: 11 }))
    good(await keeper.post(`/warehouse/documents/${inventory}/check`, { uncounted: true }))
    good(await post(inventory))
    const late = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-1) }, [
      { idProduct, qty: 1 },
    ])
    expect((await post(late)).body).toMatchObject({
      code: 'doubtful',
      message: expect.stringMatching(/«Салфетки» посчитан .*остаток изменится/),
    })
    good(await post(late, { sure: true }))
    good(await keeper.post(`/warehouse/documents/${inventory}/unpost`, {}))
    await world.agree()
  })

  it('asks once about drugs without a series, a term and a price', async () => {
    const drugs = await Promise.all(
      ['Анальгин', 'Но-шпа'].map((nameService) => world.product({ nameService, isDrug: true })),
    )
    const [first, second] = drugs as [number, number]
    const lines = [
      { idProduct: first, qty: 2, price: 10, series: 'А1', expiry: world.day(300) },
      { idProduct: second, qty: 1, series: 'Б2' },
    ]
    const id = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier }, lines)
    expect((await post(id)).body).toMatchObject({
      code: 'doubtful',
      message: 'Лекарства: «Но-шпа» без срока годности, без цены',
    })
    good(await post(id, { sure: true }))
    await world.agree()
  })

  it('takes a kit apart, revalues, and copies', async () => {
    const [kit, part, other] = [await world.product(), await world.product(), await world.product()]
    await world.receive(kit, 2, 100)
    const id = await world.make({ kind: 'disassembly', idFrom: world.main }, [
      { idProduct: kit, qty: 1, side: 'out' },
      { idProduct: part, qty: 3, side: 'in', price: 20 },
      { idProduct: other, qty: 1, side: 'in', price: 40 },
    ])
    good(await post(id))
    const values = await query<{ cost: number }>(
      'select cost::float8 as cost from warehouse_values where "idProduct" = any ($1) order by "idProduct"',
      [kit, part, other],
    )
    expect(values.map(({ cost }) => cost)).toEqual([100, 60, 40])
    const dearer = await world.make({ kind: 'revaluation', idFrom: world.main, reason: 'Поздняя накладная' }, [
      { idProduct: part, qty: 1, price: 25 },
    ])
    good(await post(dearer))
    expect(await query('select cost::float8 as cost from warehouse_values where "idProduct" = $1', part)).toEqual([
      { cost: 75 },
    ])
    const copied = good(await keeper.post(`/warehouse/documents/${id}/copy`, undefined), 201)
    expect(copied).toMatchObject({ status: 'draft', kind: 'disassembly', linesCount: 3 })
    await world.agree()
  })

  it('blocked or expired stock is not issued, and may be written off', async () => {
    const idProduct = await world.product({ nameService: 'Вакцина' })
    const { idBatch } = await world.receive(idProduct, 2, 10)
    const old = await world.receive(idProduct, 2, 10, { expiry: world.day(-2) })
    good(await keeper.put(`/warehouse/batches/${idBatch}`, { state: 'recalled', stateReason: 'Письмо' }))
    expect(good(await keeper.get(`/services/${idProduct}`)).remains).toBe(0)
    const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 1 }])
    expect((await post(issue)).body[0].message).toContain('можно выдать 0')
    const named = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 1, idBatch: old.idBatch }])
    expect((await post(named)).body[0].message).toContain('срок годности истёк')
    const off = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Отзыв серии' }, [
      { idProduct, qty: 4 },
    ])
    good(await post(off))
    expect(await world.stock(idProduct)).toBe(0)
  })

  it("expires by the clinic's day at any hour", async () => {
    // A zone whose day is never that of UTC.
    const [zone, apart] = new Date().getUTCHours() >= 11 ? ['Pacific/Kiritimati', 1] : ['Pacific/Pago_Pago', -1]
    const idProduct = await world.product({ nameService: 'Вакцина от гриппа' })
    const today = dayIn('UTC', Date.now())
    await world.receive(idProduct, 2, 10, { expiry: plusDays(today, Math.min(0, apart)) })
    const remains = async () => good(await keeper.get(`/services/${idProduct}`)).remains
    const set = (value: string) =>
      query(
        `insert into common_settings ("name", "value") values ('timeZone', to_jsonb($1::text))
          on conflict ("name") do update set "value" = excluded."value"`,
        value,
      )
    await set('UTC')
    expect(await remains()).toBe(apart > 0 ? 2 : 0)
    await set(zone)
    expect(await remains()).toBe(apart > 0 ? 0 : 2)
    await query(`delete from common_settings where "name" = 'timeZone'`)
    // No expired batch for the tests that follow.
    await query(`update warehouse_batches set "expiry" = null where "idProduct" = $1`, idProduct)
  })

  it.each([
    [{ qty: 1e12 }, 'qty'],
    [{ qty: 0.0001 }, 'qty'],
    [{ qty: 0 }, 'qty'],
    [{ price: -1 }, 'price'],
    [{ sgtins: ['нет'] }, 'sgtins'],
    [{ idProduct: 999_999 }, 'idProduct'],
  ])('refuses a line with %j', async (body, field) => {
    const idProduct = await world.product()
    const id = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier })
    const answer = await keeper.post('/warehouse/lines', { idDocument: id, idProduct, qty: 1, ...body })
    expect([answer.status, answer.body[0].field]).toEqual([422, field])
  })

  it('only a draft is editable: neither lines nor the head of a posted one', async () => {
    const idProduct = await world.product()
    const { id } = await world.receive(idProduct, 1, 1)
    expect((await keeper.post('/warehouse/lines', { idDocument: id, idProduct, qty: 1 })).status).toBe(409)
    expect((await keeper.put(`/warehouse/documents/${id}`, { localDate: world.day(-1) })).body[0].field).toBe(
      'localDate',
    )
    good(await keeper.put(`/warehouse/documents/${id}`, { comment: 'Проверено' }))
    expect((await keeper.delete(`/warehouse/documents/${id}`)).status).toBe(409)
    await expect(query('update warehouse_moves set qty = 1')).rejects.toThrow('never changed')
    await expect(query('delete from warehouse_moves')).rejects.toThrow('never changed')
  })
})

it('a scanner adds goods: by GTIN, once for each marked pack', async () => {
  const plain = await world.product({ nameService: 'Пластырь', barcode: '2000000058177' })
  const marked = await world.product({ nameService: 'Кеторол', gtin: '04607809591423', isMarked: true })
  const id = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Бой' })
  const scan = (code: string) => keeper.post(`/warehouse/documents/${id}/scan`, { code })
  expect(good(await scan('2000000058177'))).toMatchObject({ idProduct: plain, message: 'Пластырь: 1 шт.' })
  expect(good(await scan('2000000058177')).message).toBe('Пластырь: 2 шт.')
  const code = '010460780959142321FGXEAGA5A1GAH'
  expect(good(await scan(code)).line).toMatchObject({
    idProduct: marked,
    qty: 1,
    sgtins: ['04607809591423FGXEAGA5A1GAH'],
  })
  expect((await scan(code)).body[0].message).toBe('Этот код уже отсканирован')
  expect((await scan('04607809591423')).body[0].message).toContain('маркируется')
  expect((await scan('010460780959142321АПЧУФПФ5Ф1ПФР')).body[0].message).toContain('русской раскладке')
  expect((await scan('010460714356059821FGXEAGA5A1GA')).status).toBe(200)
})

it('fifty concurrent posts of overlapping documents all succeed, and no stock is negative', async () => {
  const goods = await Promise.all(Array.from({ length: 12 }, () => world.product()))
  for (const idProduct of goods) await world.receive(idProduct, 30, 10)
  const documents: number[] = []
  for (let n = 0; n < 50; n++) {
    const order = n % 2 ? goods : goods.toReversed()
    documents.push(
      await world.make(
        { kind: 'issue', idFrom: world.main },
        order.slice(0, 6).map((idProduct) => ({ idProduct, qty: 1 })),
      ),
    )
  }
  const answers = await Promise.all(documents.map((id) => post(id)))
  expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
  expect(await Promise.all(goods.map((id) => world.stock(id)))).toEqual(goods.map(() => 5))
  await world.agree()
})

it('users of one warehouse see nothing of another, at any call', async () => {
  const { context } = world.clinic
  const nurse = await addPerson(context, 'nurse', ['warehouseDashboard', 'editWarehouse', 'viewStockReport'])
  const other = await addPerson(context, 'other', ['warehouseDashboard', 'editWarehouse'])
  const records = context.engine.for(systemActor)
  const own = await records.create(Warehouse, { name: 'Свой', idFilial: world.idFilial, keepers: [nurse.id] })
  const strange = await records.create(Warehouse, { name: 'Чужой', idFilial: world.idFilial, keepers: [other.id] })
  const idProduct = await world.product({ nameService: 'Секретный' })
  await world.receive(idProduct, 7, 10, { idTo: own.id })
  const hidden = await world.receive(idProduct, 9, 10, { idTo: strange.id })
  const hers = world.clinic.as('nurse')
  expect(
    good(await hers.get(`/warehouse/stock?filter[idProduct]=${idProduct}`)).items.map(
      (one: { qty: number }) => one.qty,
    ),
  ).toEqual([7])
  expect(good(await hers.get(`/warehouse/moves?filter[idProduct]=${idProduct}`)).items).toHaveLength(1)
  expect((await hers.get(`/warehouse/documents/${hidden.id}`)).status).toBe(404)
  expect((await hers.get(`/warehouse/documents/${hidden.id}/lines`)).status).toBe(404)
  expect((await hers.post(`/warehouse/documents/${hidden.id}/unpost`, {})).status).toBe(404)
  const balance = good(await hers.get('/warehouse/balance?q=Секретный'))
  expect(balance.items).toMatchObject([{ closing: 7 }])
  expect(good(await hers.get(`/warehouse/goods/${idProduct}/card`)).batches).toHaveLength(1)
  const taken = await hers.post('/warehouse/documents', { kind: 'issue', localDate: world.day(), idFrom: strange.id })
  expect([taken.status, taken.body.message]).toEqual([403, 'Вы не работаете со складом «Чужой»'])
})

it('a past month is closed, and recomputed when changed; the balance is the same either way', async () => {
  const idProduct = await world.product({ nameService: 'Помесячный' })
  await world.receive(idProduct, 10, 10, { localDate: world.day(-100) })
  const issue = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-65) }, [
    { idProduct, qty: 4 },
  ])
  good(await post(issue))
  const at = async (days: number) => {
    const { items } = good(
      await keeper.get(`/warehouse/balance?q=Помесячный&from=${world.day(days)}&to=${world.day(days)}`),
    )
    return items.map(({ closing, cost }: { closing: number; cost: number }) => [closing, cost])
  }
  const before = [await at(-100), await at(-65), await at(-1)]
  expect(before).toEqual([[[10, 100]], [[6, 60]], [[6, 60]]])
  expect(await closeDays(world.clinic.db)).toBeGreaterThan(1)
  expect([await at(-100), await at(-65), await at(-1)]).toEqual(before)
  const back = await world.make({ kind: 'issue', idFrom: world.main, localDate: world.day(-64) }, [
    { idProduct, qty: 1 },
  ])
  good(await post(back))
  expect(await at(-1)).toEqual([[5, 50]])
  const onDay = async (days: number) =>
    good(await keeper.get(`/warehouse/goods/${idProduct}/card?on=${world.day(days)}`)).batches
  const batches = [await onDay(-100), await onDay(-65), await onDay(-200)]
  expect(batches).toMatchObject([[{ qty: 10, cost: 10 }], [{ qty: 6, cost: 10 }], []])
  await closeDays(world.clinic.db)
  expect(await at(-1)).toEqual([[5, 50]])
  expect([await onDay(-100), await onDay(-65), await onDay(-200)]).toEqual(batches)
})

it('goods below their minimum become one draft per supplier, and are announced on the day they fell', async () => {
  const idProduct = await world.product({ nameService: 'Перчатки', minStock: 10, maxStock: 30 })
  await world.receive(idProduct, 12, 7, { localDate: world.day(-10) })
  await query(
    `update warehouses set "idUser" = (select "id" from users where "login" = 'keeper') where "id" = $1`,
    world.main,
  )
  await query(`update warehouse_batches set "expiry" = $1 where "idProduct" = $2`, world.day(30), idProduct)
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 4 }])
  good(await post(issue))
  await world.clinic.context.jobs.run('warehouse.alerts')
  const notices = await query<{ kind: string; title: string; text: string }>(
    `select "kind", "title", "text" from notifications where "kind" like 'stock.%'
      and "idUser" = (select "id" from users where "login" = 'keeper') order by "kind"`,
  )
  expect(notices).toMatchObject([
    { kind: 'stock.expiry', title: 'Склад «Основной»: через 30 дн. истечёт: 1' },
    { kind: 'stock.low', text: expect.stringContaining('Перчатки') },
  ])
  const { documents } = good(await keeper.post('/warehouse/order/drafts', { idWarehouse: world.main }), 201)
  const drafts = await Promise.all(
    documents.map(async (id: number) => ({
      ...good(await keeper.get(`/warehouse/documents/${id}`)),
      lines: good(await keeper.get(`/warehouse/documents/${id}/lines`)).items,
    })),
  )
  const own = drafts.find(({ lines }) => lines.some((line: { idProduct: number }) => line.idProduct === idProduct))
  expect(own).toMatchObject({ kind: 'receipt', status: 'draft', idTo: world.main, idSupplier: world.idSupplier })
  expect(own?.lines.find((line: { idProduct: number }) => line.idProduct === idProduct)).toMatchObject({
    qty: 22,
    price: 7,
    sum: 154,
  })
  // The ordered quantity is in transit.
  expect((await keeper.post('/warehouse/order/drafts', { idWarehouse: world.main })).body.code).toBe('enough')
})
