/** Applies the reviewed SQL of `apps/server/migrations`. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import { CLINIC, schemaOf } from './schema.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Arbitrary number: all processes starting at once take the same advisory lock. */
const LOCK = 7_236_004_811
const LOCK_RETRY_MS = 200

/** Named by the minute in UTC; the first ones by number, which sort before. */
const PATTERN = /^(\d{4}|\d{8}T\d{4})_[\w-]+\.sql$/

/** Schemas beside the clinic's that the clinic alone uses. */
const COMPANIONS = /^create schema rollups;$/m

interface Migration {
  name: string
  text: string
  hash: string
  /** Hash of a former text that left the database as this one does. */
  was: string | undefined
}

/** First line of a file that replaces a published one, e.g. for an older PostgreSQL; a newer file may even out the rest. */
const WAS = /^-- was ([0-9a-f]{64})$/m

/** Aborts the start and shows `message`, a Russian sentence. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Applies pending migrations in the order of their names, each in its own transaction, so that a failed one leaves
 * nothing half done. A file is named by the minute it was drafted, so that branches do not collide; a file merged late may
 * have an earlier name than applied ones and is still applied, after them. A file that begins with `-- no transaction`
 * runs outside a transaction (for CREATE INDEX CONCURRENTLY) and must hold a single statement.
 * @param onApplied called after each file with the number applied and the total
 * @returns the names of those applied now
 * @throws MigrationError when an applied file was changed or is missing, or a new one fails
 */
export async function migrate(
  db: Db,
  dir = MIGRATIONS,
  onApplied: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const files = await readMigrations(dir)
  const isClinic = schemaOf(db.url) === CLINIC
  const client = await db.connect()
  const applied: string[] = []
  try {
    await takeLock(client)
    await client.query(`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, hash text NOT NULL, "appliedAt" timestamptz NOT NULL DEFAULT now())`)
    const { rows } = await client.query<{ name: string; hash: string }>('SELECT name, hash FROM migrations')
    const known = new Map(rows.map((row) => [row.name, row.hash]))
    for (const { name } of rows) {
      if (!files.some((file) => file.name === name)) {
        throw new MigrationError(
          `База данных новее программы: в ней есть изменение ${name}, а файла для него нет. Обновите программу или восстановите базу из копии, сделанной до обновления.`,
        )
      }
    }
    const total = files.filter(({ name }) => !known.has(name)).length
    for (const file of files) {
      const hash = known.get(file.name)
      if (hash === file.hash || (hash !== undefined && hash === file.was)) continue
      if (hash !== undefined) {
        throw new MigrationError(
          `Файл изменений базы ${file.name} поправлен после того, как был применён. Верните его, а новое опишите в новом файле.`,
        )
      }
      await apply(client, { ...file, text: isClinic ? file.text : file.text.replace(COMPANIONS, '') })
      applied.push(file.name)
      onApplied(applied.length, total)
    }
  } finally {
    await client.end()
  }
  return applied
}

/**
 * Waits for other processes that migrate, by attempts: a statement that waited would hold a snapshot, for whose end CREATE
 * INDEX CONCURRENTLY of the holder waits, a deadlock.
 */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])
    if (rows[0]?.taken) return
    await sleep(LOCK_RETRY_MS)
  }
}

/** Names of all migrations of this program. */
export const migrationNames = async (): Promise<ReadonlySet<string>> =>
  new Set((await readMigrations(MIGRATIONS)).map(({ name }) => name))

/** Names of the migrations a start would apply; undefined: the database is new, and has nothing to lose. */
export async function pendingMigrations(db: Db, dir = MIGRATIONS): Promise<string[] | undefined> {
  const there = await db.one<{ is: boolean }>({
    text: `select to_regclass(current_schema() || '.migrations') is not null as is`,
  })
  if (!there?.is) return undefined
  const applied = new Set(
    (await db.query<{ name: string }>({ text: 'select name from migrations' })).map(({ name }) => name),
  )
  if (applied.size === 0) return undefined
  return (await readMigrations(dir)).map(({ name }) => name).filter((name) => !applied.has(name))
}

/**
 * The file name of a migration drafted at `now`: `20261122T0310_name.sql`.
 * @throws MigrationError when the name is invalid
 */
export function migrationName(name: string, now: Date): string {
  if (!/^[a-z][a-z0-9_-]*$/.test(name)) {
    throw new MigrationError('Назовите изменение базы латиницей, например: npm run migration room_of_a_task')
  }
  return `${now.toISOString().slice(0, 16).replace(/[-:]/g, '')}_${name}.sql`
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
    const [, number] = PATTERN.exec(name) ?? []
    if (!number) {
      throw new MigrationError(
        `Файл изменений базы ${name} назван не по образцу 20261122T0310_name.sql. Имя даёт npm run migration name.`,
      )
    }
    if (number.length === 4 && seen.has(number))
      throw new MigrationError(`Два файла изменений базы с номером ${number}.`)
    seen.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      // Line ends are normalised, so that the hash is the same after a checkout with CR LF.
      const text = (await readFile(join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, hash: sha256(text), was: WAS.exec(text.slice(0, text.indexOf('\n')))?.[1] }
    }),
  )
}

/** Hash of all migrations, for the names of template databases. */
export async function migrationsHash(dir = MIGRATIONS): Promise<string> {
  const files = await readMigrations(dir)
  return sha256(files.map((file) => `${file.name} ${file.hash}`).join('\n'))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
