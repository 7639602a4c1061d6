/** Applies the reviewed SQL of `apps/server/migrations`. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from './db.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Any number: all processes that start at once take the same lock. */
const LOCK = 7_236_004_811

interface Migration {
  name: string
  text: string
  hash: string
}

/** The start is stopped and `message`, a Russian sentence, shown. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Brings the database up to the files: `NNNN_name.sql` in order, each in a transaction of its own, so that one that
 * fails leaves nothing half done. A file that begins with `-- no transaction` runs outside one (for
 * CREATE INDEX CONCURRENTLY) and must then hold a single statement.
 * @returns the names of those applied now
 * @throws MigrationError when an applied file was changed or is gone, or a new one fails
 */
export async function migrate(db: Db, dir = MIGRATIONS): Promise<string[]> {
  const files = await readMigrations(dir)
  const client = await db.connect()
  const applied: string[] = []
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await client.query(`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, hash text NOT NULL, "appliedAt" timestamptz NOT NULL DEFAULT now())`)
    const { rows } = await client.query<{ name: string; hash: string }>('SELECT name, hash FROM migrations')
    const known = new Map(rows.map((row) => [row.name, row.hash]))
    for (const { name } of rows) {
      if (!files.some((file) => file.name === name)) {
        throw new MigrationError(`База данных новее программы: в ней есть изменение ${name}, а файла для него нет.`)
      }
    }
    for (const file of files) {
      const hash = known.get(file.name)
      if (hash === file.hash) continue
      if (hash !== undefined) {
        throw new MigrationError(
          `Файл изменений базы ${file.name} поправлен после того, как был применён. Верните его, а новое опишите в новом файле.`,
        )
      }
      await apply(client, file)
      applied.push(file.name)
    }
  } finally {
    await client.end()
  }
  return applied
}

type Client = Awaited<ReturnType<Db['connect']>>

async function apply(client: Client, file: Migration): Promise<void> {
  const alone = file.text.startsWith('-- no transaction')
  try {
    if (!alone) await client.query('BEGIN')
    await client.query(file.text)
    await client.query('INSERT INTO migrations (name, hash) VALUES ($1, $2)', [file.name, file.hash])
    if (!alone) await client.query('COMMIT')
  } catch (error) {
    if (!alone) await client.query('ROLLBACK').catch(() => {})
    const place = placeOf(file.text, error)
    throw new MigrationError(`Изменение базы ${file.name}${place} не применено: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function placeOf(text: string, error: unknown): string {
  const position = Number((error as { position?: string }).position)
  return position > 0 ? `:${text.slice(0, position).split('\n').length}` : ''
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.sql')).sort()
  const seen = new Set<string>()
  for (const name of names) {
    const number = name.match(/^(\d{4})_[\w-]+\.sql$/)?.[1]
    if (!number) throw new MigrationError(`Файл изменений базы ${name} назван не по образцу 0001_name.sql.`)
    if (seen.has(number)) throw new MigrationError(`Два файла изменений базы с номером ${number}.`)
    seen.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      // The same file has the same hash on a system that turns line ends into CR LF.
      const text = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, hash: sha256(text) }
    }),
  )
}

/** One text for the whole set of migrations, for the names of template databases. */
export async function migrationsHash(dir = MIGRATIONS): Promise<string> {
  const files = await readMigrations(dir)
  return sha256(files.map((file) => `${file.name} ${file.hash}`).join('\n'))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
