/** What messengers tell of messages that were said before: changed, taken back, seen by the patient. */
import { createHash } from 'node:crypto'
import type { ChannelKind, ChatChannel } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist, MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { systemActor } from '../../../records/actor.ts'
import type { AppContext } from '../../../records/context.ts'
import { lockChat } from '../lines.ts'
import { revise } from '../revisions.ts'
import { type Incoming, type Receipt, type Removal, removalOf } from './adapter.ts'

const MAX_CLIENT_ID = 64
const MAX_FAILURE = 300

/** The key of the line that a message becomes. */
export function clientIdOf(kind: ChannelKind, { bot, idMessage }: { bot: string; idMessage: string }): string {
  const plain = `${kind}-${bot}-${idMessage}`
  return plain.length <= MAX_CLIENT_ID
    ? plain
    : `${kind}-${createHash('sha256').update(`${bot}-${idMessage}`).digest('base64url')}`
}

type Change = (Incoming | Removal | Receipt) & { bot: string }

/** Of a message that has never become a line nothing changes. */
export const become = (app: AppContext, channel: Row<typeof ChatChannel>, change: Change): Promise<void> =>
  app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    const found = await lineOf(tx, channel, change)
    if (!found) return
    const chat = await lockChat(system, tx, found.idChat)
    const line = await system.row(ChatMessage, found.id)
    if (change.kind !== 'receipt') {
      const to = change.kind === 'removal' ? 'removal' : { text: change.text.slice(0, MAX_MESSAGE) }
      await revise(system, tx, chat, line, to)
    } else if (change.fate !== 'read')
      await system.update(ChatMessage, line.id, { failure: change.fate.failure.slice(0, MAX_FAILURE) })
    else {
      const upTo = Math.max(chat.readOut, line.no)
      await system.update(LiveAssist, chat.id, { readOut: upTo, deliveredOut: Math.max(chat.deliveredOut, upTo) })
    }
  })

async function lineOf(tx: Tx, { id, kind }: Row<typeof ChatChannel>, change: Change) {
  const which: Sql =
    change.kind === 'receipt'
      ? // Of what has been seen no more is heard.
        sql`m."kind" in ('staff', 'robot') and m."no" > c."readOut"
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

/** The removal of a message that was told of before the message itself. */
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
