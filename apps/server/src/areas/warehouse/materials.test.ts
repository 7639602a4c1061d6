import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { settleMaterials } from './materials.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
let service: number
let product: number
let spare: number
let visit: number
beforeAll(async () => {
  world = await stockWorld()
  const { clinic, keeper, idFilial, main } = world
  service = good(await keeper.post('/services', { nameService: 'Капельница', priceService: 500 }), 201).id
  product = await world.product({ nameService: 'Система' })
  spare = await world.product({ nameService: 'Система другая' })
  good(
    await keeper.post('/service-consumables', { idService: service, idProduct: product, qty: 2, replacement: [spare] }),
    201,
  )
  for (const [name, value] of Object.entries({
    autoWriteOff: true,
    reserveMaterials: true,
    defaultWarehouses: { [idFilial]: main },
  }))
    await query('insert into common_settings (name, value) values ($1, $2::jsonb)', name, JSON.stringify(value))
  const me = (await clinic.db.query<{ id: number }>({ text: `select id from users where login = 'keeper'` }))[0]
    ?.id as number
  // A visit as stored by the schedule, inserted directly.
  const [customer] = await query<{ id: number }>(
    `insert into customers ("surname", "name") values ('Пациентов', 'Пётр') returning id`,
  )
  const columns = {
    idCustomer: customer?.id,
    idFilial,
    localDate: world.day(),
    localStart: '10:00',
    visitStatus: 'booked',
    idAuthor: me,
    kind: 'primary',
  }
  visit = await insert('appointments', columns)
  const coupon = await insert('coupons', {
    idAppointment: visit,
    idFilial,
    idUser: me,
    idCustomer: customer?.id,
    idService: service,
    localDate: world.day(),
    localStart: '10:00',
    minutes: 30,
    idAuthor: me,
  })
  await insert('coupon_services', { idCoupon: coupon, idService: service, qty: 1, price: 500, idAuthor: me })
})
afterAll(() => world.clinic.close())

const query = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })
/** Inserts the given values of columns that the table has, and type-based defaults for other required ones. */
async function insert(table: string, given: Record<string, unknown>): Promise<number> {
  const columns = await query<{ name: string; type: string; must: boolean }>(
    `select column_name as name, data_type as type, is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as must
     from information_schema.columns where table_name = $1 and table_schema = 'public'`,
    table,
  )
  const guess = (type: string) =>
    /timestamp/.test(type)
      ? new Date().toISOString()
      : /date/.test(type)
        ? world.day()
        : /time/.test(type)
          ? '10:00'
          : /int|numeric/.test(type)
            ? 1
            : /bool/.test(type)
              ? false
              : 'x'
  const used = columns.filter(({ name, must }) => name in given || must)
  const [row] = await query<{ id: number }>(
    `insert into ${table} (${used.map(({ name }) => `"${name}"`).join(', ')}) values (${used.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
    ...used.map(({ name, type }) => (name in given ? given[name] : guess(type))),
  )
  return row?.id as number
}

const keeperActor = async () => ({
  ...systemActor,
  id: (await query<{ id: number }>(`select id from users where login = 'keeper'`))[0]?.id as number,
})
const settle = async (status: string) => {
  await query('update appointments set "visitStatus" = $1 where id = $2', status, visit)
  const records = world.clinic.context.engine.for(await keeperActor())
  await records.tx((inside, tx) => settleMaterials(inside, tx, visit))
}
const documents = () =>
  query<{ id: number; status: string }>(
    'select id, status from warehouse_documents where "idAppointment" = $1 order by id',
    visit,
  )

it('materials are reserved for an upcoming visit, written off when it is done, and returned', async () => {
  await world.receive(product, 3, 10)
  await settle('booked')
  await settle('booked')
  expect(
    await query(
      'select qty::float8 as qty, reserved::float8 as reserved from warehouse_stock where "idProduct" = $1',
      product,
    ),
  ).toEqual([{ qty: 3, reserved: 2 }])
  // Reserved stock is not available to others.
  const issue = await world.make({ kind: 'sale', idFrom: world.main }, [{ idProduct: product, qty: 2 }])
  expect((await world.keeper.post(`/warehouse/documents/${issue}/post`, {})).status).toBe(422)
  await settle('completed')
  await settle('completed')
  expect(await documents()).toMatchObject([{ status: 'posted' }])
  expect(await world.stock(product)).toBe(1)
  await settle('inProgress')
  expect(await world.stock(product)).toBe(3)
  expect(await documents()).toMatchObject([{ status: 'cancelled' }])
  await settle('cancelled')
  await world.agree()
})

it("a shortage is covered by the norm's replacements, and leaves a draft if none is left", async () => {
  await world.receive(spare, 2, 20)
  const off = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Бой' }, [
    { idProduct: product, qty: 2 },
  ])
  good(await world.keeper.post(`/warehouse/documents/${off}/post`, {}))
  await settle('completed')
  expect(await world.stock(spare)).toBe(0)
  await settle('inProgress')
  const rest = await world.make({ kind: 'writeOff', idFrom: world.main, reason: 'Бой' }, [{ idProduct: spare, qty: 1 }])
  good(await world.keeper.post(`/warehouse/documents/${rest}/post`, {}))
  await settle('completed')
  const last = (await documents()).at(-1)
  expect(last?.status).toBe('draft')
  expect(good(await world.keeper.get(`/warehouse/documents/${last?.id}/lines`)).items).toMatchObject([
    { idProduct: product, qty: 2, norm: 2 },
  ])
  await world.agree()
})
