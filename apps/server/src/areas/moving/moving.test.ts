import { MAX_MOVE_ROWS } from '@ordinator/model/areas/moving/tables'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { packed } from '#platform/zip.ts'
import { good } from '#testing/good.ts'
import { csv } from '#testing/importFiles.ts'
import { openMove } from './testing/moves.ts'
import { admin, clinic, customersOf, later, openMovingClinic, query } from './testing/movingClinic.ts'

openMovingClinic()

describe('a move', () => {
  it('is for administrators alone', async () => {
    const { status } = await clinic.as('desk').get('/moving')
    expect(status).toBe(403)
    expect((await clinic.as('desk').get('/moving/profiles-known')).status).toBe(403)
  })

  it('takes every table in, agrees with the ledger, and is taken back whole', async () => {
    const move = await openMove(clinic, admin)
    const before = await query<{ n: number }>(`select (select count(*) from customers where not deleted)::int as n`)
    const staff = await move.take('users', csv('ID;Сотрудник', '17;Врачова Анна Петровна', '18;Лекарев Олег Ильич'))
    expect(staff).toMatchObject({ state: 'done', created: 2, wrong: 0 })
    const services = await move.take(
      'services',
      csv('ID услуги;Название;Код;Цена', '501;Приём терапевта;Т-1;2100', '502;УЗИ почек;У-1;1500'),
    )
    expect(services).toMatchObject({ state: 'done', created: 2, wrong: 0 })
    const performers = await move.take(
      'performers',
      csv('Врач;Услуга;Длительность', '17;501;30', 'Лекарев О. И.;УЗИ почек;20'),
    )
    expect(performers).toMatchObject({ state: 'done', created: 2, wrong: 0 })
    const patients = await move.take(
      'customers',
      csv(
        'ID клиента;ФИО;Телефон;Дата рождения;Полис ОМС',
        '1001;Переездов Иван Ильич;+7 912 000-22-01;01.02.1980;7757910848000014',
        '1002;Переездова Мария Ильинична;+7 912 000-22-02;03.04.1985;',
        '1003;Переездов Пётр Иванович;;05.06.2015;',
        '1004;;;;',
      ),
    )
    expect(patients).toMatchObject({ state: 'done', created: 3, wrong: 1 })
    expect(
      await move.take(
        'relations',
        csv('Код пациента;Кем приходится;Код представителя;Подписывает', '1003;Мать;1002;да'),
      ),
    ).toMatchObject({ created: 1, wrong: 0 })
    expect(
      await move.take(
        'policies',
        csv('Код пациента;Вид;Номер;Страховая', '1002;Полис ДМС;ДМС-77;Согаз', '1009;Полис ДМС;ДМС-78;Согаз'),
      ),
    ).toMatchObject({ created: 1, wrong: 1 })
    const money = await move.take(
      'balances',
      csv('Код пациента;Долг;Аванс;Бонусы', '1001;1 500,50;;', '1002;;3000;120', '1003;200;;', '1099;5000;;'),
    )
    expect(money).toMatchObject({ created: 3, wrong: 1 })
    expect(
      await move.take(
        'certificates',
        csv('Номер;Код покупателя;Номинал;Остаток;Действует по', 'ПС-1;1002;5000;2500;31.12.2030'),
      ),
    ).toMatchObject({ created: 1, wrong: 0 })
    const visits = await move.take(
      'visits',
      csv(
        'ID визита;Код пациента;Дата;Врач;Услуга;Сумма',
        '70001;1001;09.02.2025;17;Приём терапевта;2100',
        '70002;1002;10.02.2025;Ушедший Доктор;Старая услуга;900',
        '70001;1001;09.02.2025;17;УЗИ почек;1500',
      ),
    )
    expect(visits).toMatchObject({ created: 3, wrong: 0 })
    const coming = await move.take(
      'appointments',
      csv(
        'ID записи;Код пациента;Дата;Время;Врач;Услуга',
        `80001;1001;${later};10:30;17;501`,
        `80002;1002;${later};11:00;Никто Никто;501`,
      ),
    )
    expect(coming).toMatchObject({ created: 1, wrong: 1 })
    const plans = await move.take(
      'plans',
      csv(
        'Код плана;Код пациента;План;Врач;Этап;Услуга;Цена',
        '901;1001;Лечение;17;Осмотр;501;2000',
        '901;1001;Лечение;17;УЗИ;502;1400',
      ),
    )
    expect(plans).toMatchObject({ created: 2, wrong: 0 })
    const zip = packed(
      new Map([
        [
          'список.csv',
          Buffer.from(
            csv('Файл;Код пациента;Название', 'a/1.txt;1001;Выписка', 'a/2.txt;1002;', 'a/3.txt;1001;Нет такого'),
          ),
        ],
        ['a/1.txt', Buffer.from('Выписка из карты')],
        ['a/2.txt', Buffer.from('Договор')],
      ]),
    )
    const files = await move.take('files', zip, 'файлы.zip')
    expect(files).toMatchObject({ created: 2, wrong: 1 })

    // The result.
    const [ivan, petr] = await customersOf('Переездов')
    const [maria] = await customersOf('Переездова')
    expect(ivan).toMatchObject({ policies: [{ number: '7757910848000014' }], birthday: '01.02.1980' })
    expect(petr?.relations).toMatchObject([{ relation: 'mother', idRelative: maria?.id, signs: 'yes' }])
    expect(maria?.policies).toMatchObject([{ type: 'dms', number: 'ДМС-77', company: 'Согаз' }])
    expect(good(await admin.get(`/customers/${ivan?.id}/account`))).toMatchObject({ debt: 1500.5, advance: 0 })
    expect(good(await admin.get(`/customers/${maria?.id}/account`))).toMatchObject({ debt: 0, advance: 3000 })
    expect(good(await admin.get('/certificates?limit=10')).items).toMatchObject([
      { number: 'ПС-1', sum: 5000, rest: 2500, state: 'active' },
    ])
    const past = good(await admin.get(`/customers/past-visits?filter[idCustomer]=${ivan?.id}`)).items
    expect(past).toMatchObject([{ localDate: '2025-02-09', sum: 3600, services: 'Приём терапевта, УЗИ почек' }])
    const { items: thread, kinds } = good(await admin.get(`/customers/${ivan?.id}/thread?limit=50`)) as {
      items: { kind: string }[]
      kinds: { kind: string }[]
    }
    expect(kinds.map(({ kind }) => kind)).toContain('pastVisits')
    expect(thread.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['pastVisits', 'plans', 'files']))
    const [booked] = good(await admin.get(`/appointments?filter[idCustomer]=${ivan?.id}`)).items
    expect(booked).toMatchObject({ localDate: later, localStart: '10:30', visitStatus: 'booked' })
    // History changes no money: nothing is revenue, paid or printed.
    const [moneyHere] = await query<{ revenue: number; payments: number; tasks: number; sent: number }>(`select
      (select count(*) from ledger_accounts where kind = 'revenue')::int as revenue, (select count(*) from payments)::int as payments,
      (select count(*) from fiscal_tasks)::int as tasks, (select count(*) from messages)::int as sent`)
    expect(moneyHere).toEqual({ revenue: 0, payments: 0, tasks: 0, sent: 0 })

    const { sums, tables } = await move.reconcile()
    expect(sums).toEqual([
      { kind: 'debt', people: 3, peopleHere: 2, file: 6700.5, left: 5000, here: 1700.5, unread: 0 },
      { kind: 'advance', people: 1, peopleHere: 1, file: 3000, left: 0, here: 3000, unread: 0 },
      { kind: 'bonus', people: 1, peopleHere: 1, file: 120, left: 0, here: 120, unread: 0 },
      { kind: 'certificate', people: 1, peopleHere: 1, file: 2500, left: 0, here: 2500, unread: 0 },
      { kind: 'visit', people: 2, peopleHere: 2, file: 4500, left: 0, here: 4500, unread: 0 },
      { kind: 'plan', people: 1, peopleHere: 1, file: 3400, left: 0, here: 3400, unread: 0 },
    ])
    expect(tables.find(({ key }: { key: string }) => key === 'customers')).toMatchObject({
      rows: 4,
      taken: 3,
      left: 1,
      here: 3,
    })

    const rest = await admin.get(`/moving/${move.id}/left`)
    expect(rest.status).toBe(200)
    const sheets = await readXlsxFile(rest.bytes)
    const words = JSON.stringify(sheets)
    expect(words).toContain('Пациента с кодом «1099» нет')
    expect(words).toContain('Никто Никто')

    good(await move.revertAll())
    const after = await query<{ n: number }>(`select (select count(*) from customers where not deleted)::int as n`)
    expect(after).toEqual(before)
    for (const path of [
      'customers/past-visits',
      'appointments',
      'customer-plans',
      'certificates',
      'customers/attachments',
      'customers/relations',
      'customers/policies',
    ])
      expect([path, good(await admin.get(`/${path}?limit=10`)).items]).toEqual([path, []])
    const [held] = await query<{ sum: string; ids: number }>(`select coalesce(sum(abs(s)), 0)::text as sum,
      (select count(*) from external_ids)::int as ids from (select sum(amount) as s from ledger_entries group by "idAccount") q`)
    expect(held).toEqual({ sum: '0', ids: 0 })
    expect((await move.plan()).tables.every(({ loaded }: { loaded: number }) => loaded === 0)).toBe(true)
  })

  it('takes a table in several parts as one', async () => {
    const move = await openMove(clinic, admin)
    const line = (i: number) => `${i};Частев${'абвгд'[i]};Иван`
    const head = 'ID клиента;Фамилия;Имя'
    const zip = (name: string, ...rows: string[]) =>
      packed(
        new Map([
          ['список.csv', Buffer.from(csv('Файл;Код пациента', ...rows))],
          [name, Buffer.from(name)],
        ]),
      )
    expect(await move.take('customers', csv(head, line(0), line(1)), 'первая.csv')).toMatchObject({ created: 2 })
    // A row of the former part that is in the next one too is known.
    expect(await move.take('customers', csv(head, line(1), line(2)), 'вторая.csv')).toMatchObject({
      created: 1,
      same: 1,
    })
    expect(await move.take('balances', csv('Код пациента;Долг', '0;100'))).toMatchObject({ created: 1 })
    expect(await move.take('balances', csv('Код пациента;Долг', '1;200', '2;300'))).toMatchObject({ created: 2 })
    expect(await move.take('files', zip('a/1.txt', 'a/1.txt;0'), 'первый.zip')).toMatchObject({ created: 1 })
    expect(await move.take('files', zip('b/1.txt', 'b/1.txt;2'), 'второй.zip')).toMatchObject({ created: 1 })
    const { tables, sums } = await move.reconcile()
    expect(tables).toMatchObject([
      { key: 'customers', rows: 4, taken: 3, same: 1, here: 3 },
      { key: 'balances', rows: 3, taken: 3 },
      { key: 'files', rows: 2, taken: 2, here: 2 },
    ])
    expect(sums).toMatchObject([{ kind: 'debt', people: 3, file: 600, here: 600 }])
    good(await move.revertAll())
    expect((await move.plan()).tables.every(({ loaded }: { loaded: number }) => loaded === 0)).toBe(true)
  })

  it('returns every row that is left, however many', async () => {
    const move = await openMove(clinic, admin)
    const rows = Array.from({ length: 2_345 }, (_, i) => `${10_000 + i};1`)
    const { id } = await move.send('balances', csv('Код пациента;Долг', ...rows))
    expect(await move.rehearse(id)).toMatchObject({ state: 'checked', wrong: rows.length })
    const [sheet] = await readXlsxFile((await admin.get(`/moving/${move.id}/left`)).bytes)
    expect(sheet?.data.slice(1).map(([row, , code]) => [row, code])).toEqual(
      rows.map((_, i) => [`${i + 1}`, `${10_000 + i}`]),
    )
    const both = await readXlsxFile((await admin.get(`/moving/${move.id}/left?what=both`)).bytes)
    expect(both).toEqual([{ sheet: 'Пусто', data: [['Таких строк нет']] }])
  })

  it('reports how long a table may be', async () => {
    const move = await openMove(clinic, admin)
    const rows = Array.from({ length: MAX_MOVE_ROWS + 1 }, (_, i) => `${i};1`)
    const file = await move.send('balances', ['Код пациента;Долг', ...rows].join('\n'), 'длинная.csv')
    expect(file).toMatchObject({ state: 'failed', message: 'В файле больше 300 000 строк: разделите его' })
  })

  it('finds patients by two signs that agree, asks where several do, and makes cards of strangers', async () => {
    const move = await openMove(clinic, admin)
    await move.take(
      'customers',
      csv(
        'ФИО;Телефон;Дата рождения',
        'Приметова Анна Ильинична;+7 912 000-33-01;01.02.1980',
        'Приметов Илья Петрович;+7 912 000-33-02;05.05.1985',
        'Близнецов Иван Петрович;+7 912 000-33-03;01.01.1980',
        'Близнецов Иван Олегович;+7 912 000-33-03;06.06.2015',
      ),
    )
    await move.take('services', csv('Название;Цена', 'Блокада, простая;500', 'Кольпоскопия;700'))
    const head = 'Клиент;Телефон;Дата;Статус визита;Услуга;Сумма;Способ оплаты'
    const rows = [
      'Приметова Анна;8 912 000-33-01;09.02.2025;Пришел;Блокада, простая, Кольпоскопия;1200;Карта',
      'Приметов Илья;8 912 000-33-02;09.02.2025;Не пришел;Кольпоскопия;700;',
      'Приметов Илья;8 912 000-33-02;10.02.2025;Думает;Кольпоскопия;700;',
      'Близнецов;8 912 000-33-03;09.02.2025;Пришел;Кольпоскопия;700;',
      'Приметова Анна;8 912 000-33-99;09.02.2025;Пришел;Кольпоскопия;700;',
      'Чужакова Инна;8 912 000-33-05;09.02.2025;Пришел;Кольпоскопия;700;Наличные',
    ]
    const { id } = await move.send('visits', csv(head, ...rows))
    expect(await move.rehearse(id)).toMatchObject({ state: 'checked', created: 2, wrong: 4 })
    const { unknown } = await move.plan()
    expect(unknown.map(({ kind, name }: { kind: string; name: string }) => [kind, name]).toSorted()).toEqual([
      ['patients', 'Близнецов, +7 (912) 000-33-03'],
      ['patients', 'Приметова Анна, +7 (912) 000-33-99'],
      ['patients', 'Чужакова Инна, +7 (912) 000-33-05'],
      ['statuses', 'Думает'],
    ])
    const [duplicate] = await customersOf('Близнецов')
    const [anna] = await customersOf('Приметова')
    const choices = {
      patients: { 'Близнецов, +7 (912) 000-33-03': duplicate?.id, 'Приметова Анна, +7 (912) 000-33-99': null },
      statuses: { Думает: 'cancelled' },
    }
    good(await admin.put(`/moving/${move.id}`, { choices }))
    good(await admin.put(`/moving/files/${id}/mapping`, { strangers: 'create' }))
    expect(await move.rehearse(id)).toMatchObject({ created: 5, wrong: 1 })
    expect(await move.run(id)).toMatchObject({ state: 'done', created: 5, wrong: 1 })
    const past = (idCustomer: number) =>
      admin.get(`/customers/past-visits?filter[idCustomer]=${idCustomer}&sort=localDate`)
    expect(good(await past(anna?.id)).items).toMatchObject([
      { services: 'Блокада, простая, Кольпоскопия', status: 'held', sum: 1200, payment: 'Карта' },
    ])
    expect(good(await past(anna?.id)).items[0].lines).toMatchObject([
      { name: 'Блокада, простая', sum: 1200 },
      { name: 'Кольпоскопия', sum: null },
    ])
    const [ilya] = await customersOf('Приметов')
    expect(good(await past(ilya?.id)).items).toMatchObject([{ status: 'missed' }, { status: 'cancelled' }])
    expect(good(await past(duplicate?.id)).items).toHaveLength(1)
    const [inna] = await customersOf('Чужакова')
    expect(inna).toMatchObject({ name: 'Инна', phone: '+79120003305' })
    // Only visits that were held are rendered: 1200 + 700 + 700, and 700 in the row that is left.
    expect((await move.reconcile()).sums).toMatchObject([{ kind: 'visit', file: 3300, left: 700, here: 2600 }])
    good(await move.revertAll())
    expect(await customersOf('Чужакова')).toEqual([])
  })

  it('reads the sums of bookkeepers, and reports what it could not read', async () => {
    const move = await openMove(clinic, admin)
    await move.take(
      'customers',
      csv('ID клиента;Фамилия', ...[1, 2, 3, 4, 5, 6].map((n) => `б${n};Бухгалтерова${'абвгде'[n - 1]}`)),
    )
    const file = await move.take(
      'balances',
      csv('Код пациента;Сальдо', 'б1;(2 267,15)', 'б2;1 265-', 'б3;1 265,00 Дт', 'б4;100 Кт', 'б5;12 34', 'б6;−1,5'),
    )
    expect(file).toMatchObject({ created: 5, wrong: 1 })
    expect((await move.reconcile()).sums).toMatchObject([
      { kind: 'debt', file: 4798.65, left: 0, here: 4798.65, unread: 1 },
      { kind: 'advance', file: 100, here: 100, unread: 0 },
    ])
    const sides = await move.take('balances', csv('Код пациента;Дебет;Кредит', 'б5;300;', 'б6;;−40'))
    expect(sides).toMatchObject({ updated: 1, created: 1, wrong: 0 })
    const [sixth] = await customersOf('Бухгалтеровае')
    expect(good(await admin.get(`/customers/${sixth?.id}/account`))).toMatchObject({ debt: 0, advance: 40 })
  })

  it('extends the employees and services that are here, and leaves no person out for a cell', async () => {
    const move = await openMove(clinic, admin)
    good(
      await admin.post('/users', { surname: 'Стоялова', name: 'Ольга', login: 'stoyalova', phone: '89120004401' }),
      201,
    )
    const { id: idService } = good(
      await admin.post('/services', { nameService: 'Приём терапевта (осмотр, консультация)' }),
      201,
    )
    const staff = await move.take(
      'users',
      csv(
        'ФИО;Телефон;Роль',
        'Стоялова Ольга;8 912 000-44-01;Регистратор',
        'Новичкова Ада;;Администратор',
        'Начальников Лев;;Полный доступ',
      ),
    )
    expect(staff).toMatchObject({ created: 3, twin: 1, wrong: 0 })
    const people = await query<{
      login: string
      roles: string[]
    }>(`select u.login, array(select r.name from user_roles ur
      join roles r on r.id = ur."idRole" where ur."idUser" = u.id) as roles from users u
      where u.surname in ('Стоялова', 'Новичкова', 'Начальников') and not u.deleted order by u.surname`)
    expect(people).toEqual([
      { login: expect.any(String), roles: [] },
      { login: expect.any(String), roles: ['Регистратор'] },
      { login: 'stoyalova', roles: [] },
    ])
    const prices = await move.take(
      'services',
      csv(
        'Услуга;Стоимость',
        'Терапия;',
        'ПРИЕМ терапевта;от 2 100',
        'Беседа;бесплатно',
        'Операция;по запросу',
        'Укол;500-700',
      ),
    )
    expect(prices).toMatchObject({ created: 4, twin: 1, wrong: 0 })
    const made =
      await query(`select s."nameService" as name, s."priceService"::float8 as price, s.approximately, s."hidePrice" as hidden,
      g."nameServiceGroup" as "group"
      from services s left join services_groups g on g.id = s."idGroup"
      where s.id = ${idService} or s."nameService" in ('Беседа', 'Операция', 'Укол') order by s.id`)
    expect(made).toEqual([
      {
        name: 'Приём терапевта (осмотр, консультация)',
        price: 2100,
        approximately: true,
        hidden: false,
        group: 'Терапия',
      },
      { name: 'Беседа', price: 0, approximately: false, hidden: false, group: 'Терапия' },
      { name: 'Операция', price: null, approximately: false, hidden: true, group: 'Терапия' },
      { name: 'Укол', price: 500, approximately: true, hidden: false, group: 'Терапия' },
    ])
    const cards = await move.take(
      'customers',
      csv('ID клиента;ФИО;Телефон;Дата рождения;СНИЛС', 'к1;Клеткина Ева;нет;31.02.1980;112-233-445 96'),
    )
    expect(cards).toMatchObject({ created: 1, wrong: 0 })
    expect((await customersOf('Клеткина'))[0]).toMatchObject({
      phone: null,
      birthday: null,
      snils: null,
      note: 'Дата рождения: 31.02.1980\nСНИЛС: 112-233-445 96',
    })
    good(await move.revertAll())
  })
})
