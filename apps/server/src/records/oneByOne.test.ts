/** In jobs over due rows, a failing row does not stop the others. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseAway } from '#platform/errors.ts'
import { createLog } from '#platform/log.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { oneByOne } from './oneByOne.ts'

let sms: SmsSimulator
let clinic: Clinic
beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({ env: { SMS_URL: sms.url } })
  await run(`insert into common_settings ("name", "value") values ('messageHours', '{"start":"00:00","end":"23:59"}')
    on conflict ("name") do update set "value" = excluded."value"`)
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

const run = <T>(text: string, values: unknown[] = []) => clinic.db.query<T>({ text, values })
const made = async (text: string, values: unknown[] = []) =>
  (await run<{ id: number }>(`${text} returning "id"::int as id`, values)).map(({ id }) => id)

let serial = 0
/** Makes the database refuse to write or delete this row, as for an unforeseen fault. */
async function break_(table: string, id: number, on: 'update' | 'delete' = 'update', error = `'a fault of this row'`) {
  const name = `broken_${++serial}`
  await run(`create function ${name}() returns trigger language plpgsql as $$ begin raise exception ${error}; end $$`)
  await run(
    `create trigger ${name} before ${on} on "${table}" for each row when (old."id" = ${id}) execute function ${name}()`,
  )
}

const log = createLog('silent')

it('does the others, and reports which were left', async () => {
  const done: number[] = []
  const failed = await oneByOne({ log }, 'probe', [{ id: 1 }, { id: 2 }, { id: 3 }], async ({ id }) => {
    if (id === 2) throw new Error('a fault of this row')
    done.push(id)
  })
  expect([done, failed]).toEqual([[1, 3], [2]])
})

it('ends when the base is away, or the server stops', async () => {
  const done: number[] = []
  const away = oneByOne({ log }, 'probe', [{ id: 1 }, { id: 2 }], async ({ id }) => {
    done.push(id)
    throw databaseAway()
  })
  await expect(away).rejects.toThrow('База данных')
  const stopping = new AbortController()
  const work = async ({ id }: { id: number }) => {
    done.push(id)
    stopping.abort()
  }
  await oneByOne({ log }, 'probe', [{ id: 3 }, { id: 4 }], work, stopping.signal)
  expect(done).toEqual([1, 3])
})

it('messages to patients: the others go out, and the broken one does not block them for ever', async () => {
  const [first, second] = await made(
    `insert into customers ("surname", "phone") values ('Первый', '+79125550001'), ('Второй', '+79125550002')`,
  )
  await run(`update message_templates set "active" = true where "event" = 'reminder24h'`)
  const [bad, good] = await made(
    `insert into messages ("idCustomer", "event", "key", "phone", "text") values ($1, 'reminder24h', 'a', '+79125550001', ''),
      ($2, 'reminder24h', 'b', '+79125550002', '')`,
    [first, second],
  )
  await break_('messages', bad as number)
  await clinic.context.jobs.run('messages.send')
  const rows = await run<{ id: number; status: string }>('select "id"::int as id, "status" from messages order by "id"')
  expect(rows.find(({ id }) => id === bad)?.status).toBe('queued')
  expect(rows.find(({ id }) => id === good)?.status).not.toBe('queued')
})

it('the trash: more than a page of records in use does not hide what lies behind them', async () => {
  const ids = await made(
    `insert into sales_management_loss_reasons ("name", "deleted", "_deletedAt")
      select 'Причина ' || n, true, now() - interval '400 days' from generate_series(1, 502) n`,
  )
  const [broken, ...rest] = ids
  const last = rest.at(-1) as number
  await run(`create function in_use() returns trigger language plpgsql as $$ begin
    raise foreign_key_violation using detail = 'Key is still referenced from table "x"'; end $$`)
  await run(`create trigger in_use before delete on sales_management_loss_reasons for each row
    when (old."id" < ${last}) execute function in_use()`)
  await break_('sales_management_loss_reasons', broken as number, 'delete')
  await clinic.context.jobs.run('records.trash')
  const left = await run<{ id: number }>(
    'select "id"::int as id from sales_management_loss_reasons where "id" = any ($1::bigint[]) order by 1',
    [ids],
  )
  expect(left.map(({ id }) => id)).toEqual(ids.slice(0, -1))
})

it('regulations: one that cannot come into force keeps no other from it', async () => {
  const [author] = await run<{ id: number }>('select "id"::int as id from users order by "id" limit 1')
  const [bad, good] = await made(
    `insert into regulations ("name", "idUser", "status", "dateEffective") values
      ('Первый', $1, 'approved', '2020-01-01'), ('Второй', $1, 'approved', '2020-01-02')`,
    [author?.id],
  )
  await break_('regulations', bad as number)
  await clinic.context.jobs.run('regulations.effective')
  const rows = await run<{ id: number; status: string }>('select "id"::int as id, "status" from regulations order by 1')
  expect(rows).toEqual([
    { id: bad, status: 'approved' },
    { id: good, status: 'active' },
  ])
})

it('chats: one that cannot be assigned does not delay the next', async () => {
  const [user] = await run<{ id: number }>('select "id"::int as id from users order by "id" limit 1')
  await run(`insert into common_settings ("name", "value") values ('liveAssistAutomatic', 'true')
    on conflict ("name") do update set "value" = excluded."value"`)
  await run(
    `insert into live_assist_operators ("idUser", "status", "dateStatus", "dateSeen") values ($1, 'online', now(), now())
    on conflict ("idUser") do update set "status" = 'online', "dateSeen" = now()`,
    [user?.id],
  )
  const [bad, good] = await made(
    `insert into live_assist ("name", "status", "handler", "queuedAt") values
      ('Первый', 'active', 'none', now() - interval '2 minutes'), ('Второй', 'active', 'none', now() - interval '1 minute')`,
  )
  await break_('live_assist', bad as number)
  await clinic.context.jobs.run('chats.assign')
  const rows = await run<{ id: number; idUser: number | null }>(
    'select "id"::int as id, "idUser"::int as "idUser" from live_assist where "id" = any ($1::bigint[]) order by 1',
    [[bad, good]],
  )
  expect(rows).toEqual([
    { id: bad, idUser: null },
    { id: good, idUser: user?.id },
  ])
})
