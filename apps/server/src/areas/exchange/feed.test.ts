import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp()
})
afterAll(() => clinic.close())

const linesOf = (key: string) =>
  clinic.db.query(sql`select "status", "attempts", "errorText", "durationMs", "dateNext" from exchange_messages
    where "idempotencyKey" = ${key}`)

it('keeps the attempts of one message in one line with the last result', async () => {
  const message = { adapter: 'sms', operation: 'Код подписи', key: 'one' } as const
  await clinic.context.exchanged({
    ...message,
    status: 'network_error',
    error: 'Шлюз не ответил',
    durationMs: 10_000.4,
  })
  await clinic.context.exchanged({ ...message, status: 'accepted', durationMs: 20 })
  expect(await linesOf('one')).toEqual([
    { status: 'accepted', attempts: 2, errorText: null, durationMs: 20, dateNext: null },
  ])
})

it('delays no sending: unstorable content is omitted, and long content is truncated', async () => {
  await clinic.context.exchanged({
    adapter: 'mail',
    operation: 'Письмо',
    key: 'long',
    status: 'rejected',
    error: `\0${'я'.repeat(900)}`,
  })
  expect((await linesOf('long')).map((line) => String((line as { errorText: unknown }).errorText).length)).toEqual([
    500,
  ])
  const strange = { adapter: 'mail', operation: '', key: 'none', status: 'done' } as const
  await expect(clinic.context.exchanged(strange)).resolves.toBeUndefined()
  expect(await linesOf('none')).toEqual([])
})
