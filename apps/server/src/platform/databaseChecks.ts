import type { Db } from './db.ts'
import { StartError } from './startErrors.ts'

/** The oldest PostgreSQL that has what the statements use. */
const OLDEST = 150_000

/**
 * What a database must be able to do before anything is made in it.
 * @throws StartError
 */
export async function checkDatabase(db: Db): Promise<void> {
  const found = await db.one<{ version: number; ctype: string; upper: string }>({
    text: `select current_setting('server_version_num')::int as version, datctype as ctype, upper('ёж') as upper
      from pg_database where datname = current_database()`,
  })
  if (!found) return
  if (found.version < OLDEST) throw new StartError('DATABASE_URL: нужен PostgreSQL 15 или новее.')
  await db.query({ text: 'create extension if not exists pg_trgm' })
  const words = await db.one<{ n: number }>({ text: `select cardinality(show_trgm('Иванов')) as n` })
  // With LC_CTYPE=C the index makes nothing of Cyrillic, and every search would read the whole table.
  if (words?.n !== 7 || found.upper !== 'ЁЖ')
    throw new StartError(
      `DATABASE_URL: база с LC_CTYPE=${found.ctype} не ищет по-русски. Создайте её так: CREATE DATABASE … LOCALE_PROVIDER icu ICU_LOCALE 'ru-RU' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    )
}
