/** Move of waiting report mails to the outbox: each is sent after the upgrade, once. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'
import { testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { outboxDue } from '#testing/outboxDue.ts'

const MOVED = '20261127T2255_report_mails_on_outbox.sql'
const dir = mkdtempSync(join(tmpdir(), 'before-outbox-'))
let mail: MailSimulator
beforeAll(async () => {
  mail = await startMailSimulator()
})
afterAll(async () => {
  await mail.close()
  rmSync(dir, { recursive: true, force: true })
})

it('settles each waiting mail once, and reports one being sent as unknown', async () => {
  cpSync(MIGRATIONS, dir, { recursive: true, filter: (path) => !path.endsWith('.sql') || basename(path) < MOVED })
  const clinic = await testApp({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Клиника <clinic@clinic.test>' },
    async fill(db) {
      await migrate(db, dir)
      await db.query(sql`insert into users ("id", "login", "surname", "name", "email")
        values (9001, 'gone', 'Ушедший', 'Иван', 'gone@clinic.test')`)
      await db.query(sql`update users set "isBlocked" = true where "id" = 9001`)
      await db.query(sql`insert into reports_mailings ("id", "name", "report", "period", "asked", "recipients", "idAuthor")
        values (1, 'Визиты', 'visits', 'week', '{}', '{9001}', 9001)`)
      // Waiting, put off with its journal line, being sent, forgotten, sent.
      await db.query(sql`insert into reports_sendings ("id", "idMailing", "idUser", "state", "dateCreate")
        values (1, 1, 9001, 'waiting', now()), (2, 1, 9001, 'waiting', now()), (3, 1, 9001, 'sending', now()),
          (4, 1, 9001, 'waiting', now() - interval '3 days'), (5, 1, 9001, 'sent', now())`)
      await db.query(sql`insert into exchange_messages ("dateCreate", "adapter", "operation", "idempotencyKey", "status", "attempts")
        values (now(), 'mail', 'Отчёт по почте', 'report-2', 'network_error', 1)`)
      expect(await migrate(db)).toContain(MOVED)
    },
  })
  try {
    const queued = () =>
      clinic.db.query<{ id: number }>(
        sql`select ("payload" ->> 'id')::int as id from outbox where "state" = 'waiting' order by 1`,
      )
    expect(await queued()).toEqual([{ id: 1 }, { id: 2 }])
    await outboxDue(clinic.db)
    await clinic.context.outbox.run('mail.reports')
    expect(await queued()).toEqual([])
    expect(await clinic.db.query(sql`select "id"::int as id, "state" from reports_sendings order by "id"`)).toEqual([
      { id: 1, state: 'refused' },
      { id: 2, state: 'refused' },
      { id: 3, state: 'unknown' },
      { id: 4, state: 'failed' },
      { id: 5, state: 'sent' },
    ])
    expect(mail.letters).toEqual([])
  } finally {
    await clinic.close()
  }
})
