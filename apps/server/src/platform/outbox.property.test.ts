/**
 * Whatever the other side answers and whenever workers are killed, each message is accepted once, in the order of its
 * subject, and the area's record shows its result.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#testing/harness.ts'
import type { Db, Lane, Query, Tx } from './db.ts'
import { createOutbox, type Outbox, type OutboxAdapter, type OutboxDeps, type Outcome } from './outbox.ts'
import { pauseLane } from './outboxSql.ts'

interface Work {
  tx: Tx
}
const LANE = 'webhooks'
const jobs = { register: () => {}, send: async () => null }
const log = { warn: () => {}, error: () => {} }

let db: Db
beforeAll(async () => {
  db = await testDb()
  await db.query(
    sql`create table outbox_records ("key" text primary key, "state" text not null, "writes" integer not null default 0)`,
  )
})
afterAll(() => db.end())
beforeEach(clear)

async function clear() {
  await db.query(sql`delete from exchange_messages`)
  await db.query(sql`delete from outbox_records`)
  await db.query(sql`delete from outbox_lanes`)
}

class Killed extends Error {}

/** A database connection of a worker that is killed at its `after`th statement: none of the later ones is executed. */
function mortal(after: number): Lane {
  let words = 0
  const word = () => {
    if (++words > after) throw new Killed()
  }
  const own = <Q extends Pick<Tx, 'query' | 'one'>>(base: Q) => ({
    query: async <R>(query: Query) => {
      word()
      return base.query<R>(query)
    },
    one: async <R>(query: Query) => {
      word()
      return base.one<R>(query)
    },
  })
  return {
    ...own(db),
    cipher: db.cipher,
    async tx(run) {
      const done = await db.tx(async (tx) => {
        const result = await run({ ...tx, ...own(tx) })
        word()
        return result
      })
      // Committed, but the worker is killed before it learns of it.
      word()
      return done
    },
  }
}

/** The result of a request at the other side. */
const moods = [
  'takes',
  'silentTaken',
  'silentLost',
  'down',
  'refuses',
  'answersEarly',
  'answersLate',
  'answersTwice',
] as const
type Mood = (typeof moods)[number]

/** The simulated other side: its accepted messages, and its next behaviour. */
function remote(script: Mood[], { knowsKeys = true } = {}) {
  const taken: string[] = []
  const refused = new Set<string>()
  const answers: string[] = []
  const next = (): Mood => script.shift() ?? 'takes'
  const take = (key: string) => {
    if (!(knowsKeys && taken.includes(key))) taken.push(key)
  }
  const adapter = (outbox: () => Outbox<Work>): OutboxAdapter<Work> => ({
    code: 'webhooks',
    retryMinutes: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    async send({ key }): Promise<Outcome> {
      const mood = next()
      if (mood === 'down') return { kind: 'failed', error: 'Не соединились' }
      if (mood === 'silentLost') return { kind: 'unknown', error: 'Не ответил вовремя' }
      // The same content is always judged the same way.
      if (refused.has(key) || (mood === 'refuses' && !taken.includes(key))) {
        refused.add(key)
        return {
          kind: 'refused',
          reasons: [
            { code: 'A1', message: 'Нет СНИЛС' },
            { code: 'A2', message: 'Нет ОИД' },
          ],
        }
      }
      take(key)
      if (mood === 'silentTaken') return { kind: 'unknown', error: 'Не ответил вовремя' }
      if (mood === 'takes') return { kind: 'done' }
      if (mood === 'answersEarly')
        await outbox()
          .receive(answerTo(key))
          .catch(() => {})
      else answers.push(key, ...(mood === 'answersTwice' ? [key] : []))
      return { kind: 'accepted' }
    },
    read: () => ({ kind: 'done' }),
    async settled({ tx }, { key }, { state }) {
      await tx.query(sql`update outbox_records set "state" = ${state}, "writes" = "writes" + 1 where "key" = ${key}`)
    },
  })
  const askable = (outbox: () => Outbox<Work>): OutboxAdapter<Work> => ({
    ...adapter(outbox),
    async ask({ key }) {
      if (script.length > 0 && next() === 'down') return { kind: 'failed', error: 'Не соединились' }
      return taken.includes(key) ? { kind: 'done' } : { kind: 'absent' }
    },
  })
  return { taken, refused, answers, adapter, askable }
}

const answerTo = (key: string) =>
  ({ adapter: 'webhooks', title: 'Ответ', key: `answer ${key}`, relatesTo: `c-${key}`, body: '<ok/>' }) as const

function worker(adapter: (outbox: () => Outbox<Work>) => OutboxAdapter<Work>, over: Lane = db) {
  const life = { id: randomUUID(), onDeath: () => {} }
  const deps: OutboxDeps<Work> = { db: over, jobs, life, log, transact: (run) => over.tx((tx) => run({ tx })) }
  const outbox: Outbox<Work> = createOutbox(deps)
  outbox.register(adapter(() => outbox))
  return outbox
}

const add = (outbox: Outbox<Work>, key: string, subject?: string) =>
  db.tx(async (tx) => {
    await tx.query(sql`insert into outbox_records values (${key}, 'new') on conflict do nothing`)
    return outbox.add(tx, {
      adapter: 'webhooks',
      operation: 'send',
      title: 'Проверка очереди',
      key,
      payload: { key },
      correlationId: `c-${key}`,
      ...(subject && { subject }),
    })
  })

/** Advances time by hours: claims of killed workers end, pauses are over, retries are due. */
const later = async () => {
  await db.query(sql`update outbox set "dateDue" = now() where "state" in ('claimed', 'waiting')`)
  await db.query(sql`delete from outbox_lanes`)
}

/** Ignores the errors of a kill. */
const unlessKilled = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (!(error instanceof Killed)) throw error
  })

const stateOf = async (key: string) =>
  (await db.one<{ state: string }>(sql`select "state" from outbox_records where "key" = ${key}`))?.state

const steps = fc.array(
  fc.record({ dies: fc.option(fc.integer({ min: 1, max: 25 }), { nil: 10_000 }), answersBetween: fc.boolean() }),
  { maxLength: 8 },
)

describe('messages of an outside system that can be asked', () => {
  it('are taken once, in the order of their subject, whichever process is killed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', undefined), { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom(...moods), { maxLength: 14 }),
        steps,
        async (subjects, script, schedule) => {
          await clear()
          const other = remote([...script])
          const healthy = worker(other.askable)
          for (const [at, subject] of subjects.entries()) await add(healthy, `m${at}`, subject)
          const announce = async () => {
            for (const key of other.answers.splice(0)) await healthy.receive(answerTo(key))
          }
          for (const { dies, answersBetween: announces } of schedule) {
            const doomed = worker(other.askable, mortal(dies))
            await Promise.all([
              unlessKilled(doomed.run(LANE)),
              announces ? unlessKilled(doomed.applyAnswers()) : undefined,
            ])
            if (announces) await announce()
            await later()
          }
          for (let left = -1; left !== 0; ) {
            await later()
            await healthy.run(LANE)
            await announce()
            await healthy.applyAnswers()
            left = Number(
              (await db.one<{ n: number }>(sql`select count(*)::int as n from outbox where "state" <> 'dead'`))?.n,
            )
          }
          for (const [at, subject] of subjects.entries()) {
            const key = `m${at}`
            const times = other.taken.filter((one) => one === key).length
            expect(times, key).toBe(other.refused.has(key) ? 0 : 1)
            expect(await stateOf(key), key).toBe(other.refused.has(key) ? 'refused' : 'done')
            if (subject === undefined) continue
            const own = other.taken.filter((one) => subjects[Number(one.slice(1))] === subject)
            expect(own).toEqual([...own].sort((x, y) => Number(x.slice(1)) - Number(y.slice(1))))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('two workers at once send no message twice', async () => {
    const other = remote([])
    const [one, two] = [worker(other.askable), worker(other.askable)]
    for (let at = 0; at < 30; at++) await add(one, `m${at}`, `s${at % 3}`)
    await Promise.all([one.run(LANE), two.run(LANE)])
    while (await db.one(sql`select 1 from outbox`)) await one.run(LANE)
    expect([...other.taken].sort()).toEqual([...new Set(other.taken)].sort())
    expect(other.taken).toHaveLength(30)
  })
})

describe('messages of an outside system that cannot be asked', () => {
  it('stop for a person where it is not known whether they have arrived, and are never sent twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('takes', 'silentTaken', 'silentLost', 'down'), { maxLength: 6 }),
        steps,
        async (script, schedule) => {
          await clear()
          const other = remote([...(script as Mood[])], { knowsKeys: false })
          const healthy = worker(other.adapter)
          for (let at = 0; at < 3; at++) await add(healthy, `m${at}`)
          for (const { dies } of schedule) {
            await unlessKilled(worker(other.adapter, mortal(dies)).run(LANE))
            await later()
          }
          for (let turn = 0; turn < 15; turn++) {
            await later()
            await healthy.run(LANE)
          }
          expect(new Set(other.taken).size).toBe(other.taken.length)
          const left = await db.query<{ state: string }>(sql`select "state" from outbox`)
          expect(left.every(({ state }) => state === 'unknown')).toBe(true)
          for (let at = 0; at < 3; at++) {
            const state = await stateOf(`m${at}`)
            expect(['done', 'unknown']).toContain(state)
            if (state === 'done') expect(other.taken).toContain(`m${at}`)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('a person repeats one or marks it as arrived', async () => {
    const other = remote(['silentLost', 'silentTaken', 'takes'], { knowsKeys: false })
    const outbox = worker(other.adapter)
    const [lost, arrived] = [await add(outbox, 'lost', 's'), await add(outbox, 'arrived', 't')]
    await outbox.run(LANE)
    expect(await outbox.repeat([lost.id])).toBe(1)
    expect(await outbox.settleAsDone([arrived.id, lost.id])).toBe(1)
    await outbox.run(LANE)
    expect(other.taken).toEqual(['arrived', 'lost'])
    expect([await stateOf('lost'), await stateOf('arrived')]).toEqual(['done', 'done'])
  })
})

describe('a message', () => {
  const kinds = ['done', 'accepted', 'refused', 'failed', 'unknown', 'later', 'absent'] as const
  const outcome = (kind: (typeof kinds)[number]): Outcome =>
    kind === 'refused'
      ? { kind, reasons: [] }
      : kind === 'later'
        ? { kind, seconds: 60 }
        : kind === 'failed' || kind === 'unknown'
          ? { kind, error: 'Сбой' }
          : { kind }

  it('ends, is due, or can be moved on by a person, in whatever state an outcome leaves it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 5 }),
        fc.record({ asks: fc.boolean(), repeats: fc.boolean() }),
        fc.constantFrom(...(['repeat', 'cancel', 'settleAsDone'] as const)),
        async (script, { asks, repeats }, act) => {
          await clear()
          const left = [...script]
          const next = async () => outcome(left.shift() ?? 'done')
          const outbox = worker(() => ({
            code: 'webhooks',
            send: next,
            ...(asks && { ask: next, askMinutes: 1 }),
            isRepeatable: () => repeats,
          }))
          const { id } = await add(outbox, 'm0', 's')
          for (const _ of script) {
            await db.query(sql`update outbox set "dateDue" = now() where "dateDue" is not null`)
            await db.query(sql`delete from outbox_lanes`)
            await outbox.run(LANE)
          }
          const row = await db.one<{ state: string; isDue: boolean }>(
            sql`select "state", "dateDue" is not null as "isDue" from outbox where "id" = ${id}`,
          )
          if (!row) return
          const changed = await outbox[act]([id], 'Проверка')
          const moves = {
            repeat: row.state === 'dead' || row.state === 'unknown' || (row.state === 'awaiting' && repeats),
            cancel: row.state !== 'dead',
            settleAsDone: row.state === 'unknown',
          }
          expect([row.state, act, changed]).toEqual([row.state, act, moves[act] ? 1 : 0])
          if (row.state !== 'dead') expect(row.isDue || moves.cancel).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('that cancels does not wait for the answer to an accepted one', async () => {
    const sent: string[] = []
    const outbox = worker(() => ({
      code: 'webhooks',
      overtakes: ['cancel'],
      async send({ operation, key }) {
        sent.push(key)
        return operation === 'cancel' ? { kind: 'done' } : { kind: 'accepted' }
      },
    }))
    await add(outbox, 'm0', 's')
    await outbox.run(LANE)
    await add(outbox, 'm1', 's')
    await db.tx((tx) =>
      outbox.add(tx, {
        adapter: 'webhooks',
        operation: 'cancel',
        title: 'Отмена',
        key: 'c',
        subject: 's',
        payload: {},
      }),
    )
    await outbox.run(LANE)
    expect(sent).toEqual(['m0'])
    await outbox.cancel([(await idOf('m1')) as number], 'Проверка')
    await outbox.run(LANE)
    expect(sent).toEqual(['m0', 'c'])
  })
  const idOf = async (key: string) =>
    (await db.one<{ id: number }>(sql`select "id"::int as id from exchange_messages where "idempotencyKey" = ${key}`))
      ?.id
})

describe('tries', () => {
  it('of a transport that fails come 1, 5, 15, 60 and 360 minutes apart, then it is a dead letter', async () => {
    const outbox = worker((own) => {
      const { retryMinutes: _, ...adapter } = remote(Array(20).fill('down')).adapter(own)
      return adapter
    })
    const { id } = await add(outbox, 'm0')
    const waits: (number | null)[] = []
    for (let turn = 0; turn < 6; turn++) {
      await later()
      await outbox.run(LANE)
      const row = await db.one<{ minutes: number | null }>(
        sql`select round(extract(epoch from "dateDue" - now()) / 60)::int as minutes from outbox`,
      )
      waits.push(row?.minutes ?? null)
    }
    expect(waits).toEqual([1, 5, 15, 60, 360, null])
    expect(await stateOf('m0')).toBe('dead')
    // The same failure again changes nothing and writes nothing: only the first and the last attempts do.
    expect(await db.one(sql`select "writes" from outbox_records`)).toEqual({ writes: 2 })
    expect(await outbox.repeat([id])).toBe(1)
    expect(await stateOf('m0')).toBe('waiting')
  })

  it('of a refused content end at once, with every reason', async () => {
    const outbox = worker(remote(['refuses']).askable)
    const { id } = await add(outbox, 'm0')
    await outbox.run(LANE)
    expect(
      await db.one(
        sql`select "status", "errorText", "errorCode", "attempts" from exchange_messages where "id" = ${id}`,
      ),
    ).toEqual({
      status: 'rejected',
      errorText: 'A1: Нет СНИЛС; A2: Нет ОИД',
      errorCode: 'A1',
      attempts: 1,
    })
    await later()
    await outbox.run(LANE)
    expect(await stateOf('m0')).toBe('refused')
  })

  it('a pass that has got nothing through is followed by a pause, longer each time', async () => {
    const outbox = worker(remote(Array(9).fill('down')).askable)
    await add(outbox, 'm0')
    const paused = () =>
      db.one<{ seconds: number }>(
        sql`select extract(epoch from "datePaused" - now())::float8 as seconds from outbox_lanes`,
      )
    for (const usual of [5, 10, 20]) {
      await db.query(sql`update outbox set "dateDue" = now()`)
      await db.query(sql`update outbox_lanes set "datePaused" = now()`)
      await outbox.run(LANE)
      // Passes that fail at the same time count once.
      await pauseLane(db, LANE, false)
      const { seconds = 0 } = (await paused()) ?? {}
      expect(seconds).toBeGreaterThan(usual * 0.7)
      expect(seconds).toBeLessThanOrEqual(usual * 1.2)
    }
  })
})

describe('a key', () => {
  it('is one message, however often it is added', async () => {
    const other = remote([])
    const outbox = worker(other.askable)
    const [first, again] = [await add(outbox, 'm0'), await add(outbox, 'm0')]
    expect(again).toEqual({ id: first.id, isNew: false })
    await outbox.run(LANE)
    expect(await add(outbox, 'm0')).toEqual({ id: first.id, isNew: false })
    await outbox.run(LANE)
    expect(other.taken).toEqual(['m0'])
  })
})

describe('answers', () => {
  it('of a stranger are kept and change nothing; a repeat is known', async () => {
    const other = remote(['answersLate'])
    const outbox = worker(other.askable)
    await add(outbox, 'm0')
    await outbox.run(LANE)
    expect(await outbox.receive(answerTo('nobody'))).toBe(true)
    expect(await outbox.receive(answerTo('m0'))).toBe(true)
    expect(await outbox.receive(answerTo('m0'))).toBe(false)
    await outbox.applyAnswers()
    expect(await stateOf('m0')).toBe('done')
    // Another answer to a finished message is stored and changes nothing.
    expect(await outbox.receive({ ...answerTo('m0'), key: 'another' })).toBe(true)
    await outbox.applyAnswers()
    await db.query(sql`update outbox_answers set "dateCreate" = now() - interval '1 hour'`)
    await outbox.applyAnswers()
    expect(await db.query(sql`select "relatesTo", "state", "reason" from outbox_answers order by "id"`)).toEqual([
      { relatesTo: 'c-nobody', state: 'unmatched', reason: 'Такого сообщения мы не отправляли' },
      { relatesTo: 'c-m0', state: 'applied', reason: null },
      { relatesTo: 'c-m0', state: 'unmatched', reason: 'На это сообщение уже был ответ' },
    ])
    expect(await db.one(sql`select "writes" from outbox_records`)).toEqual({ writes: 2 })
  })
})
