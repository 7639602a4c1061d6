import { Notification } from '@ordinator/model/areas/notifications/notification'
import type { WriteContext } from '../../records/define.ts'

/** What a user is told of. */
export interface Notice {
  /** `task.assigned`, `task.comment` …: what is before the dot is the group of the user's own switches. */
  kind: string
  title: string
  text?: string
  /** Path of the entity it is about, and the record. */
  path?: string
  idEntity?: number
  /** Where a click leads, under /app. */
  link?: string
  /** Users who have to do with it themselves, not only by watching; absent: all of them. */
  own?: readonly number[]
}

/** Puts a line into the notification centre of each of these users but the actor, in the same transaction. */
export async function notify(
  { actor, records }: WriteContext,
  idUsers: readonly number[],
  notice: Notice,
): Promise<void> {
  const { own: _own, ...line } = notice
  const system = records.asSystem
  for (const idUser of new Set(idUsers)) {
    if (idUser === actor.id) continue
    await system.create(Notification, { ...line, idUser, idActor: actor.id || null } as never)
  }
}
