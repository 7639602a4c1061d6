import { buffer, text } from 'node:stream/consumers'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#platform/log.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { createExporter, type Exporter, type ExportJob } from './exporter.ts'

const STALL_MS = 1_000
const MARK = 'exported by a test'

let clinic: Clinic
let exporter: Exporter

beforeAll(async () => {
  clinic = await testApp({
    prepare: (context) => addPerson(context, 'clerk', ['editUsers']),
  })
  exporter = createExporter({ url: clinic.db.url, log: createLog('fatal'), stallMs: STALL_MS })
})
afterAll(async () => {
  await exporter.close()
  await clinic.close()
})

const job = (rows: number, width: number): ExportJob => ({
  text: `select json_build_object('note', repeat('я', $1::int)) as item from generate_series(1, $2::int) /* ${MARK} */`,
  values: [width, rows],
  columns: [{ field: 'note', label: 'Заметка', kind: 'text' }],
  timeZone: 'Europe/Moscow',
  format: 'csv',
})

const running = async () =>
  (
    await clinic.db.query({
      text: `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
      values: [`%${MARK} */`],
    })
  ).length

const ended = () => expect.poll(running, { timeout: 60_000 }).toBe(0)

describe('an export', () => {
  test('comes whole', async () => {
    const made = await text(await exporter.run(job(300, 40_000), 'whole'))
    expect(made.length).toBe(300 * 40_002 + 'Заметка\r\n'.length)
  })

  test('without a reader is cut off, and holds no more than a few pieces until then', async () => {
    const unread = await exporter.run(job(100_000, 10_000), 'idle')
    const cut = new Promise<Error>((resolve) => unread.once('error', resolve))
    expect(await running()).toBe(1)
    let most = 0
    const measuring = setInterval(() => (most = Math.max(most, unread.readableLength)), 10)
    expect((await cut).message).toBe('Выгрузка шла слишком долго и была остановлена')
    clearInterval(measuring)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(4 * 1024 * 1024)
    await ended()
  })

  test('ends when its reader leaves', async () => {
    // Nor because nothing reads the answer.
    const patient = createExporter({ url: clinic.db.url, log: createLog('fatal') })
    const left = await patient.run(job(100_000, 10_000), 'leaver')
    expect(await running()).toBe(1)
    left.destroy()
    await ended()
    await patient.close()
  })

  test('is one of a person at a time: one more waits, the next is refused', async () => {
    const first = await exporter.run(job(100_000, 10_000), 'greedy')
    const second = exporter.run(job(1, 1), 'greedy')
    await expect(exporter.run(job(1, 1), 'greedy')).rejects.toMatchObject({ status: 429 })
    expect(await text(await exporter.run(job(1, 1), 'another'))).toContain('я')
    first.destroy()
    expect(await text(await second)).toContain('я')
  })

  test('reports what PostgreSQL refuses, and goes on with the next', async () => {
    const wrong = { ...job(1, 1), text: `select 1/0 as item, $1::int, $2::int` }
    await expect(exporter.run(wrong, 'unlucky')).rejects.toMatchObject({ code: '22012' })
    expect(await text(await exporter.run(job(1, 1), 'unlucky'))).toContain('я')
  })

  test('of a spreadsheet has dates and moments as dates, of the zone’s clock', async () => {
    const file = await exporter.run(
      {
        text: `select json_build_object('day', '2026-03-01', 'at', '2026-03-01T21:30:00+00:00', 'old', '1890-05-04', 'sum', 12.5) as item`,
        values: [],
        columns: [
          { field: 'day', label: 'День', kind: 'date' },
          { field: 'at', label: 'Когда', kind: 'dateTime' },
          { field: 'old', label: 'Давно', kind: 'date' },
          { field: 'sum', label: 'Сумма', kind: 'money' },
        ],
        timeZone: 'Europe/Moscow',
        format: 'xlsx',
      },
      'analyst',
    )
    const [, row] = await readSheet(await buffer(file))
    // A spreadsheet stores a time as a fraction of a day, accurate to the millisecond only.
    const values = row?.map((cell) => (cell instanceof Date ? Math.round(cell.getTime() / 1000) : cell))
    const at = (moment: string) => Date.parse(moment) / 1000
    expect(values).toEqual([at('2026-03-01T00:00:00Z'), at('2026-03-02T00:30:00Z'), '04.05.1890', 12.5])
  })

  test('of a report has its title above the table, and a sheet on how it is counted', async () => {
    const about = {
      title: 'Выручка',
      facts: [['Период', '01.11.2026 — 30.11.2026']] as const,
      notes: [['Оплачено', 'Деньги дня']] as const,
    }
    const asked = { ...job(2, 3), format: 'xlsx' as const, about }
    const bytes = await buffer(await exporter.run(asked, 'reporter'))
    const rows = await readSheet(bytes)
    expect(rows.slice(0, 2).map((row) => row.filter((cell) => cell !== null))).toEqual([
      ['Выручка'],
      ['Период', '01.11.2026 — 30.11.2026'],
    ])
    expect(rows[3]?.filter((cell) => cell !== null)).toEqual(asked.columns.map(({ label }) => label))
    expect(rows).toHaveLength(6)
    expect((await readSheet(bytes, 2)).map((row) => row.slice(0, 2))).toEqual([['Оплачено', 'Деньги дня']])
  })

  test('of a spreadsheet larger than memory bears is refused in words', async () => {
    await expect(exporter.run({ ...job(9_000, 32_000), format: 'xlsx' }, 'wide')).rejects.toMatchObject({
      status: 400,
      message: 'Таблица слишком велика: выберите CSV или сузьте отбор',
    })
  })
})

test('a column is exported once', async () => {
  const clerk = clinic.as('clerk')
  const twice = await clerk.get('/users/export?fields=surname,login,surname')
  expect([twice.status, twice.body.message]).toEqual([400, 'Поле указано дважды: surname'])
  expect((await clerk.get('/users/export?fields=surname,login')).text).toContain('clerk;clerk')
})

describe('an export over HTTP ends when its reader hangs up', () => {
  let url: string
  beforeAll(async () => {
    url = await clinic.listen()
    await clinic.db.query({
      text: `insert into users (login, surname, name) select 'u' || n, repeat('в', 200), repeat('в', 200) from generate_series(1, 50000) n`,
    })
  })
  const exports = () =>
    clinic.db.query({
      text: `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%row_to_json%' and pid <> pg_backend_pid()`,
    })

  test.each(['gzip', 'identity'])('%s', async (encoding) => {
    const leaving = new AbortController()
    const answer = await fetch(`${url}/users/export?format=csv`, {
      headers: { authorization: `Bearer ${await clinic.as('clerk').token()}`, 'accept-encoding': encoding },
      signal: leaving.signal,
    })
    expect(answer.status).toBe(200)
    expect(await exports()).toHaveLength(1)
    leaving.abort()
    await expect.poll(async () => (await exports()).length, { timeout: 60_000 }).toBe(0)
  })
})
