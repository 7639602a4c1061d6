import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linux } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDb } from '../db.ts'
import { createLog } from '../log.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** A child process that starts the server, writes rows, and prints each row PostgreSQL has acknowledged. */
const WRITER = `
  import { createDb } from '${import.meta.dirname}/../db.ts'
  import { startPostgres } from '${import.meta.dirname}/postgres.ts'
  const postgres = await startPostgres(process.argv[1])
  const db = createDb({ url: postgres.url, log: console })
  await db.query({ text: 'CREATE TABLE IF NOT EXISTS written (n bigserial)' })
  for (;;) {
    const row = await db.one({ text: 'INSERT INTO written DEFAULT VALUES RETURNING n' })
    process.send(row.n)
  }`

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'postgres-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const log = createLog('silent')
const serverPid = () => Number(readFileSync(join(dir, 'pg/postmaster.pid'), 'utf8').split('\n')[0])
const alive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** Processes of this test's server: those that work in its data folder. */
const serverProcesses = () =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === join(dir, 'pg')
      } catch {
        return false
      }
    })

/** True while a cluster is being created: the temporary folder has files. */
const isHalfMade = (place: string): boolean =>
  readdirSync(place, { withFileTypes: true }).some(
    (one) => one.isDirectory() && one.name.startsWith('pg.new-') && readdirSync(join(place, one.name)).length > 0,
  )

/** Kills a process; a child of the server may end between being listed and being killed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function writer(rows: number): Promise<{ child: ChildProcess; last: () => number }> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', WRITER, dir], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let last = 0
  await new Promise<void>((resolve, reject) => {
    child.on('message', (n: number) => {
      last = n
      if (n % rows === 0) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the writer ended with ${code}`)))
  })
  return { child, last: () => last }
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

async function lastRow(postgres: Postgres): Promise<number> {
  const db = createDb({ url: postgres.url, log })
  const row = await db.one<{ n: number }>({ text: 'SELECT max(n) AS n FROM written' })
  await db.end()
  return row?.n ?? 0
}

describe.runIf(linux.there)('the embedded server', linux.options, () => {
  test('is durable, Russian in order and search, and stops when its last user goes', async () => {
    const first = await startPostgres(dir)
    const second = await startPostgres(dir)
    const pid = serverPid()
    const db = createDb({ url: second.url, log })
    const row = await db.one({
      text: `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
        (SELECT string_agg(w, '' ORDER BY w) FROM unnest('{е,ж,ё,Е}'::text[]) w) AS sorted, upper('ёлка') AS upper`,
    })
    expect(row).toEqual({ fsync: 'on', commit: 'on', sorted: 'еЕёж', upper: 'ЁЛКА' })
    await db.query({ text: 'CREATE EXTENSION pg_trgm' })
    expect((await db.one<{ n: number }>({ text: `SELECT cardinality(show_trgm('Иванов')) AS n` }))?.n).toBe(7)
    await db.end()
    await first.stop()
    expect(alive(pid)).toBe(true)
    await second.stop()
    expect(alive(pid)).toBe(false)
  })

  test('is taken over after Node alone was killed', async () => {
    const { child, last } = await writer(20)
    const pid = serverPid()
    child.kill('SIGKILL')
    await ended(child)
    expect(alive(pid)).toBe(true)
    const postgres = await startPostgres(dir)
    expect(serverPid()).toBe(pid)
    expect(await lastRow(postgres)).toBeGreaterThanOrEqual(last())
    await postgres.stop()
    expect(alive(pid)).toBe(false)
  })

  test.each([1, 2, 3])('opens at once after everything was killed, with every acknowledged row (%i)', async () => {
    const { child, last } = await writer(20)
    const pids = serverProcesses()
    expect(pids.length).toBeGreaterThan(3)
    child.kill('SIGKILL')
    for (const pid of pids) kill(pid)
    await ended(child)
    const postgres = await startPostgres(dir)
    expect(await lastRow(postgres)).toBeGreaterThanOrEqual(last())
    await postgres.stop()
  })

  test('a lock file that names a stranger does not stop it', async () => {
    writeFileSync(join(dir, 'pg/postmaster.pid'), `${process.pid}\n${join(dir, 'pg')}\n`)
    writeFileSync(join(dir, 'pg.lock'), '999999 1')
    const postgres = await startPostgres(dir)
    await postgres.stop()
  })

  test('a first start that was killed half-way leaves nothing in the way', async () => {
    const half = mkdtempSync(join(tmpdir(), 'postgres-half-'))
    chmodSync(half, 0o711)
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', WRITER, half], { stdio: 'ignore' })
    await vi.waitFor(() => expect(isHalfMade(half)).toBe(true), { timeout: 60_000, interval: 5 })
    child.kill('SIGKILL')
    await ended(child)
    expect(existsSync(join(half, 'pg/PG_VERSION'))).toBe(false)
    const postgres = await startPostgres(half)
    await postgres.stop()
    rmSync(half, { recursive: true, force: true })
  })

  test('a server that was killed is started again while the process runs', async () => {
    const events: [string, boolean][] = []
    const postgres = await startPostgres(dir, { onLost: (message, isBack) => events.push([message, isBack]) })
    const db = createDb({ url: postgres.url, log })
    const pid = serverPid()
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await db.one({ text: 'SELECT 1 AS n' })).toEqual({ n: 1 }), { timeout: 60_000 })
    await expect.poll(() => events).toEqual([['База данных остановилась и запущена снова', true]])
    expect(serverPid()).not.toBe(pid)
    await db.end()
    await postgres.stop()
    expect(serverProcesses()).toEqual([])
  })

  test('a password that is not the base’s stops the start with the file that holds it', async () => {
    const file = join(dir, 'pg.json')
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(kept), password: 'another' }))
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
      env: { PATH: process.env.PATH, DATA_DIR: dir, PORT: '0', DEMO: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    await ended(child)
    expect(output).toBe(`DATA_DIR: база данных не приняла пароль из файла ${file}: верните его из резервной копии.\n`)
    expect(serverProcesses()).toEqual([])
    writeFileSync(file, kept)
    await (await startPostgres(dir)).stop()
  })

  test('no base takes the place of one that is lost, and nothing is removed', async () => {
    const other = mkdtempSync(join(tmpdir(), 'postgres-lost-'))
    chmodSync(other, 0o711)
    mkdirSync(join(other, 'pg'))
    writeFileSync(join(other, 'pg/notes.txt'), 'mine')
    await expect(startPostgres(other)).rejects.toThrow(/есть файлы, но это не база данных/)
    expect(readFileSync(join(other, 'pg/notes.txt'), 'utf8')).toBe('mine')
    rmSync(join(other, 'pg'), { recursive: true })

    await (await startPostgres(other)).stop()
    renameSync(join(other, 'pg'), join(other, 'away'))
    await expect(startPostgres(other)).rejects.toThrow(/была создана в .* но её там нет/)
    expect(existsSync(join(other, 'pg'))).toBe(false)

    symlinkSync(join(other, 'gone/pg'), join(other, 'pg'))
    await expect(startPostgres(other)).rejects.toThrow(/ведёт в .*gone\/pg, а этой папки нет/)
    rmSync(other, { recursive: true, force: true })
  })
})
