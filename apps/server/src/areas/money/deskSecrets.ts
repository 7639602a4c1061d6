/** The secrets of a desk for АТОЛ Онлайн and ЮKassa: stored apart from the desk, in no response or history. */
import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

export type DeskSecret = 'onlinePassword' | 'paySecret'

/** Stores a new secret; an empty one deletes it, undefined leaves it. */
export async function keepDeskSecret(
  tx: Queryable,
  idDesk: number,
  name: DeskSecret,
  value: string | null | undefined,
): Promise<void> {
  if (value === undefined) return
  const column = raw(`"${name}"`)
  await tx.query(sql`insert into cash_desk_secrets ("idDesk", ${column}) values (${idDesk}, ${value ? tx.cipher.encrypt(`cash_desk_secrets.${name}`, idDesk, value) : ''})
    on conflict ("idDesk") do update set ${column} = excluded.${column}`)
}

/** The secret of a desk; empty if none. */
export async function deskSecretOf(db: Queryable, idDesk: number, name: DeskSecret): Promise<string> {
  const row = await db.one<{ value: string }>(
    sql`select ${raw(`"${name}"`)} as value from cash_desk_secrets where "idDesk" = ${idDesk}`,
  )
  return row?.value ? db.cipher.decrypt(`cash_desk_secrets.${name}`, idDesk, row.value) : ''
}
