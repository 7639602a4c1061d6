import { getPriority } from 'node:os'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testDb } from '#testing/harness.ts'
import { sessionPriority } from '#testing/sessionPriority.ts'
import { MAX_PREPARED, MAX_PREPARED_TEXT } from './boundedClient.ts'
import { createDb, type Db, type Tx } from './db.ts'
import { createLog } from './log.ts'

let db: Db
beforeAll(async () => {
  db = await testDb()
  await db.query(sql`CREATE TABLE purse (id int PRIMARY KEY, rubles numeric(12, 2) NOT NULL)`)
  await db.query(sql`INSERT INTO purse VALUES (1, 100), (2, 100)`)
})
afterAll(() => db.end())

const rubles = async (id: number) =>
  (await db.one<{ rubles: string }>(sql`SELECT rubles FROM purse WHERE id = ${id}`))?.rubles

test('values come back as promised, times as in JSON', async () => {
  const row = await db.one<Record<string, unknown>>(sql`
    SELECT 9007199254740991::int8 AS big, '{1,NULL}'::int8[] AS bigs, 0.10::numeric AS money, '{0.10}'::numeric[] AS moneys,
      '2026-02-28'::date AS day, '2026-11-20 12:30:00.5+03'::timestamptz AS time,
      to_json('2026-11-20 12:30:00.5+03'::timestamptz) AS json, current_setting('timezone') AS zone`)
  expect(row).toEqual({
    big: 9007199254740991,
    bigs: [1, null],
    money: '0.10',
    moneys: ['0.10'],
    day: '2026-02-28',
    time: '2026-11-20T09:30:00.5+00:00',
    json: '2026-11-20T09:30:00.5+00:00',
    zone: 'UTC',
  })
})

test('settings are not in the start packet, where a pooler would drop them', async () => {
  const found = await db.query<{ name: string; source: string }>(sql`
    SELECT name, source FROM pg_settings WHERE name IN ('statement_timeout', 'TimeZone', 'jit',
      'idle_in_transaction_session_timeout') ORDER BY name`)
  expect(new Set(found.map(({ source }) => source))).toEqual(new Set(['session']))
  expect(found).toHaveLength(4)
})

test('a lost connection outside the pools fails its statement, and not the process', async () => {
  const client = await db.connect()
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const waiting = client.query('SELECT pg_sleep(60)')
  await Promise.all([
    expect(waiting).rejects.toThrow(/terminat/),
    db.query(sql`SELECT pg_terminate_backend(${rows[0]?.pid})`),
  ])
  // An unhandled error event fails the run.
  await ended
})

test('a name makes a prepared statement', async () => {
  await db.query({ name: 'named-probe', text: 'SELECT $1::int', values: [1] })
  const found = await db.tx((tx) => tx.query(sql`SELECT 1 FROM pg_prepared_statements WHERE name = 'named-probe'`))
  expect(found.length).toBeLessThanOrEqual(1)
})

test('a connection holds no more text prepared than its share', async () => {
  const share = MAX_PREPARED_TEXT / 4
  await db.tx(async (tx) => {
    for (let i = 0; i < 8; i++) {
      const text = `SELECT $1::int + ${i} AS n /*${' '.repeat(share)}*/`
      expect((await tx.one<{ n: number }>({ name: `wide-${i}`, text, values: [1] }))?.n).toBe(i + 1)
    }
    const held = await tx.query(sql`SELECT 1 FROM pg_prepared_statements WHERE name LIKE 'wide-%'`)
    expect(held).toHaveLength(3)
  })
})

test('a connection lets go of the prepared statements used longest ago, and takes them up again', async () => {
  const held = async (tx: Tx) => {
    const rows = await tx.query<{ name: string }>(
      sql`SELECT name FROM pg_prepared_statements WHERE name LIKE 'bound-%'`,
    )
    return new Set(rows.map(({ name }) => name))
  }
  await db.tx(async (tx) => {
    const ask = (i: number) =>
      tx.one<{ n: number }>({ name: `bound-${i}`, text: `SELECT $1::int + ${i} AS n`, values: [1] })
    for (let i = 0; i < MAX_PREPARED + 20; i++) {
      expect((await ask(i))?.n).toBe(i + 1)
      await ask(0)
    }
    const names = await held(tx)
    expect(names.size).toBeLessThanOrEqual(MAX_PREPARED)
    expect([names.has('bound-0'), names.has('bound-1'), names.has('bound-219')]).toEqual([true, false, true])
    expect((await ask(1))?.n).toBe(2)
    expect((await held(tx)).has('bound-1')).toBe(true)
  })
})

test('one is undefined when there is none', async () => {
  expect(await db.one(sql`SELECT 1 WHERE false`)).toBeUndefined()
})

test('a transaction that throws leaves nothing, and runs nothing after', async () => {
  let ran = false
  const failed = db.tx(async (tx) => {
    tx.afterCommit(() => (ran = true))
    await tx.query(sql`UPDATE purse SET rubles = 0 WHERE id = 1`)
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  expect(await rubles(1)).toBe('100.00')
  expect(ran).toBe(false)
})

test('afterCommit sees what was written, and its failure affects no other', async () => {
  let read: unknown
  const result = await db.tx(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('expected in the log')
    })
    tx.afterCommit(async () => {
      read = await rubles(2)
    })
    await tx.query(sql`UPDATE purse SET rubles = 90 WHERE id = 2`)
    return 'done'
  })
  expect(result).toBe('done')
  expect(read).toBe('90.00')
})

test('a swallowed failure of a statement is not taken for a commit', async () => {
  const swallowed = db.tx(async (tx) => {
    await tx.query(sql`UPDATE purse SET rubles = 1 WHERE id = 1`)
    await tx.query(sql`SELECT 1 / 0`).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow('rolled back')
  expect(await rubles(1)).toBe('100.00')
})

test('two that lock each other both get through', async () => {
  let tries = 0
  let holding = 0
  const both = Promise.withResolvers<void>()
  const take = (first: number, second: number) =>
    db.tx(async (tx) => {
      tries++
      await tx.query(sql`UPDATE purse SET rubles = rubles + 1 WHERE id = ${first}`)
      // Each transaction holds its first row before either requests the other's.
      if (++holding === 2) both.resolve()
      await both.promise
      await tx.query(sql`UPDATE purse SET rubles = rubles + 1 WHERE id = ${second}`)
    })
  await Promise.all([take(1, 2), take(2, 1)])
  expect(tries).toBeGreaterThan(2)
  expect(await rubles(1)).toBe('102.00')
})

test('a statement by itself that a deadlock has broken gets through', async () => {
  await db.query(sql`CREATE SEQUENCE breaks`)
  // Values taken from a sequence are not rolled back.
  await db.query(sql`CREATE FUNCTION broken_once() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('breaks') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
      RETURN 7;
    END $$`)
  expect(await db.one(sql`SELECT broken_once() AS n`)).toEqual({ n: 7 })
})

test('pages of any size, also when left early', async () => {
  const sizes: number[] = []
  for await (const page of db.pages(sql`SELECT n FROM generate_series(1, ${1050}::int) n`, 500)) sizes.push(page.length)
  expect(sizes).toEqual([500, 500, 50])
  for await (const page of db.pages(sql`SELECT 1`)) if (page.length) break
  expect(await db.query(sql`SELECT 1 AS ok`)).toEqual([{ ok: 1 }])
})

test('connections that the server drops are replaced', async () => {
  await db.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  const three = () => Promise.all([1, 2, 3].map(() => db.one(sql`SELECT 1 AS ok`))).catch(() => [])
  await expect.poll(three).toEqual([{ ok: 1 }, { ok: 1 }, { ok: 1 }])
})

test('costly reads take one core, and leave it to the others where the base is ours', async ({ onTestFinished }) => {
  vi.stubEnv('GIVE_WAY', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const ours = createDb({ url: db.url, log: createLog('fatal'), isOurs: true })
  const served = async (lane: Pick<Db, 'one'>) => {
    const row = await lane.one<{ pid: number; workers: string }>(sql`
      select pg_backend_pid() as pid, current_setting('max_parallel_workers_per_gather') as workers`)
    const pid = row?.pid as number
    return { priority: getPriority(pid), session: sessionPriority(pid), workers: Number(row?.workers) }
  }
  try {
    const usual = await served(ours.reads)
    expect(usual.workers).toBeGreaterThan(0)
    // The session's own priority is set asynchronously.
    await expect
      .poll(() => served(ours.costly))
      .toEqual({
        priority: 5,
        // Where the system has no autogroup, both are undefined.
        session: usual.session === undefined ? undefined : 5,
        workers: 0,
      })
    expect(await served(db.costly)).toEqual({ ...usual, workers: 0 })
  } finally {
    await ours.end()
  }
})

test('no statement times out during the start, each does afterwards, and pg queues no query', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  const patient = createDb({ url: db.url, log: createLog('silent'), patient: true, max: 1 })
  const timeouts = (on: Pick<Db, 'one'>) =>
    on.one<
      Record<string, unknown>
    >(sql`SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle`)
  try {
    const atStart = await timeouts(patient)
    expect(atStart).toMatchObject({ statement: '0', idle: '0' })
    patient.started()
    expect(await patient.tx(timeouts)).toEqual({ ...atStart, statement: '30s', idle: '1min' })
    expect(await timeouts(patient.reads)).toMatchObject({ statement: '10s', idle: '1min' })
    expect(warned).not.toHaveBeenCalled()
  } finally {
    process.off('warning', warned)
    await patient.end()
  }
})
