import { FilialRoom } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { moveTableKeys } from '@ordinator/model/areas/moving/tables'
import { runs } from '@ordinator/model/testing/runs'
import { describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { packed } from '#platform/zip.ts'
import { systemActor } from '#records/actor.ts'
import { deathsIn } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { csv } from '#testing/importFiles.ts'
import { openMove } from './testing/moves.ts'
import { admin, clinic, customersOf, later, openMovingClinic, query, SENDERS } from './testing/movingClinic.ts'

openMovingClinic()

describe('a move', () => {
  it('doubts visits that overlap or are outside shifts, and is reverted with the touches that advertising made of them', async () => {
    const move = await openMove(clinic, admin)
    await move.take('users', csv('ID;ФИО', 'н1;Накладкин Олег'))
    await move.take('services', csv('ID;Название;Цена', 'у1;Осмотр накладной;1000', 'у2;Снимок накладной;500'))
    await move.take('performers', csv('Врач;Услуга;Длительность', 'н1;у1;30', 'н1;у2;30'))
    await move.take('customers', csv('ID клиента;Фамилия', 'п1;Накладнова', 'п2;Накладной'))
    const visits = csv(
      'Код пациента;Дата;Время;Врач;Услуга;Цена;Источник',
      `п1;${later};10:00;н1;Осмотр накладной, Снимок накладной;1200;Сайт`,
      `п2;${later};10:15;н1;Осмотр накладной;;`,
    )
    const { id } = await move.send('appointments', visits)
    expect(await move.rehearse(id)).toMatchObject({ created: 2, doubted: 2, wrong: 0 })
    const { reasons } = await move.seen(id)
    expect(reasons.map(({ message }: { message: string }) => message).join()).toMatch(/запись из строки 1/)
    // Every kind of note leads to all rows that bear it, page by page.
    for (const { field, kind, rows } of reasons) {
      const asked = `limit=1&field=${encodeURIComponent(field)}&kind=${encodeURIComponent(kind)}`
      const found: number[] = []
      for (let hasMore = true; hasMore; ) {
        const page = good(await admin.get(`/moving/files/${id}/seen?${asked}&after=${found.at(-1) ?? 0}`))
        found.push(...page.rows.map(({ row }: { row: number }) => row))
        ;({ hasMore } = page)
      }
      expect([kind, found.length]).toEqual([kind, rows])
    }
    good(await admin.put(`/moving/files/${id}/mapping`, { clashes: 'leave' }))
    expect(await move.rehearse(id)).toMatchObject({ wrong: 2 })
    good(await admin.put(`/moving/files/${id}/mapping`, { clashes: 'move' }))
    await move.rehearse(id)
    expect(await move.run(id)).toMatchObject({ state: 'done', created: 2 })
    const [visit] = good(
      await admin.get(`/appointments?filter[idCustomer]=${(await customersOf('Накладнова'))[0]?.id}`),
    ).items
    expect(visit.note).toMatch(/Источник: Сайт/)
    const lines = await query<{
      price: number
    }>(`select l.price::float8 as price from coupon_services l join coupons c on c.id = l."idCoupon"
      where c."idAppointment" = ${visit.id} order by l.id`)
    expect(lines.map(({ price }) => price)).toEqual([800, 400])
    await clinic.context.jobs.run('advertising.collect')
    expect(await query(`select 1 from advertising_conversions where "idAppointment" = ${visit.id}`)).toEqual([])
    // A conversion from before is no work on the visit either.
    await query(`insert into advertising_conversions (kind, mark, "dateConversion", "idCustomer", "idAppointment")
      values ('booking', 'appointments:${visit.id}', now(), ${visit.idCustomer}, ${visit.id})`)
    good(await admin.post(`/moving/files/${id}/revert`))
    await clinic.context.jobs.drain()
    expect(await move.file(id)).toMatchObject({ state: 'reverted' })
    expect(await query(`select 1 from advertising_conversions where "idAppointment" = ${visit.id}`)).toEqual([])
    good(await move.revertAll())
  })

  it('finds rooms, organizations, buyers and relatives by common words, and splits the services of a plan', async () => {
    const move = await openMove(clinic, admin)
    const system = clinic.context.engine.for(systemActor)
    const { id: idRoom } = await system.create(FilialRoom, { idFilial: move.idFilial, name: 'Кабинет № 12' })
    const { id: idOther } = await system.create(FilialRoom, { idFilial: move.idFilial, name: 'Процедурная' })
    const { id: idOwn } = await system.create(Organization, { shortName: 'ООО «Ромашка-Мед»', kind: 'own' })
    await move.take('users', csv('ID;ФИО', 'к1;Кабинетов Пётр', 'к2;Комнатова Анна'))
    await move.take('services', csv('ID;Название;Цена', 'к1;Блокада;1000', 'к2;Кольпоскопия;500'))
    await move.take('performers', csv('Врач;Услуга;Длительность', 'к1;к1;30', 'к2;к1;30'))
    await move.take(
      'customers',
      csv(
        'ID клиента;ФИО;Телефон',
        'к1;Подаркова Нина Львовна;89120005501',
        'к2;Двойнова Яна;89120005502',
        'к3;Двойнова Яна;89120005503',
      ),
    )
    const [gift] = await customersOf('Подаркова')

    const coming = await move.send(
      'appointments',
      csv(
        'Код пациента;Дата;Время;Врач;Услуга;Кабинет',
        `к1;${later};10:00;к1;Блокада;каб. 12`,
        `к2;${later};10:15;к2;Блокада;12`,
        `к3;${later};12:00;к2;Блокада;Мансарда`,
      ),
    )
    expect(await move.rehearse(coming.id)).toMatchObject({ created: 3, wrong: 0 })
    const notesOf = async (id: number) =>
      (await move.seen(id)).rows.map(({ notes }: { notes: { message: string }[] }) =>
        notes.map(({ message }) => message).join('; '),
      )
    expect(await notesOf(coming.id)).toEqual([
      expect.stringContaining('«каб. 12»: взято «Кабинет № 12»'),
      expect.stringContaining('кабинет «Кабинет № 12» в это время занят записью из строки 1'),
      expect.stringContaining('«Мансарда»: такого здесь нет'),
    ])
    expect((await move.plan()).unknown).toMatchObject([{ kind: 'rooms', name: 'Мансарда', rows: 1 }])
    good(await admin.put(`/moving/${move.id}`, { choices: { rooms: { Мансарда: idOther } } }))
    expect(await move.rehearse(coming.id)).toMatchObject({ created: 3, wrong: 0 })
    expect(await move.run(coming.id)).toMatchObject({ state: 'done', created: 3, wrong: 0 })
    const placed = await query<{ room: number }>(`select c."idRoom"::int as room from coupons c
      join users u on u.id = c."idUser" where u.surname in ('Кабинетов', 'Комнатова') order by c."localStart"`)
    expect(placed.map(({ room }) => room)).toEqual([idRoom, idRoom, idOther])

    const sold = await move.take(
      'certificates',
      csv(
        'Номер;Покупатель;Номинал;Действует по;Юрлицо',
        'ПР-1;Подаркова Нина;5000;31.12.2030;Ромашка-Мед ООО',
        'ПР-2;Двойнова Яна;3000;31.12.2030;',
        'ПР-3;Подаркова Н.;1000;31.12.2030;Василёк',
      ),
    )
    expect(sold).toMatchObject({ created: 1, wrong: 2 })
    expect(
      await query(
        `select "number", "idBuyer"::int as buyer, "idOrganization"::int as own from certificates where "number" like 'ПР-%'`,
      ),
    ).toEqual([{ number: 'ПР-1', buyer: gift?.id, own: idOwn }])
    expect((await notesOf(sold.id)).join('\n')).toMatch(/по одному имени[\s\S]*подходит несколько карт[\s\S]*«Василёк»/)
    const owed = await move.take('balances', csv('Код пациента;Долг;Юрлицо', 'к1;700;ромашка-мед', 'к1;50;'))
    expect(owed).toMatchObject({ created: 2, wrong: 0 })
    expect(
      await query(`select distinct a."idOrganization"::int as own from ledger_entries e join ledger_accounts a on a.id = e."idAccount"
        where a."idCustomer" = ${gift?.id} order by 1`),
    ).toEqual([{ own: move.idOrganization }, { own: idOwn }])

    await move.take(
      'relations',
      csv(
        'Код пациента;Родство;Представитель;Телефон',
        'к2;Мать;Подаркова Нина;89120005501',
        'к3;Мать;Подаркова Нина;',
      ),
    )
    expect(
      await query(`select r."idRelative"::int as relative from customers_relations r join customers c on c.id = r."idCustomer"
        where c.surname = 'Двойнова' order by c.id`),
    ).toEqual([{ relative: gift?.id }, { relative: null }])

    const plan = await move.take(
      'plans',
      csv(
        'Код пациента;План;Врач;Услуга;Цена',
        'к1;Лечение;к1;Блокада, Кольпоскопия;1400',
        'к1;Лечение;к1;Кольпоскопия, Осмотр;',
      ),
    )
    expect(plan).toMatchObject({ wrong: 2 })
    expect((await move.plan()).unknown).toContainEqual(expect.objectContaining({ kind: 'services', name: 'Осмотр' }))
    const parted = await move.take(
      'plans',
      csv('Код пациента;План;Врач;Услуга;Цена', 'к1;Второй;к1;Блокада, Кольпоскопия;1400'),
    )
    expect(parted).toMatchObject({ created: 1, wrong: 0 })
    expect(
      await query(`select s."nameService" as name, i.price::float8 as price from customer_plans_items i
        join customer_plans_stages t on t.id = i."idStage" join customer_plans p on p.id = t."idPlan"
        join services s on s.id = i."idService" where p.name = 'Второй' order by i."order"`),
    ).toEqual([
      { name: 'Блокада', price: 1400 },
      { name: 'Кольпоскопия', price: 0 },
    ])
    good(await move.revertAll())
  })

  it('reverts the second evening alone, names the obstacles, and continues after a stop', async () => {
    const move = await openMove(clinic, admin)
    const cards = await move.take('customers', csv('ID клиента;Фамилия;Город', 'в1;Вечерова;Псков', 'в2;Вечеров;Псков'))
    await move.take('balances', csv('Код пациента;Долг', 'в1;100', 'в2;200'))
    const account = async () => good(await admin.get(`/customers/${(await customersOf('Вечерова'))[0]?.id}/account`))
    const second = await move.take('balances', csv('Код пациента;Долг', 'в1;150', 'в2;200'))
    expect(second).toMatchObject({ updated: 1, same: 1 })
    const revert = async (id: number) => {
      const answer = await admin.post(`/moving/files/${id}/revert`)
      await clinic.context.jobs.drain()
      return answer
    }
    const refused = await revert(cards.id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'worked' } })
    expect(JSON.stringify(refused.body.holds)).toContain('загруженный поверх')
    good(await revert(second.id))
    expect(await account()).toMatchObject({ debt: 100 })
    // A file that was taken back is in nobody's way, and neither is its revert.
    const other = await move.take('customers', csv('ID клиента;Фамилия;Город', 'в1;Вечерова;Клин'))
    good(await revert(other.id))
    expect((await customersOf('Вечерова'))[0]).toMatchObject({ nameCity: 'Псков' })
    const [{ id: idCard } = { id: 0 }] = (await customersOf('Вечеров')) as { id: number }[]
    good(await admin.put(`/customers/${idCard}`, { note: 'работа' }))
    const worked = await move.revertAll()
    expect(worked.body).toMatchObject({
      code: 'worked',
      holds: [{ words: '1\u00a0клиент', link: `/customers/edit?id=${idCard}` }],
    })

    const { id } = await move.send('relations', csv('Код пациента;Кем приходится;ФИО', 'в1;Мать;Вечерова Мария'))
    await move.rehearse(id)
    await query(
      `create or replace function broken() returns trigger language plpgsql as $$ begin raise exception 'disk' using errcode = '58030'; end $$`,
    )
    await query(`create trigger broken before insert on customers_relations for each row execute function broken()`)
    try {
      good(await admin.post(`/moving/files/${id}/run`))
      for (let n = 0; n < 6; n++) await clinic.context.jobs.run('moving.run', { id }).catch(() => undefined)
      expect(await move.file(id)).toMatchObject({ state: 'stopped', message: expect.stringContaining('Продолжить') })
    } finally {
      await query('drop trigger broken on customers_relations')
    }
    good(await admin.post(`/moving/files/${id}/resume`))
    await clinic.context.jobs.drain()
    expect(await move.file(id)).toMatchObject({ state: 'done', created: 1 })
  })

  it('reads the fullest sheet, the fuller of doubled rows, and remembers a matching made by hand', async () => {
    const move = await openMove(clinic, admin)
    const book = await (
      await writeXlsxFile([
        { sheet: 'О выгрузке', data: [[{ value: 'Отчёт' }]] },
        {
          sheet: 'Клиенты',
          data: [
            ['Кто', 'Номер'],
            ['Листова Ада', '+7 912 000-55-01'],
            ['Листов Лев', ''],
          ].map((row) => row.map((value) => ({ value }))),
        },
      ] as never)
    ).toBuffer()
    const { id, reading, mapping } = (await move.send('customers', book, 'книга.xlsx')) as unknown as {
      id: number
      reading: { sheet: string }
      mapping: Record<string, number>
    }
    expect([reading.sheet, mapping]).toEqual(['Клиенты', { Телефон: 1 }])
    good(await admin.put(`/moving/files/${id}/mapping`, { mapping: { ФИО: 0, Телефон: 1 } }))
    expect(await move.send('customers', csv('Кто;Номер', 'Листова Ада;'))).toMatchObject({
      mapping: { ФИО: 0, Телефон: 1 },
    })
    good(await admin.put(`/moving/files/${id}/mapping`, { sheet: 'О выгрузке' }))
    await clinic.context.jobs.drain()
    expect(await move.file(id)).toMatchObject({ state: 'failed' })

    const doubled = await move.take('customers', csv('ID клиента;Фамилия;Город', 'д1;Двойная;', 'д1;Двойная;Псков'))
    expect(doubled).toMatchObject({ created: 1, same: 1, wrong: 0 })
    expect((await customersOf('Двойная'))[0]).toMatchObject({ nameCity: 'Псков' })
    const zip = packed(
      new Map([
        ['список.csv', Buffer.from(csv('Файл;Код пациента', 'a.txt;д1'))],
        ['a.txt', Buffer.from('Выписка')],
        ['b.txt', Buffer.from('Забытый')],
      ]),
    )
    expect(await move.take('files', zip, 'файлы.zip')).toMatchObject({
      message: 'В таблице нет 1\u00a0файла архива: b.txt',
    })
  })
})

describe('a file of a move', () => {
  it('is the template of its table too: every column is matched, with its examples', async () => {
    const move = await openMove(clinic, admin)
    const tables = moveTableKeys.filter((key) => key !== 'files')
    for (const table of tables) {
      const { bytes, status } = await admin.get(`/moving/templates/${table}`)
      expect([table, status]).toEqual([table, 200])
      const { id, state, mapping } = await move.send(table, bytes, `${table}.xlsx`)
      const { columns } = await move.seen(id)
      const names = columns.map(({ name }: { name: string }) => name).sort()
      expect([table, state, Object.keys(mapping ?? {}).sort()]).toEqual([table, 'ready', names])
    }
    expect((await clinic.as('desk').get('/moving/templates/customers')).status).toBe(403)
    expect((await admin.get('/moving/templates/strangers')).status).toBe(404)
  })

  it('is dropped with its rows until it is loaded; stopped at once after the start, it leaves nothing behind', async () => {
    const move = await openMove(clinic, admin)
    const line = (name: string) => csv('ID клиента;Фамилия', `${name};${name}`)
    const rowsOf = (id: number) => query('select 1 from moving_rows where "idFile" = $1', id)
    const { id } = await move.send('customers', line('Брошенная'))
    expect(await move.rehearse(id)).toMatchObject({ state: 'checked', created: 1 })
    expect(await rowsOf(id)).toHaveLength(1)
    good(await admin.post(`/moving/files/${id}/drop`))
    expect([(await admin.get(`/moving/files/${id}`)).status, await rowsOf(id)]).toEqual([404, []])
    expect(await customersOf('Брошенная')).toEqual([])

    const loaded = await move.take('customers', line('Оставшаяся'))
    for (const act of ['drop', 'cancel', 'resume', 'run'])
      expect([act, (await admin.post(`/moving/files/${loaded.id}/${act}`)).body.code]).toEqual([act, 'state'])

    const stopped = await move.send('customers', line('Остановленная'))
    await move.rehearse(stopped.id)
    good(await admin.post(`/moving/files/${stopped.id}/run`))
    good(await admin.post(`/moving/files/${stopped.id}/cancel`))
    await clinic.context.jobs.drain()
    expect(await move.file(stopped.id)).toMatchObject({ state: 'reverted' })
    expect([await customersOf('Остановленная'), (await customersOf('Оставшаяся')).length]).toEqual([[], 1])
    good(await move.revertAll())
  })

  it('hands its matching over as a profile, in a file', async () => {
    const move = await openMove(clinic, admin)
    const content = csv('Ф. И. О. больного;Чем звонить', 'Профильная Ада;+79120005599')
    const { id } = await move.send('customers', content)
    good(await admin.put(`/moving/files/${id}/mapping`, { mapping: { ФИО: 0, Телефон: 1 } }))
    good(await admin.post(`/moving/files/${id}/profile`, { name: 'Старая программа' }))
    const keyOf = async (name: string) =>
      good(await admin.get('/moving/profiles-known')).items.find((one: { name: string }) => one.name === name)?.key
    const file = good(await admin.get(`/moving/profiles-known/${await keyOf('Старая программа')}/file`))
    expect(file).toMatchObject({ name: 'Старая программа', program: 'yclients' })
    // As another clinic takes it.
    good(await admin.post('/moving/profiles-known', { ...file, name: 'Полученный' }), 201)
    good(await admin.put(`/moving/files/${id}/mapping`, { mapping: {} }))
    expect((await move.file(id)).mapping).toEqual({})
    good(await admin.put(`/moving/files/${id}/mapping`, { profile: await keyOf('Полученный') }))
    expect((await move.file(id)).mapping).toEqual({ ФИО: 0, Телефон: 1 })
    const unknown = await admin.put(`/moving/files/${id}/mapping`, { profile: 'nowhere' })
    expect([unknown.status, unknown.body[0]?.field]).toEqual([422, 'profile'])
    expect((await admin.get('/moving/profiles-known/nowhere/file')).status).toBe(404)
  })
})

describe('a step of a file', () => {
  it('ends complete at whichever step its server is killed: reading, rehearsal, loading, revert', async () => {
    const move = await openMove(clinic, admin)
    const { jobs } = clinic.context
    const deaths = await deathsIn(clinic, '^(moving_(files|rows|stored|made|tries|txs)|customers|background_runs)$')
    let serial = 0
    const sent = async () => {
      const form = new FormData()
      form.append('table', 'customers')
      const rows = [1, 2, 3].map((n) => `у${++serial};Убитов;${n}.05.1980`)
      form.append('file', new File([csv('ID клиента;Фамилия;Дата рождения', ...rows)], 'убит.csv'))
      const sender = clinic.as(SENDERS[serial % SENDERS.length] as string)
      return good(await sender.post(`/moving/${move.id}/files`, form), 201).id as number
    }
    const ask = async (id: number, what: string) => good(await admin.post(`/moving/files/${id}/${what}`))
    const on = async (before: () => Promise<number>, what: string) => {
      const id = await before()
      await jobs.drain()
      await ask(id, what)
      return id
    }
    const checking = () => on(sent, 'rehearse')
    const running = () => on(checking, 'run')
    const reverting = () => on(running, 'revert')
    const cards = async (id: number) =>
      (
        await query<{ n: number }>(
          `select count(distinct m."idEntity")::int as n from moving_made m join customers c on c."id" = m."idEntity" and not c."deleted"
          where m."idFile" = $1 and m."path" = 'customers' and m."changes" is null`,
          id,
        )
      )[0]?.n
    for (const [begin, state, made] of [
      [sent, 'ready', 0],
      [checking, 'checked', 0],
      [running, 'done', 3],
      [reverting, 'reverted', 0],
    ] as const) {
      const before = (await customersOf('Убитов')).length
      let runsOf = 0
      const steps = await deaths.each(
        async (dying) => {
          const id = await begin()
          await dying(() => jobs.drain())
          await jobs.run('runs.resume')
          await jobs.drain()
          expect(await move.file(id)).toMatchObject({ state, ...(state === 'reverted' ? {} : { total: 3, wrong: 0 }) })
          expect(await cards(id)).toBe(made)
          runsOf += made
        },
        runs(9, 1),
      )
      expect(steps).toBeGreaterThan(3)
      expect((await customersOf('Убитов')).length - before).toBe(runsOf)
    }
    // A claim whose server was killed after the work is dropped by the repeat of its job, seconds later.
    const claims = async () => {
      await jobs.drain()
      return query('select "job", "idEntity" from background_runs')
    }
    await expect.poll(claims, { timeout: 60_000 }).toEqual([])
  })
})
