/** Goals of Метрика over HTTP and PostgreSQL, against its simulator: the report, the chain, and the data sent. */
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MetrikaSimulator, startMetrikaSimulator } from '#testing/metrikaSimulator.ts'
import { addPerson } from '#testing/people.ts'
import { csvOf } from './uploads.ts'

let metrika: MetrikaSimulator
let clinic: Clinic
let chief: Caller
let counter: number
const DAY = dayIn('Europe/Moscow', Date.now())
const FROM = plusDays(DAY, -10)
const TO = plusDays(DAY, 1)

beforeAll(async () => {
  metrika = await startMetrikaSimulator()
  clinic = await testApp({
    env: { METRIKA_URL: metrika.url },
    prepare: async (app) => {
      await addPerson(app, 'chief', ['viewMetrikaGoalsReport', 'mainSettings'])
      await addPerson(app, 'out', [])
    },
  })
  chief = clinic.as('chief')
  counter = good(await chief.post('/metrika/counters', { name: 'Сайт', number: '45871230', token: 'key-1' }), 201).id
  // Three requests of the site: two with marks (one became a deal with a patient who booked), one without.
  await clinic.db.query(sql`insert into sales_management_requests ("name", "utm", "state")
    values ('Анна', '{"utm_source":"Yandex","utm_campaign":"check-up","ym_client_id":"1616161616161616"}', 'new'),
      ('Борис', '{"utm_source":"yandex","yclid":"99887766"}', 'new'), ('Вера', null, 'new')`)
})
afterAll(async () => {
  await clinic.close()
  await metrika.close()
})
beforeEach(() => {
  metrika.mood = 'answers'
})

const report = async (query = '') => good(await chief.get(`/metrika/report?from=${FROM}&to=${TO}${query}`))

describe('a counter', () => {
  it('keeps its key secret, and loses it with its number', async () => {
    const shown = good(await chief.get(`/metrika/counters/${counter}`))
    expect([shown.hasToken, JSON.stringify(shown).includes('key-1')]).toEqual([true, false])
    expect(JSON.stringify(good(await chief.get(`/metrika/counters/${counter}/history`)))).not.toContain('key-1')
    good(await chief.put(`/metrika/counters/${counter}`, { number: '45871231' }))
    expect(good(await chief.get(`/metrika/counters/${counter}`)).hasToken).toBe(false)
    good(await chief.put(`/metrika/counters/${counter}`, { number: '45871230', token: 'key-2' }))
    await report()
    expect(metrika.authorization).toBe('OAuth key-2')
  })
  it.each([
    [{ number: 'abc' }, 'number'],
    [{ token: 'ключ' }, 'token'],
  ])('%j is refused at its field', async (body, field) => {
    const answer = await chief.put(`/metrika/counters/${counter}`, body)
    expect([answer.status, answer.body[0]?.field]).toEqual([422, field])
  })
  it('provides its goals, each once', async () => {
    expect(good(await chief.post(`/metrika/counters/${counter}/goals`))).toEqual({ added: 4, renamed: 0 })
    expect(good(await chief.post(`/metrika/counters/${counter}/goals`))).toEqual({ added: 0, renamed: 0 })
    // A goal that was deleted here does not come back by itself.
    const [gone] = good(await chief.get(`/metrika/goals?filter[idCounter]=${counter}&sort=-id`)).items
    good(await chief.delete(`/metrika/goals/${gone.id}?sure=1`), 204)
    expect(good(await chief.post(`/metrika/counters/${counter}/goals`))).toEqual({ added: 0, renamed: 0 })
    metrika.mood = 'refuses'
    const refused = await chief.post(`/metrika/counters/${counter}/goals`)
    expect([refused.status, refused.body.message]).toEqual([409, 'Ключ не подошёл или не даёт прав на счётчик'])
  })
})

describe('the report', () => {
  it("joins the counter's figures with the clinic's results, by source, case-insensitive", async () => {
    const { rows, total, trouble, unmarked } = await report('&by=source')
    expect([trouble, unmarked, total.appeals]).toEqual([null, 1, 3])
    const yandex = rows.find(({ key }: { key: string }) => key === 'yandex')
    expect([yandex.appeals, yandex.visits > 0, yandex.reaches > 0]).toEqual([2, true, true])
    expect(rows.find(({ key }: { key: string }) => key === '')).toMatchObject({ label: 'Без метки', appeals: 1 })
    expect(rows.reduce((sum: number, { visits }: { visits: number }) => sum + visits, 0)).toBe(total.visits)
  })
  it.each(['day', 'campaign', 'goal'])('by %s has the same totals of the clinic', async (by) => {
    const { rows, total } = await report(`&by=${by}`)
    expect([total.appeals, rows.length > 0]).toEqual([3, true])
  })
  it.each([
    ['refuses', 'Ключ не подошёл'],
    ['busy', 'просит подождать'],
    ['nonsense', 'не в том виде'],
    ['strange', 'не в том виде'],
    ['endless', 'слишком длинный'],
  ] as const)("of a counter that %s reports it and keeps the clinic's own figures", async (mood, words) => {
    metrika.mood = mood
    const { rows, total, asked, trouble } = await report('&by=source')
    expect([asked, total.visits, total.appeals]).toEqual([null, 0, 3])
    expect(trouble).toContain(words)
    expect(rows.find(({ key }: { key: string }) => key === 'yandex').appeals).toBe(2)
  })
  it('requires a valid period and the right', async () => {
    expect((await chief.get(`/metrika/report?from=${DAY}&to=2020-01-01`)).body[0].field).toBe('to')
    expect((await chief.get('/metrika/report?from=2020-01-01&to=2026-01-01')).body[0].field).toBe('to')
    expect((await clinic.as('out').get(`/metrika/report?from=${FROM}&to=${TO}`)).status).toBe(403)
  })
})

describe('an upload', () => {
  beforeAll(async () => {
    const goals = good(await chief.get(`/metrika/goals?filter[idCounter]=${counter}&sort=id`)).items
    good(await chief.put(`/metrika/goals/${goals[0].id}`, { crmEvent: 'appeal', target: 'request' }))
  })
  const period = { from: FROM, to: TO }
  const upload = async () => {
    const made = good(await chief.post(`/metrika/counters/${counter}/upload`, period), 201)
    await clinic.context.jobs.drain()
    return good(await chief.get(`/metrika/uploads/${made.id}`))
  }
  const states = () => clinic.context.jobs.run('metrika.uploads')

  it('refused is reported, and its events are sent with the next one', async () => {
    metrika.mood = 'refuses'
    expect(await upload()).toMatchObject({ status: 'failed', error: 'Ключ не подошёл или не даёт прав на счётчик' })
    expect(metrika.uploads).toEqual([])
  })

  it('is previewed, sends each event once, and no patient data', async () => {
    const sample = good(await chief.get(`/metrika/counters/${counter}/upload?from=${FROM}&to=${TO}`))
    expect([sample.rows, sample.unknown]).toEqual([2, 1])
    expect(sample.lines).toContain('ClientId,Target,DateTime')
    await upload()
    expect(metrika.uploads.map(({ kind }) => kind).sort()).toEqual(['CLIENT_ID', 'YCLID'])
    const text = metrika.uploads.map(({ csv }) => csv).join()
    expect(text).toMatch(/1616161616161616,request,\d{10}/)
    expect(text).not.toMatch(/Анна|Борис|Вера|\+7/)
    expect(await upload()).toMatchObject({ status: 'empty', rows: 0 })
    expect(metrika.uploads).toHaveLength(2)
  })

  it('is polled until the counter reports its result, without writes meanwhile', async () => {
    metrika.mood = 'waits'
    const before = await clinic.db.query(sql`select "id", "_version" from metrika_uploads order by "id"`)
    await states()
    expect(await clinic.db.query(sql`select "id", "_version" from metrika_uploads order by "id"`)).toEqual(before)
    metrika.mood = 'answers'
    await states()
    const done = good(await chief.get('/metrika/uploads?filter[status]=done')).items
    expect(done.map(({ taken }: { taken: number }) => taken)).toEqual([1, 1])
  })

  /** One more request of the site, so that an upload is not empty. */
  const request = (client: string) =>
    clinic.db.query(sql`insert into sales_management_requests ("name", "utm", "state")
      values ('Глеб', jsonb_build_object('ym_client_id', ${client}::text), 'new')`)

  it('with a lost response is found at the counter, and its events are sent once', async () => {
    await request('2000000001')
    metrika.mood = 'drops'
    const made = await upload()
    expect(made).toMatchObject({ status: 'unknown', error: expect.stringContaining('Спросим, дошёл ли файл') })
    expect(await upload()).toMatchObject({ status: 'empty' })
    // Nothing is decided while the counter is unavailable.
    metrika.mood = 'busy'
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`)).status).toBe('unknown')
    metrika.mood = 'waits'
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`))).toMatchObject({ status: 'sent', error: null })
    metrika.mood = 'answers'
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`))).toMatchObject({ status: 'done', taken: 1 })
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000001'))).toHaveLength(1)
  })

  it('without a response that never arrived is reported, and its events are sent with the next one', async () => {
    await request('2000000002')
    metrika.mood = 'silent'
    const real = AbortSignal.timeout
    const short = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real.call(AbortSignal, 300))
    const made = await upload()
    short.mockRestore()
    expect(made).toMatchObject({ status: 'unknown', error: expect.stringContaining('не ответила вовремя') })
    metrika.mood = 'answers'
    // It may still be in transit for a while.
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`)).status).toBe('unknown')
    await clinic.db.query(
      sql`update metrika_uploads set "dateCreate" = now() - interval '2 hours' where "id" = ${made.id}`,
    )
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`))).toMatchObject({
      status: 'failed',
      error: 'Файл до Метрики не дошёл: его события уйдут со следующей выгрузкой',
    })
    expect(await upload()).toMatchObject({ status: 'sent', rows: 1 })
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000002'))).toHaveLength(1)
  })

  it('is not sent once its counter is switched off or deleted; its events wait for the next one', async () => {
    await request('2000000003')
    const fate = async (before: () => Promise<unknown>, after: () => Promise<unknown>) => {
      const made = good(await chief.post(`/metrika/counters/${counter}/upload`, period), 201)
      await before()
      await clinic.context.jobs.drain()
      await after()
      return good(await chief.get(`/metrika/uploads/${made.id}`))
    }
    const active = (is: boolean) => () => chief.put(`/metrika/counters/${counter}`, { active: is })
    const refused = { status: 'failed', error: 'Счётчик удалён или выключен: ничего не отправлено' }
    expect(await fate(active(false), active(true))).toMatchObject(refused)
    expect(
      await fate(
        () => chief.delete(`/metrika/counters/${counter}?sure=1`),
        () => chief.post(`/metrika/counters/${counter}/restore`),
      ),
    ).toMatchObject(refused)
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000003'))).toEqual([])
    expect(await upload()).toMatchObject({ status: 'sent', rows: 1 })
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000003'))).toHaveLength(1)
  })

  it('goes out once when the server dies after sending it, and gives its events back when it never goes out', async () => {
    await request('2000000004')
    const made = good(await chief.post(`/metrika/counters/${counter}/upload`, period), 201)
    // The file has gone out; the answer is never written down, and the job runs again.
    await clinic.db.query(
      sql`create function lost() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`,
    )
    await clinic.db.query(sql`create trigger lost before update on metrika_uploads for each row
      when (new."status" = 'sent') execute function lost()`)
    await clinic.context.jobs.drain().catch(() => undefined)
    await clinic.db.query(sql`drop function lost cascade`)
    await clinic.context.jobs.send('metrika.upload', { id: made.id })
    await clinic.context.jobs.drain()
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000004'))).toHaveLength(1)
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`))).toMatchObject({ status: 'done', taken: 1 })
    // One whose job was lost altogether.
    await request('2000000005')
    const lost = good(await chief.post(`/metrika/counters/${counter}/upload`, period), 201)
    await clinic.db.query(
      sql`update metrika_uploads set "dateCreate" = now() - interval '2 hours' where "id" = ${lost.id}`,
    )
    await states()
    expect(good(await chief.get(`/metrika/uploads/${lost.id}`))).toMatchObject({ status: 'failed' })
    await clinic.context.jobs.drain()
    expect(await upload()).toMatchObject({ status: 'sent', rows: 1 })
    expect(metrika.uploads.filter(({ csv }) => csv.includes('2000000005'))).toHaveLength(1)
  })

  it('is given up after two days without a word, and never asked about again', async () => {
    await request('2000000006')
    metrika.mood = 'drops'
    const made = await upload()
    metrika.mood = 'refuses'
    await clinic.db.query(
      sql`update metrika_uploads set "dateCreate" = now() - interval '3 days' where "id" = ${made.id}`,
    )
    await states()
    expect(good(await chief.get(`/metrika/uploads/${made.id}`))).toMatchObject({ status: 'failed' })
    metrika.mood = 'answers'
    // The counter may have the file: its events are not sent again.
    expect(await upload()).toMatchObject({ status: 'empty' })
  })

  it("has the counter's format", () => {
    expect(csvOf([{ visitor: '12', target: 'a', at: 5, price: null }], 'yclid')).toBe('Yclid,Target,DateTime\n12,a,5\n')
    expect(
      csvOf(
        [
          { visitor: '12', target: 'a', at: 5, price: 1999.5 },
          { visitor: '13', target: 'b', at: 6, price: null },
        ],
        'client',
      ),
    ).toBe('ClientId,Target,DateTime,Price,Currency\n12,a,5,1999.50,RUB\n13,b,6,,\n')
  })
})
