/** Authentication of sellers: by the key of the channel, of which only a hash is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { BookingChannel, type ChannelKind } from '@ordinator/model/areas/outside/channel'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicNameSql, publicService } from '#areas/catalogue/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, unauthorized } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'

export interface Channel {
  id: number
  name: string
  kind: ChannelKind
  idFilial: number
  idSource: number | null
  idServices: number[]
  idUsers: number[]
  horizonDays: number
  leadHours: number
  showPrice: boolean
}

const channelFields = sql`c."id"::int as id, c."name", c."kind", c."idFilial"::int as "idFilial", c."idSource"::int as "idSource",
  c."idServices", c."idUsers", c."horizonDays", c."leadHours", c."showPrice"`
/** SQL condition: the channel `c` of the branch `f` may book now. Яндекс only by contract. */
const isOn = sql`c."active" and not c."deleted" and ${publicFilial(raw('f'))} and (c."kind" <> 'yandex' or c."isAgreed")`

/** The channel, if it is switched on. */
export const channelById = (db: Queryable, id: number): Promise<Channel | undefined> =>
  db.one<Channel>(sql`
    select ${channelFields} from booking_channels c join filials f on f."id" = c."idFilial" where c."id" = ${id} and ${isOn}`)

/** Channels of these kinds that are switched on and have a key of their seller. */
export const keyedChannels = (db: Queryable, kinds: readonly ChannelKind[]): Promise<Channel[]> =>
  db.query<Channel>(sql`
    select ${channelFields} from booking_channels c join filials f on f."id" = c."idFilial"
      join booking_channel_tokens t on t."idChannel" = c."id"
    where c."kind" = any (${[...kinds]}::text[]) and ${isOn} order by c."id"`)

/** Channels that the clinic sends something to, the switched off ones too. */
export const allKeyed = (db: Queryable): Promise<(Channel & { isOn: boolean })[]> =>
  db.query(sql`
    select ${channelFields}, ${isOn} as "isOn" from booking_channels c join filials f on f."id" = c."idFilial"
    where not c."deleted" and exists (select from booking_channel_tokens t where t."idChannel" = c."id") order by c."id"`)

/** A channel, switched off or on. @throws HttpError 404 */
export async function anyChannel(db: Queryable, id: number): Promise<Channel & { isOn: boolean }> {
  const found = await db.one<Channel & { isOn: boolean }>(sql`
    select ${channelFields}, ${isOn} as "isOn" from booking_channels c join filials f on f."id" = c."idFilial"
    where c."id" = ${id} and not c."deleted"`)
  if (!found) throw notFound('Площадки нет')
  return found
}

/** Channels of a kind in a branch that are switched on. */
export const channelsOf = (db: Queryable, kind: ChannelKind, idFilial: number): Promise<Channel[]> =>
  db.query<Channel>(sql`
    select ${channelFields} from booking_channels c join filials f on f."id" = c."idFilial"
    where c."kind" = ${kind} and c."idFilial" = ${idFilial} and ${isOn} order by c."id"`)

/** The key that the seller has given to the clinic; undefined: none is set. */
export async function sellerKey(db: Queryable, idChannel: number): Promise<string | undefined> {
  const row = await db.one<{ token: string }>(
    sql`select "token" from booking_channel_tokens where "idChannel" = ${idChannel}`,
  )
  return row && db.cipher.decrypt('booking_channel_tokens.token', idChannel, row.token)
}

/** @param key null: it is forgotten */
export const keepSellerKey = (tx: Tx, idChannel: number, key: string | null): Promise<unknown> =>
  tx.query(
    key
      ? sql`insert into booking_channel_tokens ("idChannel", "token")
          values (${idChannel}, ${tx.cipher.encrypt('booking_channel_tokens.token', idChannel, key)})
          on conflict ("idChannel") do update set "token" = excluded."token"`
      : sql`delete from booking_channel_tokens where "idChannel" = ${idChannel}`,
  )

const hashOf = (token: string): string => createHash('sha256').update(`booking channel ${token}`).digest('hex')

/**
 * The channel whose key the request carries.
 * @throws HttpError 401 without a known key; 403 `off` if the channel is switched off
 */
export async function channelOf({ db }: AppContext, authorization: string | undefined): Promise<Channel> {
  const token = /^(?:Bearer|Token) ([\w-]{43})$/.exec(authorization ?? '')?.[1]
  const found =
    token === undefined
      ? undefined
      : await db.one<Channel & { active: boolean }>(sql`
          select ${channelFields}, ${isOn} as active
          from booking_channel_keys k join booking_channels c on c."id" = k."idChannel" and not c."deleted"
            join filials f on f."id" = c."idFilial"
          where k."hash" = ${hashOf(token)}`)
  if (!found) throw unauthorized('Ключ площадки не подходит', 'key')
  if (!found.active) throw new HttpError(403, 'Запись через эту площадку выключена', { code: 'off' })
  return found
}

/** SQL of the pairs of a service and a doctor that the channel may sell: aliases `p`, `s`, `u`. */
export const soldSql = ({ id, idFilial, idServices, idUsers }: Channel): Sql => sql`
  service_doctors p join services s on s."id" = p."idService" and ${publicService(raw('s'))} and s."groupSize" = 1
    join users u on u."id" = p."idUser" and ${publicDoctor(raw('u'))}
  where (p."idFilial" is null or p."idFilial" = ${idFilial})
    and (cardinality(${idServices}::bigint[]) = 0 or s."id" = any (${idServices}::bigint[]))
    and (cardinality(${idUsers}::bigint[]) = 0 or u."id" = any (${idUsers}::bigint[]))
    and not exists (select 1 from booking_channels_matches n where n."idChannel" = ${id} and n."state" = 'left' and not n."deleted"
      and (n."idService" = s."id" or n."idUser" = u."id"))`

/** SQL of the name by which a seller knows a service: its own where it is matched, else ours. @param s its row */
export const outerNameSql = (
  { id }: Channel,
  s: Sql,
): Sql => sql`coalesce((select n."outerName" from booking_channels_matches n
  where n."idChannel" = ${id} and n."idService" = ${s}."id" and n."state" = 'matched' and not n."deleted" order by n."id" limit 1),
  ${publicNameSql(s)})`

/** SQL of the order of a doctor's services `s`: first those that are theirs, an analysis that anybody takes last; the cheaper first. */
export const simplestSql: Sql = sql`s."anyPerformer", s."priceService" nulls last, s."id"`

/**
 * The service of a seller who names a doctor alone: the simplest one of the doctor's own that the channel sells.
 * @throws HttpError 404
 */
export async function simplestOf(db: Queryable, channel: Channel, idUser: number): Promise<number> {
  const found = await db.one<{ id: number }>(sql`
    select s."id"::int as id from ${soldSql(channel)} and u."id" = ${idUser}
      and not exists (select 1 from service_equipment n where n."idService" = s."id" and not n."deleted")
    order by ${simplestSql} limit 1`)
  if (!found) throw new HttpError(404, 'Такого врача на площадке нет')
  return found.id
}

/** Whether the channel may sell this service of this doctor. */
export const sells = async (db: Queryable, channel: Channel, idService: number, idUser: number): Promise<boolean> =>
  (await db.one(sql`select 1 from ${soldSql(channel)} and s."id" = ${idService} and u."id" = ${idUser} limit 1`)) !==
  undefined

const token = operation(outsideCalls.token, async ({ records, params: { id } }) => {
  const made = randomBytes(32).toString('base64url')
  await records.tx(async (inside, tx) => {
    await inside.row(BookingChannel, id)
    await tx.query(sql`insert into booking_channel_keys ("idChannel", "hash") values (${id}, ${hashOf(made)})
      on conflict ("idChannel") do update set "hash" = excluded."hash"`)
    await inside.asSystem.update(BookingChannel, id, { dateToken: new Date().toISOString() })
  })
  return { token: made }
})

const revoke = operation(outsideCalls.revoke, async ({ records, params: { id } }) => {
  await records.tx(async (inside, tx) => {
    await inside.row(BookingChannel, id)
    await tx.query(sql`delete from booking_channel_keys where "idChannel" = ${id}`)
    await inside.asSystem.update(BookingChannel, id, { dateToken: null })
  })
})

export const channelCalls = [token, revoke]
