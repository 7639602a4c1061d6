import { type PriceFacts, type PriceList, priceOf } from '@ordinator/model/areas/catalogue/price'
import type { Row } from '@ordinator/model/entity'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  clinic,
  idKeeper,
  keeper,
  make,
  openCatalogueClinic,
  type Period,
  seller,
  service,
} from './testing/catalogueClinic.ts'

openCatalogueClinic()

const today = dayIn('Europe/Moscow', Date.now())

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
    const answers = await Promise.all(
      [1, 2, 3, 4].map((price) =>
        keeper.post('/service-prices', { ...body, price, dateFrom: '2026-02-01', dateTo: null }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toEqual([
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
            const prices = good(
              await seller.get(`/services/${id}/price-of-day?${new URLSearchParams(query as [string, string][])}`),
            )
            expect(prices).toEqual(
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
