/**
 * Databases of earlier versions, for the test of an upgrade: `versions/NAME.json.br` holds the rows of a demo clinic made
 * by that version. Its schema is made by the migrations of that time, which never change afterwards.
 *
 *     node apps/server/src/testing/versions.ts NAME DATABASE_URL
 *
 * saves a file from the database of a running demo clinic; run it when a version is released.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import pg from 'pg'
import type { Db } from '#platform/db.ts'
import { MIGRATIONS, migrate } from '#platform/migrate.ts'

const DIR = join(import.meta.dirname, 'versions')
/** Filled by migrations. */
const MIGRATED = ['migrations', 'dictionaries_terms']
/** Newest rows kept of tables that only grow. */
const MOST: Readonly<Record<string, number>> = { history: 1_500, access_log: 1_500 }

interface Saved {
  migrations: string[]
  sequences: Record<string, number>
  tables: { name: string; rows: Record<string, unknown>[] }[]
}

/** Names of the saved versions. */
export const versions = async (): Promise<string[]> =>
  (await readdir(DIR)).filter((name) => name.endsWith('.json.br')).map((name) => basename(name, '.json.br'))

/**
 * Fills an empty database as the version left it.
 * @returns the number of rows by table
 */
export async function loadVersion(db: Db, name: string): Promise<Map<string, number>> {
  const text = await promisify(brotliDecompress)(await readFile(join(DIR, `${name}.json.br`)))
  const { migrations, sequences, tables } = JSON.parse(text.toString()) as Saved
  const dir = await mkdtemp(join(tmpdir(), 'ordinator-version-'))
  try {
    for (const file of migrations) await cp(join(MIGRATIONS, file), join(dir, file))
    await migrate(db, dir)
  } finally {
    await rm(dir, { recursive: true })
  }
  const client = await db.connect()
  try {
    await client.query('begin')
    // Triggers and foreign keys have done their work when the rows were written.
    await client.query('set local session_replication_role = replica')
    for (const { name: table, rows } of tables) {
      const columns = Object.keys(rows[0] ?? {})
        .map((column) => `"${column}"`)
        .join(',')
      await client.query(`delete from "${table}"`)
      await client.query(
        `insert into "${table}" (${columns}) overriding system value
          select ${columns} from json_populate_recordset(null::"${table}", $1)`,
        [JSON.stringify(rows)],
      )
    }
    for (const [sequence, value] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [`"${sequence}"`, value])
    await client.query('commit')
  } finally {
    await client.end()
  }
  return new Map(tables.map(({ name: table, rows }) => [table, rows.length]))
}

async function saveVersion(name: string, client: pg.Client): Promise<void> {
  const all = async <R>(text: string) => (await client.query(text)).rows as R[]
  const found = await all<{ name: string; columns: string[] }>(`
    select c.relname as name, (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`)
  const tables: string[] = []
  for (const { name: table, columns } of found) {
    if (MIGRATED.includes(table)) continue
    const list = columns.map((column) => `"${column}"`).join(',')
    const limit = MOST[table] === undefined ? '' : `order by "id" desc limit ${MOST[table]}`
    const [row] = await all<{ rows: string | null }>(
      `select json_agg(x)::text as rows from (select ${list} from "${table}" ${limit}) x`,
    )
    if (row?.rows) tables.push(`{"name":${JSON.stringify(table)},"rows":${row.rows}}`)
  }
  const migrations = (await all<{ name: string }>('select name from migrations order by 1')).map((row) => row.name)
  const sequences = await all<{ name: string; value: string }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  const values = Object.fromEntries(sequences.map((row) => [row.name, Number(row.value)]))
  const text = `{"migrations":${JSON.stringify(migrations)},"sequences":${JSON.stringify(values)},"tables":[${tables.join(',')}]}`
  await writeFile(join(DIR, `${name}.json.br`), await promisify(brotliCompress)(text))
}

if (import.meta.main) {
  const [name, url] = process.argv.slice(2)
  if (!name || !url) throw new Error('versions.ts NAME DATABASE_URL')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await saveVersion(name, client)
  await client.end()
}
