/** Move of waiting replies to the outbox: each is sent after the upgrade, once and in order. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'
import { good } from '#testing/good.ts'
import { testApp } from '#testing/harness.ts'
import { deliverChat } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { startTelegramSimulator, type TelegramSimulator, TOKEN } from '#testing/telegramSimulator.ts'

const MOVED = '20261127T2250_chats_on_outbox.sql'
const dir = mkdtempSync(join(tmpdir(), 'before-outbox-'))
let telegram: TelegramSimulator
beforeAll(async () => {
  telegram = await startTelegramSimulator()
})
afterAll(async () => {
  await telegram.close()
  rmSync(dir, { recursive: true, force: true })
})

it('sends the waiting lines, reports one being sent as unknown, and leaves old ones', async () => {
  cpSync(MIGRATIONS, dir, { recursive: true, filter: (path) => !path.endsWith('.sql') || basename(path) < MOVED })
  const clinic = await testApp({
    env: { TELEGRAM_URL: telegram.url },
    outbound: { allow: ['127.0.0.1'] },
    prepare: (app) => addPerson(app, 'keeper', ['editLiveAssistDomainMap']),
    async fill(db) {
      await migrate(db, dir)
      await db.query(
        sql`insert into users ("id", "login", "surname", "name") values (9001, 'operator', 'Первая', 'Алина')`,
      )
      await db.query(sql`insert into live_assist_channels ("id", "name", "kind", "key", "idUser")
        values (7, 'Бот', 'telegram', 'key-of-the-bot', 9001)`)
      await db.query(sql`insert into live_assist_visitors ("id", "name", "idChannel", "idExternal", "consentVersion")
        values (1, 'Анна', 7, '501', 0), (2, 'Пётр', 7, '502', 0)`)
      await db.query(sql`insert into live_assist ("id", "name", "idVisitor", "idChannel", "dateLast")
        values (1, 'Анна', 1, 7, now()), (2, 'Пётр', 2, 7, now())`)
      // Waiting, put off with its journal line, sent, refused, deleted; and of the second chat: being sent, waiting, old.
      await db.query(sql`insert into live_assist_messages ("id", "idLiveAssist", "seq", "no", "kind", "clientId", "message",
          "dateCreate", "idExternal", "failure", "dateRemoved")
        values (1, 1, 1, 1, 'staff', 'a', 'Отложено', now(), null, null, null),
          (2, 1, 2, 2, 'staff', 'b', 'Ждёт', now(), null, null, null),
          (3, 1, 3, 3, 'robot', 'c', 'Ушло', now(), '77', null, null),
          (4, 1, 4, 4, 'staff', 'd', 'Отказ', now(), null, 'Посетитель заблокировал бота', null),
          (5, 1, 5, 5, 'staff', 'e', '', now(), null, null, now()),
          (6, 2, 1, 1, 'staff', 'f', 'Давно', now() - interval '3 days', null, null, null),
          (7, 2, 2, 2, 'staff', 'g', 'Отправлялось', now(), null, null, null),
          (8, 2, 3, 3, 'staff', 'h', 'За ним', now(), null, null, null)`)
      await db.query(sql`insert into live_assist_deliveries ("idMessage") values (7)`)
      await db.query(sql`insert into exchange_messages ("dateCreate", "adapter", "operation", "idempotencyKey", "status", "attempts")
        values (now(), 'telegram', 'Ответ в чате', 'chat-message-1', 'network_error', 1)`)
      expect(await migrate(db)).toContain(MOVED)
    },
  })
  try {
    const keeper = clinic.as('keeper')
    good(await keeper.put('/live-assist/channels/7', { token: TOKEN }))
    await clinic.db.query(sql`insert into common_settings ("name", "value") values ('additionalServices', '["omnichannel"]')
      on conflict ("name") do update set "value" = excluded."value"`)
    telegram.outgoing.length = 0
    for (const idChat of [1, 2, 1, 2]) await deliverChat(clinic, idChat)
    const textsTo = (to: string) => telegram.outgoing.filter((one) => one.to === to).map(({ text }) => text)
    expect([textsTo('501'), textsTo('502')]).toEqual([['Отложено', 'Ждёт'], ['За ним']])
    const lines = await clinic.db.query<{ id: number; failure: string | null }>(
      sql`select "id"::int as id, "failure" from live_assist_messages where "failure" is not null order by "id"`,
    )
    expect(lines).toEqual([
      { id: 4, failure: 'Посетитель заблокировал бота' },
      { id: 7, failure: 'Неизвестно, дошло ли: Telegram не ответил' },
    ])
    expect(
      await clinic.db.query(
        sql`select count(*)::int as n from exchange_messages where "idempotencyKey" = 'chat-message-1'`,
      ),
    ).toEqual([{ n: 1 }])
  } finally {
    await clinic.close()
  }
})
