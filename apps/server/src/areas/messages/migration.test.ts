/** Migration of reminders to messages: no data of a clinic is lost, and nothing is sent again. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '#platform/db.ts'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'
import { testDb } from '#testing/harness.ts'

const MADE = '20261123T0738_messages.sql'
let db: Db
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'before-messages-'))
  cpSync(MIGRATIONS, dir, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || basename(path) < MADE,
  })
  db = await testDb()
  await db.query(sql`drop schema if exists rollups cascade`)
  await db.query(sql`drop schema public cascade`)
  await db.query(sql`create schema public`)
  await migrate(db, dir)
})
afterAll(async () => {
  await db.end()
  rmSync(dir, { recursive: true, force: true })
})

it('migrates the reminders of an existing clinic, each with its outcome and its reply', async () => {
  await db.query(sql`insert into filials ("id", "nameFilial") values (7, 'На Садовой')`)
  await db.query(sql`insert into customers ("id", "surname", "name") values (5, 'Старожилова', 'Анна')`)
  await db.query(sql`insert into users ("id", "login", "surname", "name") values (3, 'doctor', 'Врач', 'Иван')`)
  await db.query(sql`insert into appointments ("id", "idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "idAuthor")
    values (9, 5, 7, 3, '2026-11-20', '10:00', '2026-11-20 07:00Z', '2026-11-20 07:30Z', 3)`)
  await db.query(sql`insert into appointments_reminders
      ("idAppointment", "kind", "dateFrom", "phone", "email", "channel", "tried", "status", "reason", "dateSent", "reply", "meaning")
    values (9, 'day', '2026-11-20 07:00Z', '+79120000001', null, 'sms', '{messenger}', 'accepted', null, '2026-11-19 07:00Z', '1', 'yes'),
      (9, 'hours', '2026-11-20 07:00Z', '+79120000001', 'anna@clinic.test', null, '{sms}', 'failed', 'Нечем написать', null, null, null)`)
  expect(await migrate(db)).toContain(MADE)
  const kept = await db.query(sql`
    select m."event", m."idCustomer"::int as "idCustomer", m."idFilial"::int as "idFilial", m."phone", m."email", m."channel",
      m."tried", m."status", m."reason", m."dateSent" is not null as sent, r."reply", r."meaning"
    from appointments_reminders r join messages m on m."id" = r."idMessage" and m."idAppointment" = r."idAppointment"
      and m."dateFrom" = r."dateFrom" and m."key" = 'visit-reminder-' || r."id" order by r."id"`)
  const own = { idCustomer: 5, idFilial: 7, phone: '+79120000001' }
  expect(kept).toEqual([
    {
      ...own,
      event: 'reminder24h',
      email: null,
      channel: 'sms',
      tried: ['messenger'],
      status: 'accepted',
      reason: null,
      sent: true,
      reply: '1',
      meaning: 'yes',
    },
    {
      ...own,
      event: 'reminder2h',
      email: 'anna@clinic.test',
      channel: null,
      tried: ['sms'],
      status: 'failed',
      reason: 'Нечем написать',
      sent: false,
      reply: null,
      meaning: null,
    },
  ])
  // Enabled: the events of the former reminders, and the link that staff send by hand.
  const on = await db.query<{ event: string }>(sql`
    select distinct "event" from message_templates where "active" order by ${raw('"event"')}`)
  expect(on.map(({ event }) => event)).toEqual(['payLink', 'reminder24h', 'reminder2h'])
})
