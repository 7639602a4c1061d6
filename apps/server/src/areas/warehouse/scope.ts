/** Whose a warehouse is: of whoever answers for it or works with it; one that names nobody is everybody's. */

import { holds } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Scope } from '#records/define.ts'

const unless = 'viewAllWarehouses' satisfies Permission

/** SQL: the warehouse of this id is the user's. */
export const isMine = (idWarehouse: Sql, me: Sql): Sql => sql`exists (select 1 from warehouses mine
  where mine."id" = ${idWarehouse} and ((mine."idUser" is null and mine."keepers" = '{}')
    or mine."idUser" = ${me} or ${me} = any (mine."keepers")))`

/** Rows that name their warehouse. */
export const byWarehouse: Scope = {
  unless,
  view: ({ row, me }) => isMine(sql`${row}."idWarehouse"`, me),
}

/** Documents of either of their warehouses; one that names none yet is its author's. */
export const byEither: Scope = {
  unless,
  view: ({ row, me }) => sql`(${isMine(sql`${row}."idFrom"`, me)} or ${isMine(sql`${row}."idTo"`, me)}
    or (${row}."idFrom" is null and ${row}."idTo" is null and ${row}."idAuthor" = ${me}))`,
}

/** SQL for a call's own statements: rows of this warehouse may be told to the actor. */
export const seenBy = (actor: ServerActor, idWarehouse: Sql): Sql =>
  actor.system || holds(actor, unless) ? sql`true` : isMine(idWarehouse, sql`${actor.id}::bigint`)

/** @throws HttpError 403 where the actor does not work with one of these warehouses */
export async function assertMine(db: Queryable, actor: ServerActor, ids: readonly (number | null)[]): Promise<void> {
  const asked = ids.filter((id) => id !== null)
  if (actor.system || holds(actor, unless) || asked.length === 0) return
  const strange = await db.one<{ name: string }>(sql`select w."name" from warehouses w
    where w."id" = any (${asked}::bigint[]) and not ${isMine(sql`w."id"`, sql`${actor.id}::bigint`)} limit 1`)
  if (strange) throw forbidden(`Вы не работаете со складом «${strange.name}»`)
}
