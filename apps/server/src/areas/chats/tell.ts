/** What the house itself says to a patient by the messenger in which they have written. */
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'
import type { Records } from '../../records/records.ts'
import { UNKNOWN, wakeDelivery } from './channels/delivery.ts'
import { addLine, lockChat } from './lines.ts'

/**
 * SQL: chat `c` is one in which a patient may be told something: of a messenger that is on, of a card that all operators
 * may read, and with nobody of the clinic talking in it just now.
 */
export const tellableSql = raw(`(c."idChannel" is not null and not c."deleted" and not c."banned"
  and not (c."status" = 'active' and c."handler" = 'human')
  and exists (select from live_assist_channels ch where ch."id" = c."idChannel" and ch."active" and not ch."deleted")
  and exists (select from customers p where p."id" = c."idCustomer" and p."secretLevel" = 'none'))`)

/**
 * Puts a line into the chat where the patient has written last; it goes out once the transaction is committed.
 * @returns the line; undefined where there is no chat for it now
 */
export async function tellPatient(
  app: AppContext,
  records: Records,
  tx: Tx,
  { idCustomer, clientId, text }: { idCustomer: number; clientId: string; text: string },
): Promise<number | undefined> {
  const system = records.asSystem
  const find = (more = sql``) =>
    tx.one<{
      id: number
    }>(sql`select c."id" from live_assist c where c."idCustomer" = ${idCustomer} and ${tellableSql} ${more}
      order by c."dateLast" desc nulls last, c."id" desc limit 1`)
  const found = await find()
  if (!found) return undefined
  const chat = await lockChat(system, tx, found.id)
  // Since then somebody may have begun to talk there.
  if (!(await find(sql`and c."id" = ${chat.id}`))) return undefined
  const { message } = await addLine(system, tx, chat, { kind: 'robot', clientId, text })
  await wakeDelivery(app, tx, chat)
  return message.id
}

/** What has become of a line of ours. */
export type Told = { fate: 'waits' | 'sent' | 'unknown' } | { fate: 'refused'; reason: string }

export async function fateOf(db: Queryable, idMessage: number | null): Promise<Told> {
  const line = await db.one<{ idExternal: string | null; failure: string | null }>(
    sql`select "idExternal", "failure" from live_assist_messages where "id" = ${idMessage} and not "deleted"`,
  )
  if (!line) return { fate: 'refused', reason: 'Сообщение удалено из чата' }
  if (line.idExternal !== null) return { fate: 'sent' }
  if (line.failure === null) return { fate: 'waits' }
  return line.failure.startsWith(UNKNOWN) ? { fate: 'unknown' } : { fate: 'refused', reason: line.failure }
}
