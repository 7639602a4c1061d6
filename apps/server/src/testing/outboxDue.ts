import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { Clinic } from './harness.ts'

/** Lets time pass for the outbox: what waits is due, and no lane is paused. */
export async function outboxDue(db: Queryable): Promise<void> {
  await db.query(sql`update outbox set "dateDue" = now() where "dateDue" is not null and "state" <> 'claimed'`)
  await db.query(sql`delete from outbox_lanes`)
}

/**
 * Sends the replies of a chat that wait for its messenger.
 * @param tries failed attempts of each so far; absent: as they are
 */
export async function deliverChat({ context }: Pick<Clinic, 'context'>, idChat: number, tries?: number): Promise<void> {
  const { db, outbox } = context
  const ofChat = sql`"subject" = ${`chat-${idChat}`}`
  if (tries !== undefined) await db.query(sql`update outbox set "attempts" = ${tries} where ${ofChat}`)
  await outboxDue(db)
  const [found] = await db.query<{ lane: string }>(sql`select "lane" from outbox where ${ofChat} limit 1`)
  if (found) await outbox.run(found.lane)
}
