import sql from 'sql-template-tag'
import type { Queryable } from './db.ts'

/**
 * Whether the base is the demo clinic's: by its own mark, not `DEMO`, which is on by default. A base before its first
 * migration is none.
 */
export async function isDemoClinic(db: Queryable): Promise<boolean> {
  const there = await db.one<{ there: boolean }>(sql`select to_regclass('demo_clinic') is not null as there`)
  return there?.there === true && (await db.one(sql`select 1 from demo_clinic`)) !== undefined
}
