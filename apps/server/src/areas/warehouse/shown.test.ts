/** Goods on the public site: prices and free stock by branch, without booking. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
let boss: Caller

beforeAll(async () => {
  world = await stockWorld({
    prepare: async (app) => {
      await addPerson(app, 'boss', ['mainSettings', 'editShopContent'])
    },
  })
  boss = world.clinic.as('boss')
  good(await boss.put('/client/theme/1', { isActive: true }))
  good(await boss.put('/settings/common', { portalActive: true, portalActions: ['book'] }))
})
afterAll(() => world.clinic.close())

const visit = async (path: string) => (await world.clinic.anonymous.get(`/site${path}`)).text
/** Cells of the row of a product, without tags. */
const row = (html: string, name: string): string[] =>
  (html.split(/<\/?tr>/).find((one) => one.includes(name)) ?? '')
    .split(/<t[hd][^>]*>/)
    .slice(1)
    .map((cell) =>
      cell
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )

it("the price list shows goods with the free stock of the branch's sales warehouse", async () => {
  const { product, receive, keeper, main, room, idFilial } = world
  const shown = { activeShop: true, priceService: 500 }
  const many = await product({ ...shown, nameService: 'Тонометр' })
  const few = await product({ ...shown, nameService: 'Глюкометр' })
  const sold = await product({ ...shown, nameService: 'Термометр' })
  const unkept = await product({ ...shown, nameService: 'Бандаж' })
  const secret = await product({ ...shown, nameService: 'Небулайзер', hidePrice: true })
  const inner = await product({ nameService: 'Перчатки' })
  const controlled = await product({ ...shown, nameService: 'Трамадол', isPku: true })
  const north = good(await boss.post('/filials', { nameFilial: 'Юг', activeForShop: true }), 201).id
  const away = good(await boss.post('/warehouses', { name: 'Юг', idFilial: north }), 201).id
  await receive(many, 40, 100)
  await receive(few, 3.5, 100)
  await receive(secret, 2, 100)
  await receive(inner, 50, 10)
  await receive(controlled, 50, 10)
  await receive(sold, 4, 100)
  // Stock of a treatment room and expired stock are not for sale.
  await receive(sold, 9, 100, { idTo: room })
  await receive(few, 20, 100, { series: 'A1', expiry: world.day(-1) })
  await receive(many, 1, 100, { idTo: away })
  const issue = await world.make({ kind: 'issue', idFrom: main }, [{ idProduct: sold, qty: 4 }])
  good(await keeper.post(`/warehouse/documents/${issue}/post`, {}))

  const prices = await visit('/prices')
  expect(row(prices, 'Тонометр')).toEqual(['Тонометр', '500,00 ₽ В наличии', '500,00 ₽ Осталось 1'])
  expect(row(prices, 'Глюкометр')).toEqual(['Глюкометр', '500,00 ₽ Осталось 3', '500,00 ₽ Нет в наличии'])
  expect(row(prices, 'Термометр')).toEqual(['Термометр', '500,00 ₽ Нет в наличии', '500,00 ₽ Нет в наличии'])
  expect(row(prices, 'Бандаж')).toEqual(['Бандаж', '500,00 ₽', '500,00 ₽'])
  expect(row(prices, 'Небулайзер')).toEqual(['Небулайзер', 'Цену уточняйте Осталось 2', 'Цену уточняйте Нет в наличии'])
  for (const name of ['Перчатки', 'Трамадол']) expect(prices).not.toContain(name)
  // The exact stock stays on the server.
  const page = await visit(`/goods/${many}`)
  const card = page.slice(page.indexOf('<main'))
  expect(card).toMatch(/<dt>Центр<\/dt><dd>500,00\s₽, в наличии<\/dd>/)
  expect(page).toContain('schema.org/InStock')
  expect(card).not.toMatch(/\b4[01]\b/)
  const list = await visit('/goods')
  expect(list).toContain('Есть в 1 филиале из 2')
  expect(list).toContain('Есть во всех филиалах')
  expect(await visit('/sitemap.xml')).toContain(`/goods/${few}`)
  expect(await visit('/search?q=Глюко')).toContain(`/goods/${few}`)

  // Goods cannot be booked.
  for (const path of ['/services', '/book']) expect(await visit(path)).not.toContain('Тонометр')
  expect(card).not.toMatch(/\/book\/|portal#book/)
  for (const path of [`/services/${many}`, `/book/${many}`, `/goods/${inner}`, `/goods/${controlled}`])
    expect([path, (await world.clinic.anonymous.get(`/site${path}`)).status]).toEqual([path, 404])
  const times = await world.clinic.anonymous.get(`/portal/booking/times?service=${many}`)
  expect(times.status).toBe(404)

  // The branch sells from the warehouse of the settings.
  good(await boss.put('/settings/common', { defaultWarehouses: { [idFilial]: room } }))
  good(await keeper.put(`/services/${sold}`, { priceService: 550 }))
  await vi.waitFor(
    async () =>
      expect(row(await visit('/prices'), 'Термометр')).toEqual([
        'Термометр',
        '550,00 ₽ В наличии',
        '550,00 ₽ Нет в наличии',
      ]),
    { timeout: 30_000, interval: 100 },
  )
  expect(unkept).toBeGreaterThan(0)
})
