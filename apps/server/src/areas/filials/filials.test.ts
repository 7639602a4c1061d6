/** Branches, organizations and number sequences: validation, events, and unique numbers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { nextNumber } from './index.ts'

let clinic: Clinic
/** Sets the clinic up. */
let keeper: Caller
/** Has no permissions. */
let nurse: Caller
beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', ['mainSettings'])
      await addPerson(app, 'nurse')
      await addPerson(app, 'registrar', ['editCustomers'])
    },
  })
  keeper = clinic.as('keeper')
  nurse = clinic.as('nurse')
})
afterAll(() => clinic.close())

let serial = 0
const filial = async (more: Record<string, unknown> = {}) =>
  good(await keeper.post('/filials', { nameFilial: `Филиал ${++serial}`, ...more }), 201)
const organization = async (more: Record<string, unknown> = {}) =>
  good(await keeper.post('/organizations', { shortName: `ООО «Ромашка ${++serial}»`, kind: 'supplier', ...more }), 201)
const refused = async (answer: Promise<{ status: number; body: { field: string; message: string }[] }>) => {
  const { status, body } = await answer
  return status === 422 ? body.map(({ field, message }) => `${field}: ${message}`) : [String(status)]
}

describe('a branch', () => {
  it('gets defaults: a random colour, active, shown on the site', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => filial()))
    for (const { labelColor, active, activeForShop } of made)
      expect([/^#[0-9a-f]{6}$/.test(labelColor), active, activeForShop]).toEqual([true, true, true])
    expect(new Set(made.map((one) => one.labelColor)).size).toBeGreaterThan(1)
    expect((await filial({ labelColor: '#123456' })).labelColor).toBe('#123456')
  })

  it('is visible to every signed-in user and edited with the right to set up the clinic', async () => {
    const { id } = await filial()
    expect(good(await nurse.get(`/filials/${id}?expand=rooms,holidays,gallery`))).toMatchObject({ id, rooms: [] })
    expect((await nurse.put(`/filials/${id}`, { cityName: 'Самара' })).status).toBe(403)
    expect((await nurse.post('/filials/rooms', { idFilial: id, name: '1' })).status).toBe(403)
    expect((await nurse.get('/organizations')).status).toBe(403)
    expect((await clinic.as('registrar').get('/organizations')).status).toBe(200)
    expect((await nurse.get('/sequences')).status).toBe(403)
    // Found by everyone who sees it, but opened only in the settings.
    const found = async (who: Caller) => JSON.stringify(good(await who.get('/search?q=Филиал')))
    expect(await found(keeper)).toContain('/settings/filial/update/')
    expect(await found(nurse)).not.toContain('Филиал 1')
  })

  it.each([
    [{ monday: { start: '08:00', end: '07:00' } }, 'Понедельник: конец работы должен быть позже начала'],
    [{ friday: { start: 'рано', end: '20:00' } }, 'Пятница: начало должно быть временем ЧЧ:ММ'],
    [{ friday: { start: '08:00' } }, 'Пятница: конец должен быть временем ЧЧ:ММ'],
    [{ friday: { start: '08:00', end: '24:01' } }, 'Пятница: конец должен быть временем ЧЧ:ММ'],
    [{ friday: 'весь день' }, 'Пятница: начало должно быть временем ЧЧ:ММ'],
    [{ sunday: { start: '00:00', end: '24:00', lunch: '13:00' } }, 'Воскресенье: у дня есть только начало и конец'],
    [{ someday: null }, 'Неизвестный день недели: someday'],
    [[], 'Нужны часы по дням недели'],
  ])('refuses hours like %j', async (workingHours, message) => {
    expect(await refused(keeper.post('/filials', { nameFilial: 'Часы', workingHours }))).toEqual([
      `workingHours: ${message}`,
    ])
  })

  it('stores its week, days off with or without hours, and rooms', async () => {
    const workingHours = { monday: { start: '00:00', end: '24:00' }, sunday: null }
    const { id } = await filial({ workingHours })
    expect(good(await nurse.get(`/filials/${id}`)).workingHours).toEqual(workingHours)
    const day = { idFilial: id, day: '2026-12-31', reason: 'Канун Нового года' }
    expect(await refused(keeper.post('/filials/holidays', { ...day, start: '09:00' }))).toEqual([
      'end: Конец должен быть временем ЧЧ:ММ',
    ])
    expect(await refused(keeper.post('/filials/holidays', { ...day, start: '09:00', end: '08:00' }))).toEqual([
      'end: Конец работы должен быть позже начала',
    ])
    const made = good(await keeper.post('/filials/holidays', { ...day, start: '09:00', end: '14:00' }), 201)
    expect(await refused(keeper.put(`/filials/holidays/${made.id}`, { end: '08:00' }))).toEqual([
      'end: Конец работы должен быть позже начала',
    ])
    expect(await refused(keeper.post('/filials/holidays', day))).toEqual(['day: Такое значение уже есть'])
    good(await keeper.post('/filials/rooms', { idFilial: id, name: 'Процедурная', capacity: 3 }), 201)
    // The message is at the name, not at the branch that groups names.
    expect(await refused(keeper.post('/filials/rooms', { idFilial: id, name: 'процедурная' }))).toEqual([
      'name: Такое значение уже есть',
    ])
  })

  it('requires complete coordinates, a code of letters and digits, and an existing time zone', async () => {
    expect(await refused(keeper.post('/filials', { nameFilial: 'Точка', latitude: 53.2 }))).toEqual([
      'longitude: Для точки на карте нужны и широта, и долгота',
    ])
    const { id } = await filial({ latitude: 53.195878, longitude: 50.100202, filialCode: 'ЛЕН', timeZone: 'Asia/Omsk' })
    expect(await refused(keeper.put(`/filials/${id}`, { latitude: null }))).toEqual([
      'latitude: Для точки на карте нужны и широта, и долгота',
    ])
    expect(
      await refused(
        keeper.post('/filials', { nameFilial: 'Знаки', filialCode: 'Л-1', timeZone: 'Марс', departmentOID: '12' }),
      ),
    ).toEqual([
      'filialCode: Только буквы и цифры',
      'timeZone: Неизвестный часовой пояс',
      'departmentOID: OID пишется как 1.2.643.5.1.13.13.12.2.77.7974',
    ])
    expect(await refused(keeper.post('/filials', { nameFilial: 'Код', filialCode: 'лен' }))).toEqual([
      'filialCode: Такое значение уже есть',
    ])
  })

  it('stores the token of the feedback service and returns only whether there is one', async () => {
    const token = 'secret-of-the-reviews'
    const { id } = await filial({ feedbackToken: token })
    const kept = () =>
      clinic.db.query<{ token: string }>({ text: `select "token" from filial_tokens where "idFilial" = ${id}` })
    const opened = async () =>
      (await kept()).map((row) => clinic.db.cipher.decrypt('filial_tokens.token', id, row.token))
    expect(await kept()).toEqual([{ token: expect.stringMatching(/^enc1:/) }])
    expect(await opened()).toEqual([token])
    const first = good(await keeper.get(`/filials/${id}`))
    expect(first.dateFeedbackToken).toMatch(/^20/)
    good(await keeper.put(`/filials/${id}`, { feedbackToken: 'another-secret' }))
    expect(await opened()).toEqual(['another-secret'])
    for (const url of [`/filials/${id}`, `/filials?limit=500`, `/filials/${id}/history`, '/filials/export?format=csv'])
      expect((await keeper.get(url)).text).not.toMatch(/secret/)
    expect((await keeper.get('/filials?fields=feedbackToken')).status).toBe(400)
    expect(good(await nurse.get(`/filials/${id}`))).not.toHaveProperty('dateFeedbackToken')
    const { rows } = {
      rows: await clinic.db.query<{ n: number }>({
        text: `select count(*)::int as n from history where "changes"::text like '%secret%'`,
      }),
    }
    expect(rows).toEqual([{ n: 0 }])
    expect(good(await keeper.put(`/filials/${id}`, { feedbackToken: '' })).dateFeedbackToken).toBe(null)
    expect(await kept()).toEqual([])
  })

  it('has ordered pictures of its own', async () => {
    const { id } = await filial()
    const send = async () =>
      good(await keeper.post('/filials/files', form(await picture(60, 40).png().toBuffer(), 'a.png')), 201)
    expect((await nurse.post('/filials/files', form('x', 'a.png'))).status).toBe(403)
    const files = [await send(), await send(), await send()]
    // Until attached to a branch it is visible to its author only.
    expect((await nurse.get(files[0].url)).status).toBe(404)
    const [first, second, third] = [
      good(await keeper.post('/filials/gallery', { idFilial: id, idFileRegister: files[0].id }), 201),
      good(await keeper.post('/filials/gallery', { idFilial: id, idFileRegister: files[1].id }), 201),
      good(await keeper.post('/filials/gallery', { idFilial: id, idFileRegister: files[2].id }), 201),
    ]
    good(await keeper.post(`/filials/gallery/${third.id}/move`, { before: first.id }))
    const { items } = good(await nurse.get(`/filials/gallery?filter[idFilial]=${id}`))
    expect(items.map((one: { id: number }) => one.id)).toEqual([third.id, first.id, second.id])
    expect((await nurse.get(items[0].url)).status).toBe(200)
    const main = good(await keeper.put(`/filials/${id}`, { cardImage: files[0].id }))
    expect(main.cardImage).toBe(files[0].id)
    expect((await keeper.delete(`/filials/files/${files[0].id}`)).status).toBe(409)
  })
})

describe('an organization', () => {
  const ip = { inn: '631601234522', ogrn: '315631600012344' }
  const ooo = { inn: '6315004112', kpp: '631501001', ogrn: '1166315004118' }

  it.each([
    [{ ...ip, kpp: '631501001' }, ['kpp: КПП есть только у организаций, у предпринимателя его не бывает']],
    [{ ...ip, ogrn: ooo.ogrn }, ['ogrn: ИНН из 12 цифр бывает у предпринимателя: нужен ОГРНИП из 15 цифр']],
    [{ ...ooo, ogrn: ip.ogrn }, ['ogrn: ИНН из 10 цифр бывает у организации: нужен ОГРН из 13 цифр']],
    [{ inn: '6315004113' }, ['inn: ИНН: контрольное число не сходится, проверьте цифры']],
    [{ isVatPayer: true }, ['vatRate: Укажите ставку НДС']],
    [{ vatRate: 'vat22' }, ['vatRate: Ставка бывает у плательщика НДС: уберите её или отметьте «Плательщик НДС»']],
  ])('refuses requisites like %j', async (body, errors) => {
    expect(await refused(keeper.post('/organizations', { shortName: 'Р', kind: 'own', ...body }))).toEqual(errors)
  })

  it('accepts requisites in any format, once, and validates them on change', async () => {
    const { id } = await organization({ ...ooo, inn: '63 1500 4112' })
    expect(good(await keeper.get(`/organizations/${id}`)).inn).toBe(ooo.inn)
    expect(await refused(keeper.post('/organizations', { shortName: 'Та же', kind: 'supplier', ...ooo }))).toEqual([
      'inn: Такое значение уже есть',
    ])
    expect(await refused(keeper.put(`/organizations/${id}`, { inn: ip.inn, ogrn: ip.ogrn }))).toEqual([
      'kpp: КПП есть только у организаций, у предпринимателя его не бывает',
    ])
    good(await keeper.put(`/organizations/${id}`, { ...ip, kpp: null }))
  })

  it('has accounts with bank data, one of them the main one', async () => {
    const { id: idOrganization } = await organization()
    const sber = {
      idOrganization,
      bik: '044525225',
      account: '40702810538000123456',
      corrAccount: '30101810400000000225',
      bankName: 'ПАО Сбербанк',
      isMain: true,
    }
    const path = '/organizations/accounts'
    const message = 'Не подходит к этому БИК: проверьте цифры счёта и БИК'
    expect(await refused(keeper.post(path, { ...sber, account: '40702810538000123457' }))).toEqual([
      `account: ${message}`,
    ])
    expect(await refused(keeper.post(path, { ...sber, bik: '044030653' }))).toEqual([
      `account: ${message}`,
      `corrAccount: ${message}`,
    ])
    const first = good(await keeper.post(path, sber), 201)
    expect(await refused(keeper.put(`${path}/${first.id}`, { bik: '044030653', corrAccount: null }))).toEqual([
      `account: ${message}`,
    ])
    expect(await refused(keeper.put(`${path}/${first.id}`, { account: '40702810538000123457' }))).toEqual([
      `account: ${message}`,
    ])
    const second = good(await keeper.post(path, { ...sber, account: '40702810600380000004' }), 201)
    const { items } = good(await keeper.get(`${path}?filter[idOrganization]=${idOrganization}`))
    expect(items.map((one: { id: number; isMain: boolean }) => [one.id, one.isMain])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
  })

  it('has programmes if it is an insurer, and stays one while it has them', async () => {
    const { id: idOrganization } = await organization({ kind: 'insurer' })
    const other = await organization()
    const path = '/organizations/programmes'
    expect(await refused(keeper.post(path, { idOrganization: other.id, name: 'Базовая' }))).toEqual([
      'idOrganization: Программы ДМС бывают только у страховой',
    ])
    const term = { dateFrom: '2026-12-31', dateTo: '2026-01-01' }
    expect(await refused(keeper.post(path, { idOrganization, name: 'Базовая', ...term }))).toEqual([
      'dateTo: Программа не может закончиться раньше, чем началась',
    ])
    const made = good(await keeper.post(path, { idOrganization, name: 'Базовая' }), 201)
    expect(await refused(keeper.put(`/organizations/${idOrganization}`, { kind: 'supplier' }))).toEqual([
      'kind: У страховой есть программы ДМС: удалите их, прежде чем менять вид',
    ])
    expect((await keeper.delete(`${path}/${made.id}`)).status).toBe(204)
    good(await keeper.put(`/organizations/${idOrganization}`, { kind: 'supplier' }))
  })
})

describe('a sequence', () => {
  const sequence = async (more: Record<string, unknown>) =>
    good(await keeper.post('/sequences', { name: `Нумерация ${++serial}`, code: `code-${serial}`, ...more }), 201)
  const issue = (code: string, asked: Parameters<typeof nextNumber>[2] = {}, from = clinic) =>
    from.db.tx((tx) => nextNumber(tx, code, asked))

  it.each([
    ['{ФИЛ}-{YYYY}', {}, 'В маске нет номера: добавьте {00000}, нулей столько, сколько цифр'],
    ['{000}-{000}', {}, 'Номер {00000} должен стоять в маске один раз'],
    ['{ГОД}-{000}', {}, 'Неизвестная часть {ГОД}: можно {ФИЛ}, {YYYY}, {YY}, {MM}, {DD}, {00000}'],
    ['{YYYY-{000}', {}, 'Скобки { и } должны стоять парами'],
    ['{000}', { reset: 'year' }, 'Номера повторятся: счёт начинается заново каждый год, а в маске нет {YYYY}'],
    ['{YY}-{000}', { reset: 'month' }, 'Номера повторятся: счёт начинается заново каждый месяц, а в маске нет {MM}'],
    ['{YY}{MM}-{000}', { reset: 'day' }, 'Номера повторятся: счёт начинается заново каждый день, а в маске нет {DD}'],
    ['{YYYY}-{000}', { perFilial: true }, 'Номера повторятся: в каждом филиале свой счёт, а в маске нет {ФИЛ}'],
  ])('refuses masks like %s', async (mask, more, message) => {
    const answer = keeper.post('/sequences', { name: 'Маска', code: 'mask', mask, reset: 'never', ...more })
    expect(await refused(answer)).toEqual([`mask: ${message}`])
  })

  it('counts in each branch and period separately', async () => {
    const { code } = await sequence({ mask: 'Д-{ФИЛ}-{YYYY}-{0000}', reset: 'year', perFilial: true })
    const [one, two] = [await filial({ filialCode: 'А1' }), await filial({ filialCode: 'Б2' })]
    const numbers = []
    for (const [at, day] of [
      [one, '2026-12-31'],
      [one, '2026-12-31'],
      [two, '2026-12-31'],
      [one, '2027-01-01'],
      [one, '2026-11-01'],
    ] as const)
      numbers.push(await issue(code, { idFilial: at.id, day }))
    expect(numbers).toEqual(['Д-А1-2026-0001', 'Д-А1-2026-0002', 'Д-Б2-2026-0001', 'Д-А1-2027-0001', 'Д-А1-2026-0003'])
    const nameless = await filial()
    const errors = async (asked: Parameters<typeof nextNumber>[2]) =>
      issue(code, asked).catch((error: Error) => error.message)
    expect(await errors({})).toBe('Выберите филиал: в каждом свой счёт номеров')
    expect(await errors({ idFilial: nameless.id })).toBe(
      `У филиала «${nameless.nameFilial}» нет кода, а он стоит в номере`,
    )
    await expect(issue('nothing')).rejects.toThrow('Нумерация «nothing» не настроена')
  })

  it("begins a day in the branch's time zone", async () => {
    const { code } = await sequence({ mask: '{YYYY}{MM}{DD}{ФИЛ}-{0}', reset: 'day', perFilial: true })
    const [east, west] = [
      await filial({ filialCode: 'В1', timeZone: 'Pacific/Kiritimati' }),
      await filial({ filialCode: 'З1', timeZone: 'Pacific/Niue' }),
    ]
    const day = (number: string) => Date.parse(`${number.slice(0, 4)}-${number.slice(4, 6)}-${number.slice(6, 8)}`)
    // 25 hours apart: never the same day.
    const [there, here] = [await issue(code, { idFilial: east.id }), await issue(code, { idFilial: west.id })]
    expect(day(there) - day(here)).toBeGreaterThanOrEqual(86_400_000)
  })

  it('issues each number once without gaps, under concurrency and failures', async () => {
    const { id, code } = await sequence({ mask: '{00}', reset: 'never' })
    const second = await clinic.secondProcess()
    try {
      const all = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (at % 2 ? second : clinic).db
            .tx(async (tx) => {
              const number = await nextNumber(tx, code)
              if (at % 4 === 0) throw new Error('the document was not made')
              return number
            })
            .catch(() => undefined),
        ),
      )
      const given = all.filter((number) => number !== undefined).sort()
      expect(given).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 1).padStart(2, '0')))
    } finally {
      await second.close()
    }
    expect(good(await keeper.get(`/sequences/${id}`)).counters).toEqual([{ idFilial: null, period: '', next: 31 }])
  })

  it("continues from the clinic's former numbering, never back, and records it in the journal", async () => {
    const { id, code } = await sequence({ mask: '{000}', reset: 'never' })
    const set = (body: unknown) => keeper.put(`/sequences/${id}/next`, body)
    expect(good(await set({ next: 500 })).counters).toEqual([{ idFilial: null, period: '', next: 500 }])
    expect(await issue(code)).toBe('500')
    expect(await refused(set({ next: 500 }))).toEqual([
      'next: Меньшие номера уже выданы: следующий может быть только больше',
    ])
    expect((await nurse.put(`/sequences/${id}/next`, { next: 900 })).status).toBe(403)
    const lines = await clinic.db.query({
      text: `select "basis" from access_log where "entityType" = 'sequences' and "idEntity" = ${id}`,
    })
    expect(lines).toEqual([{ basis: 'Следующий номер: 500' }])
    // Its way of counting is fixed now: another one would repeat numbers.
    const again = 'По этой нумерации уже выданы номера: заведите новую, иначе номера повторятся'
    expect(await refused(keeper.put(`/sequences/${id}`, { mask: '{YYYY}-{000}', reset: 'year' }))).toEqual([
      `reset: ${again}`,
    ])
    good(await keeper.put(`/sequences/${id}`, { mask: 'К-{000}' }))
    expect(await issue(code)).toBe('К-501')
  })
})

it('sets special days by range for several branches, and accepts «9:00» and «15» as times', async () => {
  const one = (await filial()).id
  const other = (await filial()).id
  const days = ['2027-05-03', '2027-05-04'].map((day) => ({ day, reason: 'Ремонт' }))
  const set = (more: object) => keeper.post('/filials/special-days', { filials: [one, other], days, ...more })
  expect(good(await set({}))).toEqual({ made: 4, changed: 0 })
  expect(good(await set({ start: '9:00', end: '15' }))).toEqual({ made: 0, changed: 4 })
  const { items } = good(await keeper.get(`/filials/holidays?filter[idFilial]=${other}&sort=day`))
  expect(items.map(({ day, start, end }: Record<string, unknown>) => [day, start, end])).toEqual([
    ['2027-05-03', '09:00', '15:00'],
    ['2027-05-04', '09:00', '15:00'],
  ])
  expect((await set({ start: 'утром', end: '15' })).status).toBe(422)
  const week = good(await keeper.put(`/filials/${one}`, { workingHours: { monday: { start: '9:00', end: '15' } } }))
  expect(week.workingHours).toEqual({ monday: { start: '09:00', end: '15:00' } })
})
