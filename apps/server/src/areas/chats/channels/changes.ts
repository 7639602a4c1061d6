/** Events about earlier messages: edited, deleted, seen by the patient. */
import { createHash } from 'node:crypto'
import type { ChannelKind, ChatChannel } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist, MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { tooMany } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { SystemRecords } from '#records/records.ts'
import { type Chat, lockChat, type Message, unsentSql } from '../lines.ts'
import { revise } from '../revisions.ts'
import { type Incoming, type Receipt, type Removal, receiptOf, removalOf } from './adapter.ts'

const MAX_CLIENT_ID = 64
const MAX_FAILURE = 300
/** Maximum number of edits of one line by a patient. */
const EDITS_IN_10_MIN = 20

/** The key of the line for a message. */
export function clientIdOf(kind: ChannelKind, { bot, idMessage }: { bot: string; idMessage: string }): string {
  const plain = `${kind}-${bot}-${idMessage}`
  return plain.length <= MAX_CLIENT_ID
    ? plain
    : `${kind}-${createHash('sha256').update(`${bot}-${idMessage}`).digest('base64url')}`
}

type Change = (Incoming | Removal | Receipt) & { bot: string }

/** Applies a change to a line; a message without a line is ignored. */
export const changeState = (app: AppContext, channel: Row<typeof ChatChannel>, change: Change): Promise<void> =>
  app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    const found = (await lineOf(tx, channel, change)) ?? (await lineBeingSent(tx, channel, change))
    if (!found) return
    const chat = await lockChat(system, tx, found.idChat)
    const line = await system.row(ChatMessage, found.id)
    if (change.kind === 'receipt') await takeReceipt(system, chat, line, change)
    else if (change.kind === 'removal') await revise(system, tx, chat, line, 'removal')
    else if (!chat.banned) {
      await refuseFlood(tx, line.id)
      await revise(system, tx, chat, line, { text: change.text.slice(0, MAX_MESSAGE) })
    }
  })

/** @throws HttpError 429 if the patient has edited the line too often */
async function refuseFlood(tx: Tx, idMessage: number): Promise<void> {
  const made = await tx.one<{ many: number }>(sql`select count(*)::int as many from live_assist_message_versions
    where "idMessage" = ${idMessage} and "dateCreate" > now() - interval '10 minutes'`)
  if ((made?.many ?? 0) >= EDITS_IN_10_MIN) throw tooMany(120, 'Слишком много правок одного сообщения')
}

/** A failed message is removed from the line's ids; its other messages stay. */
async function takeReceipt(system: SystemRecords, chat: Chat, line: Message, { idMessage, fate }: Receipt) {
  const ids = line.idExternal?.split(' ') ?? []
  if (!ids.includes(idMessage)) return
  if (fate !== 'read')
    await system.update(ChatMessage, line.id, {
      failure: fate.failure.slice(0, MAX_FAILURE),
      idExternal: ids.filter((id) => id !== idMessage).join(' ') || null,
    })
  else {
    const upTo = Math.max(chat.readOut, line.no)
    await system.update(LiveAssist, chat.id, { readOut: upTo, deliveredOut: Math.max(chat.deliveredOut, upTo) })
  }
}

/** Applies receipts of a line of a locked chat that arrived before its id was stored. */
export async function takeEarlyReceipts(
  system: SystemRecords,
  tx: Tx,
  { id, idChannel, to }: { id: number; idChannel: number; to: string },
  bot: string,
): Promise<void> {
  const { idExternal, idLiveAssist } = await system.row(ChatMessage, id)
  if (idExternal === null) return
  const ids = idExternal.split(' ').flatMap((of) => (['read', 'failed'] as const).map((fate) => receiptOf(of, fate)))
  const early = await tx.query<{ body: Receipt }>(sql`select "body" from live_assist_channel_events
    where "idChannel" = ${idChannel} and "idEvent" = any(${ids.map((of) => `${bot}:${of}`)})
      and "body" ->> 'idFrom' = ${to} order by "number"`)
  for (const { body } of early)
    await takeReceipt(system, await system.row(LiveAssist, idLiveAssist), await system.row(ChatMessage, id), body)
}

/**
 * The line of a receipt that arrived before our own result; it is looked up again once the sender has stored the id.
 */
async function lineBeingSent(tx: Tx, channel: Row<typeof ChatChannel>, change: Change) {
  if (change.kind !== 'receipt') return undefined
  const held = await tx.query(sql`select 1 from live_assist c
    where c."idVisitor" in (select v."id" from live_assist_visitors v
      where v."idChannel" = ${channel.id} and v."idExternal" = ${change.idFrom})
    and exists (select from live_assist_messages m where m."idLiveAssist" = c."id" and ${unsentSql(sql`m`)})
    order by c."id" for update of c`)
  return held.length > 0 ? lineOf(tx, channel, change) : undefined
}

async function lineOf(tx: Tx, { id, kind }: Row<typeof ChatChannel>, change: Change) {
  const which: Sql =
    change.kind === 'receipt'
      ? // No further receipts follow a seen one.
        sql`m."kind" in ('staff', 'robot') and (${change.fate !== 'read'} or m."no" > c."readOut")
          and ${change.idMessage} = any(string_to_array(m."idExternal", ' '))`
      : change.bot === ''
        ? sql`m."kind" = 'visitor' and starts_with(m."clientId", ${`${kind}-`})
          and right(m."clientId", ${change.idMessage.length + 1}) = ${`-${change.idMessage}`}`
        : sql`m."clientId" = ${clientIdOf(kind, change)}`
  return tx.one<{ id: number; idChat: number }>(sql`select m."id", c."id" as "idChat" from live_assist_visitors v
    join live_assist c on c."idVisitor" = v."id" join live_assist_messages m on m."idLiveAssist" = c."id"
    where v."idChannel" = ${id} and v."idExternal" = ${change.idFrom} and ${which} and not m."deleted"
    order by m."id" desc limit 1`)
}

/** Whether the removal of a message arrived before the message itself. */
export async function isTakenBack(
  db: Queryable,
  idChannel: number,
  { bot, idMessage }: Incoming & { bot: string },
): Promise<(Removal & { bot: string }) | undefined> {
  const ids = [...new Set([bot, ''])].map((of) => `${of}:${removalOf(idMessage)}`)
  const event = await db.one<{ body: Removal & { bot: string } }>(sql`select "body" from live_assist_channel_events
    where "idChannel" = ${idChannel} and "idEvent" = any(${ids}) and "dateDone" is not null limit 1`)
  return event?.body
}
