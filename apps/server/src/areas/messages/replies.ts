import { Message } from '@ordinator/model/areas/messages/message'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import type { SmsReply } from '#platform/sms.ts'
import type { WriteContext } from '#records/define.ts'

/** Days for which a text message from a phone answers what it was last written. */
const REPLY_DAYS = 30
const MAX_REPLY = 4000

/**
 * Keeps an answer beside the last text message to its phone, where the thread of the patient shows it. Further answers
 * are added to it.
 * @returns the message and who is to know; undefined: this phone was not written to lately
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
