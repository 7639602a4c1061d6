/** Move of pending webhook messages to the outbox: each is sent after the upgrade, once. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'
import { renewSecret } from '#platform/webhook.ts'
import { testApp } from '#testing/harness.ts'
import { startWebhookReceiver } from '#testing/webhookReceiver.ts'

const MOVED = '20261127T2003_webhooks_on_outbox.sql'
const dir = mkdtempSync(join(tmpdir(), 'before-outbox-'))
const receiver = await startWebhookReceiver()
afterAll(async () => {
  await receiver.close()
  rmSync(dir, { recursive: true, force: true })
})

it('sends the pending messages of an existing clinic, and no others', async () => {
  cpSync(MIGRATIONS, dir, { recursive: true, filter: (path) => !path.endsWith('.sql') || basename(path) < MOVED })
  const clinic = await testApp({
    outbound: { allow: ['127.0.0.1'] },
    async fill(db) {
      await migrate(db, dir)
      await db.query(sql`insert into webhooks ("id", "name", "url") values (7, '1С', ${receiver.url})`)
      await renewSecret(db, 'webhook_secrets', 7, 'idWebhook')
      // Queued, retried, claimed by the server that was stopped for the upgrade, delivered and stopped.
      await db.query(sql`insert into exchange_messages ("id", "dateCreate", "adapter", "operation", "entityType", "idEntity",
          "idWebhook", "idempotencyKey", "status", "attempts", "dateNext")
        values (1, now(), 'webhooks', 'customers.create', 'customers', 5, 7, '7:1', 'queued', 0, now()),
          (2, now(), 'webhooks', 'customers.update', 'customers', 5, 7, '7:2', 'rejected', 2, now()),
          (3, now(), 'webhooks', 'customers.create', 'customers', 6, 7, '7:3', 'sent', 1, now()),
          (4, now(), 'webhooks', 'customers.create', 'customers', 8, 7, '7:4', 'done', 1, null),
          (5, now(), 'webhooks', 'customers.create', 'customers', 9, 7, '7:5', 'dead', 6, null)`)
      await db.query(sql`insert into exchange_bodies ("idMessage", "request")
        select "id", json_build_object('id', "id"::text)::text from exchange_messages`)
      expect(await migrate(db)).toContain(MOVED)
    },
  })
  try {
    for (let pass = 0; pass < 2; pass++) await clinic.context.outbox.run('webhooks:7')
    const sent = receiver.received.map(({ message }) => message.id)
    expect([...sent].sort()).toEqual(['1', '2', '3'])
    expect(sent.indexOf('1')).toBeLessThan(sent.indexOf('2'))
    expect(
      await clinic.db.query(sql`select "id"::int as id, "status", "attempts" from exchange_messages order by "id"`),
    ).toEqual([
      { id: 1, status: 'done', attempts: 1 },
      { id: 2, status: 'done', attempts: 3 },
      { id: 3, status: 'done', attempts: 2 },
      { id: 4, status: 'done', attempts: 1 },
      { id: 5, status: 'dead', attempts: 6 },
    ])
  } finally {
    await clinic.close()
  }
})
