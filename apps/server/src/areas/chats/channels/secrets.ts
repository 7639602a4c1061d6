/** Secrets of channels: bot tokens and webhook secrets, stored apart from the channel, in no response or history. */
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { newWebhookKey } from '#platform/webhook.ts'

export interface ChannelSecret {
  token: string
  /** Our secret: given to the messenger, which sends it with each call. */
  secret: string
  /** The response that the messenger expects when it verifies the address. */
  confirmation: string | null
  /** The messenger's secret for signatures, if it uses one; empty if not set. */
  appSecret: string
  /** The id of the sending number, for a token shared by several. */
  sender: string
}

const TABLE = 'live_assist_channel_secrets'

/** Stores a new token; an empty one deletes it. */
export async function keepToken(tx: Queryable, idChannel: number, token: string | null | undefined): Promise<void> {
  if (token === undefined) return
  const kept = (column: string, text: string) => tx.cipher.encrypt(`${TABLE}.${column}`, idChannel, text)
  await tx.query(
    token
      ? sql`insert into live_assist_channel_secrets ("idChannel", "token", "secret")
          values (${idChannel}, ${kept('token', token)}, ${kept('secret', newWebhookKey())})
          on conflict ("idChannel") do update set "token" = excluded."token", "secret" = excluded."secret",
            "confirmation" = null`
      : sql`delete from live_assist_channel_secrets where "idChannel" = ${idChannel}`,
  )
}

/** Stores the signing secret; an empty one deletes it. It exists only together with a token. */
export async function keepAppSecret(
  tx: Queryable,
  idChannel: number,
  appSecret: string | null | undefined,
): Promise<void> {
  if (appSecret === undefined) return
  const encrypted = appSecret ? tx.cipher.encrypt(`${TABLE}.appSecret`, idChannel, appSecret) : ''
  const kept = await tx.query(sql`update live_assist_channel_secrets set "appSecret" = ${encrypted}
    where "idChannel" = ${idChannel} returning 1`)
  if (appSecret && kept.length === 0)
    throw new ValidationError([{ field: 'token', message: 'Вместе с секретом приложения впишите токен' }])
}

export async function secretOf(db: Queryable, idChannel: number): Promise<ChannelSecret | undefined> {
  const row = await db.one<ChannelSecret>(
    sql`select s."token", s."secret", s."confirmation", s."appSecret", coalesce(c."sender", '') as sender
      from live_assist_channel_secrets s join live_assist_channels c on c."id" = s."idChannel"
      where s."idChannel" = ${idChannel}`,
  )
  if (!row) return undefined
  const open = (column: keyof ChannelSecret, stored: string) =>
    db.cipher.decrypt(`${TABLE}.${column}`, idChannel, stored)
  return {
    token: open('token', row.token),
    secret: open('secret', row.secret),
    confirmation: row.confirmation === null ? null : open('confirmation', row.confirmation),
    appSecret: open('appSecret', row.appSecret),
    sender: row.sender,
  }
}

export async function keepConfirmation(db: Queryable, idChannel: number, confirmation: string): Promise<void> {
  const encrypted = db.cipher.encrypt(`${TABLE}.confirmation`, idChannel, confirmation)
  await db.query(
    sql`update live_assist_channel_secrets set "confirmation" = ${encrypted} where "idChannel" = ${idChannel}`,
  )
}
