/** Move of waiting messages to the outbox: each is sent after the upgrade, once. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'
import { testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

const MOVED = '20261127T2240_messages_on_outbox.sql'
const dir = mkdtempSync(join(tmpdir(), 'before-outbox-'))
let sms: SmsSimulator
let mail: MailSimulator
beforeAll(async () => {
  ;[sms, mail] = await Promise.all([startSmsSimulator(), startMailSimulator()])
})
afterAll(async () => {
  await Promise.all([sms.close(), mail.close()])
  rmSync(dir, { recursive: true, force: true })
})

it('settles what may have gone, sends what waits, and nothing else', async () => {
  cpSync(MIGRATIONS, dir, { recursive: true, filter: (path) => !path.endsWith('.sql') || basename(path) < MOVED })
  // The gateway has the first one; its answer was lost.
  const key = 'booking-1'
  sms.messages.push({ id: 'sms-1', key, to: '+79120000001', text: 'С праздником', status: 'delivered' })
  const clinic = await testApp({
    env: { SMS_URL: sms.url, SMTP_URL: mail.url, MAIL_FROM: 'Клиника <clinic@clinic.test>' },
    async fill(db) {
      await migrate(db, dir)
      await db.query(sql`insert into customers ("id", "surname", "name") values (5, 'Старожилова', 'Анна')`)
      await db.query(sql`insert into common_settings ("name", "value") values ('messageHours', '{"start":"00:00","end":"23:59"}')
        on conflict ("name") do update set "value" = excluded."value"`)
      await db.query(
        sql`insert into message_templates ("name", "event", "text", "active") values ('Запись', 'booking', 'Как прошло?', true)`,
      )
      await db.query(sql`insert into messages ("id", "idCustomer", "event", "key", "phone", "email", "channel", "tried", "status", "text", "dateDue")
        values (1, 5, 'booking', ${key}, '+79120000001', null, 'sms', '{}', 'queued', 'С праздником', null),
          (2, 5, 'booking', 'k-2', '+79120000002', null, null, '{}', 'queued', null, null),
          (3, 5, 'booking', 'k-3', null, 'a@clinic.test', 'email', '{}', 'queued', 'Как прошло?', now() - interval '1 minute'),
          (4, 5, 'booking', 'k-4', '+79120000004', 'b@clinic.test', 'email', '{}', 'unknown', 'Как прошло?', null),
          (5, 5, 'booking', 'k-5', '+79120000005', null, 'sms', '{}', 'accepted', 'Как прошло?', null)`)
      expect(await migrate(db)).toContain(MOVED)
    },
  })
  try {
    await clinic.db.query(sql`update message_templates set "active" = "event" = 'booking' and "name" = 'Запись'`)
    for (let pass = 0; pass < 2; pass++) await clinic.context.jobs.run('messages.send')
    expect(sms.messages.map(({ to }) => to).sort()).toEqual(['+79120000001', '+79120000002'])
    expect(mail.letters.map(({ to }) => to.join())).toEqual([expect.stringContaining('a@clinic.test')])
    expect(await clinic.db.query(sql`select "id"::int as id, "status", "channel" from messages order by "id"`)).toEqual(
      [
        { id: 1, status: 'accepted', channel: 'sms' },
        { id: 2, status: 'accepted', channel: 'sms' },
        { id: 3, status: 'accepted', channel: 'email' },
        { id: 4, status: 'unknown', channel: 'email' },
        { id: 5, status: 'accepted', channel: 'sms' },
      ],
    )
    expect(await clinic.db.query(sql`select 1 from outbox`)).toEqual([])
  } finally {
    await clinic.close()
  }
})
