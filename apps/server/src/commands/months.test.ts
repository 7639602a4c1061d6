/** Months of the history and of the journal of access, put aside and brought back while the clinic works. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkJournal } from '#records/journalSeals.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { bringBack, putAside, readMonths } from './months.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => void (await addPerson(app, 'keeper', ['viewCustomers', 'editCustomers'])),
  })
  for (const month of ['2024-11', '2024-12'])
    await clinic.db.query({
      text: `create table history_${month.replace('-', '')} partition of history for values from ('${month}-01 00:00+00')
        to ('${month}-01 00:00+00'::timestamptz + interval '1 month')`,
    })
})
afterAll(() => clinic.close())

const months = async () =>
  (await readMonths(clinic.db))
    .filter(({ parent, month }) => parent === 'history' && month < '2026')
    .map(({ month, isAside }) => [month, isAside])

test('a month is put aside and comes back; the thread and new writes go on meanwhile', async () => {
  const keeper = clinic.as('keeper')
  const { id } = good(await keeper.post('/customers', { surname: 'Прежняя', name: 'Анна' }), 201)
  await clinic.db.query(
    sql`update history set "dateCreate" = '2024-11-15' where "path" = 'customers' and "idEntity" = ${id}`,
  )
  const kinds = async () => good(await keeper.get(`/customers/${id}/thread`)).items.length
  const before = await kinds()
  expect(before).toBeGreaterThan(0)
  expect(await months()).toEqual([
    ['2024-11', false],
    ['2024-12', false],
  ])

  await expect(putAside(clinic.db, 'history', '2024-12')).rejects.toThrow('более ранний месяц: 2024-11')
  await putAside(clinic.db, 'history', '2024-11')
  await putAside(clinic.db, 'history', '2024-12')
  expect(await months()).toEqual([
    ['2024-11', true],
    ['2024-12', true],
  ])
  expect(await kinds()).toBe(before - 1)
  const { _version } = good(await keeper.get(`/customers/${id}`))
  good(await keeper.put(`/customers/${id}`, { name: 'Мария', _version }))
  expect(await kinds()).toBe(before)

  await expect(bringBack(clinic.db, 'history', '2024-11')).rejects.toThrow('более поздний месяц: 2024-12')
  await bringBack(clinic.db, 'history', '2024-12')
  await bringBack(clinic.db, 'history', '2024-11')
  expect(await kinds()).toBe(before + 1)
  expect((await checkJournal(clinic.db)).broken).toBeUndefined()
})

test('this month and the last stay, and what is no month is refused', async () => {
  const [first] = (await readMonths(clinic.db)).filter(({ parent }) => parent === 'access_log')
  await expect(putAside(clinic.db, 'access_log', first?.month as string)).rejects.toThrow('прошёл ещё один')
  await expect(putAside(clinic.db, 'access_log', '2024-13')).rejects.toThrow('2025-01')
  await expect(putAside(clinic.db, 'users', '2024-11')).rejects.toThrow('Нет такой таблицы')
})

test('what belongs to no month is taken, and its month stays where it is', async () => {
  await clinic.db.query({
    text: `alter table history detach partition history_${new Date().toISOString().slice(0, 7).replace('-', '')}`,
  })
  good(await clinic.as('keeper').post('/customers', { surname: 'Вернувшаяся', name: 'Анна' }), 201)
  await clinic.db.query({ text: "select ensure_month_partitions('history')" })
  expect(await clinic.db.one(sql`select count(*)::int > 0 as is from history_rest`)).toEqual({ is: true })
})
