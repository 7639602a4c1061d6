import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'
import {
  clinic,
  idDoctor,
  idKeeper,
  keeper,
  make,
  openCatalogueClinic,
  type Period,
  seller,
  service,
} from './testing/catalogueClinic.ts'

openCatalogueClinic()

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
    const preview = good(await take().preview(keeper, file))
    expect(preview.errors.map(({ row, field }) => [row, field])).toEqual([
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
    const preview = good(await take().preview(keeper, csv('Услуга;Стоимость, руб;Прочее', 'Баня;900;нет')))
    expect(preview.mapping).toEqual({ Название: 0, Цена: 1 })
    expect(preview.head.map(({ name }: { name: string }) => name)).toEqual(['Услуга', 'Стоимость, руб', 'Прочее'])
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
