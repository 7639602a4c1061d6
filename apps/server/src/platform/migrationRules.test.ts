import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from './migrate.ts'
import { breaksRunning, RULED_SINCE } from './migrationRules.ts'

test('migrations can be applied while servers of the version before run', () => {
  const names = readdirSync(MIGRATIONS).sort()
  const failures = names
    .filter((name) => name >= RULED_SINCE)
    .flatMap((name) => {
      const text = readFileSync(join(MIGRATIONS, name), 'utf8')
      return breaksRunning(text, new Set(names.filter((other) => other < name))).map((why) => `${name}: ${why}`)
    })
  expect(failures).toEqual([])
})

const none: ReadonlySet<string> = new Set()

test.each([
  'alter table "visits" rename column "a" to "b"',
  'alter table visits rename to stays',
  'alter table only visits drop column "a"',
  'drop table if exists visits',
  'alter table visits alter column "a" type bigint',
  'alter table visits alter "a" set not null',
  'alter table visits add column "a" text not null',
  'alter table visits add column "a" uuid not null default gen_random_uuid()',
  'alter table visits add column "a" int generated always as ("b" + 1) stored',
  'alter table visits add constraint c check ("a" > 0)',
  'create index on visits ("a")',
  'create unique index "v" on "visits" ("a")',
  'update visits set "a" = 1',
  'DELETE FROM visits\nwhere true',
])('refused: %s', (statement) => {
  expect(breaksRunning(`-- A remark.\n${statement};`, none)).toHaveLength(1)
  // The table is new in this file: no version uses it yet.
  expect(breaksRunning(`create table "visits" ("a" int);\n${statement};`, none)).toEqual([])
})

test.each([
  'alter table visits add column "a" text',
  `alter table visits add column "a" text not null default 'x'`,
  'alter table visits add column "a" boolean not null default false, add column "b" int',
  'alter table visits add constraint c check ("a" > 0) not valid',
  'alter table visits validate constraint c',
  '-- no transaction\ncreate index concurrently "v" on visits ("a")',
  'create table others ("a" int)',
  'create or replace function f() returns trigger language plpgsql as $$ begin update visits set a = 1; drop table x; end $$',
  '-- small visits: one row for each branch of the clinic\nupdate visits set "a" = 1',
])('allowed: %s', (text) => expect(breaksRunning(`${text};`, none)).toEqual([]))

test('what an earlier file has replaced may be dropped, and no other', () => {
  const drop = (file: string) => `-- contract ${file}: nothing reads it since that release\ndrop table visits;`
  expect(breaksRunning(drop('20261201T0900_stays.sql'), new Set(['20261201T0900_stays.sql']))).toEqual([])
  expect(breaksRunning(drop('20261201T0900_stays.sql'), none)).toHaveLength(2)
})
