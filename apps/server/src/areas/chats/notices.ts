import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import sql, { type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { WriteContext } from '#records/define.ts'
import { servesSql } from './availability.ts'
import type { Chat } from './lines.ts'

/** Maximum number of operators notified of one message. */
const MOST = 200

/** Supervisors of the shift. */
export const supervisors = async (tx: Queryable): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`select u."id" from users u where not u."deleted" and not u."isBlocked"
      and ${holdsSql(sql`u."id"`, 'superviseLiveAssist')} order by u."id" limit ${MOST}`)
  ).map(({ id }) => id)

/** SQL condition: the settings `s` include this source: all, or the chosen ones. */
const wantsSource = (s: Sql, source: Sql): Sql =>
  sql`(jsonb_array_length(coalesce(${s}."value" -> 'sourceNamesLiveAssist', '[]')) = 0
    or ${s}."value" -> 'sourceNamesLiveAssist' ? ${source})`

/** SQL condition: the user has not set their status to offline. */
const notGone = (idUser: Sql): Sql =>
  sql`not exists (select 1 from live_assist_operators o where o."idUser" = ${idUser} and o."status" = 'offline')`

/** SQL of the number of unread chats for the sound reminder: own ones, and unassigned ones of own groups. */
export const ringingSql = (idUser: number, most: number): Sql => sql`(select count(*)::int from (
  select 1 from users u left join user_settings s on s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
  join live_assist c on c."status" = 'active' and not c."deleted" and c."inCount" > c."readIn"
    and (c."snoozedUntil" is null or c."snoozedUntil" < now())
    and (c."handler" = 'human' and c."idUser" = u."id"
      or c."handler" = 'none' and u."isLiveAssist" and ${notGone(sql`u."id"`)}
        and ${servesSql(sql`u."id"`, sql`c."idGroup"`)})
  where u."id" = ${idUser} and coalesce(s."value" -> 'liveAssist', ${JSON.stringify(userSettingDefaults.notifications.liveAssist)}::jsonb) = 'true'
    and ${wantsSource(sql`s`, sql`coalesce(c."sourceName", '')`)}
  limit ${most}) found)`

/**
 * Notifies about a chat that begins to wait: its operator, or, while unassigned, all operators of its group; and those
 * who follow other chats. Only for the sources that each has chosen (spec §3).
 */
export async function notifyOperators(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  chat: Chat,
  text: string,
) {
  if (chat.handler === 'robot') return
  const recipients = await context.tx.query<{ id: number }>(sql`
    select u."id" from users u
    left join user_settings s on s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
    where not u."deleted" and not u."isBlocked" and ${holdsSql(sql`u."id"`, 'supportOperator')}
      and (u."id" = ${chat.idUser} or (${chat.idUser}::bigint is null and u."isLiveAssist" and ${notGone(sql`u."id"`)}
          and ${servesSql(sql`u."id"`, sql`${chat.idGroup}::bigint`)})
        or s."value" -> 'allNotifyLiveAssist' = 'true')
      and ${wantsSource(sql`s`, sql`${chat.sourceName ?? ''}::text`)}
    order by u."id" limit ${MOST}`)
  await notify(
    context,
    recipients.map(({ id }) => id),
    {
      kind: 'chat.message',
      title: chat.idUser === null ? `Новый чат: ${chat.name}` : `${chat.name} ждёт ответа`,
      text: text.slice(0, 300),
      path: LiveAssist.path,
      idEntity: chat.id,
      link: `/live-assist?chat=${chat.id}`,
    },
  )
}
