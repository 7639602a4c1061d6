/** The hash chain of the journal: valid as written, broken by changing, adding or removing a line. */
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#platform/db.ts'
import { testDb } from '#testing/harness.ts'
import { journal } from './journal.ts'
import { checkJournal, openOutlet, sealJournal } from './journalSeals.ts'

let db: Db
beforeEach(async () => {
  db = await testDb()
  for (let at = 0; at < 6; at++) {
    await journal(db, { action: 'export', basis: `Строка ${at}`, entityType: 'customers' })
    if (at % 2) await sealJournal(db, undefined, -1)
  }
  return () => db.end()
})

/** As the owner of the table could. */
const tamper = (text: string) =>
  db.tx(async (tx) => {
    await tx.query({ text: 'alter table access_log disable trigger all' })
    await tx.query({ text })
    await tx.query({ text: 'alter table access_log enable trigger all' })
  })
const NTH = (n: number) => `(select id from access_log order by id offset ${n} limit 1)`

test('is whole, and sealed once', async () => {
  expect(await checkJournal(db)).toMatchObject({ seals: 3, lines: 6, broken: undefined, detached: 0 })
  expect(await sealJournal(db, undefined, -1)).toBe(0)
  // Recent lines are left for the next seal.
  await journal(db, { action: 'export' })
  expect(await sealJournal(db)).toBe(0)
})

test.each([
  ['changed', `update access_log set basis = 'Другая' where id = ${NTH(2)}`],
  ['taken out', `delete from access_log where id = ${NTH(3)}`],
  ['taken out with its fellows', `delete from access_log where id in (${NTH(2)}, ${NTH(3)})`],
  [
    'added',
    `insert into access_log (id, dt, action) overriding system value select id, dt + interval '1 s', 'view' from access_log where id = ${NTH(2)}`,
  ],
])('a line that was %s breaks the seal of it', async (_what, text) => {
  await tamper(text)
  const { broken, seals } = await checkJournal(db)
  expect([broken !== undefined, seals]).toEqual([true, 1])
})

test('months that were detached break nothing', async () => {
  await tamper(`delete from access_log where id <= ${NTH(1)}`)
  expect(await checkJournal(db)).toMatchObject({ seals: 3, lines: 4, detached: 1, broken: undefined })
})

test('is sent to a file and to a syslog server, with the hash that holds it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'journal-'))
  const server = createSocket('udp4')
  try {
    await journal(db, { action: 'print', basis: 'Печать' })
    await sealJournal(db, openOutlet(join(dir, 'journal.jsonl')), -1)
    const lines = readFileSync(join(dir, 'journal.jsonl'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] as string)).toContain('Печать')
    expect(JSON.parse(lines[1] as string).hash).toBe((await checkJournal(db)).hash)
    const received: string[] = []
    server.on('message', (message) => void received.push(message.toString()))
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', () => resolve()))
    await journal(db, { action: 'print', basis: 'Ещё' })
    await sealJournal(db, openOutlet(`syslog://127.0.0.1:${server.address().port}`), -1)
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(2)
    expect(received[0]).toMatch(/^<110>1 .+ ordinator - access - \[.*Ещё/)
  } finally {
    server.close()
    rmSync(dir, { recursive: true })
  }
})

test('cannot be changed by a role of the application that does not own it', async () => {
  const role = `app_${process.pid}_${Date.now()}`
  const as = (text: string) =>
    db
      .tx(async (tx) => {
        await tx.query({ text: `set local role ${role}` })
        await tx.query({ text })
      })
      .then(() => 'done')
      .catch((error: Error) => error.message)
  await db.query({ text: `create role ${role}` })
  try {
    // The two database roles of docs/operations-reference.md.
    await db.query({ text: `grant select, insert on access_log, journal_seals to ${role}` })
    expect(await as(`insert into access_log (action) values ('view')`)).toBe('done')
    for (const text of [
      'delete from access_log',
      `update access_log set basis = 'x'`,
      'truncate access_log',
      'alter table access_log disable trigger all',
      'drop table journal_seals',
    ])
      expect(await as(text)).toMatch(/permission denied|must be owner/)
  } finally {
    await db.query({ text: `drop owned by ${role}` })
    await db.query({ text: `drop role ${role}` })
  }
})
