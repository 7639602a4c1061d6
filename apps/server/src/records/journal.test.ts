import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '#platform/db.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { type JournalEntry, journalTogether } from './journal.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp()
})
afterAll(() => clinic.close())

/** Counts the statements, and blocks the first one until released. */
function slow(): { db: Queryable; statements: () => number; letGo: () => void } {
  const { db } = clinic
  let statements = 0
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const query = async (...given: unknown[]) => {
    if (++statements === 1) await held
    return (db.query as (...all: unknown[]) => unknown)(...given)
  }
  return { db: { ...db, query } as unknown as Queryable, statements: () => statements, letGo }
}
const line = (requestId: string, idEntity = 7): JournalEntry => ({
  action: 'view',
  entityType: 'test/journal',
  idEntity,
  requestId,
})
const kept = async () =>
  (
    await clinic.db.query<{ requestId: string }>({
      text: `select "requestId" from access_log where "entityType" = 'test/journal' order by id`,
    })
  ).map(({ requestId }) => requestId)

it('writes together what comes while it writes, and no call ends before its lines are stored', async () => {
  const { db, statements, letGo } = slow()
  const add = journalTogether(db)
  await add()
  const all = Array.from({ length: 40 }, (_, at) => {
    const requestId = `r${at}`
    return add(line(requestId)).then(async () => expect(await kept()).toContain(requestId))
  })
  letGo()
  await Promise.all(all)
  expect([statements(), new Set(await kept()).size]).toEqual([2, 40])
})

it('fails for the lines alone that cannot be written', async () => {
  const { db, letGo } = slow()
  const add = journalTogether(db)
  const all = ['a', 'b', 'wrong', 'c'].map((name) => add(line(name, name === 'wrong' ? 1.5e40 : 7)))
  letGo()
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect((await kept()).slice(-3)).toEqual(['a', 'b', 'c'])
})

it('fails for all at once where the database is away, and writes again when it is back', async () => {
  const { db, statements, letGo } = slow()
  let isAway = true
  const query = (...given: unknown[]) =>
    isAway && statements() > 0
      ? Promise.reject(Object.assign(new Error('away'), { code: '57P01' }))
      : (db.query as (...all: unknown[]) => unknown)(...given)
  let asked = 0
  const counted = (...given: unknown[]) => {
    asked++
    return query(...given)
  }
  const add = journalTogether({ ...db, query: counted } as unknown as Queryable)
  const all = Array.from({ length: 30 }, (_, at) => add(line(`away${at}`)))
  letGo()
  const states = (await Promise.allSettled(all)).map(({ status }) => status)
  expect([asked, states.filter((state) => state === 'rejected').length]).toEqual([2, 29])
  isAway = false
  await add(line('back'))
  expect((await kept()).at(-1)).toBe('back')
})
