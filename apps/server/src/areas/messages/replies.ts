import { Message } from '@ordinator/model/areas/messages/message'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import type { SmsReply } from '#platform/sms.ts'
import type { WriteContext } from '#records/define.ts'

/** Days for which an SMS from a phone counts as a reply to the last message. */
const REPLY_DAYS = 30
const MAX_REPLY = 4000

/**
 * Stores a reply beside the last SMS to its phone, shown in the patient's thread. Further replies are appended.
 * @returns the message and the people to notify; undefined if there was no recent SMS to this phone
 */
export async function keepReply(
  { records, tx }: Pick<WriteContext, 'records' | 'tx'>,
  { from, text }: Pick<SmsReply, 'from' | 'text'>,
): Promise<{ id: number; idAuthor: number | null; idFilial: number | null } | undefined> {
  const last = await tx.one<{ id: number; idAuthor: number | null; idFilial: number | null; reply: string | null }>(sql`
    select "id", "idAuthor", "idFilial", "reply" from messages
    where "phone" = ${phoneOf(from) ?? from} and "channel" = 'sms' and "status" in ('accepted', 'delivered', 'read', 'unknown')
      and "dateCreate" > now() - make_interval(days => ${REPLY_DAYS}) order by "id" desc limit 1`)
  if (!last) return undefined
  await records.asSystem.update(Message, last.id, {
    reply: [last.reply, text.trim()].filter(Boolean).join('\n').slice(0, MAX_REPLY) || null,
    dateReply: new Date().toISOString(),
  })
  return last
}
