/** Shared by the staff operations on both kinds of conversations: chats of support and dialogues with patients. */
import type { Entity } from '@ordinator/model/entity'
import type { Permission } from '@ordinator/model/permissions'
import sql, { raw, type Sql } from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Records, SystemRecords } from '#records/records.ts'

/** A tab's count stops here. */
export const COUNTED = 1_000

/** A locked conversation, under its own name, in the transaction of the operation. */
export type Held<K extends string, R> = Readonly<Record<K, R>> & {
  inside: Records
  system: SystemRecords
  tx: Tx
  actor: ServerActor
}

/** Runs an operation on a locked conversation that the user may open. */
export const holdingOf =
  <K extends string, R>(entity: Entity, name: K, lock: (system: SystemRecords, tx: Tx, id: number) => Promise<R>) =>
  <T>(records: Records, id: number, run: (held: Held<K, R>) => Promise<T>): Promise<T> =>
    records.tx(async (inside, tx) => {
      await inside.row(entity, id)
      const system = inside.asSystem
      const row = { [name]: await lock(system, tx, id) } as Record<K, R>
      return run({ ...row, inside, system, tx, actor: inside.actor })
    })

/** Refuses another message under the key of one that was sent. @throws HttpError 409 `repeated` */
export function refuseOther(
  known: { idUser: number | null; text: string },
  sent: { idUser: number; text: string },
): void {
  if (known.text !== sent.text || known.idUser !== sent.idUser)
    throw new HttpError(409, 'С этим ключом уже отправлено другое сообщение', { code: 'repeated' })
}

/** Short name of an employee. */
export const nameOf = async (tx: Queryable, idUser: number | null): Promise<string | undefined> =>
  (await tx.one<{ name: string }>(sql`select ${shortFioSql(raw('u'))} as name from users u where u."id" = ${idUser}`))
    ?.name

/** Whether a working employee has a right. */
export const mayServe = async (tx: Queryable, idUser: number, right: Permission): Promise<boolean> =>
  Boolean(
    await tx.one(sql`select 1 from users u where u."id" = ${idUser} and not u."deleted" and not u."isBlocked"
      and ${holdsSql(sql`u."id"`, right)}`),
  )

/** SQL that counts the conversations of `from` that meet a condition, up to {@link COUNTED}. */
export const countIn =
  (from: Sql) =>
  (condition: Sql): Sql =>
    sql`(select count(*)::int from (select 1 from ${from} and not "deleted" and ${condition} limit ${COUNTED}) found)`
