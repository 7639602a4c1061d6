import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDb } from '#testing/harness.ts'
import type { Db } from './db.ts'
import { migrate, migrationName } from './migrate.ts'

let dir: string
let db: Db
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'migrate-'))
  db = await testDb()
  await db.query(sql`DROP TABLE migrations`)
})
afterEach(async () => {
  await db.end()
  rmSync(dir, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
const exists = async (table: string) =>
  (await db.one<{ t: string | null }>(sql`SELECT to_regclass(${table}) AS t`))?.t !== null

test('in order, once, also when several processes start at once', async () => {
  write('0002_second.sql', 'INSERT INTO probe VALUES (2);')
  write('0001_first.sql', 'CREATE TABLE probe (n int); INSERT INTO probe VALUES (1);')
  // Waits for the end of every other snapshot, those of waiting processes too.
  write('0003_third.sql', '-- no transaction\nCREATE INDEX CONCURRENTLY probe_n ON probe (n);')
  const progress: string[] = []
  const run = () => migrate(db, dir, (done, total) => progress.push(`${done}/${total}`))
  const runs = await Promise.all([run(), run(), run()])
  expect(runs.flat()).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql'])
  expect(progress).toEqual(['1/3', '2/3', '3/3'])
  expect(await db.query(sql`SELECT n FROM probe ORDER BY n`)).toEqual([{ n: 1 }, { n: 2 }])
})

test('one that fails leaves nothing and reports where', async () => {
  write('0001_good.sql', 'CREATE TABLE kept (n int);')
  write('0002_bad.sql', 'CREATE TABLE half (n int);\n\nCREATE TABEL x (n int);')
  await expect(migrate(db, dir)).rejects.toThrow(/0002_bad\.sql:3 не применено/)
  expect([await exists('kept'), await exists('half')]).toEqual([true, false])
  write('0002_bad.sql', 'CREATE TABLE half (n int);')
  expect(await migrate(db, dir)).toEqual(['0002_bad.sql'])
})

test('a changed or missing file of an applied change is refused', async () => {
  write('0001_first.sql', 'CREATE TABLE probe (n int);')
  await migrate(db, dir)
  write('0001_first.sql', 'CREATE TABLE probe (n int);\r\n'.trimEnd())
  expect(await migrate(db, dir)).toEqual([])
  write('0001_first.sql', 'CREATE TABLE probe (n bigint);')
  await expect(migrate(db, dir)).rejects.toThrow('0001_first.sql поправлен')
  rmSync(join(dir, '0001_first.sql'))
  await expect(migrate(db, dir)).rejects.toThrow('База данных новее программы')
})

test('names off the pattern and equal numbers are refused', async () => {
  write('first.sql', 'SELECT 1')
  await expect(migrate(db, dir)).rejects.toThrow('не по образцу')
  rmSync(join(dir, 'first.sql'))
  write('0001_a.sql', 'SELECT 1')
  write('0001_b.sql', 'SELECT 1')
  await expect(migrate(db, dir)).rejects.toThrow('с номером 0001')
})

test('one that lands later may have an earlier name; the numbered come before those named by time', async () => {
  write('20261122T0310_ours.sql', 'INSERT INTO probe VALUES (2);')
  write('0001_first.sql', 'CREATE TABLE probe (n int); INSERT INTO probe VALUES (1);')
  expect(await migrate(db, dir)).toEqual(['0001_first.sql', '20261122T0310_ours.sql'])
  write('20261122T0309_theirs.sql', 'INSERT INTO probe VALUES (3);')
  write('20261122T0310_of_the_same_minute.sql', 'INSERT INTO probe VALUES (4);')
  expect(await migrate(db, dir)).toEqual(['20261122T0309_theirs.sql', '20261122T0310_of_the_same_minute.sql'])
  expect(await db.query(sql`SELECT count(*) AS n FROM probe`)).toEqual([{ n: 4 }])
})

test('a new file is named by the minute', () => {
  expect(migrationName('room', new Date('2026-11-22T03:10:59Z'))).toBe('20261122T0310_room.sql')
  for (const name of ['', 'Комната', '../room']) expect(() => migrationName(name, new Date())).toThrow('латиницей')
})

test('one that must run outside a transaction', async () => {
  write('0001_table.sql', 'CREATE TABLE probe (n int);')
  write('0002_index.sql', '-- no transaction\nCREATE INDEX CONCURRENTLY probe_n ON probe (n)')
  expect(await migrate(db, dir)).toHaveLength(2)
})

test('a file that replaces a published one is taken for applied where that was', async () => {
  write('0001_first.sql', 'CREATE TABLE probe (n int);')
  await migrate(db, dir)
  const [{ hash } = { hash: '' }] = await db.query<{ hash: string }>(sql`SELECT hash FROM migrations`)
  write('0001_first.sql', `-- was ${hash}\nCREATE TABLE probe (n int4);`)
  expect(await migrate(db, dir)).toEqual([])
  write('0001_first.sql', `-- was ${hash.replace(/./g, '0')}\nCREATE TABLE probe (n int4);`)
  await expect(migrate(db, dir)).rejects.toThrow('0001_first.sql поправлен')
})
