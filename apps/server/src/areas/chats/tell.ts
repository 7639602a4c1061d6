/** What the house itself says to a patient by the messenger in which they have written. */
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { UNKNOWN } from './channels/adapter.ts'
import { wakeDelivery } from './channels/delivery.ts'
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
 * @param textFor what is said in a messenger of this kind; undefined: nothing, and another chat is looked for
 * @returns the line; undefined where there is no chat for it now
 */
export async function tellPatient(
  app: AppContext,
  records: Records,
  tx: Tx,
  {
    idCustomer,
    clientId,
    textFor,
  }: { idCustomer: number; clientId: string; textFor: (kind: ChannelKind) => string | undefined },
): Promise<{ id: number; text: string } | undefined> {
  const system = records.asSystem
  const find = (more = sql``) =>
    tx.query<{ id: number; kind: ChannelKind }>(sql`
      select c."id", (select ch."kind" from live_assist_channels ch where ch."id" = c."idChannel") as kind
      from live_assist c where c."idCustomer" = ${idCustomer} and ${tellableSql} ${more}
      order by c."dateLast" desc nulls last, c."id" desc limit ${CHATS}`)
  const found = (await find()).find(({ kind }) => textFor(kind))
  const text = found && textFor(found.kind)
  if (!found || !text) return undefined
  const chat = await lockChat(system, tx, found.id)
  // Since then somebody may have begun to talk there.
  if ((await find(sql`and c."id" = ${chat.id}`)).length === 0) return undefined
  const { message } = await addLine(system, tx, chat, { kind: 'robot', clientId, text })
  await wakeDelivery(app, tx, chat)
  return { id: message.id, text }
}

/** Chats of one patient that are looked at. */
const CHATS = 20

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
