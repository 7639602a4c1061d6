import { type PriceFacts, type PriceList, priceOf } from '@ordinator/model/areas/catalogue/price'
import type { Row } from '@ordinator/model/entity'
import { permissionNames } from '@ordinator/model/permissions'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

interface Period {
  price: number
  dateFrom: string
  dateTo: string | null
}

let clinic: Clinic
let keeper: Caller
let seller: Caller
let idKeeper: number
let idDoctor: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idKeeper = (await addPerson(app, 'keeper', ['editServices'], { surname: 'Хранительница' })).id
      idDoctor = (await addPerson(app, 'doctor', ['viewServices'], { surname: 'Врачёва' })).id
      await addPerson(app, 'seller', ['viewSalesManagement'])
      await addPerson(app, 'chief', permissionNames)
    },
  })
  keeper = clinic.as('keeper')
  seller = clinic.as('seller')
})
afterAll(() => clinic.close())

const make = async (path: string, body: object) => good(await keeper.post(`/${path}`, body), 201)
const service = (body: object = {}) => make('services', { nameService: 'Приём', priceService: 1000, ...body })
const today = dayIn('Europe/Moscow', Date.now())

describe('a service', () => {
  it('shows its author and editor, and zero stock for a product never received', async () => {
    const made = await service({ nameService: 'Бандаж', serviceCategory: 1 })
    expect(made).toMatchObject({
      userCreate: idKeeper,
      userChange: idKeeper,
      remains: 0,
      stock: false,
      saldo: {},
      paymentSubject: 1,
    })
    expect(await service()).toMatchObject({ remains: null, stock: null, saldo: null, paymentSubject: 4 })
    await addPerson(clinic.context, 'second', ['editServices'])
    const changed = good(await clinic.as('second').put(`/services/${made.id}`, { unit: 'шт.' }))
    expect(changed.userCreate).toBe(idKeeper)
    expect(changed.userChange).not.toBe(idKeeper)
  })

  it.each([
    [{ saldo: { Центр: 5 } }, 'saldo'],
    [{ medicalCode: 'Z99' }, 'medicalCode'],
    [{ gtin: '04607026450313' }, 'gtin'],
    [{ serviceCategory: 2 }, 'serviceCategory'],
    [{ vatCode: '20' }, 'vatCode'],
    [{ ageFrom: 18, ageTo: 3 }, 'ageTo'],
    [{ priceService: -1 }, 'priceService'],
    [{ userChange: 1 }, 'userChange'],
  ])('is refused with %j', async (body, field) => {
    const answer = await keeper.post('/services', { nameService: 'Приём', ...body })
    expect([answer.status, answer.body[0].field]).toEqual([422, field])
  })

  it('is found by its names and codes, within the rights', async () => {
    const { id } = await service({
      nameService: 'Колоноскопия под седацией',
      code: 'A03.777',
      medicalCode: 'A03.18.001',
    })
    const found = async (who: Caller, q: string) =>
      good(await who.get(`/search?q=${encodeURIComponent(q)}`)).groups.find(
        (g: { path: string }) => g.path === 'services',
      )?.items ?? []
    for (const q of ['седацией', 'A03.777', 'a03.18.001'])
      expect((await found(seller, q))[0]).toMatchObject({ id, link: `/service/view?id=${id}` })
    await addPerson(clinic.context, 'nobody')
    expect(await found(clinic.as('nobody'), 'седацией')).toEqual([])
  })

  it('has ordered pictures', async () => {
    const { id } = await service()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const upload = async () => {
      const form = new FormData()
      form.append('file', new File([png], 'снимок.png'))
      return good(await keeper.post('/service-files', form), 201).id
    }
    const one = await make('service-images', { idService: id, idFile: await upload() })
    const two = await make('service-images', { idService: id, idFile: await upload() })
    good(await keeper.post(`/service-images/${two.id}/move`, { before: one.id }))
    const { images } = good(await seller.get(`/services/${id}?expand=images`))
    expect(images.map((image: { id: number }) => image.id)).toEqual([two.id, one.id])
    expect((await seller.get(images[0].image)).status).toBe(200)
    expect((await seller.post(`/service-images/${two.id}/move`, { after: one.id })).status).toBe(403)
  })
})

describe('materials of a service', () => {
  it('are products, each once with a quantity, and a replacement is another product', async () => {
    const { id: idService } = await service({ nameService: 'Перевязка' })
    const product = (nameService: string) => service({ nameService, serviceCategory: 1, unit: 'шт.' })
    const [bandage, plaster, glue] = [await product('Бинт'), await product('Пластырь'), await product('Клей')]
    const body = { idService, idProduct: bandage.id, qty: 2.5, replacement: [plaster.id] }
    const made = await make('service-consumables', body)
    expect(made).toMatchObject({ qty: 2.5, unit: null, optional: false, replacement: [plaster.id] })
    const refused = async (answer: Awaited<ReturnType<Caller['post']>>) => {
      expect(answer.status).toBe(422)
      return answer.body
    }
    const add = (more: object) => keeper.post('/service-consumables', { ...body, idProduct: plaster.id, ...more })
    expect(await refused(await keeper.post('/service-consumables', body))).toMatchObject([{ field: 'idProduct' }])
    expect(await refused(await add({ idProduct: idService }))).toEqual([
      { field: 'idProduct', message: 'Выберите товар, а не услугу' },
    ])
    expect(await refused(await add({}))).toEqual([{ field: 'replacement', message: 'Материал не заменяет сам себя' }])
    expect(await refused(await add({ replacement: [idService] }))).toEqual([
      { field: 'replacement', message: 'Заменить можно только товаром' },
    ])
    for (const qty of [0, -1, 0.0001]) expect(await refused(await add({ qty }))).toMatchObject([{ field: 'qty' }])
    const change = (more: object) => keeper.put(`/service-consumables/${made.id}`, more)
    expect(await refused(await change({ replacement: [bandage.id] }))).toMatchObject([{ field: 'replacement' }])
    expect(good(await change({ replacement: [glue.id, plaster.id], optional: true }))).toMatchObject({
      replacement: [glue.id, plaster.id],
    })
    const { consumables } = good(await seller.get(`/services/${idService}?expand=consumables.product`))
    expect(consumables).toMatchObject([{ qty: 2.5, product: { nameService: 'Бинт' } }])
    expect((await seller.put(`/service-consumables/${made.id}`, { qty: 1 })).status).toBe(403)
    expect((await seller.delete(`/service-consumables/${made.id}`)).status).toBe(403)
    expect(
      good(await seller.get(`/services/${idService}/history?parts=1`)).items.length,
      'what is done to a part stands in the history of its service',
    ).toBeGreaterThan(0)
  })
})

describe('prices', () => {
  it('do not overlap, also under concurrent writes, and the error names the conflicting one', async () => {
    const { id } = await service()
    const { id: idPriceList } = await make('price-lists', { name: 'ДМС', kind: 'dms' })
    const body = { idService: id, idPriceList, price: 900, dateFrom: '2026-01-01', dateTo: '2026-01-31' }
    await make('service-prices', body)
    const across = await keeper.post('/service-prices', { ...body, dateFrom: '2026-01-31', dateTo: null })
    expect([across.status, across.body]).toEqual([
      422,
      [{ field: 'dateFrom', message: 'На эти дни уже есть запись: с 01.01.2026 по 31.01.2026' }],
    ])
    const backwards = await keeper.post('/service-prices', { ...body, dateFrom: '2026-03-02', dateTo: '2026-03-01' })
    expect(backwards.body).toEqual([{ field: 'dateTo', message: 'Раньше, чем начало' }])
    const twins = await Promise.all(
      [1, 2, 3, 4].map((price) =>
        keeper.post('/service-prices', { ...body, price, dateFrom: '2026-02-01', dateTo: null }),
      ),
    )
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    expect(twins.find(({ status }) => status === 422)?.body).toEqual([
      { field: 'dateFrom', message: 'На эти дни уже есть запись: с 01.02.2026' },
    ])
  })

  it('hide the cost price from sales staff', async () => {
    const { id } = await service()
    const { id: idPriceList } = await make('price-lists', { name: 'Сотрудникам', kind: 'staff' })
    const made = await make('service-prices', {
      idService: id,
      idPriceList,
      price: 5,
      cost: 3,
      dateFrom: '2026-01-01',
    })
    expect(made.cost).toBe(3)
    expect(good(await seller.get(`/service-prices/${made.id}`))).not.toHaveProperty('cost')
    expect((await seller.get('/service-prices?filter[cost]=3')).status).toBe(400)
  })

  it('are replaced from a day on, and a later one stays', async () => {
    const { id } = await service()
    const { id: idPriceList } = await make('price-lists', { name: 'Акция', kind: 'promo' })
    const from = (dateFrom: string, price: number, more: object = {}) =>
      keeper.post(`/services/${id}/new-price`, { idPriceList, price, dateFrom, ...more })
    good(await from('2026-01-01', 100), 201)
    good(await from('2026-09-01', 300), 201)
    good(await from('2026-05-01', 200), 201)
    const asked = await from('2026-05-01', 250)
    expect([asked.status, asked.body.code]).toEqual([409, 'asks'])
    expect(asked.body.message).toContain('уже есть цена 200')
    good(await from('2026-05-01', 250, { replace: true }), 201)
    good(await from('2025-12-01', 50), 201)
    const { items } = good(await keeper.get(`/service-prices?filter[idService]=${id}&sort=dateFrom`))
    expect(items.map((p: Period) => [p.price, p.dateFrom, p.dateTo])).toEqual([
      [50, '2025-12-01', '2025-12-31'],
      [100, '2026-01-01', '2026-04-30'],
      [250, '2026-05-01', '2026-08-31'],
      [300, '2026-09-01', null],
    ])
    const wrong = await from('2026-05-02', -5)
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'price'])
  })

  it('have one list in force for the same people', async () => {
    const chief = clinic.as('chief')
    const filial = good(await chief.post('/filials', { nameFilial: 'Северный' }), 201)
    const organization = (shortName: string) => chief.post('/organizations', { shortName, kind: 'insurer' })
    const insurer = good(await organization('Страховая'), 201)
    const other = good(await organization('Другая'), 201)
    const programme = good(
      await chief.post('/organizations/programmes', { idOrganization: insurer.id, name: 'Полная' }),
      201,
    )
    const made: number[] = []
    for (const [body, field, message] of [
      [{}, 'kind', 'Действующий основной прайс-лист уже есть: «Первый»'],
      [{ idFilial: filial.id }, 'idFilial', 'Действующий прайс-лист этого филиала уже есть: «Первый»'],
      [
        { kind: 'dms', idOrganization: insurer.id },
        'idOrganization',
        'Действующий прайс-лист этой организации уже есть: «Первый»',
      ],
      [
        { kind: 'dms', idProgramme: programme.id },
        'idProgramme',
        'Действующий прайс-лист этой программы уже есть: «Первый»',
      ],
    ] as const) {
      const first = await make('price-lists', { name: 'Первый', ...body })
      const second = await keeper.post('/price-lists', { name: 'Второй', ...body })
      expect([second.status, second.body]).toEqual([422, [{ field, message }]])
      const passive = await make('price-lists', { name: 'Второй', active: false, ...body })
      expect((await keeper.put(`/price-lists/${passive.id}`, { active: true })).body[0].field).toBe(field)
      good(await keeper.put(`/price-lists/${first.id}`, { name: 'Он же' }))
      made.push(first.id)
    }
    expect(good(await keeper.get(`/price-lists/${made[3]}`)).idOrganization).toBe(insurer.id)
    const alien = { name: 'Чужая', kind: 'dms', idOrganization: other.id, idProgramme: programme.id }
    expect((await keeper.post('/price-lists', alien)).body).toEqual([
      { field: 'idProgramme', message: 'Это программа другой организации' },
    ])
    for (const id of made) good(await keeper.delete(`/price-lists/${id}?sure=1`), 204)
  })

  it('are shown by the service and used by an offer as of today', async () => {
    const main = await make('price-lists', { name: 'Основной' })
    const { id } = await service({ priceService: 1000 })
    const price = async (asked = '') => good(await seller.get(`/services/${id}/price-of-day${asked}`))
    expect(await price()).toEqual({ price: 1000, source: 'service', idPriceList: null })
    await make('service-prices', {
      idService: id,
      idPriceList: main.id,
      price: 1200,
      dateFrom: '2026-01-01',
      dateTo: today,
    })
    expect(await price()).toEqual({ price: 1200, source: 'main', idPriceList: main.id })
    expect((await seller.get(`/services/${id}/price-of-day?date=2026-02-31`)).status).toBe(400)
    expect(good(await seller.get(`/services/${id}?fields=currentPrice`)).currentPrice).toBe(1200)
    const chief = clinic.as('chief')
    const sold = async (path: string, body: object) => good(await chief.post(`/sales-management/${path}`, body), 201)
    const { id: idFunnel } = await sold('funnels', { name: 'Первичные' })
    const { id: idStage } = await sold('stages', { name: 'Новая', idFunnel })
    const { id: idLead } = await sold('leads', { title: 'Курс', idStage })
    const { id: idOffer } = await sold('offers', { name: 'Курс', idLead })
    expect((await sold('offer-services', { idOffer, idService: id })).price).toBe(1200)
    good(await keeper.delete(`/price-lists/${main.id}?sure=1`), 204)
    expect(await price()).toMatchObject({ price: 1000, source: 'service' })
  })

  it("are chosen by the server by the model's rule", async () => {
    const chief = clinic.as('chief')
    const filials: number[] = []
    const programmes: { id: number; idOrganization: number }[] = []
    for (const n of [1, 2]) {
      filials.push(good(await chief.post('/filials', { nameFilial: `Филиал ${n}` }), 201).id)
      const { id } = good(await chief.post('/organizations', { shortName: `Компания ${n}`, kind: 'insurer' }), 201)
      programmes.push(good(await chief.post('/organizations/programmes', { idOrganization: id, name: `П${n}` }), 201))
    }
    const lists: Row<typeof PriceList>[] = []
    for (const idFilial of [null, ...filials])
      for (const whose of [
        {},
        { idOrganization: programmes[0]?.idOrganization },
        { idProgramme: programmes[0]?.id },
        { idProgramme: programmes[1]?.id },
      ])
        lists.push(await make('price-lists', { name: 'Лист', idFilial, ...whose }))
    for (const body of [
      { kind: 'promo' },
      { kind: 'dms', active: false, idOrganization: programmes[1]?.idOrganization },
    ])
      lists.push(await make('price-lists', { name: 'Лист', ...body }))
    const days = ['2026-01-01', '2026-02-01', '2026-03-01']
    const somewhere = fc.option(fc.constantFrom(...filials), { nil: null })
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.nat(500), { nil: null }),
        fc.uniqueArray(fc.record({ list: fc.nat(lists.length - 1), from: fc.nat(2), to: fc.nat(3) }), {
          selector: ({ list }) => list,
          minLength: 8,
          maxLength: 12,
        }),
        fc.array(
          fc.record({ idFilial: somewhere, programme: fc.option(fc.nat(1)), alone: fc.boolean(), day: fc.nat(2) }),
          {
            minLength: 6,
            maxLength: 8,
          },
        ),
        async (priceService, given, asked) => {
          const { id } = await service({ priceService })
          const kept: PriceFacts[] = []
          for (const [at, { list, from, to }] of given.entries())
            kept.push(
              await make('service-prices', {
                idService: id,
                idPriceList: lists[list]?.id,
                price: 1000 + at,
                dateFrom: days[from],
                dateTo: to < from || to > 2 ? null : days[to],
              }),
            )
          for (const { idFilial, programme, alone, day } of asked) {
            const of = programme === null ? undefined : programmes[programme]
            const customer = of && (alone ? { idOrganization: of.idOrganization } : { idProgramme: of.id })
            const query = Object.entries({ date: days[day], idFilial, ...customer }).filter(([, one]) => one !== null)
            const told = good(
              await seller.get(`/services/${id}/price-of-day?${new URLSearchParams(query as [string, string][])}`),
            )
            expect(told).toEqual(
              priceOf(priceService, kept, lists, {
                date: days[day] as string,
                idFilial,
                idOrganization: of?.idOrganization ?? null,
                idProgramme: alone ? null : (of?.id ?? null),
              }),
            )
          }
        },
      ),
      { numRuns: runs(10, 300) },
    )
    for (const { id } of lists) good(await keeper.delete(`/price-lists/${id}?sure=1`), 204)
  })
})

describe('a bulk change of prices', () => {
  const change = (body: object, to = 'apply') => keeper.post(`/price-changes/${to}`, body)
  const priceOf = async (id: number) => good(await keeper.get(`/services/${id}`)).priceService

  it('is previewed, rounded, written with history, and undone to the kopeck', async () => {
    const top = await make('services-groups', { nameServiceGroup: 'Приёмы' })
    const sub = await make('services-groups', { nameServiceGroup: 'Повторные', idParentGroup: top.id })
    const one = await service({ nameService: 'А', priceService: 1234.56, idGroup: top.id })
    const two = await service({ nameService: 'Б', priceService: 1000, idGroup: sub.id })
    const none = await service({ nameService: 'В', priceService: null, idGroup: sub.id })
    const other = await service({ priceService: 77 })
    const wish = { idGroup: top.id, unit: 'percent', amount: 7, rounding: 50 }
    const seen = good(await change(wish, 'preview'))
    expect(seen).toMatchObject({
      rows: [
        { idService: one.id, name: 'А', before: 1234.56, after: 1300 },
        { idService: two.id, name: 'Б', before: 1000, after: 1050 },
      ],
      without: 1,
      same: 0,
    })
    expect(await priceOf(one.id)).toBe(1234.56)
    good(await keeper.put(`/services/${two.id}`, { priceService: 1100 }))
    const stale = await change({ ...wish, seen: seen.seen })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect(await priceOf(one.id)).toBe(1234.56)

    const done = good(await change(wish), 201)
    expect(done).toMatchObject({ total: 2, idUser: idKeeper, dateUndone: null })
    expect([await priceOf(one.id), await priceOf(two.id), await priceOf(other.id)]).toEqual([1300, 1200, 77])
    expect(await priceOf(none.id)).toBeNull()
    const history = good(await keeper.get(`/services/${one.id}/history`)).items
    expect(history[0]).toMatchObject({ idUser: idKeeper, changes: { priceService: [1234.56, 1300] } })

    good(await keeper.put(`/services/${two.id}`, { priceService: 5 }))
    expect((await seller.post(`/price-changes/${done.id}/undo`)).status).toBe(403)
    expect(good(await keeper.post(`/price-changes/${done.id}/undo`))).toEqual({ restored: 1, kept: 1 })
    expect([await priceOf(one.id), await priceOf(two.id)]).toEqual([1234.56, 5])
    expect((await keeper.post(`/price-changes/${done.id}/undo`)).status).toBe(409)
  })

  it('begins a new period in a price list, and its undo restores the lists', async () => {
    const { id: idPriceList } = await make('price-lists', { name: 'ОМС', kind: 'oms' })
    const one = await service()
    const two = await service()
    const at = (idService: number, price: number, dateFrom: string, dateTo: string | null = null) =>
      make('service-prices', { idService, idPriceList, price, cost: 10, dateFrom, dateTo })
    await at(one.id, 100, '2026-01-01', '2026-12-31')
    await at(one.id, 150, '2027-01-01')
    await at(two.id, 200, '2026-06-01')
    const list = async () =>
      good(await keeper.get(`/service-prices?filter[idPriceList]=${idPriceList}&sort=idService,dateFrom`)).items.map(
        (p: Period & { idService: number; cost: number }) => [p.idService, p.price, p.cost, p.dateFrom, p.dateTo],
      )
    const before = await list()
    const wish = { ids: [one.id, two.id], idPriceList, dateFrom: '2026-06-01', unit: 'rubles', amount: -1.5 }
    const done = good(await change(wish), 201)
    expect(await list()).toEqual([
      [one.id, 100, 10, '2026-01-01', '2026-05-31'],
      [one.id, 98.5, 10, '2026-06-01', '2026-12-31'],
      [one.id, 150, 10, '2027-01-01', null],
      [two.id, 198.5, 10, '2026-06-01', null],
    ])
    expect(good(await keeper.post(`/price-changes/${done.id}/undo`))).toEqual({ restored: 2, kept: 0 })
    expect(await list()).toEqual(before)
  })

  it('can be undone for a day', async () => {
    const { id } = await service({ priceService: 10 })
    const done = good(await change({ ids: [id], unit: 'rubles', amount: 5 }), 201)
    await clinic.db.query({
      text: `update price_changes set "dateCreate" = now() - interval '25 hours' where "id" = ${done.id}`,
    })
    const late = await keeper.post(`/price-changes/${done.id}/undo`)
    expect([late.status, late.body.message]).toEqual([409, 'Отменить изменение можно только в течение 24 часов'])
  })

  it('reports errors of the request', async () => {
    const { id } = await service({ nameService: 'Дешёвая', priceService: 40 })
    const { id: idPriceList } = await make('price-lists', { name: 'Для правки', kind: 'promo' })
    const wish = { ids: [id], unit: 'rubles', amount: 10 }
    // A price that rounding would reduce to zero is rounded to the kopeck.
    expect(good(await change({ ...wish, amount: 5.5, rounding: 100 }, 'preview')).rows).toMatchObject([
      { before: 40, after: 45.5 },
    ])
    for (const [body, field] of [
      [{ amount: -40 }, 'amount'],
      [{ amount: 0 }, 'amount'],
      [{ amount: 0.001 }, 'amount'],
      [{ rounding: 7 }, 'rounding'],
      [{ idPriceList }, 'dateFrom'],
      [{ dateFrom: today }, 'dateFrom'],
      [{ ids: [] }, 'ids'],
    ] as const) {
      const answer = await change({ ...wish, ...body })
      expect([answer.status, answer.body[0]?.field], JSON.stringify(body)).toEqual([422, field])
    }
    expect((await change({ ...wish, idPriceList: 99_999_999, dateFrom: today })).status).toBe(404)
    expect((await seller.post('/price-changes/preview', wish)).status).toBe(403)
    expect(await priceOf(id)).toBe(40)
  })
})

describe('services made twice', () => {
  it('are found under any spelling, joined with what hangs on them, and parted again', async () => {
    const one = await service({ nameService: 'Приём невролога (осмотр, консультация)', priceService: null })
    const two = await service({ nameService: 'B01.023.001 ПРИЕМ НЕВРОЛОГА', priceService: 1700, code: 'Н-1' })
    await make('service-performers', { idService: one.id, idUser: idDoctor })
    await make('service-durations', { idService: two.id, minutes: 25 })
    const found = async () =>
      good(await keeper.get('/services/doubles')).groups.filter(({ services }: { services: { id: number }[] }) =>
        services.some(({ id }) => id === one.id),
      )
    expect(await found()).toMatchObject([
      {
        services: [
          { id: one.id, performers: 1 },
          { id: two.id, price: 1700 },
        ],
      },
    ])
    expect((await seller.get('/services/doubles')).status).toBe(403)
    const joined = good(await keeper.post(`/services/${one.id}/join`, { idMerged: two.id }))
    expect(good(await keeper.get(`/services/${one.id}`))).toMatchObject({
      priceService: 1700,
      code: 'Н-1',
      minutes: 25,
    })
    expect((await keeper.get(`/services/${two.id}`)).status).toBe(404)
    expect(await found()).toEqual([])
    good(await keeper.post(`/services/joins/${joined.id}/undo`))
    expect(good(await keeper.get(`/services/${one.id}`))).toMatchObject({
      priceService: null,
      code: null,
      minutes: null,
    })
    expect(good(await keeper.get(`/services/${two.id}`))).toMatchObject({
      priceService: 1700,
      code: 'Н-1',
      minutes: 25,
    })
    expect((await keeper.post(`/services/joins/${joined.id}/undo`)).status).toBe(409)
  })
})

describe('an import of services', () => {
  const head = 'Название;Код;Группа;Вид;Цена;Код 804н;Категория;Действует'
  const take = () => importFiles(clinic, 'services')
  const byCode = async (code: string) =>
    good(await keeper.get(`/services?filter[code]=${code}&expand=group,type`)).items

  it('creates services with their groups, reports duplicates by code, and can be undone', async () => {
    const file = csv(
      head,
      'Приём ортодонта;IMP.1;Стоматология взрослых / Ортодонтия;Приём ортодонта;2 500,50;B01.063.001;Услуга;да',
      'Брекеты;IMP.2;Стоматология взрослых / Ортодонтия;;48000;;Товар;нет',
      'Тот же код;imp.1;;;1;;;',
    )
    const seen = good(await take().preview(keeper, file))
    expect(seen.errors.map(({ row, field }) => [row, field])).toEqual([
      [1, 'Группа'],
      [1, 'Вид'],
      [2, 'Группа'],
    ])
    const run = await take().take(keeper, file, { createGroups: true })
    expect(run).toMatchObject({ state: 'done', created: 2, failed: 0 })
    const [one] = await byCode('IMP.1')
    expect(one).toMatchObject({
      nameService: 'Приём ортодонта',
      priceService: 2500.5,
      medicalCode: 'B01.063.001',
      group: { nameServiceGroup: 'Ортодонтия' },
      type: { nameServiceType: 'Приём ортодонта' },
      userCreate: idKeeper,
    })
    expect((await byCode('IMP.2'))[0]).toMatchObject({ serviceCategory: 1, active: false, paymentSubject: 1 })
    const { body } = await keeper.get(`/imports/${run.id}/errors`)
    expect(body.items).toEqual([
      {
        row: 3,
        field: 'Код',
        message: 'Код уже есть у «Приём ортодонта»: строка пропускается',
        note: true,
        kept: false,
      },
    ])
    await take().revert(keeper, run)
    expect(await byCode('IMP.1')).toEqual([])
    expect(good(await keeper.get('/services-groups?filter[nameServiceGroup]=Ортодонтия')).items).toEqual([])
  })

  it('imports its own export, and updates existing services by code', async () => {
    await service({ nameService: 'Массаж', code: 'EXP.1', priceService: 900, description: '<p>Спина</p>' })
    const query = 'filter[code]=EXP.1&fields=nameService,code,priceService,active'
    const file = (await keeper.get(`/services/export?format=xlsx&${query}`)).bytes
    expect(good(await take().preview(keeper, file, { update: true }, 'услуги.xlsx')).errors).toMatchObject([
      { field: 'Код', message: 'Код уже есть у «Массаж»: она изменится', note: true },
    ])
    await take().take(keeper, csv('Код;Цена;Название', 'EXP.1;1 050;'), { update: true })
    expect(await byCode('EXP.1')).toMatchObject([
      { nameService: 'Массаж', priceService: 1050, description: '<p>Спина</p>', active: true },
    ])
  })

  it('writes prices into the main list from today on', async () => {
    const file = csv('Название;Код;Цена', 'Йога;LIST.1;700')
    const refused = await take().preview(keeper, file, { toMainList: true })
    expect([refused.status, refused.body]).toMatchObject([422, [{ field: 'params.toMainList' }]])
    const main = await make('price-lists', { name: 'Основной' })
    const { id } = await service({ nameService: 'Йога', code: 'LIST.1', priceService: 500 })
    await make('service-prices', { idService: id, idPriceList: main.id, price: 600, dateFrom: '2026-01-01' })
    await take().take(keeper, file, { toMainList: true, update: true })
    expect(good(await keeper.get(`/services/${id}?fields=priceService,currentPrice`))).toMatchObject({
      priceService: 500,
      currentPrice: 700,
    })
    const { items } = good(await keeper.get(`/service-prices?filter[idService]=${id}&sort=dateFrom`))
    expect(items.map(({ price }: Period) => price)).toEqual([600, 700])
    const asked = await keeper.delete(`/price-lists/${main.id}`)
    expect([asked.status, asked.body.code]).toEqual([409, 'asks'])
    good(await keeper.delete(`/price-lists/${main.id}?sure=1`), 204)
  })

  it('recognises a price by any usual header, and a text file named XLSX', async () => {
    const seen = good(await take().preview(keeper, csv('Услуга;Стоимость, руб;Прочее', 'Баня;900;нет')))
    expect(seen.mapping).toEqual({ Название: 0, Цена: 1 })
    expect(seen.head.map(({ name }: { name: string }) => name)).toEqual(['Услуга', 'Стоимость, руб', 'Прочее'])
    const text = await take().preview(keeper, csv('Услуга;Цена', 'Баня;900'), {}, 'прайс.xlsx')
    expect([text.status, (text.body as unknown as { message: string }[])[0]?.message]).toEqual([
      422,
      expect.stringContaining('Это не XLSX'),
    ])
  })

  it('reports the errors of each row', async () => {
    const file = csv(
      head,
      ';;;;;;;',
      'Цена словом;;;;дорого;;;',
      'Код не тот;;;;;Z1;;',
      'Категории нет;;;;;;Набор;',
      'Действует неясно;;;;;;;может быть',
      'Цена ниже нуля;;;;-5;;;',
    )
    const { errors } = good(await take().preview(keeper, file))
    expect(errors.map(({ field }) => field)).toEqual(['Цена', 'Код 804н', 'Категория', 'Действует', 'Цена'])
    expect((await take().preview(seller, file)).status).toBe(403)
  })
})

describe('performers of a service, and its length', () => {
  it('are set once per doctor and kind of visit', async () => {
    const { id } = await service()
    const performer = await make('service-performers', { idService: id, idUser: idDoctor, commission: 30 })
    expect((await keeper.post('/service-performers', { idService: id, idUser: idDoctor })).status).toBe(422)
    expect(good(await seller.get(`/service-performers/${performer.id}`))).not.toHaveProperty('commission')
    await make('service-durations', { idService: id, minutes: 30 })
    expect((await keeper.post('/service-durations', { idService: id, minutes: 40 })).status).toBe(422)
    await make('service-durations', { idService: id, idUser: idDoctor, minutes: 20 })
    expect(good(await seller.get(`/services/${id}?fields=minutes,performersCount`))).toMatchObject({
      minutes: 30,
      performersCount: 1,
    })
    const without = async () =>
      good(await seller.get(`/services?filter[id]=${id}&filter[performersCount]=0`)).items.length
    expect(await without()).toBe(0)
    good(await keeper.put(`/service-performers/${performer.id}`, { allowed: false }))
    expect(await without()).toBe(1)
    expect((await keeper.post('/service-durations', { idService: id, minutes: 0 })).body[0].field).toBe('minutes')
  })
})
