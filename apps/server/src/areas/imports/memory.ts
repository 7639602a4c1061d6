/** Matchings of columns that were made by hand, for the next file with the same heads. */
import { createHash } from 'node:crypto'
import type { ImportMapping } from '@ordinator/model/areas/imports/wire'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { plainName } from './byName.ts'
import { guessMapping, type ImporterColumn } from './importer.ts'

const headsOf = (head: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(head.map(plainName)))
    .digest('base64')

/** Stores a matching unless it equals the one by the heads. @param kind of the table */
export async function rememberMapping(
  db: Queryable,
  kind: string,
  columns: readonly ImporterColumn[],
  head: readonly string[],
  mapping: ImportMapping,
): Promise<void> {
  const heads = headsOf(head)
  const isGuessed =
    JSON.stringify(Object.entries(guessMapping(columns, head)).toSorted()) ===
    JSON.stringify(Object.entries(mapping).toSorted())
  await db.query(
    isGuessed
      ? sql`delete from column_matchings where "kind" = ${kind} and "heads" = ${heads}`
      : sql`insert into column_matchings ("kind", "heads", "mapping") values (${kind}, ${heads}, ${JSON.stringify(mapping)}::jsonb)
          on conflict ("kind", "heads") do update set "mapping" = excluded."mapping"`,
  )
}

/** The kept matching of these heads; columns that the importer no longer has are left out. */
export async function rememberedMapping(
  db: Queryable,
  kind: string,
  columns: readonly ImporterColumn[],
  head: readonly string[],
): Promise<ImportMapping | undefined> {
  const found = await db.one<{ mapping: ImportMapping }>(
    sql`select "mapping" from column_matchings where "kind" = ${kind} and "heads" = ${headsOf(head)}`,
  )
  if (!found) return undefined
  return Object.fromEntries(
    Object.entries(found.mapping).filter(([name]) => columns.some((column) => column.name === name)),
  )
}
