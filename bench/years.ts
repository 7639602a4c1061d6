/**
 * Ten years of a network on paper: bytes of a row with its indexes and rows of a visit, measured on the demo clinic, times
 * the visits of the network. What the demo clinic does not make (views of cards, raw logs) is a figure of a day, below.
 * And what a base divided by branch (Citus) would ask of the schema and of the statements. It reads; it builds nothing.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDb, type Db } from '../apps/server/src/platform/db.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { startPostgres } from '../apps/server/src/platform/postgres/postgres.ts'
import { journal } from '../apps/server/src/records/journal.ts'
import { freePort, hold, removeData, startProcess } from './clinic.ts'
import { bytes, type Line, type Part } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const START_MS = 240_000
const BRANCHES = 50
const YEARS = 10
/** Visits of a branch in a day, and days of a year. */
const VISITS = 80
const DAYS = 340
/** Rows below which the bytes of a row depend more on empty pages than of rows. */
const ENOUGH = 100
/** The largest tables are shown. */
const SHOWN = 14
/** The branch of a row, by which such a base would be divided. */
const KEY = 'idFilial'

/** Rows of a visit that only people at work make: assumed, not measured. */
const BY_PEOPLE: Readonly<Record<string, number>> = { access_log: 40, history: 25 }
/** Lists of the clinic, which do not grow with its visits. */
const LISTS = /^(?:dictionaries|services|dictionary|icd|laboratory_(?:catalog|analyte|norm)|.*_templates)/

interface Size {
  table: string
  rows: number
  bytes: number
}

export async function measureYears(): Promise<Part> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const dir = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => removeData(dir))
  const postgres = await startPostgres(dir, { durable: false })
  hold(() => postgres.stop())
  const port = await freePort()
  await startProcess(
    'apps/server/src/main.ts',
    `http://127.0.0.1:${port}`,
    [],
    {
      DATABASE_URL: postgres.url,
      DATA_DIR: join(dir, 'server'),
      DEMO: '1',
      DEMO_YEARS: '0',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    START_MS,
  )
  const db = createDb({ url: postgres.url, log: createLog('error'), max: 2 })
  hold(() => db.end())
  await viewCards(db)
  const sizes = await sizesOf(db)
  const visits = sizes.find(({ table }) => table === 'appointments')?.rows as number
  const inYears = VISITS * DAYS * BRANCHES * YEARS
  const grown = sizes
    .filter(({ rows, table }) => (rows >= ENOUGH || table in BY_PEOPLE) && !LISTS.test(table))
    .map(({ table, rows, bytes: size }) => {
      const ofVisit = BY_PEOPLE[table] ?? rows / visits
      return { table, ofRow: size / rows, ofVisit, total: (size / rows) * ofVisit * inYears, rows: ofVisit * inYears }
    })
    .toSorted((a, b) => b.total - a.total)
  const whole = grown.reduce((sum, { total }) => sum + total, 0)
  const lines: Line[] = grown.slice(0, SHOWN).map(({ table, ofRow, ofVisit, total, rows }) => ({
    what: `${table}: ${Math.round(ofRow)} bytes a row, ${ofVisit.toFixed(1)} rows a visit`,
    product: bytes(total),
    yardstick: `${Math.round(rows / 1e6).toLocaleString('en')} million rows`,
  }))
  return {
    title: `${YEARS} years of ${BRANCHES} branches with ${VISITS} visits a day each (${Math.round(inYears / 1e6)} million visits)`,
    lines: [...lines, { what: 'all tables', product: bytes(whole) }],
    notes: await dividedBy(db),
  }
}

/** Lines of the journal of access, as views of cards leave them: the demo clinic has no real ones. */
async function viewCards(db: Db): Promise<void> {
  const [card] = await db.query<{ id: number }>({ text: 'select id from customers order by id limit 1' })
  const line = {
    action: 'view' as const,
    idUser: 1,
    ip: '10.0.0.20',
    entityType: 'customers',
    idEntity: card?.id as number,
    idCustomer: card?.id as number,
    fields: ['surname', 'name', 'birthday', 'phone'],
    requestId: 'x4kq1z-1a2b',
  }
  await journal(db, ...Array.from({ length: 2_000 }, () => line))
}

async function sizesOf(db: Db): Promise<Size[]> {
  await db.query({ text: 'vacuum analyze' })
  const tables = await db.query<{ table: string; bytes: number }>({
    text: `select relname as table, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  })
  const found = new Map<string, Size>()
  for (const { table, bytes: size } of tables) {
    const row = await db.one<{ rows: number }>({ text: `select count(*)::float8 as rows from "${table}"` })
    if (!row || row.rows === 0) continue
    // A month of a table is a part of it.
    const whole = table.replace(/_\d{6}$/, '')
    const { rows, bytes: before } = found.get(whole) ?? { rows: 0, bytes: 0 }
    found.set(whole, { table: whole, rows: rows + row.rows, bytes: before + size })
  }
  return [...found.values()]
}

/** Constraints and statements that would have to name the branch. */
async function dividedBy(db: Db): Promise<string[]> {
  const [counts] = await db.query<{
    tables: number
    keyed: number
    uniques: number
    foreign: number
    crossing: number
    locks: number
  }>({
    text: `with t as (
        select c.oid, exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = $1 and not a.attisdropped) as keyed
        from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace),
      u as (
        select i.indrelid, exists (select 1 from pg_attribute a where a.attrelid = i.indrelid and a.attname = $1
            and a.attnum = any (i.indkey::smallint[])) as has
        from pg_index i join t on t.oid = i.indrelid where i.indisunique or i.indisexclusion),
      f as (select k.conrelid, k.confrelid from pg_constraint k where k.contype = 'f')
      select (select count(*) from t)::int as tables, (select count(*) from t where keyed)::int as keyed,
        (select count(*) from u where not has)::int as uniques, (select count(*) from f)::int as foreign,
        (select count(*) from f join t a on a.oid = f.conrelid join t b on b.oid = f.confrelid where a.keyed <> b.keyed)::int as crossing,
        (select count(*) from pg_trigger g join t on t.oid = g.tgrelid where not g.tgisinternal)::int as locks`,
    values: [KEY],
  })
  if (!counts) return []
  const statements = (breaks: RegExp) =>
    globSync('apps/server/src/**/*.ts', { cwd: ROOT })
      .filter((file) => !file.endsWith('.test.ts') && !file.includes('/testing/'))
      .reduce((sum, file) => sum + (readFileSync(join(ROOT, file), 'utf8').match(breaks)?.length ?? 0), 0)
  return [
    `divided by ${KEY}: ${counts.keyed} of ${counts.tables} tables have it`,
    `${counts.uniques} primary keys, unique and exclusion constraints do not hold it, and each would have to`,
    `${counts.crossing} of ${counts.foreign} foreign keys lead from a table with it to one without, or back: shared tables would be copied to every node`,
    `statements: ${statements(/\bon conflict\b/gi)} on conflict, ${statements(/\bfor (?:no key )?update\b/gi)} row locks, ${statements(/grouping sets/gi)} grouping sets, ${statements(/pg_advisory/gi)} advisory locks (these hold on one node only), ${counts.locks} triggers`,
  ]
}
