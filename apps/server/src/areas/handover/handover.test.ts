/** A branch handed over: who may, what comes and what stays, and what becomes of a run. */
import { Filial } from '@ordinator/model/areas/filials/filial'
import { HANDOVER_DAYS } from '@ordinator/model/areas/handover/handover'
import { moveSums, moveTables } from '@ordinator/model/areas/moving/tables'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { killRuns } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { worldOf } from '#testing/visits.ts'
import { sweep } from './run.ts'
import { handing } from './testing/handing.ts'
import { branchSql, stays } from './whose.ts'

const killers = ['killer1', 'killer2', 'killer3']
const RIGHTS = [...worldOf.rights, 'handOverFilial', 'personalData', 'viewAccessLog'] as const

describe('a branch of a small clinic', () => {
  let clinic: Clinic
  let keeper: Caller
  let worlds: ReturnType<typeof worldOf>
  let hand: ReturnType<typeof handing>
  let here: Awaited<ReturnType<typeof worlds.make>>
  let there: Awaited<ReturnType<typeof worlds.make>>
  beforeAll(async () => {
    clinic = await testApp({
      async prepare(app) {
        await addPerson(app, 'keeper', [...RIGHTS])
        await addPerson(app, 'settler', [...worldOf.rights])
        await addPerson(app, 'leaving', ['handOverFilial'])
        // One person may begin thirty in a minute.
        for (const login of killers) await addPerson(app, login, ['handOverFilial'])
      },
    })
    keeper = clinic.as('keeper')
    worlds = worldOf(clinic, keeper)
    hand = handing(clinic, keeper)
    here = await worlds.make()
    there = await worlds.make()
    good(await here.book('09:00'), 201)
  })
  afterAll(() => clinic.close())

  let minute = 30
  const patient = async (surname: string, more: object = {}): Promise<number> => {
    const { id } = good(await keeper.post('/customers', { surname, name: 'Пётр' }), 201)
    await visit(here, id)
    if (Object.keys(more).length > 0) good(await keeper.put(`/customers/${id}`, more))
    return id
  }
  const visit = async (branch: typeof here, idCustomer: number) => {
    minute += 5
    const localStart = `${String(9 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    good(await branch.book(localStart, { idCustomer }, { minutes: 5 }), 201)
  }
  const leftOf = (made: { figures: { left: { words: string; count: number }[] } | null }) =>
    (made.figures?.left ?? []).map(({ words, count }) => [words.split(/[,:]/)[0], count])

  it('is handed over by its own right alone', async () => {
    const settler = clinic.as('settler')
    expect((await settler.post(`/filials/${here.idFilial}/handovers`, { who: 'all' })).status).toBe(403)
    expect((await settler.get('/filials/handovers')).status).toBe(403)
    const { made } = await hand.take(here.idFilial)
    expect((await settler.get(`/filials/handovers/${made.id}/files/1`)).status).toBe(403)
    expect((await settler.post(`/filials/handovers/${made.id}/cancel`)).status).toBe(403)
    expect((await keeper.get(`/filials/handovers/${made.id}/files/2`)).status).toBe(404)
    expect((await keeper.post('/filials/999999/handovers', { who: 'all' })).status).toBe(404)
    const lines = await clinic.db.query<{ basis: string }>({
      text: `select basis from access_log where action = 'export' and "entityType" = 'filials/handovers' order by id`,
    })
    expect(lines.map(({ basis }) => basis.split(/[«:]/)[0])).toEqual(
      expect.arrayContaining(['Передача филиала ', 'Скачан файл ']),
    )
  })

  it('takes those who were here, or here alone; each gets a line in the journal of access', async () => {
    const only = await patient('Здешний')
    const both = await patient('Везделюбов')
    await visit(there, both)
    const all = await hand.take(here.idFilial, 'all')
    expect(all.main.get('переезд/04 Пациенты.csv')).toContain('Здешний')
    expect(all.main.get('переезд/04 Пациенты.csv')).toContain('Везделюбов')
    expect(leftOf(all.made)).toEqual([])
    const alone = await hand.take(here.idFilial, 'only')
    expect(alone.main.get('переезд/04 Пациенты.csv')).toContain('Здешний')
    expect(alone.text).not.toContain('Везделюбов')
    expect(leftOf(alone.made)).toEqual([['Пациенты', 1]])
    expect(alone.main.get('Опись.txt')).toContain('которые были и в других филиалах: так выбрано при передаче: 1')
    await clinic.context.journal.settle()
    const journalled = await clinic.db.query<{ idCustomer: number; count: number }>({
      text: `select "idCustomer"::int as "idCustomer", count(*)::int as count from access_log where action = 'export'
        and "entityType" = 'customers' and "idCustomer" = any ($1::bigint[]) group by 1 order by 1`,
      values: [[only, both]],
    })
    expect(journalled).toEqual([
      { idCustomer: only, count: 2 },
      { idCustomer: both, count: 1 },
    ])
  })

  it('leaves out sealed cards that are not opened, withdrawn consents and destroyed data', async () => {
    await patient('Закрытова', { secretLevel: 'vip' })
    const opened = await patient('Открытова', { secretLevel: 'vip' })
    good(await keeper.post(`/customers/${opened}/open`, { reason: 'Передача филиала покупателю' }), 204)
    const withdrawn = await patient('Отозвавшаяся')
    await clinic.db.query({
      text: `with t as (insert into consents_templates ("name", "type") values ('ПДн', 'pd') returning id),
        v as (insert into consents_versions ("idTemplate", "number", "dateFrom", "purpose", "text", "idUser")
          select id, 1, '2026-01-01', 'Цель', 'Текст', (select min(id) from users) from t returning id)
        insert into consents ("idCustomer", "idVersion", "name", "type", "purpose", "signedAt", "revokedAt", "idUser")
        select $1, id, 'ПДн', 'pd', 'Цель', now() - interval '2 days', now() - interval '1 day', (select min(id) from users) from v`,
      values: [withdrawn],
    })
    const destroyed = await patient('Уничтоженова')
    await clinic.db.query({
      text: `update appointments set "visitStatus" = 'cancelled' where "idCustomer" = $1`,
      values: [destroyed],
    })
    good(
      await keeper.post(`/customers/${destroyed}/personal-data/erase`, {
        surname: 'Уничтоженова',
        reason: 'Заявление № 1',
      }),
    )
    const { text, made, main } = await hand.take(here.idFilial)
    expect(text).not.toContain('Закрытова')
    expect(text).not.toContain('Отозвавшаяся')
    expect(text).not.toContain('Уничтоженова')
    expect(main.get('переезд/04 Пациенты.csv')).toContain('Открытова')
    expect(made.figures?.left.map(({ words, count }) => [words.slice(0, 30), count])).toEqual([
      ['Пациенты, доступ к картам кото', 1],
      ['Пациенты, которые отозвали сог', 2],
    ])
  })

  it('is the same archive for the same data', async () => {
    const [one, other] = [await hand.take(here.idFilial), await hand.take(here.idFilial)]
    expect([...other.main]).toEqual([...one.main])
    expect(other.made.files).toEqual(one.made.files)
  })

  it('is collected once at a time, and can be stopped', async () => {
    const made = await hand.begin(here.idFilial)
    expect(await keeper.post(`/filials/${here.idFilial}/handovers`, { who: 'all' })).toMatchObject({
      status: 409,
      body: { code: 'running' },
    })
    const other = await hand.begin(there.idFilial)
    good(await keeper.post(`/filials/handovers/${made.id}/cancel`))
    await clinic.context.jobs.drain()
    expect(await hand.row(made.id)).toMatchObject({ state: 'cancelled', files: null })
    expect(await hand.row(other.id)).toMatchObject({ state: 'done' })
    expect((await keeper.post(`/filials/handovers/${made.id}/cancel`)).status).toBe(409)
    expect((await keeper.get(`/filials/handovers/${made.id}/files/1`)).status).toBe(404)
    expect(await clinic.db.query({ text: 'select * from handover_patients' })).toEqual([])
  })

  it('takes the card that another was joined to meanwhile', async () => {
    const kept = await patient('Оставшийся')
    const merged = await patient('Присоединённый')
    const made = await hand.begin(here.idFilial)
    good(await keeper.post(`/customers/${kept}/merge`, { idMerged: merged }))
    const { main } = await hand.end(made)
    const cards = main.get('переезд/04 Пациенты.csv') ?? ''
    expect(cards).toContain('Оставшийся')
    expect(cards).not.toContain('Присоединённый')
    const isOf = (row: string, id: number) => row.split(';')[1]?.endsWith(`-${id}`)
    const rows = (main.get('переезд/10 Предстоящие визиты.csv') ?? '').split('\r\n')
    expect(rows.filter((row) => isOf(row, kept))).toHaveLength(2)
    expect(rows.filter((row) => isOf(row, merged))).toEqual([])
  })

  it('ends with the reason when the branch or the right has gone meanwhile', async () => {
    const { id } = await clinic.context.engine.for(systemActor).create(Filial, { nameFilial: 'Пустой' })
    const made = await hand.begin(id)
    good(await keeper.delete(`/filials/${id}`), 204)
    await clinic.context.jobs.drain()
    expect(await hand.row(made.id)).toMatchObject({ state: 'failed', message: 'Филиал удалён' })
    const leaving = handing(clinic, clinic.as('leaving'))
    const begun = await leaving.begin(there.idFilial)
    await clinic.db.query({
      text: `delete from user_permissions where permission = 'handOverFilial' and "idUser" = (select id from users where login = 'leaving')`,
    })
    await clinic.context.jobs.drain()
    expect(await hand.row(begun.id)).toMatchObject({ state: 'failed', message: expect.stringContaining('нет права') })
  })

  it('keeps its files for some days', async () => {
    const { made } = await hand.take(there.idFilial)
    await sweep(clinic.context)
    expect((await keeper.get(`/filials/handovers/${made.id}/files/1`)).status).toBe(200)
    await clinic.db.query({
      text: `update filials_handovers set "dateEnd" = now() - make_interval(days => $2, mins => 1) where id = $1`,
      values: [made.id, HANDOVER_DAYS],
    })
    await sweep(clinic.context)
    await clinic.context.jobs.drain()
    expect(await hand.row(made.id)).toMatchObject({ state: 'gone' })
    expect(await keeper.get(`/filials/handovers/${made.id}/files/1`)).toMatchObject({ status: 404 })
    expect(await clinic.context.files.stat(`handovers/${made.id}/1`)).toBeUndefined()
  })

  it('is whole after a death of the server at any step', async () => {
    const hands = killers.map((login) => handing(clinic, clinic.as(login)))
    const whole = await handing(clinic, clinic.as('killer1')).take(here.idFilial)
    let begun = 0
    await killRuns(
      clinic,
      '^(filials_handovers|handover_patients)$',
      async () => (await (hands[begun++ % hands.length] as typeof hand).begin(here.idFilial)).id,
      async (id) => {
        const { main } = await hand.read(await hand.row(id))
        expect([...main]).toEqual([...whole.main])
        expect(await clinic.db.query({ text: 'select * from handover_patients' })).toEqual([])
      },
    )
  })
})

describe('a branch of the demo clinic', () => {
  let clinic: Clinic
  let admin: Caller
  beforeAll(async () => {
    clinic = await testApp({ demo: true, env: { DEMO: '1' } })
    admin = clinic.as('admin')
  }, 240_000)
  afterAll(() => clinic.close())

  it('gives every kind of its records, and none of another branch or of a patient who stays', async () => {
    const { registry, db } = clinic.context
    const [filial] = await db.query<{ id: number }>({
      text: `select "idFilial"::int as id from appointments where not deleted group by 1 order by count(*) desc limit 1`,
    })
    const id = filial?.id as number
    const { made, main } = await handing(clinic, admin).take(id)
    const records = [...main].filter(([name]) => name.startsWith('записи/') && !name.startsWith('записи/названия/'))
    const byTitle = new Map(
      records.map(([name, text]) => [
        name.slice(7, -6),
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ]),
    )
    expect([...byTitle.values()].flat()).toHaveLength(made.figures?.records ?? 0)
    expect([...byTitle.keys()]).toEqual(
      expect.arrayContaining(['филиалов', 'клиентов', 'записей', 'платежей', 'касс', 'кабинетов']),
    )
    const cards = new Set((byTitle.get('клиентов') ?? []).map((card) => card.id))
    expect(cards.size).toBe(made.patients)
    for (const [name, rows] of byTitle)
      for (const row of rows) {
        if (row.idFilial != null) expect([name, row.id, row.idFilial]).toEqual([name, row.id, id])
        if (row.idCustomer != null) expect([name, row.id, cards.has(row.idCustomer)]).toEqual([name, row.id, true])
      }
    // No entity that names a branch is forgotten without a reason.
    const naming = registry.definitions.filter((d) => branchSql(registry, d, raw('r')))
    expect(naming.length).toBeGreaterThan(40)
    for (const { path } of stays)
      expect(registry.definitions.some(({ entity }) => entity.path.startsWith(path))).toBe(true)
    const list = main.get('Опись.txt') ?? ''
    for (const { title } of moveTables) expect(list).toContain(title)
    for (const { kind } of made.figures?.sums ?? []) expect(list).toContain(moveSums[kind].label)
  })
})
