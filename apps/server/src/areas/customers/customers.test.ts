import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { soughtSql } from './customers.ts'

let clinic: Clinic
let desk: Caller
let out: Caller
let idDesk: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idDesk = (await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])).id
      await addPerson(app, 'passer', ['viewCustomers', 'editCustomers', 'passDuplicates'])
      await addPerson(app, 'chief', ['viewAccessLog'])
      await addPerson(app, 'out', ['viewTasksManagement'])
    },
  })
  desk = clinic.as('desk')
  out = clinic.as('out')
})
afterAll(() => clinic.close())

const patient = async (body: object = {}) => good(await desk.post('/customers', { surname: 'Орлова', ...body }), 201)
const refused = async (answer: Promise<Answer>, field: string) => {
  const { status, body } = await answer
  expect(status).toBe(422)
  return (body as { field: string; message: string }[]).find((one) => one.field === field)?.message
}

it('refuses impossible dates, in a call and in a change', async () => {
  expect(await refused(desk.post('/customers', { surname: 'Будущий', birthday: '01.01.2999' }), 'birthday')).toBe(
    'Этот день ещё не наступил',
  )
  const { id } = await patient({ birthday: '01.05.1899', datePassport: '1916-01-01' })
  expect(await refused(desk.put(`/customers/${id}`, { dateDeath: '1899-04-30' }), 'dateDeath')).toBeDefined()
  expect(await refused(desk.put(`/customers/${id}`, { birthday: '01.05.1920' }), 'datePassport')).toBeDefined()
})

it('reports a card with the same СНИЛС or policy at once, and allows a second with a right and a reason', async () => {
  const first = await patient({ surname: 'Первая', snils: '118-888-888 39', policy: '7757910848000774' })
  const policies = good(await desk.get(`/customers/policies?filter[idCustomer]=${first.id}`)).items
  expect(policies).toMatchObject([{ type: 'oms', number: '7757910848000774' }])
  const messageOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    expect([status, body.code]).toEqual([409, 'duplicate'])
    expect(body.duplicate).toMatchObject({ id: first.id, fio: 'Первая' })
    return body.message
  }
  expect(await messageOf(desk.post('/customers', { surname: 'Вторая', snils: '11888888839' }))).toContain(
    '118-888-888 39',
  )
  expect(await messageOf(desk.post('/customers', { surname: 'Вторая', policy: '7757 9108 4800 0774' }))).toContain(
    'Полис',
  )
  const other = await patient({ surname: 'Другая' })
  await messageOf(desk.put(`/customers/${other.id}`, { snils: '11888888839' }))
  await messageOf(desk.post('/customers/policies', { idCustomer: other.id, number: '7757910848000774' }))
  // The reason or the right alone is not enough.
  const duplicateReason = 'Ошибка в прежней карте'
  await messageOf(desk.put(`/customers/${other.id}`, { snils: '11888888839', duplicateReason }))
  await messageOf(clinic.as('passer').put(`/customers/${other.id}`, { snils: '11888888839' }))
  const passed = good(
    await clinic.as('passer').put(`/customers/${other.id}`, { snils: '11888888839', duplicateReason }),
  )
  expect(passed).toMatchObject({ snils: '11888888839', duplicateReason })
  // The card's own number is no duplicate.
  good(await desk.put(`/customers/${first.id}`, { snils: '11888888839', name: 'Анна' }))
})

it('defaults the document of a child to a birth certificate', async () => {
  const year = new Date().getUTCFullYear()
  expect((await patient({ birthday: `01.01.${year - 5}` })).documentType).toBe('birthCertificate')
  expect((await patient({ birthday: '01.01.1980' })).documentType).toBe('passport')
  expect((await patient({ birthday: `01.01.${year - 5}`, documentType: 'foreignPassport' })).documentType).toBe(
    'foreignPassport',
  )
  const { id } = await patient()
  expect(good(await desk.put(`/customers/${id}`, { birthday: `01.01.${year - 2}` })).documentType).toBe(
    'birthCertificate',
  )
})

it('has the age as a field, at the day of death for the deceased', async () => {
  const { id } = await patient({ birthday: '01.05.1950', dateDeath: '2000-04-30' })
  expect(good(await desk.get(`/customers/${id}?fields=age`))).toMatchObject({ age: 49 })
  // By another user: the journal of the desk's searches and exports is counted below.
  const reader = clinic.as('passer')
  const [listed] = good(await reader.get(`/customers?filter[id]=${id}&fields=age,fio`)).items
  expect(listed).toMatchObject({ age: 49 })
  const exported = await reader.get(`/customers/export?format=csv&filter[id]=${id}&fields=fio,age`)
  expect(exported.status).toBe(200)
  expect(exported.text.trim().split('\n')[1]).toMatch(/[;,]"?49"?\r?$/)
})

describe('numbers of a card', () => {
  it('are accepted in any format and stored in one', async () => {
    const card = await patient({
      snils: '112-233-445 95',
      inn: '5001 007322 59',
      numberPassport: '4504 № 123456',
      issuedByPassportCode: '770-001',
    })
    expect(card).toMatchObject({
      snils: '11223344595',
      inn: '500100732259',
      numberPassport: '45 04 123456',
      issuedByPassportCode: '770001',
    })
    const own = await desk.put(`/customers/${card.id}`, {
      documentType: 'foreignPassport',
      numberPassport: '712345678',
    })
    expect(good(own).numberPassport).toBe('71 2345678')
  })

  it('are refused at their field, and nothing is written', async () => {
    const { id } = await patient()
    const put = (body: object) => desk.put(`/customers/${id}`, { name: 'Новое', ...body })
    expect(await refused(put({ snils: '112-233-445 96' }), 'snils')).toContain('контрольное число')
    expect(await refused(put({ numberPassport: '45' }), 'numberPassport')).toContain('нужно 10 цифр')
    expect(await refused(put({ documentType: 'birthCertificate', numberPassport: '45' }), 'numberPassport')).toContain(
      'II-ЕР 123456',
    )
    expect(await refused(put({ surname: 'Я'.repeat(5000) }), 'surname')).toContain('64')
    expect(good(await desk.get(`/customers/${id}`)).name).toBeNull()
  })

  it('of a policy have the format of its kind', async () => {
    const { id: idCustomer } = await patient()
    const add = (body: object) => desk.post('/customers/policies', { idCustomer, ...body })
    expect(good(await add({ number: '7757 9108 4800 0014' }), 201).number).toBe('7757910848000014')
    expect(await refused(add({ number: '7757910848000015' }), 'number')).toContain('контрольное число')
    expect(await refused(add({ type: 'omsTemporary', number: '12' }), 'number')).toContain('9 цифр')
    expect(good(await add({ type: 'dms', number: 'ДМС-7/2026' }), 201).number).toBe('ДМС-7/2026')
    const dates = { type: 'dms', number: '1', dateFrom: '2026-02-01', dateTo: '2026-01-01' }
    expect(await refused(add(dates), 'dateTo')).toContain('раньше')
  })
})

describe('a representative', () => {
  it('is a customer or a name, and not the patient', async () => {
    const [child, mother] = [await patient(), await patient()]
    const add = (body: object) =>
      desk.post('/customers/relations', { idCustomer: child.id, relation: 'mother', ...body })
    expect(await refused(add({}), 'fio')).toContain('впишите ФИО')
    expect(await refused(add({ idRelative: child.id }), 'idRelative')).toContain('сам себя')
    good(await add({ idRelative: mother.id, signs: 'yes' }), 201)
    good(await add({ fio: 'Орлов Иван', relation: 'father' }), 201)
    const { items } = good(await desk.get(`/customers/relations?filter[idCustomer]=${child.id}&expand=relative`))
    expect(
      items.map((one: { fio: string | null; relative: { fio: string } | null }) => one.relative?.fio ?? one.fio),
    ).toEqual([mother.fio, 'Орлов Иван'])
  })
})

describe('the search', () => {
  const found = async (...words: string[]) => {
    const filter = words.map((word, i) => `filter[and][${i}][text][ilike]=${encodeURIComponent(word)}`).join('&')
    return good(await desk.get(`/customers?${filter}`)).items.map(({ id }: { id: number }) => id)
  }

  it('finds by names in any order, phone, mail, address, birthday, СНИЛС, passport and card number', async () => {
    const { id } = await patient({
      surname: 'Щукарёв',
      name: 'Пантелей',
      phoneMother: '8 (912) 000-11-22',
      email: 'Panteley@Example.ru',
      post: 'Лоцман',
      birthday: '09.02.1951',
      snils: '10002888900',
      numberPassport: '3601 765432',
      cardNumber: 'К-7781',
    })
    for (const words of [
      ['пантел', 'щука'],
      ['+79120001122'],
      ['panteley@example'],
      ['лоцман'],
      ['09.02.1951'],
      ['10002888900'],
      ['765432'],
      ['к-7781'],
      ['Щукарёв П.'],
      ['9.2.1951'],
      ['щукарёв', '9.2.51'],
      ['Щука\u200bрёв'],
    ])
      expect([words, await found(...words)]).toEqual([words, [id]])
    expect(await found('пантел', 'иванов')).toEqual([])
    for (const q of [
      'щукарёв пантелей',
      'Щукарёв П.',
      'Щукарёв 9.2.1951',
      '8 912 000-11-22',
      '09.02.51',
      '100-028-889 00',
    ]) {
      const { groups } = good(await desk.get(`/search?q=${encodeURIComponent(q)}`))
      expect([q, groups[0]?.items[0]?.link]).toEqual([q, `/customers/edit?id=${id}`])
    }
    // The number of a policy, which is stored apart from the card.
    good(await desk.post('/customers/policies', { idCustomer: id, number: '5088489776000027' }), 201)
    expect(await found('5088489776000027')).toEqual([id])
    good(await desk.post('/customers/policies', { idCustomer: id, number: '7757910848000071' }), 201)
    for (const q of ['5088489776000027', '5088 4897 7600 0027', '7757 9108 4800 0071']) {
      const { groups } = good(await desk.get(`/search?q=${encodeURIComponent(q)}`))
      expect([q, groups[0]?.items[0]?.link]).toEqual([q, `/customers/edit?id=${id}`])
    }
    expect(good(await out.get(`/search?q=${encodeURIComponent('щукарёв')}`)).groups).toEqual([])
    // A search that returns patients is recorded; one without results is not.
    await clinic.context.journal.settle()
    const searches = await clinic.context.db.query<{ count: number }>({
      text: `select count(*)::int as count from access_log where action = 'search' and "entityType" = 'customers' and "idUser" = $1`,
      values: [idDesk],
    })
    expect(searches[0]?.count).toBe(12 + 1 + 6 + 4)
  })

  it('tolerates a typo in a name without exact matches, and matches ё by е; exact matches exclude typos', async () => {
    const of = async (surname: string, name = 'Ия') => (await patient({ surname, name })).id
    const near = await of('Бездубравин')
    const exact = await of('Бездубрывин')
    expect(await found('Бездубрувин')).toEqual([near, exact])
    expect(await found('бездубрав')).toEqual([near])
    expect(await found('бездубрувин', 'ксения')).toEqual([])
    const dotted = await of('Чернозёмкин')
    expect(await found('чернозем')).toEqual([dotted])
    // The second part of a surname, a first name as surname, and a part of the address.
    const double = await of('Глинка-Вострюкова')
    const other = (await patient({ surname: 'Абаева', post: 'Вострюкова помощница' })).id
    expect(await found('вострюков')).toEqual([other, double])
    expect(await found('вострюков', 'абаев')).toEqual([other])
    const spaced = await of('Кедрова Полынина')
    for (const typed of ['кедрова-полынина', 'Кедрова - Полынина', 'кедрова полынина', 'кедрова–полынина'])
      expect(await found(typed), typed).toEqual([spaced])
  })

  it('finds a number or date typed in full, and nothing by an invalid date', async () => {
    const shared = { phoneFather: '+7 913 555-66-77', birthday: '29.02.2004' }
    const both = [await patient({ name: 'Яна', ...shared }), await patient({ name: 'Яков', ...shared })].map(
      ({ id }) => id,
    )
    expect((await found('+79135556677')).sort()).toEqual(both)
    expect((await found('29.02.2004')).sort()).toEqual(both)
    expect(await found('31.02.2004')).toEqual([])
    expect(await found('29.02.0000')).toEqual([])
    expect((await found('9135556677')).sort()).toEqual(both)
  })

  it('searches a surname by the surname index, only within those that have it', async () => {
    // All with one surname at the end: a scan in the list's order would pass all the others.
    await clinic.context.db.query({
      text: `insert into customers ("surname", "name") select case when n % 20 = 0 then 'Яшмовых' else 'Агатов' end, 'Ия'
        from generate_series(1, 4000) n`,
    })
    await clinic.context.db.query({ text: 'analyze customers' })
    const { rows } = await clinic.context.db.tx(async (tx) => {
      await tx.query({ text: 'set local enable_seqscan = off' })
      const plan = await tx.query<{
        'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
      }>(
        sql`explain (analyze, buffers, format json) select c."id" from customers c where not c."deleted" and ${soughtSql(raw('c'), sql`'%яшмов%'::text`)}
          order by c."surname", c."name", c."id" limit 20`,
      )
      return { rows: plan }
    })
    const walked = rows[0]?.['QUERY PLAN'][0].Plan
    expect((walked?.['Shared Hit Blocks'] ?? 1e9) + (walked?.['Shared Read Blocks'] ?? 0)).toBeLessThan(30)
  })

  it.each(['0000777', '@mail.ru', '45 10 123'])(
    'uses the word index for %s, instead of scanning all cards',
    async (typed) => {
      const plan = await clinic.context.db.tx(async (tx) => {
        await tx.query({ text: 'set local enable_seqscan = off' })
        return tx.query<{ 'QUERY PLAN': string }>(
          sql`explain select c."id" from customers c where not c."deleted" and ${soughtSql(raw('c'), sql`${`%${typed}%`}::text`)}`,
        )
      })
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on customers_text_idx')
    },
  )

  it('compares a frequent name directly, and misses none that has it elsewhere', async () => {
    const { db } = clinic.context
    await db.query({
      text: `insert into customers ("surname", "name") select 'Ониксов', case when n % 4 = 0 then 'Северин' else 'Нил' end
        from generate_series(1, 100) n`,
    })
    const others = await db.query<{ id: number }>({
      text: `insert into customers ("surname", "name", "middleName", "post", "email", "cardNumber") values
        ('Ониксов', 'Яна', 'Севериновна', null, null, null), ('Ониксов', 'Яна', null, 'староста Севериновки', null, null),
        ('Ониксов', 'Яна', null, null, 'северин@почта.рф', null), ('Ониксов', 'Яна', null, null, null, 'СЕВЕРИН-1'),
        ('Северинов-Ониксов', 'Яна', null, null, null, null) returning "id"`,
    })
    const [known] = await db.query<{ words: string[] }>({ text: `select customer_words('%северин%') as words` })
    expect(known?.words.toSorted()).toEqual(['Северин', 'Севериновна', 'Северинов-Ониксов'].sort())
    const items = good(
      await desk.get(
        `/customers?limit=50&sort=surname,name&filter[and][0][text][ilike]=северин&filter[and][1][text][ilike]=оникс`,
      ),
    ).items as { id: number; name: string }[]
    expect(items.filter(({ name }) => name === 'Северин').length).toBe(25)
    expect(new Set(items.slice(25).map(({ id }) => id))).toEqual(new Set(others.map(({ id }) => id)))
  })
})

describe('a photo', () => {
  it('is a picture, shown with the card to anyone who sees it, and cannot be deleted while in use', async () => {
    const { id } = await patient()
    const send = (bytes: Buffer | string, name: string) => desk.post('/customers/photos', form(bytes, name))
    expect((await send('не картинка', 'лицо.png')).status).toBe(422)
    const photo = good(await send(await picture(900, 600).png().toBuffer(), 'лицо.png'), 201)
    expect(good(await desk.put(`/customers/${id}`, { idPhoto: photo.id })).photo).toBe(`/files/${photo.id}/small`)
    const small = await desk.get(`/files/${photo.id}/small`)
    expect([small.status, small.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await out.get(`/files/${photo.id}/small`)).status).toBe(404)
    expect((await desk.delete(`/customers/photos/${photo.id}`)).status).toBe(409)
    expect(good(await desk.put(`/customers/${id}`, { idPhoto: null })).photo).toBeNull()
    expect((await desk.delete(`/customers/photos/${photo.id}`)).status).toBe(204)
  })
})

describe('the access journal', () => {
  const lines = async (idCustomer: number) => {
    await clinic.context.journal.settle()
    return clinic.context.db.query<{ action: string; entityType: string; idUser: number }>({
      text: `select action, "entityType", "idUser"::int from access_log where "idCustomer" = $1 order by dt, id`,
      values: [idCustomer],
    })
  }

  it('records every view of a card and its attachments, with the patient', async () => {
    const { id } = await patient()
    const policy = good(await desk.post('/customers/policies', { idCustomer: id, type: 'dms', number: '5' }), 201)
    good(await desk.get(`/customers/${id}`))
    good(await desk.get(`/customers/policies/${policy.id}?expand=customer`))
    good(await desk.post('/customers/batch', { update: [{ id, name: 'Анна' }] }))
    expect(await lines(id)).toEqual(
      [
        ['create', 'customers'],
        ['create', 'customers/policies'],
        ['view', 'customers'],
        ['view', 'customers'],
        ['view', 'customers/policies'],
        ['update', 'customers'],
      ].map(([action, entityType]) => ({ action, entityType, idUser: idDesk })),
    )
  })

  it('records reads of a file attached to a card', async () => {
    const { id } = await patient()
    const form = new FormData()
    form.append('file', new File(['Выписка'], 'выписка.txt'))
    const file = good(await desk.post('/customers/files', form), 201)
    good(await desk.get(`/files/${file.id}`))
    expect(await lines(id)).toHaveLength(1)
    good(await desk.post('/customers/attachments', { idCustomer: id, idFile: file.id }), 201)
    good(await desk.get(`/files/${file.id}`))
    expect((await out.get(`/files/${file.id}`)).status).toBe(404)
    expect((await lines(id)).map(({ action, entityType }) => [action, entityType])).toEqual([
      ['create', 'customers'],
      ['create', 'customers/attachments'],
      ['view', 'customers/files'],
    ])
  })

  it('is readable only with its right, whole or of one patient, in pages', async () => {
    const chief = clinic.as('chief')
    const { id } = await patient({ surname: 'Тайная' })
    for (let i = 0; i < 3; i++) good(await desk.get(`/customers/${id}`))
    expect((await desk.get('/access-log')).status).toBe(403)
    const first = good(await chief.get(`/access-log?idCustomer=${id}&limit=3`))
    expect(first.items.map(({ action }: { action: string }) => action)).toEqual(['view', 'view', 'view'])
    expect(first.items[0]).toMatchObject({ idCustomer: id, customer: 'Тайная', label: 'Клиент', idUser: idDesk })
    const rest = good(await chief.get(`/access-log?idCustomer=${id}&limit=3&before=${first.next}`))
    expect(rest).toMatchObject({ items: [{ action: 'create' }], next: null })
    expect(good(await chief.get(`/access-log?idUser=${idDesk}&action=export`)).items).toEqual([])
    for (let i = 0; i < 5; i++) good(await desk.get('/customers/export?format=csv&filter[surname]=Тайная'))
    const { items } = good(await chief.get('/access-log/alerts'))
    const what = '1\u00a0строка; условия: filter[surname]=Тайная'
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'export', idUser: idDesk, what }),
        expect.objectContaining({ kind: 'unusual', idUser: idDesk, count: 5 }),
      ]),
    )
  })

  it('cannot be changed', async () => {
    for (const text of ['update access_log set ip = null', 'delete from access_log'])
      await expect(clinic.context.db.query({ text })).rejects.toThrow('append-only')
  })
})

it.each([
  'Пробина М.',
  'Пробина М.С.',
  'Пробина М. С.',
  'пробина мария',
  'Мария Пробина',
  'М. С. Пробина',
  'Пробина-Алферова М.',
  'Пробина – Алферова Мария Сергеевна',
  'Пробина Алфёрова',
  'робина',
])('a filter of the full name finds a person by %s', async (written) => {
  await patient({ surname: 'Пробина-Алфёрова', name: 'Мария', middleName: 'Сергеевна' })
  const found = async (field: string, asked: string) =>
    good(await desk.get(`/customers?filter[${field}][ilike]=${encodeURIComponent(asked)}`)).items.length
  expect(await found('fio', written)).toBeGreaterThan(0)
  expect(await found('fio', 'Пробина Н.')).toBe(0)
  expect(await found('fio', 'Пробина (М.')).toBe(0)
  expect(await found('shortFio', 'Пробина-Алферова М.С.')).toBeGreaterThan(0)
  expect(await found('text', written)).toBeGreaterThan(0)
})

it('words of the search text may come together, with a birthday or a phone, within other conditions', async () => {
  await patient({
    surname: 'Вместева',
    name: 'Нина',
    middleName: 'Олеговна',
    birthday: '03.01.1980',
    phone: '+79167004455',
  })
  const found = async (query: string) =>
    good(await desk.get(`/customers?${query}&fields=fio`)).items.map(({ fio }: { fio: string }) => fio)
  const sought = ['Вместева Н.О.', 'Вместева 3.1.80', '8 (916) 700-44-55', '+7 916 700 44 55', 'Вместева 700-44-55']
  for (const written of sought) {
    const asked = encodeURIComponent(written)
    expect(await found(`filter[text][ilike]=${asked}`), written).toEqual(['Вместева Нина Олеговна'])
    const within = `filter[or][0][text][ilike]=${asked}&filter[or][1][id]=0&filter[and][0][surname]=${encodeURIComponent('Вместева')}`
    expect(await found(within), written).toEqual(['Вместева Нина Олеговна'])
  }
  expect(await found(`filter[text][ilike]=${encodeURIComponent('Вместева Ж.')}`)).toEqual([])
})
