import { counted } from '@ordinator/model/format'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Tx } from '../platform/db.ts'
import { HttpError } from '../platform/errors.ts'

/** What hangs on a record, and how it is called: one, two, five. */
export interface Use {
  /** SQL of a number. */
  count: Sql
  words: readonly [string, string, string]
}

/**
 * Refuses to delete what others stand on, with the numbers and what to do instead.
 * @param instead a sentence without its point: «передайте визиты другому врачу»
 * @throws HttpError 409 `inUse`
 */
export async function refuseInUse(tx: Tx, uses: readonly Use[], instead: string): Promise<void> {
  const found = await tx.one<{ counts: number[] }>(
    sql`select array[${join(uses.map(({ count }) => sql`(${count})::int`))}] as counts`,
  )
  const told = uses.flatMap(({ words }, at) => {
    const count = found?.counts[at] ?? 0
    return count > 0 ? [counted(count, words)] : []
  })
  if (told.length) throw new HttpError(409, `Удалить нельзя: ${told.join(', ')}. ${instead}`, { code: 'inUse' })
}
