/** Columns with encrypted secrets of outside systems (cipher.ts), and the rotation of their key. */
import sql, { raw } from 'sql-template-tag'
import { type Cipher, isEncrypted, keyIdOf } from './cipher.ts'
import type { Db, Tx } from './db.ts'

interface SecretColumns {
  table: string
  /** The column that identifies the row. */
  by: string
  columns: readonly string[]
}

/** Every column with a credential of another system or a second factor. A test finds tables that are missing here. */
export const secretColumns: readonly SecretColumns[] = [
  { table: 'booking_channel_tokens', by: 'idChannel', columns: ['token'] },
  { table: 'cash_desk_secrets', by: 'idDesk', columns: ['onlinePassword', 'paySecret'] },
  { table: 'common_setting_secrets', by: 'name', columns: ['value'] },
  { table: 'filial_tokens', by: 'idFilial', columns: ['token'] },
  {
    table: 'live_assist_channel_secrets',
    by: 'idChannel',
    columns: ['token', 'secret', 'confirmation', 'appSecret'],
  },
  { table: 'metrika_tokens', by: 'idCounter', columns: ['token'] },
  { table: 'news_intake_secrets', by: 'idIntake', columns: ['secret'] },
  { table: 'sales_management_intake_secrets', by: 'idIntake', columns: ['secret'] },
  { table: 'user_factors', by: 'id', columns: ['secret'] },
  { table: 'webhook_secrets', by: 'idWebhook', columns: ['secret'] },
]

/** Arbitrary number: all processes starting at once take the same advisory lock. */
const LOCK = 7_236_004_817

/**
 * Encrypts values stored before encryption was introduced. Idempotent; an empty value means none and stays.
 * @returns how many values were encrypted
 */
export const encryptStored = (db: Db): Promise<number> =>
  db.tx((tx) =>
    rewrite(tx, (place, id, stored) => (isEncrypted(stored) ? stored : db.cipher.encrypt(place, id, stored))),
  )

/**
 * Re-encrypts all values under another key; values under a third key stay unchanged.
 * @returns how many values were re-encrypted, and how many could not be decrypted
 */
export async function reencrypt(db: Db, from: Cipher, to: Cipher): Promise<{ changed: number; closed: number }> {
  let closed = 0
  const changed = await db.tx((tx) => {
    closed = 0
    return rewrite(tx, (place, id, stored) => {
      if (isEncrypted(stored) && keyIdOf(stored) === to.keyId) return stored
      if (isEncrypted(stored) && keyIdOf(stored) !== from.keyId) {
        closed++
        return stored
      }
      return to.encrypt(place, id, from.decrypt(place, id, stored))
    })
  })
  return { changed, closed }
}

/** Number of stored values encrypted under another key. */
export async function countForeign(db: Db): Promise<number> {
  let foreign = 0
  for (const { table, columns } of secretColumns) {
    for (const column of columns) {
      const rows = await db.query<{ value: string }>(
        sql`select ${raw(`"${column}"`)} as value from ${raw(`"${table}"`)} where ${raw(`"${column}"`)} <> ''`,
      )
      foreign += rows.filter(({ value }) => isEncrypted(value) && keyIdOf(value) !== db.cipher.keyId).length
    }
  }
  return foreign
}

async function rewrite(tx: Tx, next: (place: string, id: string, stored: string) => string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK})`)
  let changed = 0
  for (const { table, by, columns } of secretColumns) {
    for (const column of columns) {
      const [from, key, of] = [table, by, column].map((name) => raw(`"${name}"`)) as [
        ReturnType<typeof raw>,
        ReturnType<typeof raw>,
        ReturnType<typeof raw>,
      ]
      const rows = await tx.query<{ id: string; value: string }>(
        sql`select ${key}::text as id, ${of} as value from ${from} where ${of} <> '' for update`,
      )
      for (const { id, value } of rows) {
        const made = next(`${table}.${column}`, id, value)
        if (made === value) continue
        await tx.query(sql`update ${from} set ${of} = ${made} where ${key}::text = ${id}`)
        changed++
      }
    }
  }
  return changed
}
