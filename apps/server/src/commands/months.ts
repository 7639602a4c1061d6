/**
 * `npm run months`: months of the tables that only grow are put aside, out of the way of reads, vacuum and backups of the
 * product's schema, and come back. The table of a month lies in the schema `archive` meanwhile, where `pg_dump -n archive`
 * takes it away and `pg_restore` brings it back.
 */
import sql, { raw } from 'sql-template-tag'
import { ConfigError } from '#platform/config.ts'
import { type Db, isTimeout, type Tx } from '#platform/db.ts'

/** Tables by month, with the column of time. Those with a term of their own drop their months by themselves. */
const PARENTS = { history: 'dateCreate', access_log: 'dt' } as const
type Parent = keyof typeof PARENTS
const ARCHIVE = 'archive'
/** Milliseconds that people may wait for the table, and how often it is tried. */
const LOCK_MS = 1_000
const TRIES = 20

export interface Month {
  parent: Parent
  /** `YYYY-MM`. */
  month: string
  isAside: boolean
  /** With indexes. */
  bytes: number
}

/** Months that are there or aside, the earliest first. */
export async function readMonths(db: Pick<Db, 'query'>): Promise<Month[]> {
  const rows = await db.query<{ table: string; isAside: boolean; bytes: number }>(sql`
    select c."relname" as table, n."nspname" = ${ARCHIVE} as "isAside", pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c."relnamespace"
    where c."relkind" = 'r' and n."nspname" in (current_schema(), ${ARCHIVE}) and c."relname" ~ '_[0-9]{6}$'
    order by right(c."relname", 6), c."relname"`)
  return rows.flatMap(({ table, ...more }) => {
    const parent = table.slice(0, -7)
    return parent in PARENTS
      ? [{ parent: parent as Parent, month: `${table.slice(-6, -2)}-${table.slice(-2)}`, ...more }]
      : []
  })
}

/**
 * Puts the earliest month aside. People wait for at most a second at a time.
 * @throws ConfigError if it is not over, or an earlier one is still there
 */
export async function putAside(db: Db, parent: string, month: string): Promise<void> {
  const { table, column, known } = await named(db, parent, month)
  const [first] = known.filter(({ isAside }) => !isAside)
  if (first?.month !== month)
    throw new ConfigError(`Сначала отсоедините более ранний месяц: ${first?.month ?? 'нет ни одного'}.`)
  const range = rangeOf(column, month)
  const isOver = await db.one<{ is: boolean }>(sql`select ${range.to}::timestamptz < now() - interval '1 month' as is`)
  if (!isOver?.is) throw new ConfigError('Отсоединить можно месяц, после которого прошёл ещё один.')
  // Checked while people write: what comes back later need not be read again under a lock.
  await db.query(sql`alter table ${raw(table)} drop constraint if exists in_month`)
  await db.query(sql`alter table ${raw(table)} add constraint in_month check (${raw(range.check)}) not valid`)
  await patiently(db, async (tx) => tx.query(sql`alter table ${raw(table)} validate constraint in_month`))
  await patiently(db, async (tx) => {
    await tx.query(sql`create schema if not exists ${raw(ARCHIVE)}`)
    await tx.query(sql`alter table ${raw(parent)} detach partition ${raw(table)}`)
    await tx.query(sql`alter table ${raw(table)} set schema ${raw(ARCHIVE)}`)
  })
}

/** Brings the latest month that is aside back. @throws ConfigError */
export async function bringBack(db: Db, parent: string, month: string): Promise<void> {
  const { table, column, known } = await named(db, parent, month)
  const last = known.filter(({ isAside }) => isAside).at(-1)
  if (last?.month !== month)
    throw new ConfigError(`Сначала присоедините более поздний месяц: ${last?.month ?? 'нет ни одного'}.`)
  const { from, to } = rangeOf(column, month)
  await patiently(db, async (tx) => {
    const { name: home } = (await tx.one<{ name: string }>(sql`select current_schema() as name`)) as { name: string }
    await tx.query(sql`alter table ${raw(`${ARCHIVE}.${table}`)} set schema ${raw(home)}`)
    await tx.query(
      sql`alter table ${raw(parent)} attach partition ${raw(table)} for values from (${raw(`'${from}'`)}) to (${raw(`'${to}'`)})`,
    )
    await tx.query(sql`alter table ${raw(table)} drop constraint if exists in_month`)
  })
}

async function named(db: Db, parent: string, month: string) {
  if (!(parent in PARENTS))
    throw new ConfigError(`Нет такой таблицы: ${parent}. Есть: ${Object.keys(PARENTS).join(', ')}.`)
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) throw new ConfigError('Назовите месяц так: 2025-01.')
  const known = (await readMonths(db)).filter((one) => one.parent === parent)
  return { known, column: PARENTS[parent as Parent], table: `${parent}_${month.replace('-', '')}` }
}

function rangeOf(column: string, month: string) {
  const first = new Date(`${month}-01T00:00:00Z`)
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1))
  const [from, to] = [first, next].map((day) => `${day.toISOString().slice(0, 10)} 00:00:00+00`) as [string, string]
  return { from, to, check: `"${column}" >= '${from}' and "${column}" < '${to}'` }
}

/** In a transaction that waits for its locks no longer than people may wait behind it, and is tried again. */
async function patiently(db: Db, run: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await db.tx(async (tx) => {
        await tx.query(sql`set local lock_timeout = ${raw(String(LOCK_MS))}`)
        await tx.query(sql`set local statement_timeout = 0`)
        await run(tx)
      })
    } catch (error) {
      const isBusy = isTimeout(error) || (error as { code?: string }).code === '55P03'
      if (!isBusy || left === 1) throw error
      await new Promise((resolve) => setTimeout(resolve, LOCK_MS))
    }
  }
}
