/** Tokens of bots and the secrets by which messengers show themselves: beside the channel, in no answer or history. */
import sql from 'sql-template-tag'
import type { Queryable } from '../../../platform/db.ts'
import { newDoorKey } from '../../../platform/webhook.ts'

export interface ChannelSecret {
  token: string
  /** Ours: told to the messenger, which sends it with each call. */
  secret: string
  /** What the messenger wants to read before it believes that the address is ours. */
  confirmation: string | null
}

/** Keeps a new token; an empty one takes it away. */
export async function keepToken(tx: Queryable, idChannel: number, token: string | null | undefined): Promise<void> {
  if (token === undefined) return
  await tx.query(
    token
      ? sql`insert into live_assist_channel_secrets ("idChannel", "token", "secret") values (${idChannel}, ${token}, ${newDoorKey()})
          on conflict ("idChannel") do update set "token" = excluded."token", "secret" = excluded."secret",
            "confirmation" = null`
      : sql`delete from live_assist_channel_secrets where "idChannel" = ${idChannel}`,
  )
}

export const secretOf = (db: Queryable, idChannel: number): Promise<ChannelSecret | undefined> =>
  db.one<ChannelSecret>(
    sql`select "token", "secret", "confirmation" from live_assist_channel_secrets where "idChannel" = ${idChannel}`,
  )

export const keepConfirmation = async (db: Queryable, idChannel: number, confirmation: string): Promise<void> =>
  void (await db.query(
    sql`update live_assist_channel_secrets set "confirmation" = ${confirmation} where "idChannel" = ${idChannel}`,
  ))
