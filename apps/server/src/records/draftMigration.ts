/**
 * `npm run migration NAME`: starts an empty database, applies all files of `migrations/`, and writes the next file with
 * the SQL that the declared entities still need. A draft: review it before committing.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { entities } from '@ordinator/model/entities'
import { createDb } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { MIGRATIONS, MigrationError, migrate, migrationName } from '#platform/migrate.ts'
import { PostgresError } from '#platform/postgres/error.ts'
import { startPostgres } from '#platform/postgres/postgres.ts'
import { drift, wantedBy } from './drift.ts'

try {
  const file = join(MIGRATIONS, migrationName(process.argv[2] ?? '', new Date()))
  const text = await draft()
  if (text === '') console.log('База и описание совпадают: писать нечего.')
  else {
    writeFileSync(file, text, { flag: 'wx' })
    console.log(`${relative(process.cwd(), file)}\n\n${text}\nЭто черновик: прочитайте и поправьте его.`)
  }
} catch (error) {
  if (!(error instanceof MigrationError || error instanceof PostgresError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function draft(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'ordinator-migration-'))
  const postgres = await startPostgres(dir, { durable: false })
  const db = createDb({ url: postgres.url, log: createLog('warn'), max: 2 })
  try {
    await migrate(db)
    return await drift(db, await wantedBy(entities, db))
  } finally {
    await db.end()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
