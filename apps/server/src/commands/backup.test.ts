/** A backup of a running server, restored into another folder. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { createDb } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startPostgres } from '#platform/postgres/postgres.ts'
import { createStorage } from '#platform/storage.ts'
import { VERSION } from '#platform/version.ts'
import { copyBeforeUpdate } from '../updateCopy.ts'
import { MANIFEST, readArchive, writeArchive } from './archive.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

/** Two new database clusters are created and stopped. */
const LONG = 300_000

const log = createLog('silent')
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backup-'))
  chmodSync(root, 0o711)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = (name: string) => {
  mkdirSync(join(root, name), { mode: 0o711 })
  return readConfig({ DATA_DIR: join(root, name) })
}

test(
  'holds what was acknowledged before it began, and the files that its rows name',
  async () => {
    const config = folder('clinic')
    const postgres = await startPostgres(config.dataDir)
    const db = createDb({ url: postgres.url, log })
    await migrate(db)
    await db.query({ text: 'create table written (n bigserial, filler text default repeat(md5(random()::text), 20))' })
    await createStorage(config.files).put('tasks/one', fileWith('some bytes'))
    const before = await write(db, 2_000)

    let writing = true
    const busy = (async () => {
      while (writing) await write(db, 50)
    })()
    const archive = join(root, 'ordinator.tar.gz')
    const { files } = await backup(config, log, archive).finally(() => {
      writing = false
      return busy
    })
    expect(files).toBe(1)
    await db.end()
    await postgres.stop()
    rmSync(config.dataDir, { recursive: true })

    const other = folder('elsewhere')
    await readArchive(
      archive,
      ({ version }) => expect(version).toBe(VERSION),
      () => undefined,
    )
    const restored = await restore(other, log, archive)
    expect(restored).toMatchObject({ files: 1, missing: 0 })
    expect(readFileSync(join(other.dataDir, 'secret'), 'utf8').trim()).toBe(config.secret)
    const again = await startPostgres(other.dataDir)
    const there = createDb({ url: again.url, log })
    const row = await there.one<{ n: number; rows: number }>({
      text: 'select max(n) as n, count(*) as rows from written',
    })
    expect(row?.n).toBeGreaterThanOrEqual(before)
    expect(row?.rows).toBe(row?.n)
    expect(await createStorage(other.files).stat('tasks/one')).toEqual({ size: 10 })
    await there.end()
    await again.stop()
  },
  LONG,
)

test('nothing is written over, and what is no archive leaves the folder as it was', async () => {
  const full = folder('full')
  mkdirSync(join(full.dataDir, 'pg'))
  await expect(restore(full, log, join(root, 'ordinator.tar.gz'))).rejects.toThrow(/уже есть база данных/)
  const empty = folder('empty')
  writeFileSync(join(root, 'note.tar.gz'), 'not an archive')
  await expect(restore(empty, log, join(root, 'note.tar.gz'))).rejects.toThrow(/не прочитан/)
  const newer = join(root, 'newer.tar.gz')
  const archive = writeArchive(newer)
  const migrations = ['29990101T0000_future.sql']
  await archive.text(
    MANIFEST,
    JSON.stringify({ format: 1, date: '', version: '2999.1.1', postgres: '18', migrations, files: true }),
  )
  await archive.end()
  await expect(restore(empty, log, newer)).rejects.toThrow(/более новой программой \(версией 2999\.1\.1\)/)
  expect(existsSync(join(empty.dataDir, 'pg'))).toBe(false)
  await expect(backup(full, log, join(root, 'note.tar.gz'))).rejects.toThrow(/уже есть: задайте другое имя/)
})

test(
  'is made by a start that changes the base, once; where it cannot be made the base stays as it is',
  async () => {
    mkdirSync(join(root, 'updated'), { mode: 0o711 })
    const config = readConfig({ DATA_DIR: join(root, 'updated'), DEMO: '0' })
    const migrations = join(root, 'migrations')
    mkdirSync(migrations)
    writeFileSync(join(migrations, '20260101T0000_first.sql'), 'create table first (n int);')
    const postgres = await startPostgres(config.dataDir)
    const db = createDb({ url: postgres.url, log })
    const lines: string[] = []
    const copied = (more: object = {}) =>
      copyBeforeUpdate({ ...config, ...more }, log, { db, say: (line) => lines.push(line) }, migrations)
    // A new database has nothing to lose.
    expect(await copied()).toBeUndefined()
    await migrate(db, migrations)
    expect(await copied()).toBeUndefined()
    writeFileSync(join(migrations, '20260102T0000_second.sql'), 'create table second (n int);')
    expect(await copied({ updateCopy: false })).toBeUndefined()
    // A folder cannot be inside a file.
    await expect(copied({ backupTo: join(config.dataDir, 'secret', 'copies') })).rejects.toThrow(
      /Копия перед обновлением не сделана.*BACKUP_TO/s,
    )
    const path = (await copied()) as string
    expect(lines[0]).toContain('1\u00a0изменение')
    expect(lines.at(-1)).toContain(path)
    expect(existsSync(path)).toBe(true)
    await migrate(db, migrations)
    expect(await copied()).toBeUndefined()
    // The earlier version of the program on the newer database.
    rmSync(join(migrations, '20260102T0000_second.sql'))
    await expect(migrate(db, migrations)).rejects.toThrow(/База данных новее программы/)
    await db.end()
    await postgres.stop()
  },
  LONG,
)

async function write(db: ReturnType<typeof createDb>, rows: number): Promise<number> {
  for (let at = 0; at < rows; at += 50)
    await db.query({ text: "insert into written (n) select nextval('written_n_seq') from generate_series(1, 50)" })
  return (await db.one<{ n: number }>({ text: 'select max(n) as n from written' }))?.n ?? 0
}

function fileWith(text: string): string {
  const path = join(root, 'source.txt')
  writeFileSync(path, text)
  return path
}
