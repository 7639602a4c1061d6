/** Acknowledged lines are in the table exactly once, wherever a server is killed. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Db } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { testDb } from '#testing/harness.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { Spool } from './journalSpool.ts'

const HOUR_AGO = new Date(Date.now() - 3_600_000)
const log = createLog('silent')
let db: Db
let dir: string
let runs = 0

beforeAll(async () => {
  db = await testDb()
})
afterAll(() => db.end())
const folder = () => {
  dir = mkdtempSync(join(tmpdir(), 'journal-'))
  return dir
}
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const lineOf = (run: string, name: string) =>
  [new Date().toISOString(), null, null, 'view', run, 7, null, null, null, name] as const
const kept = async (run: string) =>
  (
    await db.query<{ name: string }>({
      text: 'select "requestId" as name from access_log where "entityType" = $1 order by dt, id',
      values: [run],
    })
  ).map(({ name }) => name)
const files = () => readdirSync(dir).filter((name) => name.endsWith('.lines'))
/** Makes the files look as if left by servers long gone. */
const age = () => {
  for (const name of files()) utimesSync(join(dir, name), HOUR_AGO, HOUR_AGO)
}

/** A database connection of a server that is killed before or after a statement: its answer never arrives. */
function mortal() {
  let death: 'before' | 'after' | undefined
  const never = new Promise<never>(() => {})
  const query = async (...given: Parameters<Db['query']>) => {
    if (death === 'before') return never
    const answer = await db.query(...given)
    return death === 'after' ? never : answer
  }
  return { db: { ...db, query } as Db, die: (when: 'before' | 'after') => (death = when) }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), lines: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'drain' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'other sweeps' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'killed in a write' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('killed' as const),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
)

it('brings every line into the table once, whichever steps a kill falls between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
      folder()
      const run = `spool ${++runs}`
      const written: string[] = []
      /** Of them, lines of the server running now. */
      let own: string[] = []
      let base = mortal()
      let spool = new Spool({ dir, db: base.db, log })
      const born = () => {
        own = []
        base = mortal()
        spool = new Spool({ dir, db: base.db, log })
      }
      for (const at of steps) {
        if (at.kind === 'add') {
          const names = Array.from({ length: at.lines }, (_, i) => `${written.length + i}`)
          await spool.add(names.map((name) => lineOf(run, name)))
          written.push(...names)
          own.push(...names)
        } else if (at.kind === 'drain') {
          await spool.drain()
          expect(await kept(run)).toEqual(expect.arrayContaining(own))
        } else if (at.kind === 'other sweeps') {
          await new Spool({ dir, db, log }).sweep()
          expect((await kept(run)).length).toBe(written.length)
        } else if (at.kind === 'killed in a write') {
          const [mine] = files().slice(-1)
          if (mine) await appendFile(join(dir, mine), JSON.stringify(lineOf(run, 'unconfirmed')).slice(0, 60))
          base.die('before')
          born()
        } else {
          base.die(at.when)
          await Promise.race([spool.drain(), sleep(15)])
          born()
        }
      }
      age()
      await new Spool({ dir, db, log }).sweep()
      expect((await kept(run)).sort()).toEqual(written.sort())
      expect(files()).toEqual([])
      rmSync(dir, { recursive: true })
    }),
    { numRuns: 40 },
  )
})

it('two servers at one file take each line once', async () => {
  folder()
  const run = `spool ${++runs}`
  const [one, other] = [new Spool({ dir, db, log }), new Spool({ dir, db, log })]
  for (let i = 0; i < 30; i++) {
    await one.add([lineOf(run, `${i}`)])
    await Promise.all([one.drain(), other.sweep()])
  }
  expect((await kept(run)).length).toBe(30)
  await one.close()
  expect(files()).toEqual([])
  await other.close()
})

it('a server that is really killed loses and doubles none of what it reported', async () => {
  folder()
  const run = `spool ${++runs}`
  const program = `
    import { createDb } from ${JSON.stringify(join(import.meta.dirname, '../platform/db.ts'))}
    import { createLog } from ${JSON.stringify(join(import.meta.dirname, '../platform/log.ts'))}
    import { Spool } from ${JSON.stringify(join(import.meta.dirname, 'journalSpool.ts'))}
    const log = createLog('silent')
    const spool = new Spool({ dir: ${JSON.stringify(dir)}, db: createDb({ url: ${JSON.stringify(db.url)}, log, max: 2, connectTimeout: 300_000 }), log })
    await spool.sweep()
    for (let i = 0; ; i++) {
      const name = process.argv[1] + '-' + i
      await spool.add([[new Date().toISOString(), null, null, 'view', ${JSON.stringify(run)}, 7, null, null, null, name]])
      process.stdout.write(name + '\\n')
      if (i % 3 === 0) void spool.drain()
    }`
  const written: string[] = []
  for (const [turn, ms] of [5, 40, 120].entries()) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, `${turn}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    const first = new Promise((done) => child.stdout.once('data', done))
    child.stdout.on('data', (data) => (output += data))
    await first
    await sleep(ms)
    const gone = new Promise((done) => child.once('close', done))
    child.kill('SIGKILL')
    await gone
    written.push(...output.split('\n').slice(0, -1))
  }
  age()
  const last = new Spool({ dir, db, log })
  await last.sweep()
  await last.close()
  const stand = await kept(run)
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter((name) => !stand.includes(name))).toEqual([])
  expect(new Set(stand).size).toBe(stand.length)
  expect(files()).toEqual([])
})

it('what the table does not take is put aside and delays nothing', async () => {
  folder()
  const run = `spool ${++runs}`
  const spool = new Spool({ dir, db, log })
  const wrong = [...lineOf(run, 'wrong')] as unknown[]
  wrong[5] = 1.5e40
  await Promise.all([spool.add([lineOf(run, 'a')]), spool.add([wrong]), spool.add([lineOf(run, 'b')])])
  await spool.drain()
  expect(await kept(run)).toEqual(['a', 'b'])
  expect(await readFile(join(dir, 'refused.json'), 'utf8')).toContain('"wrong"')
  await spool.drain()
  expect(await kept(run)).toEqual(['a', 'b'])
  await spool.close()
})

it('waits in its file while the database is away, and a reader gets an error', async () => {
  folder()
  const run = `spool ${++runs}`
  let isAway = true
  const query = (...given: Parameters<Db['query']>) =>
    isAway ? Promise.reject(Object.assign(new Error('away'), { code: '57P01' })) : db.query(...given)
  const spool = new Spool({ dir, db: { ...db, query: query as Db['query'] }, log })
  await spool.add([lineOf(run, 'a')])
  await expect(spool.drain()).rejects.toThrow('away')
  await spool.add([lineOf(run, 'b')])
  isAway = false
  await expect.poll(() => kept(run)).toEqual(['a', 'b'])
  await spool.close()
})

it('a file that another server has taken meanwhile delays nothing', async () => {
  folder()
  const run = `spool ${++runs}`
  let isAway = false
  const query = (...given: Parameters<Db['query']>) => (isAway ? Promise.reject(new Error('away')) : db.query(...given))
  const [one, other] = [
    new Spool({ dir, db: { ...db, query: query as Db['query'] }, log }),
    new Spool({ dir, db, log }),
  ]
  await one.add([lineOf(run, 'a')])
  await one.drain()
  isAway = true
  await one.add([lineOf(run, 'b')])
  await expect(one.drain()).rejects.toThrow('away')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 })
  await other.sweep()
  expect([files(), await kept(run)]).toEqual([[], ['a', 'b']])
  isAway = false
  await one.drain()
  await one.add([lineOf(run, 'c')])
  await one.drain()
  expect((await kept(run)).toSorted()).toEqual(['a', 'b', 'c'])
  vi.useRealTimers()
  await Promise.all([one.close(), other.close()])
})

it('goes to the table at once where its folder is none', async () => {
  folder()
  const run = `spool ${++runs}`
  const taken = join(dir, 'taken')
  writeFileSync(taken, 'a file where a folder should be')
  const journal = createJournal({ dir: join(taken, 'journal'), db, log })
  const line = (name: string): JournalEntry => ({ action: 'view', entityType: run, idEntity: 7, requestId: name })
  await Promise.all([journal(line('a')), journal(line('b'))])
  await journal(line('c'))
  expect((await kept(run)).sort()).toEqual(['a', 'b', 'c'])
  const away = { ...db, query: () => Promise.reject(new Error('away')) } as unknown as Db
  const refused = createJournal({ dir: join(taken, 'journal'), db: away, log })
  await expect(refused(line('d'))).rejects.toThrow('away')
})

it('only views wait: what weighs more is stored when its call returns', async () => {
  folder()
  const run = `spool ${++runs}`
  const journal = createJournal({ dir, db, log })
  const line = (action: JournalEntry['action']): JournalEntry => ({
    action,
    entityType: run,
    idEntity: 7,
    requestId: action,
  })
  await journal(line('view'), line('export'), line('print'))
  expect((await kept(run)).sort()).toEqual(['export', 'print'])
  await journal.settle()
  expect((await kept(run)).sort()).toEqual(['export', 'print', 'view'])
  await journal.close()
})

it('lines in the database survive the loss of the machine, are moved once by any process, and go to the file while it is away', async () => {
  folder()
  const run = `spool ${++runs}`
  let isAway = false
  const query = (...given: Parameters<Db['query']>) =>
    isAway ? Promise.reject(Object.assign(new Error('away'), { code: '57P01' })) : db.query(...given)
  const place = { db: { ...db, query: query as Db['query'] }, log, inBase: true }
  const lost = new Spool({ ...place, dir })
  await Promise.all(['a', 'b'].map((name) => lost.add([lineOf(run, name)])))
  await lost.add([lineOf(run, 'c')])
  // The machine is gone, with its disk; no file was needed.
  expect(files()).toEqual([])
  const there = mkdtempSync(join(tmpdir(), 'journal-'))
  const others = [new Spool({ ...place, dir: there }), new Spool({ ...place, dir: there })] as const
  await Promise.all(others.map((one) => one.drain()))
  expect(await kept(run)).toEqual(['a', 'b', 'c'])

  isAway = true
  await others[0].add([lineOf(run, 'd')])
  expect(readdirSync(there).filter((name) => name.endsWith('.lines'))).toHaveLength(1)
  isAway = false
  await others[0].drain()
  const wrong = [...lineOf(run, 'wrong')] as unknown[]
  wrong[5] = 1.5e40
  await others[1].add([wrong, lineOf(run, 'e')])
  await others[1].drain()
  expect(await kept(run)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await readFile(join(there, 'refused.json'), 'utf8')).toContain('"wrong"')
  for (const one of [lost, ...others]) await one.close()
  rmSync(there, { recursive: true, force: true })
})
