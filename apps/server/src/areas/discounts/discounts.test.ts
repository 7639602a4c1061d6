import { randomUUID } from 'node:crypto'
import type { Permission } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
/** Changes discounts; gives them; approves them; sees customers only. */
let keeper: Caller
let desk: Caller
let chief: Caller
let stranger: Caller
let idService: number
let idGroup: number
let idCustomer: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      const permissions: Permission[] = [
        'viewCustomers',
        'editCustomers',
        'viewServices',
        'editServices',
        'viewDiscounts',
      ]
      await addPerson(app, 'keeper', [...permissions, 'editDiscounts', 'mainSettings', 'editUsers'])
      await addPerson(app, 'desk', [...permissions, 'editVisitPrices'])
      await addPerson(app, 'chief', [...permissions, 'approveDiscounts', 'editVisitPrices'])
      await addPerson(app, 'viewer', permissions)
      await addPerson(app, 'stranger', ['viewCustomers'])
    },
  })
  keeper = clinic.as('keeper')
  desk = clinic.as('desk')
  chief = clinic.as('chief')
  stranger = clinic.as('stranger')
  for (const caller of [keeper, desk, chief, stranger]) await caller.token()
  const upper = good(await keeper.post('/services-groups', { nameServiceGroup: 'Диагностика' }), 201)
  idGroup = upper.id
  const inner = good(await keeper.post('/services-groups', { nameServiceGroup: 'УЗИ', idParentGroup: upper.id }), 201)
  const service = { nameService: 'УЗИ почек', priceService: 3000, idGroup: inner.id }
  idService = good(await keeper.post('/services', service), 201).id
  idCustomer = good(await keeper.post('/customers', { surname: 'Скидкина', birthday: '01.02.1950' }), 201).id
})
afterAll(() => clinic.close())

/** Each discount of a test belongs to its own branch, so that tests do not interact. */
const branch = async (more: object = {}): Promise<number> =>
  good(await keeper.post('/filials', { nameFilial: `Филиал ${randomUUID()}`, ...more }), 201).id
const made = async (more: object = {}) => {
  const idFilial = await branch()
  const body = { name: `Скидка ${randomUUID()}`, kind: 'percent', value: 10, filials: [idFilial], ...more }
  const { id } = good(await keeper.post('/discounts', body), 201)
  good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
  return { id: id as number, idFilial }
}
const basket = (idFilial: number, more: object = {}) => ({ idFilial, lines: [{ idService }], ...more })
const order = (idFilial: number, more: object = {}) => ({ ...basket(idFilial), key: randomUUID(), ...more })
const refused = ({ status, body }: { status: number; body: unknown }) =>
  status === 422
    ? (body as { field: string; message: string }[]).map(({ field, message }) => `${field}: ${message}`)
    : [status]
/** The reason why the first line did not get a discount. */
const whyNot = ({ lines }: { lines: { refused: { idDiscount: number; why: string }[] }[] }, id: number) =>
  lines[0]?.refused.find(({ idDiscount }) => idDiscount === id)?.why
const state = async (id: number) => good(await desk.get(`/discounts/${id}`))

describe('a discount', () => {
  it.each([
    [{ kind: 'percent' }, 'value: Укажите размер скидки'],
    [{ kind: 'percent', value: 100.01 }, 'value: Не больше 100 %'],
    [{ kind: 'amount', value: 0 }, 'value: Размер должен быть больше нуля'],
    [{ kind: 'amount', value: -5 }, 'value: Число не должно быть меньше 0'],
    [{ kind: 'amount', value: 10.123 }, 'value: Не больше 2 знаков после запятой'],
    [{ kind: 'amount', value: 1e15 }, 'value: Число не должно превышать 10\u00a0000\u00a0000'],
    [{ kind: 'gift' }, 'giftEvery: Укажите, сколько оплачивается'],
    [{ kind: 'accumulative' }, 'tiers: Добавьте хотя бы одну ступень'],
    [
      {
        kind: 'accumulative',
        tiers: [
          { fromSum: 5, percent: 1 },
          { fromSum: 5, percent: 2 },
        ],
      },
      'tiers: Ступени идут по возрастанию суммы: 5 ₽ не на месте',
    ],
    [{ kind: 'percent', value: 1, dateFrom: '2026-02-29' }, 'dateFrom: Нужна дата, например 25.11.2026'],
    [{ kind: 'percent', value: 1, dateFrom: '2026-12-02', dateTo: '2026-12-01' }, 'dateTo: Раньше, чем начало'],
    [
      { kind: 'percent', value: 1, timeFrom: '22:00', timeTo: '02:00' },
      'timeTo: Раньше, чем начало: ночные часы заведите второй скидкой',
    ],
    [{ kind: 'percent', value: 1, timeFrom: '25:00' }, 'timeFrom: Нужно время, например 09:30'],
    [{ kind: 'percent', value: 1, ageFrom: 18, ageTo: 3 }, 'ageTo: Меньше, чем «от»'],
    [{ kind: 'percent', value: 1, services: [999_999] }, 'services: Запись не найдена'],
    [{ kind: 'percent', value: 1, services: ['1'] }, 'services: Запись не найдена'],
    [{ kind: 'percent', value: 1, status: 'active' }, 'status: Новая скидка — черновик: включите её потом'],
  ])('is refused as %j', async (more, message) => {
    expect(refused(await keeper.post('/discounts', { name: 'Плохая', ...more }))).toEqual([message])
  })

  it('stores only fields of its kind, and is changed with the right', async () => {
    const body = { name: 'Подарок', kind: 'gift', giftEvery: 2, value: 5, tiers: [{ fromSum: 0, percent: 1 }] }
    const row = good(await keeper.post('/discounts', body), 201)
    expect(row).toMatchObject({ status: 'draft', state: 'off', value: null, tiers: null, giftEvery: 2, uses: 0 })
    expect((await desk.put(`/discounts/${row.id}`, { name: 'Моя' })).status).toBe(403)
    expect((await stranger.get('/discounts')).status).toBe(403)
    expect((await stranger.post('/discounts/calculate', { lines: [{ idService }] })).status).toBe(403)
  })

  it('follows its statuses, and continues from the archive as a copy', async () => {
    const { id } = await made()
    expect(refused(await keeper.put(`/discounts/${id}`, { status: 'draft' }))[0]).toMatch(/^status: Из «Включена»/)
    expect((await keeper.delete(`/discounts/${id}`)).status).toBe(409)
    for (const status of ['paused', 'active', 'archived']) good(await keeper.put(`/discounts/${id}`, { status }))
    expect(refused(await keeper.put(`/discounts/${id}`, { name: 'Другая' }))).toEqual([
      'name: Скидка в архиве: сделайте копию',
    ])
    const copy = good(await keeper.post(`/discounts/${id}/copy`), 201)
    expect(copy).toMatchObject({ status: 'draft', version: 2, idPrevious: id, value: 10 })
  })

  it("shows its state by the clinic's day", async () => {
    const states = async (more: object) => (await state((await made(more)).id)).state
    expect(await states({ dateFrom: '2099-01-01' })).toBe('planned')
    expect(await states({ dateTo: '2020-01-01' })).toBe('expired')
    expect(await states({})).toBe('active')
  })

  it('is found by a branch and a group that it names, or when it names none', async () => {
    const { id, idFilial } = await made({ groups: [idGroup] })
    const list = async (filter: string) =>
      good(await desk.get(`/discounts?limit=500&${filter}`)).items.map((one: { id: number }) => one.id)
    expect(await list(`filter[filials][in]=${idFilial},999`)).toEqual([id])
    expect(await list(`filter[groups][in]=${idGroup}&filter[filials][in]=${idFilial}`)).toEqual([id])
    expect(await list(`filter[filials][null]=1`)).not.toContain(id)
    expect(await list(`filter[filials][null]=0`)).toContain(id)
    expect((await desk.get('/discounts?filter[filials][eq]=1')).status).toBe(400)
  })
})

describe('a basket', () => {
  it("gets applicable discounts, by parent groups and the branch's time zone, others with reasons", async () => {
    const idFilial = await branch({ timeZone: 'Asia/Vladivostok' })
    const add = async (more: object) => {
      const { id } = good(
        await keeper.post('/discounts', {
          name: randomUUID(),
          kind: 'percent',
          value: 10,
          filials: [idFilial],
          ...more,
        }),
        201,
      )
      good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
      return id
    }
    const grouped = await add({ groups: [idGroup] })
    const other = await add({ value: 99, exceptServices: [idService] })
    const answer = good(
      await desk.post('/discounts/calculate', basket(idFilial, { lines: [{ idService, quantity: 2 }] })),
    )
    expect(answer).toMatchObject({ base: 6000, discount: 600, final: 5400, needApproval: [], codeRefusal: null })
    expect(answer.lines[0].applied).toMatchObject([{ idDiscount: grouped, amount: 600, why: '10 %' }])
    expect(whyNot(answer, other)).toBe('Услуга исключена')
    const there = new Intl.DateTimeFormat('sv', {
      timeZone: 'Asia/Vladivostok',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    expect(there.format(new Date()).startsWith(answer.date)).toBe(true)
  })

  it("uses the customer's tags and age, also without access to the card", async () => {
    const { id, idFilial } = await made({ pensioner: true, ageFrom: 60 })
    const ask = async () => good(await desk.post('/discounts/calculate', basket(idFilial, { idCustomer })))
    expect(whyNot(await ask(), id)).toBe('У клиента нет метки «Пенсионер»')
    good(await keeper.post('/customers/tags', { idCustomer, name: 'Пенсионер' }), 201)
    expect((await ask()).discount).toBe(300)
    expect(refused(await desk.post('/discounts/calculate', basket(idFilial, { idCustomer: 999_999 })))).toEqual([404])
    const lines = await clinic.db.query(
      sql`select 1 from access_log where "idCustomer" = ${idCustomer} and "action" = 'view'`,
    )
    expect(lines.length).toBeGreaterThan(0)
  })

  it('is refused with a message, at its line', async () => {
    const idFilial = await branch()
    expect(
      refused(await desk.post('/discounts/calculate', basket(idFilial, { lines: [{ idService: 999_999 }] }))),
    ).toEqual(['lines.0.idService: Запись не найдена'])
    expect(refused(await desk.post('/discounts/calculate', basket(999_999)))).toEqual(['idFilial: Запись не найдена'])
    for (const lines of [
      [],
      [{ idService, quantity: 0 }],
      [{ idService, quantity: 1.0001 }],
      [{ idService, price: 0.001 }],
    ])
      expect((await desk.post('/discounts/calculate', basket(idFilial, { lines }))).status, JSON.stringify(lines)).toBe(
        422,
      )
  })
})

describe('a use', () => {
  it('is stored permanently, counted, and made once per key', async () => {
    const { id, idFilial } = await made({ totalUses: 5 })
    const body = order(idFilial, { idCustomer, lines: [{ idService }, { idService, price: 1000 }] })
    // A preview of discounts counts no use.
    expect((await clinic.as('viewer').post('/discounts/apply', body)).status).toBe(403)
    expect(await state(id)).toMatchObject({ uses: 0 })
    const first = good(await desk.post('/discounts/apply', body), 201)
    expect(first).toMatchObject({ discount: 400 })
    expect(good(await desk.post('/discounts/apply', body), 201)).toEqual(first)
    expect(await state(id)).toMatchObject({ uses: 1, sumGiven: 400 })
    const { items } = good(await desk.get(`/discounts/uses?filter[idDiscount]=${id}&sort=id`))
    expect(items).toMatchObject([
      { base: 3000, amount: 300, reason: '10 %', idCustomer, order: body.key },
      { base: 1000, amount: 100 },
    ])
    await expect(clinic.db.query(sql`delete from discounts_uses where "idDiscount" = ${id}`)).rejects.toThrow(/kept/)
    await expect(
      clinic.db.query(sql`update discounts_uses set "amount" = 1 where "idDiscount" = ${id}`),
    ).rejects.toThrow(/kept/)
  })

  it('of fifty concurrent requests for the last use, exactly one succeeds', async () => {
    const { id, idFilial } = await made({ totalUses: 3 })
    for (const _ of [1, 2]) good(await desk.post('/discounts/apply', order(idFilial)), 201)
    const answers = await Promise.all(Array.from({ length: 50 }, () => desk.post('/discounts/apply', order(idFilial))))
    const given = answers.filter(({ body }) => body.discount > 0)
    expect(given).toHaveLength(1)
    // The others are refused, or find that there is none.
    for (const { status, body } of answers)
      expect(status === 201 || (status === 409 && body.code === 'exhausted'), `${status} ${JSON.stringify(body)}`).toBe(
        true,
      )
    expect(await state(id)).toMatchObject({ uses: 3, state: 'exhausted', sumGiven: 900 })
  })

  it('of many concurrent requests for one customer, or with one code, one succeeds', async () => {
    const personal = await made({ usesPerCustomer: 1 })
    const many = await Promise.all(
      Array.from({ length: 12 }, () => desk.post('/discounts/apply', order(personal.idFilial, { idCustomer }))),
    )
    expect(many.filter(({ body }) => body.discount > 0)).toHaveLength(1)
    const promo = await made({ kind: 'promo', unit: 'rubles', value: 500, perOrder: true })
    const code = `РАЗ-${randomUUID().slice(0, 8)}`
    good(await keeper.post('/discounts/promo-codes', { idDiscount: promo.id, code, limit: 1 }), 201)
    const shown = await Promise.all(
      Array.from({ length: 12 }, () =>
        desk.post('/discounts/apply', order(promo.idFilial, { code: ` ${code.toLowerCase()} ` })),
      ),
    )
    expect(shown.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(good(await desk.get(`/discounts/promo-codes?filter[idDiscount]=${promo.id}`)).items[0].uses).toBe(1)
  })

  it('fixes the discount: the size of a used one can be changed only in a copy', async () => {
    const { id, idFilial } = await made()
    good(await keeper.put(`/discounts/${id}`, { value: 12 }))
    good(await desk.post('/discounts/apply', order(idFilial)), 201)
    expect(refused(await keeper.put(`/discounts/${id}`, { value: 15 }))).toEqual([
      'value: Скидкой уже пользовались: измените копию — новую версию',
    ])
    good(await keeper.put(`/discounts/${id}`, { name: 'Другое имя', dateTo: '2099-01-01' }))
    good(await keeper.put(`/discounts/${id}`, { status: 'paused' }))
    expect((await keeper.delete(`/discounts/${id}`)).status).toBe(409)
    expect(good(await desk.post('/discounts/apply', order(idFilial)), 201).discount).toBe(0)
  })

  it('is reversed in parts that add up to it, and frees its place with the last', async () => {
    const { id, idFilial } = await made({ kind: 'amount', value: 1000, totalUses: 1 })
    const body = order(idFilial, { lines: [{ idService, quantity: 3 }] })
    good(await desk.post('/discounts/apply', body), 201)
    const back = (more: object = {}) =>
      keeper.post('/discounts/reverse', { order: body.key, quantity: 1, reason: 'Отказ', ...more })
    expect((await desk.post('/discounts/reverse', { order: body.key, reason: 'Отказ' })).status).toBe(403)
    expect(good(await back())).toEqual({ reversed: 333.33 })
    expect(refused(await back({ quantity: 2.5 }))).toEqual(['quantity: Больше, чем осталось'])
    expect(good(await back())).toEqual({ reversed: 333.34 })
    expect(await state(id)).toMatchObject({ uses: 1, sumGiven: 333.33, state: 'exhausted' })
    expect(good(await back())).toEqual({ reversed: 333.33 })
    expect((await back()).status).toBe(409)
    expect(await state(id)).toMatchObject({ uses: 0, sumGiven: 0, state: 'active' })
    const again = await Promise.all([1, 2].map(() => desk.post('/discounts/apply', order(idFilial))))
    expect(again.filter((one) => one.body.discount > 0)).toHaveLength(1)
  })
})

describe('codes', () => {
  it('ignore case and spaces, and belong only to discounts with codes', async () => {
    const { id, idFilial } = await made({ kind: 'promo', value: 20 })
    const code = `осень ${randomUUID().slice(0, 8)}`
    const kept = good(await keeper.post('/discounts/promo-codes', { idDiscount: id, code }), 201)
    expect(kept.code).toBe(code.replace(' ', '').toUpperCase())
    expect(refused(await keeper.post('/discounts/promo-codes', { idDiscount: id, code: ` ${code} ` }))).toEqual([
      'code: Такое значение уже есть',
    ])
    expect(refused(await keeper.post('/discounts/promo-codes', { idDiscount: id, code: 'ПЛО_ХОЙ' }))).toEqual([
      'code: Только буквы, цифры и дефис',
    ])
    const plain = await made()
    expect(refused(await keeper.post('/discounts/promo-codes', { idDiscount: plain.id, code: 'НЕТ-КОДА' }))).toEqual([
      'idDiscount: Скидке этого вида коды не нужны',
    ])
    const ask = async (shown: string) =>
      good(await desk.post('/discounts/calculate', basket(idFilial, { code: shown })))
    expect((await ask(code.toUpperCase().split('').join(' '))).discount).toBe(600)
    expect(await ask('НЕТ ТАКОГО')).toMatchObject({ discount: 0, codeRefusal: 'Такого кода нет' })
    expect(refused(await desk.post('/discounts/apply', order(idFilial, { code: 'НЕТ ТАКОГО' })))).toEqual([
      'code: Такого кода нет',
    ])
  })

  it('are generated in bulk, all different, and exported', async () => {
    const { id } = await made({ kind: 'promo', value: 20 })
    const make = (body: object, who = keeper) => who.post(`/discounts/${id}/generate-codes`, body)
    expect(good(await make({ count: 300, prefix: 'зима-' }), 201)).toEqual({ made: 300 })
    const { text } = await keeper.get(`/discounts/promo-codes/export?format=csv&filter[idDiscount]=${id}`)
    expect(new Set(text.match(/ЗИМА-[A-Z2-9]{10}/g)).size).toBe(300)
    expect((await make({ count: 1001 })).status).toBe(422)
    expect((await make({ count: 1 }, desk)).status).toBe(403)
  })
})

describe('a manual discount', () => {
  const manual = { unit: 'percent', value: 20, reason: 'Ждала час' }
  const question = async (more: object = {}) =>
    good(await desk.post('/discounts/approvals', { amount: 600, reason: 'Ждала час', idCustomer, ...more }), 201)

  it('requires a reason, and approval above the limit of the role', async () => {
    const idFilial = await branch()
    expect((await desk.post('/discounts/apply', order(idFilial, { manual: { ...manual, reason: ' ' } }))).status).toBe(
      422,
    )
    const body = () => order(idFilial, { idCustomer, manual })
    expect(refused(await desk.post('/discounts/apply', body()))).toEqual([
      'manual: Выше вашего предела: нужно согласование другого сотрудника',
    ])
    const asked = await question()
    const path = `/discounts/approvals/${asked.id}/decide`
    expect((await desk.post(path, { agree: true })).status).toBe(403)
    expect(refused(await desk.post('/discounts/apply', { ...body(), approvals: [asked.id] }))).toEqual([
      'approvals: Согласования нет, оно чужое или уже использовано',
    ])
    expect(refused(await chief.post(path, { agree: false }))).toEqual(['answer: Укажите, почему отказано'])
    expect(good(await chief.post(path, { agree: true }))).toMatchObject({ status: 'approved' })
    expect((await chief.post(path, { agree: true })).status).toBe(409)
    expect(refused(await chief.post('/discounts/apply', { ...body(), approvals: [asked.id] }))[0]).toMatch(
      /^approvals: /,
    )
    const more = { ...manual, value: 21 }
    expect(refused(await desk.post('/discounts/apply', { ...body(), manual: more, approvals: [asked.id] }))).toEqual([
      'approvals: Согласовано не больше 600 ₽',
    ])
    const many = await Promise.all(
      [1, 2, 3].map(() => desk.post('/discounts/apply', { ...body(), approvals: [asked.id] })),
    )
    expect(many.filter(({ status }) => status === 201).map((one) => one.body.discount)).toEqual([600])
    const used = ['approvals: Согласования нет, оно чужое или уже использовано']
    expect(refused(await desk.post('/discounts/apply', { ...body(), approvals: [asked.id] }))).toEqual(used)
  })

  it('cannot be approved by its author', async () => {
    const own = good(await chief.post('/discounts/approvals', { amount: 5, reason: 'Себе' }), 201)
    expect((await chief.post(`/discounts/approvals/${own.id}/decide`, { agree: true })).status).toBe(403)
  })

  it('is allowed within the limit of a role, which applies to the whole discount', async () => {
    const idFilial = await branch()
    const role = good(await keeper.post('/roles', { name: `Касса ${randomUUID()}`, maxDiscount: 20 }), 201)
    const { items } = good(await keeper.get('/users?filter[login]=chief'))
    good(await keeper.post('/user-roles', { idUser: items[0].id, idRole: role.id }), 201)
    expect(good(await chief.post('/discounts/apply', order(idFilial, { manual })), 201).discount).toBe(600)
    const over = { ...manual, value: 30 }
    const answer = good(await chief.post('/discounts/calculate', basket(idFilial, { manual: over })))
    expect(answer).toMatchObject({ discount: 600, needApproval: [null] })
    expect((await keeper.put(`/roles/${role.id}`, { maxDiscount: 100.5 })).status).toBe(422)
  })

  it('that needs approval is not given without it', async () => {
    const { id, idFilial } = await made({ needApproval: true })
    const before = good(await desk.post('/discounts/calculate', basket(idFilial, { idCustomer })))
    expect(before).toMatchObject({ discount: 0, needApproval: [id] })
    const asked = await question({ idDiscount: id, amount: 300 })
    good(await chief.post(`/discounts/approvals/${asked.id}/decide`, { agree: true }))
    const given = await desk.post('/discounts/apply', order(idFilial, { idCustomer, approvals: [asked.id] }))
    expect(good(given, 201).discount).toBe(300)
  })
})
