/** Import of customers from a table. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let desk: Caller
let files: ReturnType<typeof importFiles>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers'])
      await addPerson(app, 'reader', ['viewCustomers'])
      await addPerson(app, 'second', ['viewCustomers', 'editCustomers'])
    },
  })
  desk = clinic.as('desk')
  files = importFiles(clinic, 'customers')
})
afterAll(() => clinic.close())

const list = async (surname: string) =>
  good(
    await desk.get(
      `/customers?filter[surname]=${encodeURIComponent(surname)}&sort=id&expand=tags,policies,source&limit=500`,
    ),
  ).items as Record<string, any>[]
const errorsOf = async (id: number) =>
  good(await desk.get(`/imports/${id}/errors`)).items as {
    row: number
    field: string
    message: string
    note?: boolean
  }[]

describe('an import of customers', () => {
  it('reads every field in any usual format, with policy, tags and source, and can be undone completely', async () => {
    const file = csv(
      'ФИО;Дата рождения;Пол;Телефон;СНИЛС;Енп;Паспорт;Источник;Метки;№ карты',
      'Ситцева Анна Петровна;1.2.1980;ж;8 (912) 000-11-22;112-233-445 95;7757 9108 4800 0014;4504 123456;Вывеска;"Своя, Скидка";А-1',
      'Ситцева Ольга;;;;;;;;;',
    )
    const run = await files.take(desk, file, { createSources: true })
    expect(run).toMatchObject({ state: 'done', created: 2, failed: 0 })
    const [anna, olga] = await list('Ситцева')
    expect(anna).toMatchObject({
      fio: 'Ситцева Анна Петровна',
      birthday: '01.02.1980',
      gender: 'female',
      phone: '+79120001122',
      snils: '11223344595',
      numberPassport: '45 04 123456',
      cardNumber: 'А-1',
      policies: [{ type: 'oms', number: '7757910848000014' }],
      source: { sourceName: 'Вывеска' },
    })
    expect(anna?.tags.map(({ name }: { name: string }) => name)).toEqual(['Своя', 'Скидка'])
    expect(olga).toMatchObject({ fio: 'Ситцева Ольга', birthday: null, gender: 'none', policies: [], tags: [] })
    // The policy number encodes another sex: a warning, not an error.
    expect(await errorsOf(run.id)).toMatchObject([{ row: 1, field: 'Полис ОМС', note: true }])
    const lines = await clinic.db.query<{ action: string; basis: string }>({
      text: `select action, basis from access_log where "idCustomer" = $1 and action = 'create'`,
      values: [anna?.id],
    })
    expect(lines).toEqual([{ action: 'create', basis: 'Импорт из файла «файл.csv»' }])
    expect(await files.revert(desk, run)).toMatchObject({ state: 'reverted', created: 0 })
    expect(await list('Ситцева')).toEqual([])
  })

  it('matches a source that is like one of the clinic, and notes the doubt', async () => {
    await clinic.db.query({
      text: `insert into customer_sources ("sourceName") values ('Сайт клиники'), ('Друзья'), ('Друзей')`,
      values: [],
    })
    const file = csv('ФИО;Источник', 'Сайтова Анна;Реклама на сайте', 'Сайтова Вера;от друзьями')
    const run = await files.take(desk, file, { createSources: true })
    expect((await list('Сайтова')).map(({ source }) => source?.sourceName)).toEqual(['Сайт клиники', 'от друзьями'])
    expect(await errorsOf(run.id)).toMatchObject([
      { row: 1, field: 'Источник', message: '«Реклама на сайте» взят как «Сайт клиники»', note: true },
    ])
    await files.revert(desk, run)
  })

  it('leaves out rows without a name, and loads those with another bad cell without it', async () => {
    const bad = [
      'Градов;31.02.1990;;;',
      'Градов;01.01.2990;;;',
      'Градов;;12345;;',
      'Градов;;;112-233-445 96;',
      'Градов;;;;7757910848000015',
      ';;;;',
      `${'Г'.repeat(65)};;;;`,
    ]
    const rows = Array.from({ length: 490 }, (_, i) =>
      i % 10 < 3 ? (bad[i % bad.length] as string) : `Градов;01.01.1990;;;`,
    )
    const numbered = rows.map((row, i) => `${row};К-${i}`)
    const preview = good(
      await files.preview(desk, csv('Фамилия;Дата рождения;Телефон;СНИЛС;Полис ОМС;Номер карты', ...numbered), {}),
    )
    expect(preview).toMatchObject({ total: 490, wrong: 42 })
    const run = await files.end(desk, await files.begin(desk, preview, { skipWrong: true }))
    expect(run).toMatchObject({ state: 'done', done: 490, created: 448, failed: 42 })
    const made = await list('Градов')
    const isNamed = (i: number) => i % 10 >= 3 || i % bad.length < 5
    expect(made.map(({ cardNumber }) => cardNumber)).toEqual(rows.flatMap((_, i) => (isNamed(i) ? [`К-${i}`] : [])))
    expect(made.slice(0, 3)).toMatchObject([
      { birthday: null, note: 'Дата рождения: 31.02.1990' },
      { birthday: null, note: 'Дата рождения: 01.01.2990' },
      { phone: null, note: 'Телефон: 12345' },
    ])
    const errors = await errorsOf(run.id)
    expect(new Set(errors.map(({ row }) => row)).size).toBe(147)
    expect(errors.slice(0, 3)).toMatchObject([
      { row: 1, field: 'Дата рождения' },
      { row: 2, field: 'Дата рождения', message: 'Этот день ещё не наступил. «01.01.2990» не загружается', note: true },
      { row: 3, field: 'Телефон' },
    ])
    expect(new Set(errors.map(({ field }) => field))).toEqual(
      new Set(['Дата рождения', 'Телефон', 'СНИЛС', 'Полис ОМС', 'Фамилия']),
    )
    // All or nothing, unless requested otherwise.
    const whole = await files.take(desk, csv('Фамилия;Имя', 'Целиков;', ';Пётр'), {})
    expect(whole).toMatchObject({ state: 'failed', failed: 1 })
    expect(await list('Целиков')).toEqual([])
  })

  it('reads names, phones and marks in the usual formats', async () => {
    const file = csv(
      'ФИО;Телефон;Электронная почта',
      'Салтыков - Щедрин Иван Петрович;79161112233.0;mailto:a@b.ru',
      '\u0418\u0306одов Олег;8 (495) 111-22-33 доб. 5;a@b.ru;',
      'Двусвязов Пётр;8 916 111-22-34, 8 916 444-55-66;',
    )
    // The preview shows the parsed values.
    expect(good(await files.preview(desk, file)).rows.map(({ values }) => values)).toMatchObject([
      { ФИО: 'Салтыков-Щедрин Иван Петрович', Телефон: '+7 (916) 111-22-33', 'Электронная почта': 'a@b.ru' },
      { ФИО: 'Йодов Олег', Телефон: '+7 (495) 111-22-33' },
      { ФИО: 'Двусвязов Пётр', Телефон: '+7 (916) 111-22-34' },
    ])
    expect(await files.take(desk, file)).toMatchObject({ created: 3, failed: 0 })
    expect((await list('Салтыков-Щедрин'))[0]).toMatchObject({
      name: 'Иван',
      middleName: 'Петрович',
      phone: '+79161112233',
      email: 'a@b.ru',
    })
    expect((await list('Йодов'))[0]).toMatchObject({
      phone: '+74951112233',
      note: 'Телефон +7 (495) 111-22-33: доб. 5',
    })
    expect((await list('Двусвязов'))[0]).toMatchObject({ phone: '+79161112234', phoneExtended: '+79164445566' })
  })

  it('reads days, numbers and phones of other programs, and keeps what no field takes in the note', async () => {
    const file = csv(
      'ФИО;Дата рождения;Телефон;Телефон матери;СНИЛС;Паспорт;Электронная почта',
      'Разнов, Иван Петрович;09.02.81;11-22-33;8 916 111 22 35, 8 916 111 22 36 папа;11223346195.0;серия 4504 номер 777001;Иван <iv@b.ru>',
      'Разнова (Петрова) Анна;19810209;+49 1512 3456789;;="112-233-462 96";;почта: iv2@b.ru',
      'Де ла Разнов Лев;"1981-02-09 00:00:00+03";тел. 8(495)111-22-44(104);;;;',
    )
    expect(await files.take(desk, file)).toMatchObject({ created: 3, failed: 0 })
    const made = [...(await list('Разнов')), ...(await list('Разнова (Петрова)')), ...(await list('Де ла Разнов'))]
    expect(made).toMatchObject([
      {
        name: 'Иван',
        birthday: '09.02.1981',
        phone: null,
        phoneMother: '+79161112235',
        phoneExtended: '+79161112236',
        snils: '11223346195',
        numberPassport: '45 04 777001',
        email: 'iv@b.ru',
        note: 'Телефон: 11-22-33\nТелефон матери +7 (916) 111-22-35: папа',
      },
      { birthday: '09.02.1981', snils: '11223346296', email: 'iv2@b.ru', note: 'Телефон: +49 1512 3456789' },
      { birthday: '09.02.1981', phone: '+74951112244', note: 'Телефон +7 (495) 111-22-44: (104)' },
    ])
  })

  it('writes the rest of a batch when the database rejects one of its rows', async () => {
    await clinic.db.query({
      text: `alter table customers add constraint odd_one check ("cardNumber" is distinct from 'нельзя') not valid`,
    })
    try {
      const file = csv('Фамилия;Номер карты', 'Портнов;1', 'Портнов;нельзя', 'Портнов;3')
      const run = await files.take(desk, file, {}, { skipWrong: true })
      expect(run).toMatchObject({ state: 'done', created: 2, failed: 1 })
      expect((await list('Портнов')).map(({ cardNumber }) => cardNumber)).toEqual(['1', '3'])
    } finally {
      await clinic.db.query({ text: 'alter table customers drop constraint odd_one' })
    }
  })

  describe('with an existing card', () => {
    const head = 'Фамилия;Имя;Отчество;Дата рождения;Телефон;СНИЛС;Полис ОМС;Город'
    const there = async (body: object) => good(await desk.post('/customers', body), 201)

    it('skips the row, updates the card or creates another, as chosen; numbers stay unique', async () => {
      const one = await there({ surname: 'Двойнова', name: 'Вера', birthday: '03.03.1993', snils: '10002888900' })
      const insured = await there({ surname: 'Двойнова', name: 'Инна' })
      good(await desk.post('/customers/policies', { idCustomer: insured.id, number: '5088489776000027' }), 201)
      const file = csv(
        head,
        'Двойнова;Вера;;03.03.1993;;;;Псков',
        'Другая;Вера;;;;100-028-889 00;;Псков',
        'Третья;Инна;;;;;5088489776000027;Псков',
      )
      const skipped = await files.take(desk, file)
      expect(skipped).toMatchObject({ state: 'done', created: 0, failed: 0 })
      expect(await errorsOf(skipped.id)).toMatchObject([
        { row: 1, field: 'ФИО', note: true },
        { row: 2, field: 'СНИЛС', note: true },
        { row: 3, field: 'Полис ОМС', note: true },
      ])
      const again = await files.take(desk, file, { twins: 'create' }, { skipWrong: true })
      expect(again).toMatchObject({ created: 1, failed: 2 })
      expect(await files.revert(desk, again)).toMatchObject({ state: 'reverted' })
      const changed = await files.take(desk, file, { twins: 'update' })
      expect(changed).toMatchObject({ created: 3, failed: 0 })
      expect(good(await desk.get(`/customers/${one.id}`))).toMatchObject({ surname: 'Другая', nameCity: 'Псков' })
      const now = good(await desk.get(`/customers/${insured.id}?expand=policies`))
      expect(now).toMatchObject({ surname: 'Третья', nameCity: 'Псков' })
      expect(now.policies).toHaveLength(1)
    })

    it('never turns a patient into another by a number alone', async () => {
      const mother = await there({
        surname: 'Материна',
        name: 'Ольга',
        birthday: '01.02.1985',
        snils: '112-233-449 99',
      })
      const before = good(await desk.get(`/customers/${mother.id}`))
      const file = csv(
        head,
        'Материна;Ева;;05.05.2018;;112-233-449 99;;',
        'Чужая;Инна;;;;112-233-449 99;;',
        'Материна;Ольга;;01.02.1985;;112-233-450 92;;',
        'Пустов;Пётр;;;;000-000-000 00;;',
      )
      const run = await files.take(desk, file, { twins: 'update' }, { skipWrong: true })
      expect(run).toMatchObject({ created: 1, failed: 3 })
      expect((await errorsOf(run.id)).map(({ message }) => message)).toEqual([
        'СНИЛС принадлежит другому пациенту: Материна Ольга, 01.02.1985',
        'СНИЛС принадлежит другому пациенту: Материна Ольга, 01.02.1985',
        'В карте «Материна Ольга» другой СНИЛС: проверьте, тот ли это пациент',
        'СНИЛС: это не номер, а одна и та же цифра. «000-000-000 00» не загружается',
      ])
      expect(good(await desk.get(`/customers/${mother.id}`))).toEqual(before)
      const married = await files.take(desk, csv(head, 'Мужнина;Ольга;;01.02.1985;;112-233-449 99;;Псков'), {
        twins: 'update',
      })
      expect(married).toMatchObject({ created: 1, failed: 0 })
      expect(good(await desk.get(`/customers/${mother.id}`))).toMatchObject({ surname: 'Мужнина', nameCity: 'Псков' })
    })

    it('reports in the preview an ИНН, a document or a card number that another card has', async () => {
      await there({
        surname: 'Номерова',
        name: 'Зоя',
        birthday: '07.07.1977',
        inn: '500100732259',
        numberPassport: '4510 777888',
        cardNumber: 'Н-77',
      })
      await there({ surname: 'Номерков', name: 'Лев', birthday: '08.08.1988', snils: '112-233-457 99' })
      const file = csv(
        'Фамилия;Имя;Дата рождения;ИНН;Серия и номер;Номер карты;СНИЛС;Город',
        'Чужой;Пётр;01.01.1990;500100732259;;;;',
        'Чужой;Олег;02.01.1990;;45 10 №777888;;;',
        'Чужой;Игорь;03.01.1990;;;н-77;;',
        'Чужой;Роман;03.01.1990;;;Н-77;;',
        'Номерова;Зоя;07.07.1977;500100732259;4510777888;Н-77;;Псков',
        'Номерова;Зоя;07.07.1977;;;;112-233-457 99;Псков',
        'Номерова;Зоя;07.07.1977;500100000720;;;;Псков',
      )
      for (const twins of ['skip', 'update', 'create']) {
        const preview = good(await files.preview(desk, file, { twins }))
        const messages = (row: number) =>
          preview.errors
            .filter((one: { row: number }) => one.row === row)
            .map(({ message }: { message: string }) => message)
        const whose = 'принадлежит другому пациенту: Номерова Зоя, 07.07.1977'
        expect(messages(1)).toEqual([`ИНН ${whose}`])
        expect(messages(2)).toEqual([`Серия и номер ${whose}`])
        expect(messages(3)).toEqual([])
        expect(messages(4)).toEqual(['Номер карты уже у другого пациента: Номерова Зоя, 07.07.1977'])
        expect(messages(5)).toEqual([
          {
            skip: 'Похожа карта «Номерова Зоя»: строка пропускается',
            update: 'Похожа карта «Номерова Зоя»: она изменится',
            create: 'Похожа карта «Номерова Зоя»: двух карт с таким номером не бывает',
          }[twins],
        ])
        expect(messages(6)).toEqual(['СНИЛС принадлежит другому пациенту: Номерков Лев, 08.08.1988'])
        if (twins === 'update')
          expect(messages(7)).toEqual(['В карте «Номерова Зоя» другой ИНН: проверьте, тот ли это пациент'])
      }
    })

    it('asks for the card when several match', async () => {
      for (const surname of ['Близнецова', 'Близняк']) await there({ surname, name: 'Яна', phone: '89120009911' })
      const run = await files.take(desk, csv(head, 'Яковлева;Яна;;;89120009911;;;Псков'), { twins: 'update' })
      expect(run).toMatchObject({ state: 'failed', failed: 1 })
      expect((await errorsOf(run.id))[0]?.message).toContain('Похожих карт несколько')
    })

    it('treats a family with one phone as separate patients, and one person written twice as one', async () => {
      const father = await there({ surname: 'Семейнов', name: 'Олег', birthday: '05.05.1985', phone: '89120007788' })
      const file = csv(
        head,
        // The son has the name and the phone of the father, the daughter the phone.
        'Семейнов;Олег;;06.06.2015;8 912 000-77-88;;;',
        'Семейнова;Ирина;;;8 912 000-77-88;;;',
        'Семейнов;Олег;;05.05.1985;8 912 000-77-88;;;',
        'Семейнова;Ирина;;;+7 (912) 000 77 88;;;',
      )
      const run = await files.take(desk, file)
      expect(run).toMatchObject({ created: 2 })
      expect((await errorsOf(run.id)).map(({ row }) => row)).toEqual([3, 4])
      expect((await list('Семейнов')).map(({ id }) => id)).toContain(father.id)
      expect(await list('Семейнов')).toHaveLength(2)
      expect(await list('Семейнова')).toHaveLength(1)
    })
  })

  it('keeps a card that has got more data since', async () => {
    const run = await files.take(desk, csv('Фамилия', 'Остаева', 'Остаева2'))
    const [card] = await list('Остаева')
    good(await desk.post('/customers/relations', { idCustomer: card?.id, relation: 'mother', fio: 'Мать' }), 201)
    expect(await files.revert(desk, run)).toMatchObject({ state: 'reverted', created: 1 })
    expect(await list('Остаева')).toHaveLength(1)
    expect(await list('Остаева2')).toHaveLength(0)
  })

  it('restores the former values of updated cards, except those changed since', async () => {
    const make = async (body: object) => good(await desk.post('/customers', body), 201)
    const kept = await make({
      surname: 'Возвратова',
      name: 'Ада',
      birthday: '01.02.1985',
      snils: '112-233-455 97',
      nameCity: 'Тверь',
    })
    const free = await make({
      surname: 'Возвратов',
      name: 'Ян',
      birthday: '02.02.1985',
      snils: '112-233-456 98',
      nameCity: 'Ржев',
    })
    const run = await files.take(
      desk,
      csv(
        'Фамилия;Имя;Дата рождения;СНИЛС;Город;Место работы;Метки',
        'Возвратова;Ада;01.02.1985;112-233-455 97;Псков;Завод;Новая',
        'Возвратов;Ян;02.02.1985;112-233-456 98;Псков;Завод;Новая',
      ),
      { twins: 'update' },
    )
    expect(run).toMatchObject({ state: 'done', created: 2 })
    expect(good(await desk.get(`/customers/${free.id}?expand=tags`))).toMatchObject({
      nameCity: 'Псков',
      tags: [{ name: 'Новая' }],
    })
    good(await clinic.as('second').put(`/customers/${kept.id}`, { nameCity: 'Клин' }))
    expect(await files.revert(desk, run)).toMatchObject({
      state: 'reverted',
      created: 1,
      message: 'Осталось записей: 1. Их изменили после импорта или в них есть чужое',
    })
    expect(good(await desk.get(`/customers/${free.id}?expand=tags`))).toMatchObject({
      nameCity: 'Ржев',
      work: null,
      tags: [],
    })
    expect(good(await desk.get(`/customers/${kept.id}?expand=tags`))).toMatchObject({
      nameCity: 'Клин',
      work: null,
      tags: [],
    })
    const errors = good(await desk.get(`/imports/${run.id}/errors`)).items
    expect(errors.filter((one: { kept?: boolean }) => one.kept)).toMatchObject([
      { field: 'Клиент', message: expect.stringMatching(/Возвратова.*изменено после импорта: Город/) },
    ])
  })

  it('requires the right to edit customers', async () => {
    const reader = clinic.as('reader')
    expect((await files.preview(reader, csv('Фамилия', 'Тайнов'))).status).toBe(403)
  })
})
