/** `npm run restore FILE`: restores an archive of `npm run backup` into an empty `DATA_DIR`, on this or another machine. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { type Config, ConfigError } from '#platform/config.ts'
import { createDb, type Db } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { migrationNames } from '#platform/migrate.ts'
import { accountFor, placeOf, reown } from '#platform/postgres/place.ts'
import { startPostgres } from '#platform/postgres/postgres.ts'
import { createStorage, type Storage } from '#platform/storage.ts'
import { VERSION } from '#platform/version.ts'
import { type Manifest, readArchive } from './archive.ts'

export interface Restored {
  date: string
  /** The clinic's files that were unpacked. */
  files: number
  /** Files referenced by the database but missing in the archive. */
  missing: number
  /** Records of all entities. */
  rows: number
}

/**
 * @param config its `dataDir` must have no database; its secret is replaced by the archive's
 * @throws ConfigError with a message for people
 */
export async function restore(config: Config, log: Logger, path: string): Promise<Restored> {
  if (config.databaseUrl)
    throw new ConfigError('DATABASE_URL: восстановление во внешнюю базу делают её собственными средствами.')
  const home = realpathSync(config.dataDir)
  for (const name of ['pg', 'pg.json'])
    if (existsSync(join(home, name)))
      throw new ConfigError(
        `В ${home} уже есть база данных (${name}): восстановление идёт только в пустую папку DATA_DIR.`,
      )
  const onDisk = !config.files.startsWith('s3:')
  if (onDisk && existsSync(config.files) && readdirSync(config.files).length > 0)
    throw new ConfigError(`В ${config.files} уже есть файлы: восстановление идёт только в пустую папку.`)

  const known = await migrationNames()
  const account = accountFor(join(home, 'pg'))
  const data = placeOf(home, account)
  const fresh = `${data}.restored`
  const aside = join(home, 'restored')
  let manifest: Manifest | undefined
  let files = 0
  try {
    for (const folder of [fresh, aside]) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { mode: 0o700 })
    }
    if (onDisk) mkdirSync(config.files, { recursive: true })
    await readArchive(
      path,
      (read) => {
        assertNotNewer(read, known)
        manifest = read
      },
      (name, isFolder) => {
        if (name === 'secret' || name === 'pg.json') return { root: aside, name }
        if (name.startsWith('pg/')) return { root: fresh, name: name.slice(3) }
        if (!name.startsWith('files/') || !onDisk) return undefined
        if (!isFolder) files++
        return { root: config.files, name: name.slice(6) }
      },
      config.backupPassphrase,
    )
  } catch (error) {
    for (const folder of [fresh, aside]) rmSync(folder, { recursive: true, force: true })
    throw new ConfigError(`Архив ${path} не прочитан: ${(error as Error).message}. Папка данных осталась пустой.`)
  }
  for (const folder of ['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify', 'pg_subtrans'])
    mkdirSync(join(fresh, folder), { recursive: true, mode: 0o700 })
  // This folder's secret was created a moment ago, by reading the settings, and has signed nothing.
  writeFileSync(join(home, 'secret'), readFileSync(join(aside, 'secret')), { mode: 0o600 })
  if (existsSync(data)) rmdirSync(data)
  renameSync(fresh, data)
  if (account) reown(data, account)
  renameSync(join(aside, 'pg.json'), join(home, 'pg.json'))
  rmSync(aside, { recursive: true, force: true })

  const postgres = await startPostgres(home)
  const db = createDb({ url: postgres.url, log, max: 1 })
  try {
    return {
      date: manifest?.date ?? '',
      files,
      missing: onDisk ? await missingFiles(db, createStorage(config.files)) : 0,
      rows: await countRows(db),
    }
  } finally {
    await db.end()
    await postgres.stop()
  }
}

/** @throws Error when the archive's database has migrations that this program does not know */
function assertNotNewer({ version, migrations }: Manifest, known: ReadonlySet<string>): void {
  const newer = migrations.find((name) => !known.has(name))
  if (newer === undefined) return
  const made = version ? `версией ${version}` : `с изменением базы ${newer}`
  throw new Error(`он сделан более новой программой (${made}), а эта — ${VERSION}: сначала обновите программу`)
}

/** Skips tables that the archive's version did not have yet: the next start creates them. */
async function countRows(db: Db): Promise<number> {
  const there = await db.query<{ name: string }>({
    text: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')`,
  })
  const names = new Set(there.map(({ name }) => name))
  let rows = 0
  for (const { table } of entities) {
    if (!names.has(table)) continue
    rows += (await db.one<{ count: number }>({ text: `select count(*)::float8 as count from "${table}"` }))?.count ?? 0
  }
  return rows
}

/** Number of files referenced by the database that are missing in the storage. */
async function missingFiles(db: Db, storage: Storage): Promise<number> {
  let missing = 0
  for (const { table } of entities.filter((entity: Entity) => entity.upload)) {
    const query = { text: `select "key" from "${table}"` }
    for await (const rows of db.pages<{ key: string }>(query))
      for (const { key } of rows) if (!(await storage.stat(key))) missing++
  }
  return missing
}
