/** Who asks: a seller is known by the key of its channel, of which only a hash is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { outsideCalls } from '@ordinator/model/areas/outside/calls'
import { BookingChannel, type ChannelKind } from '@ordinator/model/areas/outside/channel'
import sql, { raw, type Sql } from 'sql-template-tag'
import { publicDoctor, publicFilial, publicService } from '#areas/catalogue/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, unauthorized } from '#platform/errors.ts'
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
          select c."id"::int as id, c."name", c."kind", c."idFilial"::int as "idFilial", c."idSource"::int as "idSource",
            c."idServices", c."idUsers", c."horizonDays", c."leadHours", c."showPrice",
            c."active" and ${publicFilial(raw('f'))} as active
          from booking_channel_keys k join booking_channels c on c."id" = k."idChannel" and not c."deleted"
            join filials f on f."id" = c."idFilial"
          where k."hash" = ${hashOf(token)}`)
  if (!found) throw unauthorized('Ключ площадки не подходит', 'key')
  if (!found.active) throw new HttpError(403, 'Запись через эту площадку выключена', { code: 'off' })
  return found
}

/** SQL of the pairs of a service and a doctor that the channel may sell: aliases `p`, `s`, `u`. */
export const soldSql = ({ idFilial, idServices, idUsers }: Channel): Sql => sql`
  service_doctors p join services s on s."id" = p."idService" and ${publicService(raw('s'))} and s."groupSize" = 1
    join users u on u."id" = p."idUser" and ${publicDoctor(raw('u'))}
  where (p."idFilial" is null or p."idFilial" = ${idFilial})
    and (cardinality(${idServices}::bigint[]) = 0 or s."id" = any (${idServices}::bigint[]))
    and (cardinality(${idUsers}::bigint[]) = 0 or u."id" = any (${idUsers}::bigint[]))`

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
