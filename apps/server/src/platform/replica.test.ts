/** Reads from a real streaming replica that lags, hangs, dies and is promoted. */
import { text } from 'node:stream/consumers'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type TestReplica, testReplica } from '#testing/replica.ts'
import { createDb } from './db.ts'
import { createLog } from './log.ts'
import { type ReplicaState, readAside } from './replica.ts'

/** Two servers of PostgreSQL are made. */
const LONG = 240_000
const SLOW = 'select pg_sleep(1), pg_is_in_recovery() as there'
const TOKEN = 'a token of the metrics'

let replica: TestReplica
let clinic: Clinic
let second: Clinic
let boss: Caller
/** Sees only the tasks that he executes. */
let nurse: Caller
let me: { id: number }
let board: { id: number; idColumnNew: number }

beforeAll(async () => {
  replica = await testReplica()
  clinic = await testApp({
    url: replica.primaryUrl,
    env: { REPLICA_URL: replica.url, METRICS_TOKEN: TOKEN },
    async prepare(context) {
      await addPerson(context, 'boss', [
        'viewTasksManagement',
        'mainSettings',
        'viewPaymentsReport',
        'viewAllCashDesks',
      ])
      me = await addPerson(context, 'nurse', ['viewTasksManagement'])
    },
  })
  second = await clinic.secondProcess()
  await clinic.context.jobs.drain()
  ;[boss, nurse] = [clinic.as('boss'), clinic.as('nurse')]
  board = good(await boss.post('/tasks-management/boards', { name: 'Реплика' }), 201)
  const member = { idBoard: board.id, idUser: me.id, permissionToViewTasks: 'my' }
  const { id } = good(await boss.post('/tasks-management/members', member), 201)
  const own = await makeTask('Своя')
  good(await boss.post('/tasks-management/executors', { idTask: own, idMember: id }), 201)
  await makeTask('Чужая')
}, LONG)
afterAll(async () => {
  await second?.close()
  await clinic?.close()
  await replica?.close()
})

const makeTask = async (name: string, by = boss): Promise<number> =>
  good(await by.post('/tasks-management/tasks', { name, idColumn: board.idColumnNew }), 201).id

const TASKS = '/tasks-management/tasks'
const REPORT = '/reports/payments?from=2026-01-01&until=2026-01-31&by=method'
const BIG = `${TASKS}?limit=500&sort=id&fields=id,name`
const names = async (by: Caller): Promise<string[]> =>
  good(await by.get(BIG)).items.map(({ name }: { name: string }) => name)
const healthOf = ({ db }: Clinic) => db.replica?.health() as NonNullable<ReturnType<typeof find>>
const find = ({ db }: Clinic) => db.replica?.health()
const becomes = (state: ReplicaState) =>
  expect.poll(() => [clinic, second].map((one) => healthOf(one).state), { timeout: 30_000 }).toEqual([state, state])
const replicaState = async () =>
  good(await boss.get('/health-report')).items.find(({ key }: { key: string }) => key === 'replica')

/** How many reads of `run` each server answered. */
async function readBy(run: () => Promise<unknown>): Promise<{ replica: number; primary: number }> {
  const before = healthOf(clinic)
  await run()
  const after = healthOf(clinic)
  return { replica: after.served - before.served, primary: after.returned - before.returned }
}

/** A busy machine may replay late: then once more. */
const isReadBy = (who: 'replica' | 'primary', run: () => ReturnType<typeof readBy>) =>
  expect
    .poll(run, { timeout: 30_000 })
    .toEqual({ replica: 0, primary: 0, [who]: expect.toSatisfy((n: number) => n > 0) })

describe('a replica that is well', () => {
  test('answers big lists, counts, search and reports; small lists and records are read from the primary', async () => {
    await becomes('ok')
    const own = await replica.ask<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name = 'ordinator-replica'`,
    )
    expect(own[0]?.n).toBeGreaterThan(0)
    const reading = (path: string) => readBy(async () => good(await boss.get(path)))
    for (const path of [BIG, `${TASKS}?limit=5&count=1`, `${TASKS}?q=Своя`, '/search?q=Своя', REPORT])
      await isReadBy('replica', () => reading(path))
    const [{ id }] = good(await boss.get(BIG)).items
    for (const path of [`${TASKS}?limit=5`, `${TASKS}/${id}`])
      expect(await reading(path), path).toEqual({ replica: 0, primary: 0 })
    expect(await replicaState()).toMatchObject({ state: 'good', words: expect.stringContaining('В порядке') })
  })

  test('makes exports and long counts', async () => {
    const job = {
      text: `select json_build_object('there', pg_is_in_recovery()) as item`,
      values: [],
      columns: [{ field: 'there', label: 'Там', kind: 'text' }],
      timeZone: 'Europe/Moscow',
      format: 'csv',
    } as const
    const made = async () => text(await clinic.context.exporter.run(job, 'somebody'))
    await expect.poll(made, { timeout: 30_000 }).toContain('true')
    const where = async () =>
      readAside(clinic.db, await clinic.db.replica?.ticket(), async (client, isReplica) => {
        const { rows } = await client.query('select pg_is_in_recovery() as there')
        await client.end()
        return [isReplica, rows[0].there]
      })
    await expect.poll(where, { timeout: 30_000 }).toEqual([true, true])
  })

  test('keeps the rights of the primary', async () => {
    const both = async () => [await names(boss), await names(nurse)]
    await isReadBy('replica', () => readBy(async () => expect(await both()).toEqual([['Своя', 'Чужая'], ['Своя']])))
    await replica.pause()
    await makeTask('Третья')
    const here = await readBy(async () => expect(await both()).toEqual([['Своя', 'Чужая', 'Третья'], ['Своя']]))
    expect(here).toEqual({ replica: 0, primary: 2 })
    await replica.resume()
  })

  test('repeats on the primary what only a primary can do, or what its replay has cancelled', async () => {
    await becomes('ok')
    expect(await clinic.db.broad.one({ text: 'select txid_current() > 0 as is' })).toEqual({ is: true })
    const slow = clinic.db.broad.one<{ there: boolean }>({ text: SLOW })
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity where query = '${SLOW}'`
    await expect.poll(() => replica.ask(ended)).toHaveLength(1)
    expect((await slow)?.there).toBe(false)
  })
})

test(
  'a writer, in whichever process, reads the own write, however the replay stops and goes on',
  async () => {
    const callers = [boss, second.withToken((await boss.token()) as string)]
    let written = 0
    const act = fc.constantFrom('write', 'write', 'read', 'read', 'read', 'pause', 'resume', 'well')
    const step = fc.record({ act, who: fc.constantFrom(0, 1) })
    const before = healthOf(clinic).served + healthOf(second).served
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        await replica.resume()
        await becomes('ok')
        const known = new Set<string>()
        for (const { act, who } of steps) {
          const caller = callers[who] as Caller
          if (act === 'pause') await replica.pause()
          else if (act === 'resume') await replica.resume()
          else if (act === 'well') {
            await replica.resume()
            await becomes('ok')
          } else if (act === 'write') {
            const name = `Запись ${++written}`
            await makeTask(name, caller)
            known.add(name)
          } else {
            const found = new Set(await names(caller))
            expect([...known].filter((name) => !found.has(name))).toEqual([])
          }
        }
      }),
      { numRuns: runs(4, 40) },
    )
    await replica.resume()
    expect(healthOf(clinic).served + healthOf(second).served).toBeGreaterThan(before)
  },
  LONG,
)

test('a replica of another database is not read', async () => {
  const replicaUrl = inject('testDatabaseUrl').replace('{database}', 'postgres')
  const db = createDb({ url: replica.primaryUrl, replicaUrl, log: createLog('silent'), max: 2 })
  await expect.poll(() => db.replica?.health().state, { timeout: 30_000 }).toBe('foreign')
  expect(await db.broad.one({ text: 'select current_database() as name' })).toEqual({ name: 'ordinator' })
  await db.end()
})

describe('a replica that is not well', () => {
  const reads = async () => expect(await names(boss)).toContain('Своя')

  test('and lags is not read, nor waited for', async () => {
    await becomes('ok')
    await replica.pause()
    await makeTask('Позже')
    await becomes('behind')
    const began = performance.now()
    expect(await readBy(async () => expect(await names(boss)).toContain('Позже'))).toEqual({ replica: 0, primary: 1 })
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await replicaState()).toMatchObject({
      state: 'warn',
      words: expect.stringMatching(/Реплика отстаёт на \d+ с, .+читаются с основной/),
    })
    const metrics = await clinic.anonymous.get('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(metrics.text).toMatch(/ordinator_replica_state\{state="behind",role="all"\} 1\n/)
    expect(metrics.text).toMatch(/ordinator_replica_lag_seconds\{role="all"\} \d/)
    await replica.resume()
    await becomes('ok')
  })

  test('and is killed in the middle of reads: the primary answers them', async () => {
    const slow = clinic.db.broad.one<{ there: boolean }>({ text: SLOW })
    const many = Promise.all(Array.from({ length: 20 }, reads))
    await replica.kill()
    await many
    expect((await slow)?.there).toBe(false)
    await becomes('away')
    expect(await readBy(reads)).toEqual({ replica: 0, primary: 1 })
    expect(await replicaState()).toMatchObject({ state: 'warn', words: expect.stringContaining('Реплика недоступна') })
    await replica.revive()
    await becomes('ok')
    await isReadBy('replica', () => readBy(reads))
  })

  test('and hangs: reads under way go to the primary, later ones wait for nothing', async () => {
    const slow = clinic.db.broad.one<{ there: boolean }>({ text: SLOW })
    await expect.poll(() => replica.ask(`select 1 from pg_stat_activity where query = '${SLOW}'`)).toHaveLength(1)
    replica.hang()
    await Promise.all(Array.from({ length: 5 }, reads))
    expect((await slow)?.there).toBe(false)
    await becomes('away')
    expect(await readBy(reads)).toEqual({ replica: 0, primary: 1 })
    await replica.kill()
    await replica.revive()
    await becomes('ok')
  })

  test('and is promoted is read no more', async () => {
    await replica.promote()
    await replica.ask(`update tasks_management_tasks set "name" = 'Из другой жизни'`)
    expect(await names(boss)).not.toContain('Из другой жизни')
    await becomes('promoted')
    expect(await readBy(reads)).toEqual({ replica: 0, primary: 1 })
    expect(await replicaState()).toMatchObject({ words: expect.stringContaining('Реплика повышена') })
  })
})
