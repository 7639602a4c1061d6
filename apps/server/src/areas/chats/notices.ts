import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import { holdsSql } from '../../auth/index.ts'
import type { Queryable } from '../../platform/db.ts'
import type { WriteContext } from '../../records/define.ts'
import { notify } from '../notifications/index.ts'
import type { Chat } from './lines.ts'

/** Operators that one message is told to. */
const MOST = 200

/** Who supervises the shift. */
export const supervisors = async (tx: Queryable): Promise<number[]> =>
  (
    await tx.query<{ id: number }>(sql`select u."id" from users u where not u."deleted" and not u."isBlocked"
      and ${holdsSql(sql`u."id"`, 'superviseLiveAssist')} order by u."id" limit ${MOST}`)
  ).map(({ id }) => id)

/**
 * Tells of a chat that begins to wait: its operator, or, while nobody has it, all who answer in chats; and who wants to
 * hear of the others' chats. Only of the sources that each has named (spec §3).
 */
export async function tellOperators(context: Pick<WriteContext, 'actor' | 'tx' | 'records'>, chat: Chat, text: string) {
  if (chat.handler === 'robot') return
  const told = await context.tx.query<{ id: number }>(sql`
    select u."id" from users u
    left join user_settings s on s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
    where not u."deleted" and not u."isBlocked" and ${holdsSql(sql`u."id"`, 'supportOperator')}
      and (u."id" = ${chat.idUser} or (${chat.idUser}::bigint is null and u."isLiveAssist")
        or s."value" -> 'allNotifyLiveAssist' = 'true')
      and (jsonb_array_length(coalesce(s."value" -> 'sourceNamesLiveAssist', '[]')) = 0
        or s."value" -> 'sourceNamesLiveAssist' ? ${chat.sourceName ?? ''})
    order by u."id" limit ${MOST}`)
  await notify(
    context,
    told.map(({ id }) => id),
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
