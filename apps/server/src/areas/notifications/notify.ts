import { Notification } from '@ordinator/model/areas/notifications/notification'
import { noticeGroup, noticeSwitches } from '@ordinator/model/areas/notifications/switches'
import { userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { WriteContext } from '#records/define.ts'

/** A notice to a user. */
export interface Notice {
  /** `task.assigned`, `task.comment` …: the part before the dot is the group of the user's own switches. */
  kind: string
  title: string
  text?: string
  /** Path of its entity, and id of the record. */
  path?: string
  idEntity?: number
  /** Link of the notice, under /app. */
  link?: string
  /** Users directly involved, not only watching; absent: all of them. */
  own?: readonly number[]
}

/**
 * Adds a notice for each of these users except the actor, in the same transaction; skips users whose switches exclude
 * it (spec §3).
 */
export async function notify(
  { actor, records }: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  idUsers: readonly number[],
  notice: Notice,
): Promise<void> {
  const recipients = [...new Set(idUsers)].filter((id) => id !== actor.id)
  if (recipients.length === 0) return
  const { own, ...line } = notice
  const { kind } = notice
  await records.asSystem.createFrom(
    Notification,
    sql`users u left join user_settings s on s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
      where u."id" = any(${recipients}::bigint[]) and not u."deleted" and ${wanted(kind, own ?? recipients)}
      order by u."id"`,
    { idUser: raw('u."id"'), idActor: actor.id || null, ...line },
  )
}

/** SQL condition: the switches of user `u`, stored in `s`, allow this kind. */
function wanted(kind: string, own: readonly number[]): Sql {
  const switches = noticeSwitches[noticeGroup(kind)]
  if (!switches) return raw('true')
  const isOn = (name: keyof typeof userSettingDefaults.notifications) =>
    sql`case s."value" -> ${name} when 'true' then true when 'false' then false else ${userSettingDefaults.notifications[name] as boolean} end`
  const onlyOwn = switches.own ? sql`(not ${isOn(switches.own)} or u."id" = any(${own}::bigint[]))` : raw('true')
  return sql`${isOn(switches.on)} and ${onlyOwn}`
}
