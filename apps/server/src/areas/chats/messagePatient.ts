/** Automatic messages to a patient in the messenger they last used. */
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { UNKNOWN } from './channels/adapter.ts'
import { wakeDelivery } from './channels/delivery.ts'
import { addLine, lockChat } from './lines.ts'

/**
 * SQL condition: chat `c` may receive an automatic message: its messenger is enabled, its card is open to all
 * operators, and no employee is talking in it now.
 */
export const reachableSql = raw(`(c."idChannel" is not null and not c."deleted" and not c."banned"
  and not (c."status" = 'active' and c."handler" = 'human')
  and exists (select from live_assist_channels ch where ch."id" = c."idChannel" and ch."active" and not ch."deleted")
  and exists (select from customers p where p."id" = c."idCustomer" and p."secretLevel" = 'none'))`)

/**
 * Adds a line to the patient's latest chat; it is sent after the transaction commits.
 * @param textFor the text for a messenger of this kind; undefined: none, so another chat is tried
 * @returns the line; undefined if there is no suitable chat
 */
export async function messagePatient(
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
      from live_assist c where c."idCustomer" = ${idCustomer} and ${reachableSql} ${more}
      order by c."dateLast" desc nulls last, c."id" desc limit ${CHATS}`)
  const found = (await find()).find(({ kind }) => textFor(kind))
  const text = found && textFor(found.kind)
  if (!found || !text) return undefined
  const chat = await lockChat(system, tx, found.id)
  // An employee may have begun to talk there meanwhile.
  if ((await find(sql`and c."id" = ${chat.id}`)).length === 0) return undefined
  const { message } = await addLine(system, tx, chat, { kind: 'robot', clientId, text })
  await wakeDelivery(app, tx, chat)
  return { id: message.id, text }
}

/** Maximum number of chats of a patient that are tried. */
const CHATS = 20

/** State of an automatic line. */
export type MessageFate = { fate: 'waits' | 'sent' | 'unknown' } | { fate: 'refused'; reason: string }

export async function fateOf(db: Queryable, idMessage: number | null): Promise<MessageFate> {
  const line = await db.one<{ idExternal: string | null; failure: string | null }>(
    sql`select "idExternal", "failure" from live_assist_messages where "id" = ${idMessage} and not "deleted"`,
  )
  if (!line) return { fate: 'refused', reason: 'Сообщение удалено из чата' }
  if (line.idExternal !== null) return { fate: 'sent' }
  if (line.failure === null) return { fate: 'waits' }
  return line.failure.startsWith(UNKNOWN) ? { fate: 'unknown' } : { fate: 'refused', reason: line.failure }
}
