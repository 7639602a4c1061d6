/** Versions of edited and deleted lines: the former text is kept. */
import {
  ChatMessage,
  ChatMessageFile,
  ChatMessageVersion,
  ChatVersionFile,
  LiveAssist,
} from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { announce } from '#platform/fanout.ts'
import type { SystemRecords } from '#records/records.ts'
import { type Chat, LAST_WORDS, type Message, NEWS } from './lines.ts'

const REMOVED = 'Сообщение удалено'

/**
 * Writes `change` into a line of a locked chat; a deleted line stays in place without text and files. An identical
 * change does nothing.
 * @param idUser the employee; absent: the patient
 */
export async function revise(
  system: SystemRecords,
  tx: Tx,
  chat: Chat,
  line: Message,
  change: { text: string } | 'removal',
  idUser: number | null = null,
): Promise<Message> {
  if (line.dateRemoved !== null || (change !== 'removal' && change.text === line.message)) return line
  const now = new Date().toISOString()
  const version = await system.create(ChatMessageVersion, { idMessage: line.id, text: line.message, idUser })
  if (change === 'removal') {
    await system.createFrom(
      ChatVersionFile,
      sql`live_assist_message_files f where f."idMessage" = ${line.id} and not f."deleted"`,
      { idVersion: sql`${version.id}::bigint`, idFile: sql`f."idFile"` },
    )
    await system.deleteWhere(ChatMessageFile, ({ row }) => sql`${row}."idMessage" = ${line.id}`)
  }
  const text = change === 'removal' ? '' : change.text
  const revision = chat.revision + 1
  const next = await system.update(ChatMessage, line.id, {
    message: text,
    revision,
    ...(change === 'removal' ? { dateRemoved: now, idRemover: idUser } : { dateEdited: now }),
  })
  const later = await tx.one(sql`select 1 from live_assist_messages where "idLiveAssist" = ${chat.id}
    and "seq" > ${line.seq} and "kind" <> 'system' and not "deleted" limit 1`)
  await system.update(LiveAssist, chat.id, {
    revision,
    ...(later ? {} : { lastMessage: change === 'removal' ? REMOVED : text.slice(0, LAST_WORDS) || chat.lastMessage }),
  })
  await announce(tx, NEWS, [String(chat.id)])
  return next
}
