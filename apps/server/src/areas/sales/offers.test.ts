import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let seller: Caller
let reader: Caller
let idLead: number
let idReason: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(
        app,
        'seller',
        [
          ...(['editSalesManagement', 'editFunnels', 'editServices', 'mainSettings'] as const),
          ...(['viewDiscounts', 'editDiscounts'] as const),
        ],
        {
          surname: 'Продавцова',
        },
      )
      await addPerson(app, 'reader', ['viewSalesManagement'])
      await addPerson(app, 'nobody')
    },
  })
  seller = clinic.as('seller')
  reader = clinic.as('reader')
  const { stages } = await deals(seller).funnel()
  idLead = (await deals(seller).deal(stages[0], { title: 'Лечение спины' })).id
  idReason = (await deals(seller).make('offer-service-reason', { name: 'Дорого' })).id
})
afterAll(() => clinic.close())

const service = async (body: object = {}) =>
  good(await seller.post('/services', { nameService: 'Приём', priceService: 1500.5, ...body }), 201)
const offer = async (body: object = {}) => deals(seller).make('offers', { idLead, name: 'Курс', ...body })
const line = (idOffer: number, idService: number, body: object = {}) =>
  seller.post(`${S}/offer-services`, { idOffer, idService, ...body })
const offerOf = async (id: number) => good(await seller.get(`${S}/offers/${id}?expand=services`))

describe('the sum of a deal', () => {
  it('follows the accepted lines of its offers until it is set, and again when it is cleared', async () => {
    const { stages } = await deals(seller).funnel()
    const deal = await deals(seller).deal(stages[0], { price: undefined })
    const sums = async () => {
      const { price, isPriceByHand, totalAccepted } = good(await seller.get(`${S}/leads/${deal.id}`))
      return [price, isPriceByHand, totalAccepted]
    }
    const { id } = await offer({ idLead: deal.id })
    const visit = await service({ priceService: 1000 })
    const first = good(await line(id, visit.id), 201)
    const second = good(await line(id, visit.id, { discount: 100 }), 201)
    expect(await sums()).toEqual([null, false, 0])
    good(await seller.put(`${S}/offer-services/${first.id}`, { idStatus: 1 }))
    good(await seller.put(`${S}/offer-services/${second.id}`, { idStatus: 1 }))
    expect(await sums()).toEqual([1900, false, 1900])
    good(await seller.put(`${S}/leads/${deal.id}`, { price: 1500 }))
    good(await seller.put(`${S}/offer-services/${second.id}`, { idStatus: 4 }))
    expect(await sums()).toEqual([1500, true, 1000])
    good(await seller.put(`${S}/leads/${deal.id}`, { price: null }))
    expect(await sums()).toEqual([1000, false, 1000])
    await seller.delete(`${S}/offers/${id}`)
    expect(await sums()).toEqual([null, false, 0])
  })
})

describe('a line of an offer', () => {
  it('gets the price of its service and keeps it', async () => {
    const { id } = await offer()
    const visit = await service()
    const made = good(await line(id, visit.id, { quantity: 2 }), 201)
    expect(made).toMatchObject({ price: 1500.5, total: 3001, idStatus: 4 })
    good(await seller.put(`/services/${visit.id}`, { priceService: 9999 }))
    expect((await offerOf(id)).services[0]).toMatchObject({ price: 1500.5, total: 3001 })
    expect(good(await line(id, visit.id, { price: 10 }), 201).price).toBe(10)
  })

  it('has no discount above its sum, on create and on change', async () => {
    const { id } = await offer()
    const visit = await service({ priceService: 100.1 })
    const above = await line(id, visit.id, { quantity: 3, discount: 300.31 })
    expect([above.status, above.body]).toEqual([
      422,
      [{ field: 'discount', message: 'Скидка больше стоимости строки' }],
    ])
    const made = good(await line(id, visit.id, { quantity: 3, discount: 300.3 }), 201)
    expect(made.total).toBe(0)
    expect((await seller.put(`${S}/offer-services/${made.id}`, { quantity: 2 })).status).toBe(422)
    expect((await line(id, visit.id, { discount: -1 })).status).toBe(422)
  })

  it('requires a reason for some statuses, and loses it with the status', async () => {
    const { id } = await offer()
    const visit = await service()
    const made = good(await line(id, visit.id), 201)
    const put = (body: object) => seller.put(`${S}/offer-services/${made.id}`, body)
    for (const idStatus of [2, 3]) {
      const silent = await put({ idStatus })
      expect([silent.status, silent.body]).toEqual([422, [{ field: 'idReason', message: 'Укажите причину' }]])
    }
    expect((await line(id, visit.id, { idStatus: 2 })).body[0].field).toBe('idReason')
    expect(good(await put({ idStatus: 2, idReason })).idReason).toBe(idReason)
    expect((await put({ idReason: null })).status).toBe(422)
    expect(good(await put({ idStatus: 1 })).idReason).toBeNull()
    expect((await put({ idStatus: 99 })).status).toBe(422)
  })

  it("is recorded in the deal's log: the service, the changed fields, the old and new values", async () => {
    const { id } = await offer()
    const visit = await service({ nameService: 'УЗИ щитовидной железы', priceService: 1000 })
    const made = good(await line(id, visit.id), 201)
    good(await seller.put(`${S}/offer-services/${made.id}`, { idStatus: 1, discount: 100 }))
    const { items } = good(await seller.get(`${S}/leads/${idLead}/logs`))
    const entries = items.map((one: { methodAlias: string }) => one.methodAlias.replace(/\s/g, ' '))
    expect(entries).toContain('Добавлена услуга: УЗИ щитовидной железы')
    expect(entries).toContain(
      'Изменена услуга: УЗИ щитовидной железы (Скидка: 0,00 ₽ → 100,00 ₽; Статус: В работе → Принята)',
    )
  })

  it('cannot have a service that is no longer given', async () => {
    const { id } = await offer()
    const gone = await service({ active: false })
    const refused = await line(id, gone.id)
    expect([refused.status, refused.body[0].field]).toEqual([422, 'idService'])
    expect((await line(id, 99_999_999)).status).toBe(422)
  })

  it('is written only with the right to edit deals', async () => {
    const { id } = await offer()
    const visit = await service()
    expect((await reader.post(`${S}/offer-services`, { idOffer: id, idService: visit.id })).status).toBe(403)
    expect((await reader.post(`${S}/offers/${id}/copy`, {})).status).toBe(403)
    expect((await clinic.as('nobody').get(`${S}/offers/${id}/pdf`)).status).toBe(403)
    expect((await clinic.anonymous.get(`${S}/offers/${id}/pdf`)).status).toBe(401)
  })
})

describe('an offer', () => {
  it('has the status computed from its services', async () => {
    const visit = await service()
    const statusOf = async (...statuses: number[]) => {
      const { id } = await offer()
      for (const idStatus of statuses)
        good(await line(id, visit.id, { idStatus, ...(idStatus === 2 || idStatus === 3 ? { idReason } : {}) }), 201)
      return (await offerOf(id)).idStatus
    }
    expect(await statusOf()).toBe(1)
    expect(await statusOf(1, 4)).toBe(1)
    expect(await statusOf(1, 1)).toBe(2)
    expect(await statusOf(1, 3)).toBe(3)
    expect(await statusOf(2, 3)).toBe(4)
  })

  it('changes with its lines, with an event', async () => {
    const made = await offer()
    const visit = await service()
    const since = await offerOf(made.id)
    const one = good(await line(made.id, visit.id), 201)
    const second = await offerOf(made.id)
    expect(second.dateChange > since.dateChange).toBe(true)
    expect(second._version).toBe(since._version + 1)
    good(await seller.put(`${S}/offer-services/${one.id}`, { quantity: 5 }))
    await seller.delete(`${S}/offer-services/${one.id}`)
    expect((await offerOf(made.id)).services).toEqual([])
    good(await seller.post(`${S}/offer-services/${one.id}/restore`))
    expect((await offerOf(made.id))._version).toBe(since._version + 4)
    const lines = await clinic.db.query<{ idParent: number; idAbout: number }>({
      text: `select "idParent", "idAbout" from history where path = 'sales-management/offers' and "idEntity" = $1 and action = 'update'`,
      values: [made.id],
    })
    expect(lines).toEqual(Array(4).fill({ idParent: idLead, idAbout: idLead }))
  })

  it('is estimated with the discounts of today and their reasons, before and after', async () => {
    const { stages } = await deals(seller).funnel()
    const deal = await deals(seller).deal(stages[0])
    const made = await offer({ idLead: deal.id })
    const visit = await service({ priceService: 1000 })
    good(await line(made.id, visit.id, { quantity: 2, discount: 50 }), 201)
    const body = { name: 'Осенняя', kind: 'percent', value: 10, services: [visit.id] }
    const discount = good(await seller.post('/discounts', body), 201)
    good(await seller.put(`/discounts/${discount.id}`, { status: 'active' }))
    const estimate = async () => good(await reader.get(`${S}/offers/${made.id}/estimate`))
    expect(await estimate()).toMatchObject({
      ...{ base: 2000, final: 1800, now: 1950 },
      lines: [{ applied: [{ name: 'Осенняя', why: '10 %', amount: 200 }] }],
    })
    expect((await clinic.as('nobody').get(`${S}/offers/${made.id}/estimate`)).status).toBe(403)
  })

  it('is copied with its prices, into another deal too, without services no longer given', async () => {
    const { id } = await offer({ name: 'Курс массажа' })
    const [massage, gone] = [await service({ priceService: 1900 }), await service()]
    good(await line(id, massage.id, { quantity: 10, price: 1700, discount: 500, idStatus: 1 }), 201)
    good(await line(id, gone.id), 201)
    good(await seller.put(`/services/${gone.id}`, { active: false }))
    const other = (await deals(seller).deal(undefined)).id
    const copy = good(await seller.post(`${S}/offers/${id}/copy`, { idLead: other }), 201)
    expect(copy).toMatchObject({
      skipped: 1,
      offer: { name: 'Курс массажа (копия)', idLead: other, total: 16_500, idStatus: 1 },
    })
    expect((await offerOf(copy.offer.id)).services).toMatchObject([
      { price: 1700, discount: 500, quantity: 10, idStatus: 4 },
    ])
    expect((await seller.post(`${S}/offers/${id}/copy`, { idLead: 99_999_999 })).status).toBe(422)
  })

  it('shows the sums of its rows, to the kopeck', async () => {
    const visit = await service()
    const row = fc.record({
      quantity: fc.integer({ min: 1, max: 99_999 }).map((n) => n / 1000),
      price: fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100),
      share: fc.integer({ min: 0, max: 100 }),
      idStatus: fc.constantFrom(1, 2, 3, 4),
      isDeleted: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        const { id } = await offer()
        const made = await seller.post(`${S}/offer-services/batch`, {
          create: rows.map(({ quantity, price, share, idStatus }) => ({
            idOffer: id,
            idService: visit.id,
            quantity,
            price,
            // Whole kopecks, and never above the line.
            discount: Math.floor((Math.floor(quantity * price * 100) * share) / 100) / 100,
            idStatus,
            ...(idStatus === 2 || idStatus === 3 ? { idReason } : {}),
          })),
        })
        const lines = good(made).create as { id: number; total: number; idStatus: number }[]
        const gone = lines.filter((_, i) => rows[i]?.isDeleted).map((one) => one.id)
        if (gone.length) good(await seller.post(`${S}/offer-services/batch`, { delete: gone }))
        const left = lines.filter((one) => !gone.includes(one.id))
        const kopecks = (list: typeof lines) =>
          list.reduce((sum, { total }) => sum + BigInt(Math.round(total * 100)), 0n)
        const { total, totalAccepted } = await offerOf(id)
        expect(BigInt(Math.round(total * 100))).toBe(kopecks(left.filter((one) => one.idStatus !== 2)))
        expect(BigInt(Math.round(totalAccepted * 100))).toBe(kopecks(left.filter((one) => one.idStatus === 1)))
        // The rows themselves, computed as numeric.
        const exact = await clinic.db.one<{ wrong: number }>({
          text: `select count(*)::int as wrong from sales_management_offer_services o
            join unnest($1::bigint[], $2::numeric[]) shown(id, total) on shown.id = o.id
            where shown.total <> round(o.quantity * o.price, 2) - o.discount`,
          values: [lines.map((one) => one.id), lines.map((one) => one.total)],
        })
        expect(exact?.wrong).toBe(0)
      }),
      { numRuns: runs(10, 200) },
    )
  })

  it('allows editing only own comments', async () => {
    const { id } = await offer()
    const mine = good(await reader.post(`${S}/offer-comments`, { idOffer: id, message: '<p>Скидку?</p>' }), 201)
    expect(mine.dateChange).toBeNull()
    expect((await seller.put(`${S}/offer-comments/${mine.id}`, { message: '<p>Нет</p>' })).status).toBe(403)
    expect((await seller.delete(`${S}/offer-comments/${mine.id}`)).status).toBe(403)
    expect(good(await reader.put(`${S}/offer-comments/${mine.id}`, { message: '<p>Да</p>' })).dateChange).not.toBeNull()
    expect((await reader.delete(`${S}/offer-comments/${mine.id}`)).status).toBe(204)
  })
})

describe('the print of an offer', () => {
  const textOf = async (bytes: Buffer) => {
    const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
    return { text: text.replace(/\s+/g, ' '), totalPages }
  }

  it('contains the clinic, the deal, its contact, the lines and the sums', async () => {
    good(await seller.put('/settings/common', { clinicName: 'Клиника «Ёлка»' }))
    await deals(seller).make('contacts', { idLead, surname: 'Белова', name: 'Ирина', phone: '8 (900) 000-00-17' })
    const { id } = await offer({ name: 'Курс для спины' })
    const massage = await service({ nameService: 'Массаж спины, 30 минут', priceService: 1900 })
    const gone = await service({ nameService: 'Отменённая услуга' })
    good(await line(id, massage.id, { quantity: 10, discount: 1234.5 }), 201)
    good(await line(id, gone.id, { idStatus: 2, idReason }), 201)
    const answer = await reader.get(`${S}/offers/${id}/pdf`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toContain(encodeURIComponent(`Предложение ${id}.pdf`))
    const { text, totalPages } = await textOf(answer.bytes)
    expect(totalPages).toBe(1)
    for (const words of [
      'Клиника «Ёлка»',
      'Курс для спины',
      `Предложение № ${id} от`,
      'Лечение спины',
      'Белова Ирина',
      '+7 (900) 000-00-17',
      'Продавцова',
      'Массаж спины, 30 минут',
      '1 900,00',
      'Стоимость 19 000,00 ₽',
      'Скидка 1 234,50 ₽',
      'Итого 17 765,50 ₽',
    ])
      expect(text, words).toContain(words)
    expect(text).not.toContain('Отменённая')
  })

  it('spans several pages with a repeated header', async () => {
    const { id } = await offer()
    const long = await service({ nameService: 'Очень длинное название исследования '.repeat(6).trim() })
    good(
      await seller.post(`${S}/offer-services/batch`, {
        create: Array.from({ length: 60 }, () => ({ idOffer: id, idService: long.id })),
      }),
    )
    const { text, totalPages } = await textOf((await seller.get(`${S}/offers/${id}/pdf`)).bytes)
    expect(totalPages).toBeGreaterThan(2)
    expect(text.split('Цена, ₽')).toHaveLength(totalPages + 1)
    expect(text).toContain(`${totalPages} из ${totalPages}`)
    expect(text).toContain(`Итого ${'90 030,00'} ₽`)
  })
})

describe('the catalogue', () => {
  it('is searched by name, code and article', async () => {
    const made = await service({ nameService: 'Спирометрия с пробой', code: 'Z77.001', article: 'У-Z7701' })
    for (const [field, part] of [
      ['nameService', 'пиромет'],
      ['code', 'z77'],
      ['article', 'Z7701'],
    ]) {
      const found = good(
        await reader.get(`/services?filter[${field}][ilike]=${encodeURIComponent(part as string)}`),
      ).items
      expect(found.map((one: { id: number }) => one.id)).toEqual([made.id])
    }
  })

  it.each([
    ['services-groups', 'nameServiceGroup', 'editServices'],
    ['script-groups', 'name', 'editScripts'],
  ] as const)('has %s without cycles, and none is deleted with its contents', async (path, title, permission) => {
    await addPerson(clinic.context, `keeper-${path}`, [permission])
    const keeper = clinic.as(`keeper-${path}`)
    const group = async (idParentGroup?: number) =>
      good(await keeper.post(`/${path}`, { [title]: 'Группа', ...(idParentGroup ? { idParentGroup } : {}) }), 201).id
    const a = await group()
    const b = await group(a)
    const c = await group(b)
    for (const idParentGroup of [a, b, c]) {
      const circle = await keeper.put(`/${path}/${a}`, { idParentGroup })
      expect([circle.status, circle.body[0].field]).toEqual([422, 'idParentGroup'])
    }
    good(await keeper.put(`/${path}/${c}`, { idParentGroup: a }))
    expect((await keeper.delete(`/${path}/${a}`)).status).toBe(409)
    expect((await keeper.delete(`/${path}/${b}`)).status).toBe(204)
    // Two concurrent moves of two branches under each other.
    for (let round = 0; round < 4; round++) {
      const [x, y] = [await group(), await group()]
      const [belowX, belowY] = [await group(x), await group(y)]
      const both = await Promise.all([
        keeper.put(`/${path}/${x}`, { idParentGroup: belowY }),
        keeper.put(`/${path}/${y}`, { idParentGroup: belowX }),
      ])
      expect(both.map((one) => one.status).sort()).toEqual([200, 422])
    }
  })

  it('keeps scripts whose branches lead to steps', async () => {
    await addPerson(clinic.context, 'writer', ['editScripts'])
    const steps = (next: string | null) => [{ key: 'a', title: 'Начало', text: '…', answers: [{ text: 'Да', next }] }]
    const post = (next: string | null) =>
      clinic.as('writer').post('/old-scripts', { name: 'Звонок', params: { steps: steps(next) } })
    expect((await post('a')).status).toBe(201)
    const lost = await post('z')
    expect([lost.status, lost.body]).toEqual([
      422,
      [{ field: 'params', message: 'Шаг 1: ответ «Да» ведёт к шагу, которого нет' }],
    ])
  })
})
