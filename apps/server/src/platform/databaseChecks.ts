import type { Db } from './db.ts'
import { StartError } from './startErrors.ts'

/** The oldest supported PostgreSQL version. */
const OLDEST = 150_000

/**
 * Checks that the database has what the product needs, before anything is created in it.
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
  // With LC_CTYPE=C the trigram index ignores Cyrillic, and every search would scan the whole table.
  if (words?.n !== 7 || found.upper !== 'ЁЖ')
    throw new StartError(
      `DATABASE_URL: база с LC_CTYPE=${found.ctype} не ищет по-русски. Создайте её так: CREATE DATABASE … LOCALE_PROVIDER icu ICU_LOCALE 'ru-RU' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    )
}
