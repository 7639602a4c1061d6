/**
 * `npm run backup FILE`: database, files and secret in one archive, with or without a running server. The database is
 * copied as an online base backup (pg_backup_start, the folder, pg_backup_stop, the WAL in between:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
 */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError } from '#platform/config.ts'
import { createDb } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { type Postgres, startPostgres } from '#platform/postgres/postgres.ts'
import { PARTS } from '#platform/storage.ts'
import { VERSION } from '#platform/version.ts'
import { type ArchiveWriter, below, MANIFEST, sizeOf, writeArchive } from './archive.ts'

/** Excluded from the cluster's folder: runtime files, and the WAL, of which only a part is needed. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+|pg_notify\/.+|pg_subtrans\/.+|pgsql_tmp.*)$/

/**
 * @param path of the archive; must not exist yet
 * @param onProgress called with the share done, 0 to 1
 * @returns its size in bytes and the number of the clinic's files in it
 * @throws ConfigError when the database or the files are outside the data folder
 */
export async function backup(
  config: Config,
  log: Logger,
  path: string,
  onProgress: (share: number) => void = () => {},
): Promise<{ bytes: number; files: number }> {
  if (config.databaseUrl)
    throw new ConfigError(
      'DATABASE_URL: копию внешней базы данных делают её собственными средствами (pg_dump, pg_basebackup).',
    )
  const target = resolve(path)
  if (existsSync(target)) throw new ConfigError(`Файл ${target} уже есть: задайте другое имя.`)
  const postgres = await startPostgres(config.dataDir)
  let archive: ArchiveWriter | undefined
  try {
    const total = bytesBelow(postgres.data) + (config.files.startsWith('s3:') ? 0 : bytesBelow(config.files))
    let read = 0
    archive = writeArchive(target, config.backupPassphrase, (bytes) => {
      read += bytes
      onProgress(Math.min(1, read / Math.max(1, total)))
    })
    const files = await put(config, log, postgres, archive)
    await archive.end()
    return { bytes: sizeOf(target), files }
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    await postgres.stop()
  }
}

function bytesBelow(root: string): number {
  let bytes = 0
  if (existsSync(root))
    for (const { path, isFolder } of below(root))
      if (!isFolder) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return bytes
}

async function put(config: Config, log: Logger, postgres: Postgres, archive: ArchiveWriter): Promise<number> {
  const db = createDb({ url: postgres.url, log, max: 1 })
  // Start and end of a backup must use the same session.
  const session = await db.connect()
  try {
    const migrations = await session.query<{ name: string }>('select name from migrations order by name')
    const onDisk = !config.files.startsWith('s3:')
    await archive.text(
      MANIFEST,
      JSON.stringify({
        format: 1,
        date: new Date().toISOString(),
        version: VERSION,
        postgres: readFileSync(join(postgres.data, 'PG_VERSION'), 'utf8').trim(),
        migrations: migrations.rows.map(({ name }) => name),
        files: onDisk,
      }),
    )
    await archive.text('secret', config.secret)
    await archive.text('pg.json', readFileSync(join(config.dataDir, 'pg.json'), 'utf8'))
    await putBase(session, postgres.data, archive)
    // After the database: files are written before their rows and never changed, so every referenced file exists.
    return onDisk ? await putFolder('files', config.files, archive, new RegExp(`^${PARTS}(/|$)`)) : 0
  } finally {
    await session.end()
    await db.end()
  }
}

type Session = Awaited<ReturnType<ReturnType<typeof createDb>['connect']>>

async function putBase(session: Session, data: string, archive: ArchiveWriter): Promise<void> {
  // Retains the WAL meanwhile: the temporary slot ends with the session.
  await session.query(`select pg_create_physical_replication_slot('ordinator_backup_' || pg_backend_pid(), true, true)`)
  const began = await session.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('ordinator', true)) as segment`,
  )
  await putFolder('pg', data, archive, LEFT_OUT)
  const ended = await session.query<{ segment: string; labelfile: string; spcmapfile: string }>(
    `select pg_walfile_name(lsn) as segment, labelfile, spcmapfile from pg_backup_stop(false)`,
  )
  const [first, last] = [began.rows[0]?.segment ?? '', ended.rows[0]]
  if (!last) throw new Error('the backup did not end')
  for (const { path, name, isFolder } of below(join(data, 'pg_wal'))) {
    // Segment names are ordered; the first eight characters are the timeline.
    if (!isFolder && /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last.segment)
      await archive.file(`pg/pg_wal/${name}`, path)
  }
  await archive.text('pg/backup_label', last.labelfile)
  if (last.spcmapfile) await archive.text('pg/tablespace_map', last.spcmapfile)
}

async function putFolder(prefix: string, root: string, archive: ArchiveWriter, leftOut?: RegExp): Promise<number> {
  if (!existsSync(root)) return 0
  let files = 0
  for (const { path, name, isFolder } of below(root)) {
    if (leftOut?.test(name)) continue
    try {
      if (isFolder) await archive.folder(`${prefix}/${name}`, statSync(path).mode)
      else await archive.file(`${prefix}/${name}`, path)
      if (!isFolder) files++
    } catch (error) {
      // A dropped table or a finished upload: removed before it was opened.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return files
}
